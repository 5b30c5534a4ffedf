"""One writer at a time per vault, across threads and processes.

Owns the lock that spans "compare the hash" and "put the new file in place". It leaves no file behind: on
POSIX it is an advisory lock on the root folder itself, on Windows a named mutex; both fall with their
process. Must not be held while bytes are written, save for a change that others overtook again and again. Foreign
programs do not know it; `writer` looks at what it displaced.
"""

import ctypes
import errno
import hashlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from holovault.errors import BusyError

_POLL_S = 0.005


class WriteLock:
    """The write lock of the vault at the real path `root`; waits at most `wait_s` seconds."""

    def __init__(self, root: str, wait_s: float = 10.0) -> None:
        self._root = root
        self._wait_s = wait_s
        self._threads = threading.Lock()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Raises BusyError where another writer does not finish in time, OSError without a root."""
        if not self._threads.acquire(timeout=self._wait_s):
            raise self._busy()
        try:
            with self._processes():
                yield
        finally:
            self._threads.release()

    def _busy(self) -> BusyError:
        return BusyError(f"Another program has been writing to {self._root} for {self._wait_s:g} s. Nothing was changed; try again.")

    if sys.platform == "win32":

        @contextmanager
        def _processes(self) -> Iterator[None]:
            name = "Local\\holovault-" + hashlib.sha256(os.path.normcase(self._root).encode("utf-8")).hexdigest()[:16]
            kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            kernel.CreateMutexW.restype = kernel.OpenMutexW.restype = ctypes.c_void_p
            mutex = ctypes.c_void_p(kernel.CreateMutexW(None, False, name))
            if not mutex:
                raise ctypes.WinError(ctypes.get_last_error())
            try:
                if kernel.WaitForSingleObject(mutex, int(self._wait_s * 1000)) not in (0, 0x80):  # 0x80: its holder died
                    raise self._busy()
                try:
                    yield
                finally:
                    kernel.ReleaseMutex(mutex)
            finally:
                kernel.CloseHandle(mutex)

    else:

        @contextmanager
        def _processes(self) -> Iterator[None]:
            descriptor = os.open(self._root, os.O_RDONLY)
            try:
                self._wait_for(descriptor)
                yield
            finally:
                os.close(descriptor)  # lets the lock go as well

        def _wait_for(self, descriptor: int) -> None:
            import fcntl

            deadline = time.monotonic() + self._wait_s
            while True:
                try:
                    return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError as error:
                    if error.errno not in {errno.EWOULDBLOCK, errno.EACCES, errno.EINTR}:
                        return None  # a file system without locks: threads are still kept apart
                if time.monotonic() > deadline:
                    raise self._busy()
                time.sleep(_POLL_S)
