"""The only door to note files: what is there, read, write, and from paths to the disk and back."""

from holovault.vault.door import Change, NoteBytes, Vault
from holovault.vault.leftovers import Sweep
from holovault.vault.scanner import Scan, Seen
from holovault.vault.swaps import PlainSwap, Swap, WindowsSwap, system_swap

__all__ = ["Change", "NoteBytes", "PlainSwap", "Scan", "Seen", "Swap", "Sweep", "Vault", "WindowsSwap", "system_swap"]
