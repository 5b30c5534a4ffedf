"""Hidden files of our own writer: how they are named, made, and what is true of one that was left behind.

A `.part` file is a text still being written; nobody has been told that it is safe. A `.swap` file is a whole
text about to take a note's place, or what it displaced there; its name carries both hashes, so that after a
crash anybody can tell a superseded text from a hand edit that must not be lost. Must not touch notes.
"""

import errno
import os
import re
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from secrets import token_hex

from holovault.vault.folders import CREATE, READ, Folder, flush_file

PREFIX = ".holovault-"
_PART = re.compile(r"\.holovault-[0-9a-f]{16}\.part")
_SWAP = re.compile(r"\.holovault-[0-9a-f]{16}-([0-9a-f]{64})-([0-9a-f]{64})\.(?:swap|aside)")


@dataclass(frozen=True, slots=True)
class SwapName:
    """What the name of a `.swap` file says: the hash of the new text, and of the one it was to replace."""

    new: str
    expected: str


def is_ours(name: str) -> bool:
    """True for hidden files of this writer; they are never notes."""
    return name.startswith(PREFIX) and bool(_PART.fullmatch(name) or _SWAP.fullmatch(name))


def is_part(name: str) -> bool:
    return bool(_PART.fullmatch(name))


def swap_name(name: str) -> SwapName | None:
    """The hashes in a swap file's name; None for other files."""
    found = _SWAP.fullmatch(name)
    return SwapName(found[1], found[2]) if found else None


class Draft:
    """One hidden file with a whole text in it, flushed to the disk. `name` changes as it goes along."""

    def __init__(self, folder: Folder, identity: str) -> None:
        self._folder = folder
        self._id = identity
        self.name = f"{PREFIX}{identity}.part"
        self.aside = ""

    @classmethod
    def write(cls, folder: Folder, data: bytes, like: str | None) -> "Draft":
        """Write `data` beside its target; `like` names a file whose mode, owner and attributes it takes over.

        Leaves nothing behind where it raises OSError.
        """
        draft = cls(folder, token_hex(8))
        # The system's umask applies to a new note as to any other new file.
        descriptor = folder.open(draft.name, CREATE, 0o600 if like else 0o644)
        try:
            try:
                _write_all(descriptor, data)
                if like:
                    _take_after(folder, like, descriptor, draft.name)
                flush_file(descriptor)
            finally:
                os.close(descriptor)
        except BaseException:
            draft.discard()
            raise
        return draft

    def promote(self, new: str, expected: str) -> None:
        """From here on its name says what it may be replaced for."""
        stem = f"{PREFIX}{self._id}-{new}-{expected}"
        self._folder.rename(self.name, f"{stem}.swap")
        self.name, self.aside = f"{stem}.swap", f"{stem}.aside"

    def discard(self) -> None:
        """Remove it, if it is still there."""
        try:
            self._folder.remove(self.name)
        except FileNotFoundError:
            return


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _take_after(folder: Folder, like: str, descriptor: int, name: str) -> None:
    """Mode, owner and extended attributes (Finder tags, access lists) of the note that is replaced."""
    source = folder.open(like, READ)
    try:
        found = os.fstat(source)
        if sys.platform == "win32":  # ReplaceFileW carries them over
            return
        mine = os.fstat(descriptor)
        if (mine.st_uid, mine.st_gid) != (found.st_uid, found.st_gid):
            _unless_refused(lambda: os.fchown(descriptor, found.st_uid, found.st_gid))
        _attributes(source, descriptor)
        os.fchmod(descriptor, stat.S_IMODE(found.st_mode))
    finally:
        os.close(source)


def _attributes(source: int, descriptor: int) -> None:
    if sys.platform == "darwin":
        import ctypes

        copyfile_acl, copyfile_xattr = 1, 4
        library = ctypes.CDLL(None, use_errno=True)
        library.fcopyfile(ctypes.c_int(source), ctypes.c_int(descriptor), None, ctypes.c_uint32(copyfile_acl | copyfile_xattr))
    elif sys.platform == "linux":
        try:
            names = os.listxattr(source)
        except OSError:
            return  # a file system without attributes
        for attribute in names:
            if attribute.startswith(("user.", "system.posix_acl")):
                _unless_refused(partial(_copy_attribute, source, descriptor, attribute))


if sys.platform == "linux":

    def _copy_attribute(source: int, descriptor: int, attribute: str) -> None:
        os.setxattr(descriptor, attribute, os.getxattr(source, attribute))


def _unless_refused(act: Callable[[], None]) -> None:
    """An attribute that cannot be carried over must not stop a person's text from being saved."""
    try:
        act()
    except OSError as error:
        if error.errno not in {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENODATA, errno.EINVAL, errno.ENOSPC}:
            raise
