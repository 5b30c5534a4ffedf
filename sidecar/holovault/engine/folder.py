"""Which index folder belongs to a vault, also after the vault has moved.

Owns `vault.json` beside each index. Must not open an index for longer than one look.
"""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from holovault.config import Home, vault_key, write_private
from holovault.errors import UserError
from holovault.model import FileState
from holovault.store import Store

SAMPLE = 200
ALIKE = 0.9


@dataclass(frozen=True, slots=True)
class Identity:
    """Where a vault was when its index was last opened."""

    path: str
    device: int
    inode: int


def identity_of(root: Path) -> Identity:
    found = root.stat()
    return Identity(str(root), found.st_dev, found.st_ino)


def index_folder(home: Home, root: Path, open_store: Callable[[Path], Store]) -> Path:
    """The folder of this vault's index, taken over from a vault that moved here if there is one.

    Taken over only where the old place is gone and the folder is the same one (device and inode) or
    at least nine in ten of its notes are byte for byte here.
    """
    folder = home.index(vault_key(root))
    if not (folder / "index.db").exists():
        for other in sorted(home.index_root.iterdir()) if home.index_root.is_dir() else ():
            if other != folder and _moved_here(other, root, open_store):
                _take_over(other, folder)
                break
    write_private(folder / "vault.json", msgspec.json.encode(identity_of(root)))
    return folder


def _moved_here(other: Path, root: Path, open_store: Callable[[Path], Store]) -> bool:
    try:
        old = msgspec.json.decode((other / "vault.json").read_bytes(), type=Identity)
    except (OSError, msgspec.MsgspecError):
        return False
    if os.path.lexists(old.path):
        return False
    here = identity_of(root)
    return (old.device, old.inode) == (here.device, here.inode) or _alike(other, root, open_store)


def _alike(folder: Path, root: Path, open_store: Callable[[Path], Store]) -> bool:
    try:
        with open_store(folder) as store:
            states = list(store.notes.known().values())
    except UserError:
        return False
    sample = states[:: max(1, len(states) // SAMPLE)]
    return bool(sample) and sum(_same(root, state) for state in sample) >= ALIKE * len(sample)


def _same(root: Path, state: FileState) -> bool:
    try:
        data = (root / state.disk_path).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(data).hexdigest() == state.hash


def _take_over(other: Path, folder: Path) -> None:
    if folder.exists():
        for leftover in folder.iterdir():
            leftover.unlink()
        folder.rmdir()
    other.rename(folder)
