"""A note's bytes: opened so that nothing blocks, nothing is downloaded and no link is followed.

Owns reading and hashing. Errors are sentences for people: NotFoundError only where the file is certainly not
there; everything else is DiskError, because a failed read is no evidence of deletion. Must not write.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from holovault.errors import DiskError, NotFoundError, TooLargeError
from holovault.vault.folders import READ, Folder
from holovault.vault.states import is_in_cloud, kind_of

_BLOCK = 1 << 20
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The SHA-256 of a file's bytes and its stat from before they were read."""

    hash: str
    stat: os.stat_result


@contextmanager
def opened(folder: Folder, name: str, path: str) -> Iterator[tuple[int, os.stat_result]]:
    """A descriptor of the regular file `name` and its stat. Raises NotFoundError, DiskError."""
    try:
        _regular(folder.stat(name), path)
        descriptor = folder.open(name, READ)
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        yield descriptor, _regular(os.fstat(descriptor), path)
    except OSError as error:
        raise unreadable(path, error) from error
    finally:
        os.close(descriptor)


def data_of(descriptor: int, found: os.stat_result, path: str, limit: int) -> bytes:
    """All bytes of an open file. Raises TooLargeError above `limit` bytes."""
    if found.st_size > limit:
        raise _too_large(path, limit)
    blocks: list[bytes] = []
    left = limit + 1
    while left > 0 and (block := os.read(descriptor, min(left, max(_BLOCK, found.st_size + 1)))):
        blocks.append(block)
        left -= len(block)
    if left <= 0:
        raise _too_large(path, limit)
    return b"".join(blocks)


def hash_of(descriptor: int) -> str:
    """SHA-256 of all bytes of an open file, from its beginning."""
    digest = hashlib.sha256()
    os.lseek(descriptor, 0, os.SEEK_SET)
    while block := os.read(descriptor, _BLOCK):
        digest.update(block)
    return digest.hexdigest()


def fingerprint(folder: Folder, name: str, path: str) -> Fingerprint:
    """Hash and stat of `name` as it is now. Raises NotFoundError, DiskError."""
    with opened(folder, name, path) as (descriptor, found):
        return Fingerprint(hash_of(descriptor), found)


def sha256(data: bytes) -> str:
    """The hash of bytes, in lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def unreadable(path: str, error: OSError) -> NotFoundError | DiskError:
    """What a failed open or read means for the reader."""
    if error.errno in _GONE:
        return NotFoundError(f"There is no note {path}. Check the spelling, or search for its title.")
    return DiskError(f"{path} cannot be read: {reason(error)}. Nothing was changed; check the file and ask again.")


def reason(error: OSError) -> str:
    """The system's own words for an error."""
    return error.strerror or str(error) or type(error).__name__


def _regular(found: os.stat_result, path: str) -> os.stat_result:
    if not stat.S_ISREG(found.st_mode):
        raise NotFoundError(f"{path} is {kind_of(found)}, not a note.")
    if is_in_cloud(found):
        raise DiskError(f"{path} is only in the cloud: open it once in its cloud program, then ask again.")
    return found


def _too_large(path: str, limit: int) -> TooLargeError:
    return TooLargeError(
        f"{path} is larger than {limit // 1_000_000} MB. Split the note, exclude it, or raise max_note_mb in [vault] of knowledge.toml."
    )
