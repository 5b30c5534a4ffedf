"""An opened folder: every touch of a note's file goes through one of these, by plain names.

Owns the two ways to hold a folder. `HandleFolder` (Linux, macOS) opens each step without following links,
so that a folder which is swapped for a link after the check is refused, not followed. `PathFolder` is its
twin for systems without folder handles (Windows). Must not know notes, hashes or rules.
"""

import errno
import os
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Protocol, Self

CAN_HOLD = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether this system opens files relative to an open folder."""

READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_UNLINKED = getattr(os, "O_NOFOLLOW", 0)
_STEP = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _UNLINKED


class Folder(Protocol):
    """One folder; all names are single names inside it. Methods raise OSError as the system does."""

    def __enter__(self) -> Self: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...
    @property
    def handle(self) -> int | None:
        """The open descriptor, where the system has such."""

    def path(self, name: str) -> str:
        """Where `name` is, for calls that know paths only."""

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """A descriptor of a file that is not a link."""

    def stat(self, name: str) -> os.stat_result:
        """Facts about the entry itself, also where it is a link."""

    def rename(self, name: str, new: str) -> None:
        """Replaces `new` where it exists."""

    def link(self, name: str, new: str) -> None:
        """A second name for one file; FileExistsError where `new` exists."""

    def remove(self, name: str) -> None: ...
    def remove_folder(self, name: str) -> None:
        """Only where it is empty."""

    def step(self, name: str, make: bool) -> Self:
        """The folder `name` inside this one, made where it is missing and `make` says so."""

    def sync(self) -> None:
        """Names that were given and taken are on the disk when this returns, where the system can say so."""


class HandleFolder:
    """A folder held by its descriptor (POSIX)."""

    def __init__(self, descriptor: int, path: str) -> None:
        self._fd = descriptor
        self._path = path

    @classmethod
    def at(cls, root: str) -> Self:
        return cls(os.open(root, _STEP & ~_UNLINKED), root)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._fd)

    @property
    def handle(self) -> int | None:
        return self._fd

    def path(self, name: str) -> str:
        return os.path.join(self._path, name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        return os.open(name, flags | _UNLINKED, mode, dir_fd=self._fd)

    def stat(self, name: str) -> os.stat_result:
        return os.stat(name, dir_fd=self._fd, follow_symlinks=False)

    def rename(self, name: str, new: str) -> None:
        os.replace(name, new, src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def link(self, name: str, new: str) -> None:
        os.link(name, new, src_dir_fd=self._fd, dst_dir_fd=self._fd, follow_symlinks=False)

    def remove(self, name: str) -> None:
        os.unlink(name, dir_fd=self._fd)

    def remove_folder(self, name: str) -> None:
        os.rmdir(name, dir_fd=self._fd)

    def step(self, name: str, make: bool) -> Self:
        try:
            return self._step(name)
        except FileNotFoundError:
            if not make:
                raise
        try:
            os.mkdir(name, dir_fd=self._fd)
        except FileExistsError:
            return self._step(name)
        self.sync()
        return self._step(name)

    def _step(self, name: str) -> Self:
        return type(self)(os.open(name, _STEP, dir_fd=self._fd), self.path(name))

    def sync(self) -> None:
        flush_folder(self._fd)


class PathFolder:
    """A folder known by its path: the twin for systems without folder handles."""

    def __init__(self, path: str) -> None:
        self._path = path

    @classmethod
    def at(cls, root: str) -> Self:
        if not os.path.isdir(root):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), root)
        return cls(root)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return

    @property
    def handle(self) -> int | None:
        return None

    def path(self, name: str) -> str:
        return os.path.join(self._path, name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        self._refuse_moved(name)
        return os.open(self.path(name), flags | _UNLINKED, mode)

    def _refuse_moved(self, name: str) -> None:
        # Without handles the best there is: nothing on the way may have become a link since the check.
        real = os.path.realpath(self._path)
        if os.path.normcase(real) != os.path.normcase(self._path):
            raise OSError(errno.ELOOP, "a folder on the way became a link", self.path(name))

    def stat(self, name: str) -> os.stat_result:
        return os.lstat(self.path(name))

    def rename(self, name: str, new: str) -> None:
        patiently(lambda: os.replace(self.path(name), self.path(new)))

    def link(self, name: str, new: str) -> None:
        os.link(self.path(name), self.path(new))

    def remove(self, name: str) -> None:
        patiently(lambda: os.unlink(self.path(name)))

    def remove_folder(self, name: str) -> None:
        os.rmdir(self.path(name))

    def step(self, name: str, make: bool) -> Self:
        if make and not os.path.isdir(self.path(name)):
            os.makedirs(self.path(name), exist_ok=True)
        return type(self).at(self.path(name))

    def sync(self) -> None:
        """NTFS journals names by itself, and Windows has no call to wait for it."""


def open_folder(root: str, parts: Sequence[str], *, make: bool = False, made: list[str] | None = None) -> Folder:
    """The folder `parts` below the real path `root`, link-free; missing folders are made if `make`.

    `made` collects the folders that were made, as `/`-joined paths below the root, outermost first.
    """
    folder: Folder = HandleFolder.at(root) if CAN_HOLD else PathFolder.at(root)
    for depth, part in enumerate(parts):
        with folder:
            missing = make and made is not None and not _there(folder, part)
            folder = folder.step(part, make)
        if missing and made is not None:
            made.append("/".join(parts[: depth + 1]))
    return folder


def _there(folder: Folder, name: str) -> bool:
    try:
        folder.stat(name)
    except FileNotFoundError:
        return False
    return True


def flush_file(descriptor: int) -> None:
    """The file's bytes are on the disk when this returns; on macOS past the drive's own cache too."""
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError:  # network file systems know fsync only
            os.fsync(descriptor)
    else:
        os.fsync(descriptor)


def flush_folder(descriptor: int) -> None:
    """Like `flush_file` for names; file systems that cannot are taken at their word."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP, errno.EBADF}:
            raise


def patiently(act: Callable[[], None], tries: int = 10) -> None:
    """Windows refuses to move a file that a virus scanner or editor holds for a moment: try again for half a second."""
    for _ in range(tries if os.name == "nt" else 0):
        try:
            return act()
        except PermissionError:
            time.sleep(0.05)
    return act()
