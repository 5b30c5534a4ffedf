"""The lock of one vault's index, and the run file that its holder publishes.

Owns acquiring, publishing and letting go. The lock is the operating system's: it falls with its process,
however that ends. Must not ask a process id whether somebody lives; ids are used again.
"""

import logging
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import filelock

from holovault import __version__
from holovault.config import Home, vault_key
from holovault.errors import BusyError, NotFoundError
from holovault.ownership import runfile
from holovault.ownership.runfile import PROTOCOL, RunFile

log = logging.getLogger(__name__)

_POLL = 0.02
_GLANCE = 0.25


def utc_now() -> datetime:
    """The time now, with its offset."""
    return datetime.now(UTC)


class Lease:
    """The right to open one vault's index, until `release`. `run` is what others can read about it."""

    def __init__(self, lock: filelock.BaseFileLock, path: Path, run: RunFile) -> None:
        self._lock = lock
        self._path = path
        self.run = run

    @property
    def owner(self) -> str:
        """The name under which the index is held."""
        return self.run.owner

    def publish(self, port: int) -> RunFile:
        """Says on which loopback port the owner answers; from now on clients find it."""
        self.run = replace(self.run, port=port)
        runfile.save(self._path, self.run)
        return self.run

    def release(self) -> None:
        """Removes the run file, then lets the lock go. Doing so twice is fine."""
        if self._lock.is_locked:
            runfile.remove(self._path)
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()


def acquire(home: Home, root: Path, owner: str, wait: float = 0.0, now: Callable[[], datetime] = utc_now) -> Lease:
    """Becomes the owner of the index of the vault at `root`, under the name `owner` ("daemon", "holovault index", …).

    Waits at most `wait` seconds, and always an instant for a neighbour that only looks whether the lock is
    held. Whatever an earlier owner left behind is removed. Raises BusyError that names the holder,
    NotFoundError without a vault.
    """
    key = vault_key(root)
    run = _introduction(key, owner, root, now())
    path = home.run_file(key)
    lock = _lock(home, key)
    try:
        lock.acquire(timeout=max(wait, _GLANCE), poll_interval=_POLL)
    except filelock.Timeout:
        raise busy(root, _holder(path)) from None
    try:
        runfile.remove(path)
        runfile.save(path, run)
    except BaseException:
        lock.release()
        raise
    return Lease(lock, path, run)


def is_held(home: Home, key: str) -> bool:
    """Whether some process owns the index now. Looks for an instant and never waits."""
    if not home.lock_file(key).exists():
        return False
    lock = _lock(home, key)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return True
    lock.release()
    return False


def busy(root: Path, holder: RunFile | None) -> BusyError:
    """The error for whoever comes second: who owns the index of `root`, since when, and what to do."""
    if holder is None:
        return BusyError(f"Another process owns the index of {root} and has not said its name yet. Try again in a moment.")
    who = f"The index of {root} belongs to {holder.owner} (pid {holder.pid}, since {holder.since})."
    if holder.port is None:
        return BusyError(f"{who} Wait until it has finished, or end that process.")
    return BusyError(f"{who} Ask it without --no-daemon, or stop it with: holovault stop --vault {root}")


def _lock(home: Home, key: str) -> filelock.BaseFileLock:
    # An engine may be closed by another thread than the one that opened it.
    return filelock.FileLock(home.lock_file(key), mode=0o600, thread_local=False)


def _introduction(key: str, owner: str, root: Path, since: datetime) -> RunFile:
    try:
        real = Path(os.path.realpath(root))
        facts = real.stat()
    except OSError as error:
        raise NotFoundError(f"There is no vault at {root}: {error.strerror or error}. Name a folder that exists with --vault.") from error
    return RunFile(
        key=key,
        port=None,
        pid=os.getpid(),
        version=__version__,
        protocol=PROTOCOL,
        boot_id=secrets.token_hex(8),
        vault=str(real),
        device=facts.st_dev,
        inode=facts.st_ino,
        owner=owner,
        since=since.astimezone(UTC).isoformat(timespec="seconds"),
        token=secrets.token_urlsafe(32),
    )


def _holder(path: Path, patience: float = 0.3) -> RunFile | None:
    # Between its lock and its run file a new owner is nameless for a moment.
    deadline = time.monotonic() + patience
    while (run := runfile.load(path)) is None and time.monotonic() < deadline:
        time.sleep(_POLL)
    return run
