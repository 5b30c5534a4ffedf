"""From a vault-relative path to the disk and back: the only way in either direction.

Owns where the vault is, Unicode forms of names on disk, and containment: whatever a path leads to, links
included, lies below the vault's real root, or it is refused. Must not open files.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from holovault.errors import PathForbiddenError
from holovault.vault.names import WINDOWS, checked, is_text, nfc, printable

CASELESS = sys.platform in ("win32", "darwin")
"""Whether file systems here usually take `a.md` and `A.md` for one file."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path is: `disk` spells it as the disk does (vault-relative, `/`), `real` are the parts below the root without links."""

    path: str
    disk: str
    real: tuple[str, ...]
    linked: bool

    @property
    def name(self) -> str:
        """The real file name on disk."""
        return self.real[-1]

    @property
    def folder(self) -> tuple[str, ...]:
        """The real folders below the root."""
        return self.real[:-1]

    @property
    def real_path(self) -> str:
        """Vault-relative and NFC, without links."""
        return nfc("/".join(self.real))


class Places:
    """Paths of one vault. `given` is the root as named, `root` its real path."""

    def __init__(self, root: Path, caseless: bool = CASELESS) -> None:
        self.given = os.path.abspath(root)
        self.root = os.path.realpath(root)
        self._caseless = caseless

    def locate(self, path: str) -> Place:
        """The place of a path that need not exist. Raises PathForbiddenError for every way out of the vault."""
        path = checked(path)
        disk = self._spelled(path)
        full = os.path.join(self.root, *disk.split("/"))
        real = self.below(os.path.realpath(full))
        if real is None:
            raise PathForbiddenError(f"{path} leads out of the vault by a link. Only notes inside the vault can be read or written.")
        if not real or any(not is_text(part) for part in real):
            raise PathForbiddenError(f"{path} is a link to something that is no note of this vault. Name the note itself.")
        return Place(path, disk, real, "/".join(real) != disk)

    def full(self, place: Place) -> Path:
        """The real path on disk."""
        return Path(self.root, *place.real)

    def below(self, full: str) -> tuple[str, ...] | None:
        """The parts of a real path below the root; None where it is not below."""
        root = os.path.normcase(self.root.rstrip(os.sep))
        if os.path.normcase(full) == os.path.normcase(self.root):
            return ()
        if not os.path.normcase(full).startswith(root + os.sep):
            return None
        return tuple(full[len(root) + 1 :].split(os.sep))

    def note_path(self, disk: Path | str) -> str:
        """Disk path (absolute, or relative to the root) → vault-relative NFC path; "" for the root itself.

        The file need not exist and links are not followed. Raises PathForbiddenError for paths elsewhere.
        """
        text = os.fspath(disk)
        if os.path.isabs(text):
            text = self._relative(os.path.normpath(text))
        if WINDOWS:
            text = text.replace("\\", "/")
        parts = [part for part in text.split("/") if part not in ("", ".")]
        if ".." in parts or not is_text(text):
            raise PathForbiddenError(f"{printable(text)} is no path inside the vault {self.root}.")
        return nfc("/".join(parts))

    def _relative(self, full: str) -> str:
        folded = os.path.normcase(full)
        for root in (self.root, self.given):
            start = os.path.normcase(root.rstrip(os.sep))
            if folded == start or folded.startswith(start + os.sep):
                return full[len(start) + 1 :]
        raise PathForbiddenError(f"{printable(full)} is not inside the vault {self.root}.")

    def _spelled(self, path: str) -> str:
        """`path` as the disk spells it, as far as it exists: other Unicode form, and other case where case does not count."""
        if not self._caseless and (path.isascii() or os.path.lexists(os.path.join(self.root, path))):
            return path
        here, names = self.root, path.split("/")
        for index, name in enumerate(names):
            found = self._named(here, name)
            if found is None:
                break
            names[index] = found
            here = os.path.join(here, found)
        return "/".join(names)

    def _named(self, folder: str, name: str) -> str | None:
        exists = os.path.lexists(os.path.join(folder, name))
        if exists and not self._caseless:
            return name
        try:
            listed = sorted(os.listdir(folder))
        except OSError:
            return name if exists else None
        if name in listed:
            return name
        same = [other for other in listed if nfc(other) == name]
        if not same and exists:
            same = [other for other in listed if nfc(other).casefold() == name.casefold()]
        return same[0] if same else (name if exists else None)
