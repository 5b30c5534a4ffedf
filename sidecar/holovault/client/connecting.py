"""From a vault's folder to a client of its daemon: find it, replace an older one, start one where there is none.

Owns the version handshake and the start lock that makes ten clients at once start one daemon. Every
wait is bounded. Must not open an index itself.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import filelock

from holovault import __version__
from holovault.client.http import AsyncClient, Timeouts
from holovault.client.spawning import Spawned, spawn
from holovault.config import Home, vault_key
from holovault.errors import BusyError, IndexUnreadableError, VersionError
from holovault.model import Health
from holovault.ownership import PROTOCOL, RunFile, busy, find, is_held

log = logging.getLogger(__name__)

_POLL = 0.05


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait: for a daemon to start, for an in-process owner to finish, for an old daemon to leave."""

    start: float = 60.0
    busy: float = 5.0
    leave: float = 20.0


async def connect_or_none(
    home: Home, root: Path, *, timeouts: Timeouts | None = None, patience: Patience | None = None
) -> AsyncClient | None:
    """A client of the daemon that owns the vault at `root`, proven and of our version, or None.

    An older daemon is asked to stop and counts as none. Raises VersionError for one with a newer protocol.
    """
    run = find(home, root)
    if run is None or run.port is None:
        return None
    client = AsyncClient(run, timeouts)
    try:
        health = await client.health()
        if _is_older(health):
            await client.stop(again=True)
            await _gone(home, run, (patience or Patience()).leave)
            await client.close()
            return None
        _refuse_newer(health, run)
    except IndexUnreadableError as error:
        log.warning("the owner of the index did not prove itself: %s", error)
        await client.close()
        return None
    except BaseException:
        await client.close()
        raise
    return client


async def start_daemon(home: Home, root: Path, *, timeouts: Timeouts | None = None, patience: Patience | None = None) -> AsyncClient:
    """A client of the daemon of the vault at `root`, started now unless it already runs.

    Raises BusyError while another process owns the index, or the error that the new daemon reported.
    """
    patience = patience or Patience()
    async with _starting(home, root, patience.start):
        client = await _answering_or_free(home, root, timeouts, patience)
        if client is not None:
            return client
        spawned = spawn(root.resolve(), home.root, home.logs / f"start-{vault_key(root)}.log")
        try:
            return await _ready(home, root, spawned, timeouts, patience)
        finally:
            spawned.leave()


async def _ready(home: Home, root: Path, spawned: Spawned, timeouts: Timeouts | None, patience: Patience) -> AsyncClient:
    deadline = time.monotonic() + patience.start
    while time.monotonic() < deadline:
        dead = spawned.died() is not None
        # Looked at after its death as well: it may have lost the race against another daemon.
        client = await connect_or_none(home, root, timeouts=timeouts, patience=patience)
        if client is not None:
            return client
        if dead:
            raise spawned.error(root)
        await asyncio.sleep(_POLL)
    raise IndexUnreadableError(
        f"The daemon of {root} (pid {spawned.process.pid}) has not answered within {patience.start:g} s. "
        f"It may still be starting: see {spawned.log}, then try again."
    )


@contextlib.asynccontextmanager
async def _starting(home: Home, root: Path, wait: float) -> AsyncIterator[None]:
    path = home.lock_file(f"{vault_key(root)}start")
    lock = filelock.FileLock(path, mode=0o600, thread_local=False)
    deadline = time.monotonic() + wait
    while True:
        try:
            lock.acquire(timeout=0)
            break
        except filelock.Timeout:
            if time.monotonic() >= deadline:
                raise IndexUnreadableError(
                    f"Another client has been starting the daemon of {root} for {wait:g} s. "
                    "Try again; if that does not help, find out why with: holovault doctor"
                ) from None
        await asyncio.sleep(_POLL)
    try:
        yield
    finally:
        lock.release()


async def _answering_or_free(home: Home, root: Path, timeouts: Timeouts | None, patience: Patience) -> AsyncClient | None:
    """The daemon once it answers, or None once nobody owns the index: an owner may be about to publish or to leave."""
    started = time.monotonic()
    while True:
        client = await connect_or_none(home, root, timeouts=timeouts, patience=patience)
        if client is not None:
            return client
        holder = find(home, root)
        if holder is None:
            return None
        waited = time.monotonic() - started
        if holder.port is None and waited >= patience.busy:
            raise busy(root, holder)
        if waited >= patience.leave:
            raise IndexUnreadableError(
                f"The daemon of {root} (pid {holder.pid}, since {holder.since}) keeps the index but does not answer. "
                "End that process, then try again."
            )
        await asyncio.sleep(_POLL)


async def _gone(home: Home, run: RunFile, wait: float) -> None:
    deadline = time.monotonic() + wait
    while is_held(home, run.key):
        if time.monotonic() >= deadline:
            raise busy(Path(run.vault), run)
        await asyncio.sleep(_POLL)


async def stop_daemon(home: Home, root: Path, *, timeouts: Timeouts | None = None, patience: Patience | None = None) -> RunFile | None:
    """Stops the daemon of the vault at `root`, whatever its version, and waits until its lock is free.

    Returns what its run file said, or None where no daemon ran. Raises BusyError if it does not leave in time.
    """
    patience, run = patience or Patience(), find(home, root)
    if run is None or run.port is None:
        return None
    try:
        async with AsyncClient(run, timeouts) as client:
            await client.stop()
    except IndexUnreadableError:
        # One that is leaving already answers no more.
        with contextlib.suppress(BusyError):
            await _gone(home, run, patience.busy)
            return run
        raise
    await _gone(home, run, patience.leave)
    return run


def _is_older(health: Health) -> bool:
    return health.protocol < PROTOCOL or (health.protocol == PROTOCOL and _numbers(health.version) < _numbers(__version__))


def _refuse_newer(health: Health, run: RunFile) -> None:
    if health.protocol > PROTOCOL:
        raise VersionError(
            f"The daemon of {run.vault} (pid {run.pid}) is Holovault {health.version} with protocol {health.protocol}; this is "
            f"{__version__} with protocol {PROTOCOL}. Update this installation, or stop the daemon with the newer one's: holovault stop"
        )


def _numbers(version: str) -> tuple[int, ...]:
    digits = (part for part in version.split("+")[0].split("."))
    return tuple(int(part) for part in digits if part.isdecimal())
