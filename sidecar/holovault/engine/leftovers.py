"""Indexes whose vault is gone.

Owns finding and removing them, and the doubt about a drive that is only not connected. Must not open an index: what is removed can be
built again from the notes, should they come back.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from holovault.config import Home
from holovault.engine.folder import Identity
from holovault.errors import DiskError
from holovault.ownership import is_held


@dataclass(frozen=True, slots=True)
class Leftover:
    """The index in `folder` of the vault that was at `vault`. `away`: the vault may lie on a drive that is not connected now."""

    folder: str
    vault: str
    bytes: int
    away: bool
    removed: bool = False


@dataclass(frozen=True, slots=True)
class PrunedIndexes:
    """What was looked at and what went; with `dry_run` nothing does."""

    dry_run: bool
    indexes: tuple[Leftover, ...]


def leftovers(home: Home) -> tuple[Leftover, ...]:
    """All of them, in the order of their folders. An index that a process owns, or that says nothing of its vault, is none."""
    return tuple(_found(home))


def remove(home: Home, found: Leftover) -> Leftover:
    """The same, removed, unless its vault has come back meanwhile or somebody owns it. DiskError where that fails."""
    folder = Path(found.folder)
    if _of(home, folder) is None:
        return found
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise DiskError(f"{folder} cannot be removed: {error.strerror or error}. Close what uses it, then try again.") from error
    return replace(found, removed=True)


def _found(home: Home) -> Iterator[Leftover]:
    for noted in sorted(home.index_root.glob("*/vault.json")):
        if (found := _of(home, noted.parent)) is not None:
            yield found


def _of(home: Home, folder: Path) -> Leftover | None:
    try:
        identity = msgspec.json.decode((folder / "vault.json").read_bytes(), type=Identity)
        if os.path.lexists(identity.path) or is_held(home, folder.name):
            return None
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    size = sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())
    return Leftover(str(folder), identity.path, size, _may_be_away(identity))


def _may_be_away(identity: Identity) -> bool:
    """True unless the folder around the vault is there, on the drive that the vault was on: then the vault was removed or moved."""
    for parent in Path(identity.path).parents:
        try:
            return parent.stat().st_dev != identity.device
        except OSError:
            continue
    return True
