"""Who holds the vault's index just now, and whether that process answers.

Owns the lines about daemon and port. Must not start or stop anything.
"""

import socket
from dataclasses import dataclass
from pathlib import Path

from holovault import __version__
from holovault.client import Client, Timeouts
from holovault.config import Home, vault_key
from holovault.doctor.report import Check, command
from holovault.errors import UserError
from holovault.model import Status
from holovault.ownership import PROTOCOL, RunFile, find, is_held

_PATIENT = Timeouts(connect=3.0, health=10.0, request=30.0)


@dataclass(frozen=True, slots=True)
class Found:
    """Lines about the owner; `daemon` where one answers that can be asked, `held` where nobody else may open the index."""

    checks: tuple[Check, ...]
    daemon: RunFile | None = None
    status: Status | None = None
    held: bool = False


def look(home: Home, root: Path, port: int, *, ask: bool) -> Found:
    """Finds the owner; `port` is the one of knowledge.toml (0: any), `ask` false leaves a daemon alone."""
    run = find(home, root)
    if run is None:
        if is_held(home, vault_key(root)):
            words = "A process holds the lock of the index and has not said its name."
            return Found((Check("daemon", "warning", words, "Run doctor again in a moment."),), held=True)
        words = "No daemon runs for this vault."
        return Found((Check("daemon", "ok", words, f"The next one starts with: {command('up', root)}"), *_port(port)))
    who = f"{run.owner}, pid {run.pid}, version {run.version}, since {run.since}"
    if run.port is None:
        words = f"The index belongs to {who}, just now."
        return Found((Check("daemon", "warning", words, "Run doctor again when it has finished."),), held=True)
    if not ask:
        words = f"A daemon runs ({who}); with --no-daemon it was not asked."
        return Found((Check("daemon", "ok", words, "Run doctor without --no-daemon to see how it is with the daemon."),), held=True)
    return _asked(run, who, root, port)


def open_client(run: RunFile) -> Client:
    """A client of the daemon that `run` describes; to be closed."""
    return Client.of(run, _PATIENT)


def _asked(run: RunFile, who: str, root: Path, port: int) -> Found:
    try:
        with open_client(run) as client:
            health = client.health()
            status = client.status() if health.protocol <= PROTOCOL else None
    except UserError as error:
        step = f"End the process {run.pid}, then: {command('up', root)}"
        return Found((Check("daemon", "problem", f"The daemon ({who}) holds the index and gives no answer: {error}", step),), held=True)
    if status is None:
        words = f"The daemon ({who}) speaks protocol {health.protocol}, this program {PROTOCOL}."
        return Found((Check("daemon", "problem", words, "Update this installation."),), held=True)
    checks = [Check("daemon", "ok", f"The daemon answers: {who}, {status.memory_mb:.0f} MB, {status.state}.")]
    if health.version != __version__:
        words = f"The daemon is version {health.version}, this program {__version__}."
        checks = [Check("daemon", "warning", words, f"{command('stop', root)}, then {command('up', root)}")]
    return Found((*checks, _bound(run, root, port)), run, status, held=True)


def _bound(run: RunFile, root: Path, port: int) -> Check:
    if port not in (0, run.port):
        words = f"The daemon answers at port {run.port}, knowledge.toml says {port}."
        return Check("port", "warning", words, f"{command('stop', root)}, then {command('up', root)}")
    return Check("port", "ok", f"The daemon answers at 127.0.0.1:{run.port}, for this computer only.")


def _port(port: int) -> list[Check]:
    if port == 0:
        return []
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        words = f"The port {port} of knowledge.toml cannot be used: {error.strerror or error}."
        return [Check("port", "problem", words, "End the program that has it, or set [daemon] port = 0 for any free one.")]
    return [Check("port", "ok", f"The port {port} of knowledge.toml is free.")]
