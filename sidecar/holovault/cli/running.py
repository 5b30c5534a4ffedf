"""The commands that keep a vault indexed: up, index, serve, stop, version."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holovault import __version__
from holovault.cli import printer
from holovault.cli.options import Json, NoDaemon, Vault, quoted

if TYPE_CHECKING:
    from holovault.model import IndexReport, Status
    from holovault.ownership import RunFile

SOME_FAILED = 1


@dataclass(frozen=True, slots=True)
class UpReport:
    """What `up --json` prints: where the daemon answers, what it indexed just now, and its status."""

    vault: str
    address: str
    pid: int
    started: bool
    report: "IndexReport"
    status: "Status"


@dataclass(frozen=True, slots=True)
class StopReport:
    """What `stop --json` prints; `pid` is null where no daemon ran."""

    vault: str
    stopped: bool
    pid: int | None


@dataclass(frozen=True, slots=True)
class VersionReport:
    """What `version --json` prints; `protocol` is the number that clients and daemons agree on."""

    version: str
    protocol: int
    python: str
    system: str


def up(
    vault: Annotated[
        Path | None, typer.Argument(help="The vault; the one around the current folder unless named.", show_default=False)
    ] = None,
    named: Vault = None,
    json: Json = False,
) -> None:
    """Start the vault's daemon if it does not run, wait for the index of words, and say where it is."""
    from holovault.cli.reach import vault_root
    from holovault.client import Client
    from holovault.config import Home
    from holovault.model import IndexRequest

    home, root = Home.from_environment(), vault_root(vault or named, Path.cwd())
    home.check_outside(root)
    client, started = Client.connect_or_none(home, root), False
    if client is None:
        client, started = Client.start_daemon(home, root), True
    with client, printer.progress() as progress:
        report = client.index(IndexRequest(wait=False), progress)
        found = UpReport(str(root), client.address, client.daemon.pid, started, report, client.status())
    printer.show_json(found) if json else _show_up(found, root)


def index(
    vault: Vault = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Return when words are indexed; meaning follows later.")] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try again what failed: notes that could not be read, passages that the model refused.")
    ] = False,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Bring the index up to date, vectors included, and say what that took."""
    from holovault.cli import render
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home
    from holovault.model import IndexRequest

    root = vault_root(vault, Path.cwd())
    with reached(Home.from_environment(), root, "holovault index", no_daemon=no_daemon) as way, printer.progress() as progress:
        report = way.facade.index(IndexRequest(wait=not no_wait, retry_failed=retry_failed), progress)
    printer.show_json(report) if json else printer.show(render.report(report))
    if report.failed:
        raise typer.Exit(SOME_FAILED)


def serve(
    vault: Vault = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Loopback port; 0 takes a free one.", show_default=False)] = None,
    idle_exit: Annotated[
        float | None, typer.Option(min=0, help="Seconds without a request before it leaves; 0: never.", show_default=False)
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Stay however long nobody asks.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Ask a daemon that runs already to leave, and take its place.")] = False,
    home: Annotated[Path | None, typer.Option(help="The folder for index, logs and run files.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """Be the vault's daemon in the foreground: watch, index, answer, until stopped."""
    from holovault.cli.reach import vault_root
    from holovault.cli.serve import ServeOptions
    from holovault.cli.serve import serve as serve_vault
    from holovault.config import Home, Supervisor

    def published(run: "RunFile") -> None:
        address = f"http://127.0.0.1:{run.port}"
        if json:
            printer.show_json(Serving(run.vault, address, run.pid))
        else:
            printer.say(f"Serving {run.vault} at {address} (pid {run.pid}). Stop it with Ctrl-C or: holovault stop --vault {quoted(root)}")
        printer.flush()

    root = vault_root(vault, Path.cwd())
    where = Home(home.resolve()) if home else Home.from_environment()
    options = ServeOptions(port, idle_exit, keep, replace)
    if status := serve_vault(where, root, options, Supervisor.from_environment(os.getpid()), published):
        raise typer.Exit(status)


@dataclass(frozen=True, slots=True)
class Serving:
    """What `serve --json` prints once it answers."""

    vault: str
    address: str
    pid: int


def stop(vault: Vault = None, json: Json = False) -> None:
    """Stop the vault's daemon and wait until it has left."""
    from holovault.cli.reach import vault_root
    from holovault.client import stop_daemon
    from holovault.config import Home

    root = vault_root(vault, Path.cwd())
    gone = stop_daemon(Home.from_environment(), root)
    if json:
        printer.show_json(StopReport(str(root), gone is not None, gone.pid if gone else None))
    elif gone:
        printer.say(f"Stopped the daemon of {root} (pid {gone.pid}).")
    else:
        printer.say(f"No daemon runs for {root}.")


def version(json: Json = False) -> None:
    """Print the version."""
    from holovault.ownership import PROTOCOL

    found = VersionReport(__version__, PROTOCOL, platform.python_version(), platform.platform())
    if json:
        printer.show_json(found)
    else:
        printer.say(f"holovault {found.version} (protocol {found.protocol}, Python {found.python}, {found.system})")


def _show_up(found: UpReport, root: Path) -> None:
    from holovault.cli import render

    status, here = found.status, quoted(root)
    coming = f"; {status.pending} windows of meaning still to come, words are found already" if status.pending else ""
    rows = [
        ("Vault", found.vault),
        ("Daemon", f"{found.address} (pid {found.pid}, {'started now' if found.started else 'was running'})"),
        ("Index", f"{status.files} files, {status.chunks} chunks{coming}"),
        ("Search", f'holovault search "…" --vault {here}'),
        ("Stop", f"holovault stop --vault {here}"),
    ]
    printer.show([*render.table(rows), *render.failures(status.failures)])
