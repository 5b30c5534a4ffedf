"""Putting a finished file in a note's place so that nothing in between is lost.

Owns the system calls. `exchange` leaves what was displaced under the draft's name, where the caller can look
at it; `place` never replaces anything. Linux renameat2, macOS renameatx_np, Windows ReplaceFileW; where the
file system cannot, hard links and a plain replace. Must not read contents or decide who wins.
"""

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from typing import Protocol

from holovault.vault.folders import CREATE, Folder, patiently

_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
_NO_LINKS = frozenset({errno.EPERM, errno.EMLINK, errno.EACCES, *_UNSUPPORTED})

EXCHANGE = "exchange"
EXCLUSIVE = "exclusive"

NativeRename = Callable[[int, bytes, bytes, str], None]
"""(folder handle, from, to, EXCHANGE or EXCLUSIVE); raises OSError."""

ReplaceFile = Callable[[str, str, str], None]
"""(target, replacement, backup), as ReplaceFileW; raises OSError."""


class Swap(Protocol):
    """One way to put files in place."""

    def exchange(self, folder: Folder, draft: str, target: str, aside: str) -> bool:
        """`draft` becomes `target`; what was there is then called `draft`. `aside` is a free name that may be used meanwhile.

        False where the displaced file could not be had. Raises FileNotFoundError where there is no target.
        """

    def place(self, folder: Folder, draft: str, target: str) -> None:
        """`draft` becomes `target`, which must not exist (FileExistsError)."""


class PlainSwap:
    """Hard links and rename: everywhere, with an instant in which a foreign write by rename could slip through."""

    def exchange(self, folder: Folder, draft: str, target: str, aside: str) -> bool:
        try:
            folder.link(target, aside)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            folder.stat(target)
            folder.rename(draft, target)
            return False
        try:
            folder.rename(draft, target)
        except OSError:
            folder.remove(aside)
            raise
        folder.rename(aside, draft)
        return True

    def place(self, folder: Folder, draft: str, target: str) -> None:
        try:
            folder.link(draft, target)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            os.close(folder.open(target, CREATE))  # claims the name; replaced below by the whole text
            folder.rename(draft, target)
        else:
            folder.remove(draft)


class NativeSwap:
    """One atomic system call (Linux, macOS); `plain` where the file system does not know it."""

    def __init__(self, rename: NativeRename, plain: Swap) -> None:
        self._rename = rename
        self._plain = plain

    def exchange(self, folder: Folder, draft: str, target: str, aside: str) -> bool:
        return self._native(folder, draft, target, EXCHANGE) or self._plain.exchange(folder, draft, target, aside)

    def place(self, folder: Folder, draft: str, target: str) -> None:
        if not self._native(folder, draft, target, EXCLUSIVE):
            self._plain.place(folder, draft, target)

    def _native(self, folder: Folder, name: str, new: str, how: str) -> bool:
        if folder.handle is None:
            return False
        try:
            self._rename(folder.handle, os.fsencode(name), os.fsencode(new), how)
        except OSError as error:
            if error.errno in _UNSUPPORTED:
                return False
            raise
        return True


class WindowsSwap:
    """ReplaceFileW keeps the displaced file as a backup, and the note's access list, streams and birth time."""

    def __init__(self, replace_file: ReplaceFile) -> None:
        self._replace_file = replace_file

    def exchange(self, folder: Folder, draft: str, target: str, aside: str) -> bool:
        try:
            patiently(lambda: self._replace_file(folder.path(target), folder.path(draft), folder.path(aside)))
        except OSError:
            self._undo(folder, target, aside)
            raise
        folder.rename(aside, draft)
        return True

    def _undo(self, folder: Folder, target: str, aside: str) -> None:
        """ReplaceFileW can fail after it moved the note to its backup name: give the note its name again."""
        try:
            folder.stat(target)
        except FileNotFoundError:
            try:
                os.rename(folder.path(aside), folder.path(target))
            except FileNotFoundError:
                return  # there was no note to begin with

    def place(self, folder: Folder, draft: str, target: str) -> None:
        if os.path.lexists(folder.path(target)):  # os.rename itself refuses on Windows; the check is for its stand-ins
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), folder.path(target))
        patiently(lambda: os.rename(folder.path(draft), folder.path(target)))


def system_swap() -> Swap:
    """The best way that this system has."""
    if sys.platform == "win32":
        return WindowsSwap(_replace_file_w)
    rename = _linux() if sys.platform.startswith("linux") else _macos() if sys.platform == "darwin" else None
    return NativeSwap(rename, PlainSwap()) if rename else PlainSwap()


def _linux() -> NativeRename | None:
    return _renamer("renameat2", {EXCLUSIVE: 1, EXCHANGE: 2})


def _macos() -> NativeRename | None:
    return _renamer("renameatx_np", {EXCHANGE: 2, EXCLUSIVE: 4})


def _renamer(symbol: str, flags: dict[str, int]) -> NativeRename | None:
    """Both calls are (folder, from, folder, to, flags) → 0 or -1 with errno."""
    call = getattr(ctypes.CDLL(None, use_errno=True), symbol, None)
    if call is None:  # an old C library
        return None
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    call.restype = ctypes.c_int

    def rename(folder: int, name: bytes, new: bytes, how: str) -> None:
        ctypes.set_errno(0)
        if call(folder, name, folder, new, flags[how]) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), os.fsdecode(name), None, os.fsdecode(new))

    return rename


def _replace_file_w(target: str, replacement: str, backup: str) -> None:
    if sys.platform == "win32":
        ignore_merge_and_acl_errors = 0x2 | 0x4
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        call = kernel.ReplaceFileW
        call.argtypes = (ctypes.c_wchar_p, ctypes.c_wchar_p, ctypes.c_wchar_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p)
        call.restype = ctypes.c_int
        if not call(target, replacement, backup, ignore_merge_and_acl_errors, None, None):
            raise ctypes.WinError(ctypes.get_last_error())
    else:
        raise OSError(errno.ENOSYS, "ReplaceFileW is a call of Windows", target)
