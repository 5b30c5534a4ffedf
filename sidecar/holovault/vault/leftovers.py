"""What a killed writer left behind: unfinished drafts go, displaced hand edits become notes.

Owns the judgement over one leftover. Works under the write lock, so that no writer is in the middle of a
swap. Must not look for leftovers itself; a scan lists them.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from holovault.errors import UserError
from holovault.vault.contents import fingerprint
from holovault.vault.drafts import is_part, swap_name
from holovault.vault.folders import Folder, open_folder
from holovault.vault.locks import WriteLock
from holovault.vault.names import nfc
from holovault.vault.writer import Writer

_log = logging.getLogger(__name__)

PATIENCE_S = 3600
"""A draft without its hashes may belong to a writer that is still at work; after an hour it does not."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """How many leftovers were removed, and the vault-relative paths of notes made from texts that were saved from them."""

    removed: int = 0
    rescued: tuple[str, ...] = ()


class Sweeper:
    """Clears leftovers of the vault at the real path `root`."""

    def __init__(self, root: str, lock: WriteLock, writer: Writer, now: Callable[[], datetime]) -> None:
        self._root = root
        self._lock = lock
        self._writer = writer
        self._now = now

    def sweep(self, leftovers: Iterable[str]) -> Sweep:
        """Judge each leftover (disk paths below the root). One that cannot be judged now stays for the next time."""
        removed = 0
        rescued: list[str] = []
        for disk in leftovers:
            *parts, name = disk.split("/")
            try:
                with open_folder(self._root, parts) as folder, self._lock.held():
                    kept = self._judge(folder, name)
            except (OSError, UserError) as error:
                _log.warning("a hidden file of an earlier write stays for now: %s (%s)", disk, error)
                continue
            removed += kept == ""
            rescued.extend([nfc("/".join((*parts, kept)))] if kept else [])
        return Sweep(removed, tuple(rescued))

    def _judge(self, folder: Folder, name: str) -> str | None:
        """Empty where the file was removed, the new name where its text was saved, None where it stays."""
        found = folder.stat(name)
        if is_part(name) and self._now().timestamp() - found.st_mtime < PATIENCE_S:
            return None
        hashes = swap_name(name) if found.st_nlink <= 1 else None  # with a second name nothing can get lost
        if hashes and fingerprint(folder, name, name).hash not in (hashes.new, hashes.expected):
            return self._writer.keep(folder, name, "Recovered.md")
        folder.remove(name)
        return ""
