"""Reading a file of secrets, and refusing it where others could read it too.

Owns that rule: an ordinary file of this user (or root), mode 0600 or stricter on POSIX; on Windows the access lists of the profile folder
are inherited. Writing one is `home.write_private`. Must not understand what is in it.
"""

import os
import stat
from pathlib import Path

from holovault.errors import DiskError

_LARGEST = 1 << 20


def read_private(path: Path, what: str) -> bytes:
    """The bytes of the file, none where there is no file. `what` is its kind of secret, such as "key", for the refusal: DiskError."""
    try:
        # Not to hang on a named pipe; asked of the open file, not of its name, so that nothing changes in between.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise DiskError(f"{path} cannot be read: {error.strerror or error}") from error
    try:
        _refuse_if_not_private(path, os.fstat(descriptor), what)
        return _whole(descriptor)
    except OSError as error:
        raise DiskError(f"{path} cannot be read: {error.strerror or error}") from error
    finally:
        os.close(descriptor)


def _whole(descriptor: int) -> bytes:
    parts = []
    while part := os.read(descriptor, _LARGEST):
        parts.append(part)
    return b"".join(parts)


def _refuse_if_not_private(path: Path, state: os.stat_result, what: str) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise DiskError(f"{path} is no ordinary file, so no {what} is read from it")
    if state.st_size > _LARGEST:
        raise DiskError(f"{path} is larger than {_LARGEST >> 20} MB, so no {what} is read from it: take out what does not belong there")
    if os.name != "posix":
        return
    mode = stat.S_IMODE(state.st_mode)
    if mode & 0o077:
        raise DiskError(
            f"{path} can be read or written by other users (mode {mode:04o}), so no {what} is read from it: run chmod 600 {path}"
        )
    if state.st_uid not in {os.geteuid(), 0}:
        raise DiskError(f"{path} belongs to another user, so no {what} is read from it")
