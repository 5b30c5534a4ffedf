"""The commands of `holovault service`: a vault's daemon that the system starts, watches over and restarts."""

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holovault.cli import printer, render
from holovault.cli.options import Json, Vault, quoted
from holovault.cli.render import Line, Span

if TYPE_CHECKING:
    from holovault.config import Config
    from holovault.setup import LogLine, Service, ServiceStatus, Step

NOT_DONE = 1

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done and change nothing.")]


def group() -> typer.Typer:
    """The application `holovault service` with its commands."""
    app = typer.Typer(name="service", no_args_is_help=True, help="Let the system run the vault's daemon in the background.")
    for command in (install, uninstall, status, logs):
        app.command()(command)
    return app


def install(vault: Vault = None, dry_run: DryRun = False, json: Json = False) -> None:
    """Write the service of the vault, start it now and at every login. Doing so again brings it up to date."""
    from holovault.cli.reach import vault_root

    root = vault_root(vault, Path.cwd())
    done = _service(root, _config(root)).install(dry_run=dry_run)
    if json:
        printer.show_json(done)
    elif done.text is not None:
        printer.show((Span(line),) for line in done.text.splitlines())
        fate = "is up to date" if done.change == "same" else f"would be {done.change}"
        printer.remark([(Span(f"Nothing was changed: {done.file} {fate}."),), *_steps(done.steps)])
    else:
        printer.show(_steps(done.steps))
    if not done.done:
        raise typer.Exit(NOT_DONE)


def uninstall(vault: Vault = None, dry_run: DryRun = False, json: Json = False) -> None:
    """Stop the service of the vault and remove the file that `install` wrote, and nothing else."""
    done = _service(_named(vault), None).uninstall(dry_run=dry_run)
    printer.show_json(done) if json else printer.show(_steps(done.steps))
    if not done.done:
        raise typer.Exit(NOT_DONE)


def status(vault: Vault = None, json: Json = False) -> None:
    """Say whether the service is installed, enabled and running, and where it logs. Exit status 1 unless it runs."""
    from holovault.errors import ConfigError

    root = _named(vault)
    try:
        service = _service(root, _config(root))
        found = service.status(current=service.is_current)
    except ConfigError:
        found = _service(root, None).status()
    printer.show_json(found) if json else printer.show(_status(found))
    if found.active != "active":
        raise typer.Exit(NOT_DONE)


def logs(
    vault: Vault = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, max=10_000, help="How many of the last lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with lines as they come, until Ctrl-C.")] = False,
    json: Json = False,
) -> None:
    """Print the end of the daemon's log, whoever started the daemon. Exit status 1 where nothing was logged yet."""
    from holovault import setup
    from holovault.config import Home, vault_key

    log = Home.from_environment().log_file(vault_key(_named(vault)))
    coming = setup.follow(log, time.sleep) if follow else iter(())
    found = setup.last_lines(log, lines)
    if json and not follow:
        printer.show_json(found)
    else:
        _show(found, json=json)
    for some in coming:
        _show(some, json=json)
        printer.flush()
    if not found:
        printer.remark([(Span(f"Nothing has been logged yet in {log}."),)])
        raise typer.Exit(NOT_DONE)


def _named(vault: Path | None) -> Path:
    """The vault that was named, though its folder may be gone: what was installed for it can still be removed."""
    from holovault.cli.reach import vault_root

    return vault.resolve() if vault is not None else vault_root(None, Path.cwd())


def _config(root: Path) -> "Config":
    from holovault.config import load_config, read_config

    return load_config(*read_config(root))


def _service(root: Path, config: "Config | None") -> "Service":
    """The service of a vault; without its settings it can be removed and looked at, not installed."""
    from holovault import setup
    from holovault.config import Config, Home, ServicePlaces

    home, places = Home.from_environment(), ServicePlaces.from_environment()
    home.check_outside(root)
    spec = setup.make_spec(root, home, places.home, config or Config(), sys.executable)
    return setup.Service(spec, home, setup.system_of(spec, places, setup.run_command))


def _steps(steps: "Iterable[Step]") -> list[Line]:
    lines: list[Line] = []
    for step in steps:
        mark = Span("ok  ", "good") if step.done else Span("no  ", "bad")
        lines.append((mark, Span(render.clean(step.text) + (":" if step.command else ""))))
        lines += [(Span(f"    {step.command}", "match"),)] if step.command else []
    return lines


def _status(found: "ServiceStatus") -> list[Line]:
    running = found.active if found.pid is None else f"{found.active} (pid {found.pid}{f', since {found.since}' if found.since else ''})"
    rows = [
        ("Vault", found.vault),
        ("Service", f"{found.service} ({found.manager})"),
        ("File", _file(found)),
        ("At login", {True: "started", False: "not started", None: "unknown"}[found.enabled]),
        ("State", running),
        ("Says", found.words),
        ("Restarts", str(found.restarts) if found.restarts else None),
        ("Daemon", f"pid {found.other_pid}, not started by this service" if found.other_pid else None),
        ("Log", found.log),
        ("Printed", found.printed if found.installed else None),
        ("Problem", found.problem),
        ("Next", _next(found)),
    ]
    return render.table((name, render.clean(value)) for name, value in rows if value)


def _file(found: "ServiceStatus") -> str:
    if not found.installed:
        return "not installed"
    return f"{found.file}{'' if found.current is not False else ' (not what `install` would write now)'}"


def _next(found: "ServiceStatus") -> str | None:
    if found.manager == "none" or (found.installed and found.current is not False and found.active == "active"):
        return None
    return f"holovault service install --vault {quoted(Path(found.vault))}"


def _show(lines: "Iterable[LogLine]", *, json: bool) -> None:
    if json:
        import msgspec

        printer.show((Span(msgspec.json.encode(line).decode("utf-8")),) for line in lines)
        return
    printer.show(shown for line in lines for shown in _log_line(line))


def _log_line(line: "LogLine") -> list[Line]:
    style = "bad" if line.level in ("error", "critical") else "match" if line.level == "warning" else "dim"
    head = (Span(f"{line.time} ", "dim"), Span(f"{line.level:<8}", style)) if line.time else ()
    trace = [(Span(f"    {render.clean(row)}", "dim"),) for row in (line.trace or "").splitlines()]
    return [(*head, Span(render.clean(line.message))), *trace]
