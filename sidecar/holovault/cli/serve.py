"""The daemon put together: engine, port, log and published address. Must not decide anything about notes."""

import asyncio
import contextlib
import faulthandler
import logging
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from holovault.client import stop_daemon
from holovault.config import Home, Supervisor, vault_key
from holovault.engine import Engine
from holovault.errors import BusyError
from holovault.ownership import RunFile
from holovault.setup import AGAIN, output_of, trim
from holovault.web import Notifier, ServerSettings, attend, listen, log_to, run

log = logging.getLogger(__name__)

_LOCK_WAIT = 2.0
_PATIENT = 60.0
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What a person may override for one start; null leaves it to knowledge.toml. `keep` means no idle exit.

    `replace` asks a daemon that runs already to leave, and waits longer for a command that owns the index just now.
    """

    port: int | None = None
    idle_exit: float | None = None
    keep: bool = False
    replace: bool = False


def serve(home: Home, root: Path, options: ServeOptions, supervisor: Supervisor, published: Callable[[RunFile], None]) -> int:
    """Owns the vault at `root` and answers until asked to stop; `published` is called once the port answers.

    Returns the exit status: `AGAIN` where a newer version made a service's daemon leave, so that the service starts it anew; else 0.
    Raises BusyError where the index or the port belongs to somebody else.
    """
    home.check_outside(root)
    say = Notifier(supervisor.socket)
    with contextlib.suppress(ValueError, OSError):
        faulthandler.enable()
    with contextlib.closing(log_to(home.logs, vault_key(root))):
        if options.replace:
            _make_room(home, root, say)
        with contextlib.closing(Engine.open(root, home, owner="daemon", lock_wait=_PATIENT if options.replace else _LOCK_WAIT)) as engine:
            again = _serve(engine, home.credentials, options, supervisor, say, published)
            return AGAIN if again and options.replace else 0


def _make_room(home: Home, root: Path, say: Notifier) -> None:
    """Asks a daemon that was started on demand to leave, and keeps the file of a launchd agent's output small."""
    trim(output_of(home.root, vault_key(root)))
    say("STATUS=Taking over from a daemon that was started on demand, if one runs.")
    gone = stop_daemon(home, root)
    if gone is not None:
        log.info("took over from the daemon with pid %d", gone.pid)


def _serve(
    engine: Engine,
    credentials: Path,
    options: ServeOptions,
    supervisor: Supervisor,
    say: Notifier,
    published: Callable[[RunFile], None],
) -> bool:
    with _door(engine.config.daemon.port if options.port is None else options.port) as door:
        settings = _settings(engine, credentials, options, door)
        engine.start_watching()
        beside = partial(attend, engine, supervisor, say) if supervisor.socket else None
        return asyncio.run(run(engine, settings, door, lambda: published(engine.lease.publish(settings.port)), beside))


def _door(port: int) -> socket.socket:
    try:
        return listen(port)
    except OSError as error:
        raise BusyError(
            f"Port {port} of this machine cannot be used: {error.strerror or error}. Choose another with --port, or 0 for any free one."
        ) from error


def _settings(engine: Engine, credentials: Path, options: ServeOptions, door: socket.socket) -> ServerSettings:
    config = engine.config.daemon
    idle = config.idle_exit_s if options.idle_exit is None else options.idle_exit
    return ServerSettings(
        port=door.getsockname()[1],
        vault=str(engine.root),
        boot_id=engine.lease.run.boot_id,
        pid=os.getpid(),
        token=engine.lease.run.token,
        allowed_hosts=config.allowed_hosts,
        body_limit=config.max_body_mb * _MB,
        body_timeout=config.body_timeout_s,
        idle_exit=None if options.keep or idle == 0 else idle,
        credentials=credentials,
    )
