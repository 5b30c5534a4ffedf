"""The commands of `holovault agents`: telling the agents of a project, or of this user, that there is a vault."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holovault.cli import printer, render
from holovault.cli.options import Json, Vault
from holovault.cli.render import Line, Span

if TYPE_CHECKING:
    from holovault.setup.agents import Agents, AgentsReport, Place, Wanted

NOT_DONE = 1
_FATES = {"none": "nothing of ours was there", "same": "is up to date", "replaced": "changed, where it is ours"}


class AgentName(StrEnum):
    """The agents whose settings are known."""

    claude_code = "claude-code"
    claude_desktop = "claude-desktop"
    codex = "codex"
    cursor = "cursor"
    vscode = "vscode"
    opencode = "opencode"


Project = Annotated[
    Path | None, typer.Option("--project", help="The project whose agents are told; the current folder unless told.", show_default=False)
]
Global = Annotated[bool, typer.Option("--global", help="Tell the agents of all your projects.")]
Write = Annotated[bool, typer.Option("--write", help="Merge the MCP entries into the agents' files instead of printing them.")]
Only = Annotated[
    list[AgentName] | None, typer.Option("--agent", help="Only this agent; may be repeated. Unless told: those found on this machine.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done and change nothing.")]


def group() -> typer.Typer:
    """The application `holovault agents` with its commands."""
    app = typer.Typer(name="agents", no_args_is_help=True, help="Tell agents about the vault: instructions, a skill, the MCP server.")
    for command in (install, uninstall):
        app.command()(command)
    return app


def install(
    vault: Vault = None,
    project: Project = None,
    everywhere: Global = False,
    write: Write = False,
    agent: Only = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Add a block to AGENTS.md and the skill knowledge-first; print the MCP entries, or merge them with --write. Safe to repeat."""
    done = _agents(vault).install(_wanted(project, everywhere, write, agent, dry_run))
    _show(done, json)


def uninstall(
    vault: Vault = None, project: Project = None, everywhere: Global = False, dry_run: DryRun = False, json: Json = False
) -> None:
    """Remove what `install` wrote, and nothing else."""
    done = _agents(vault).uninstall(_wanted(project, everywhere, True, None, dry_run))
    _show(done, json)


def _wanted(project: Path | None, everywhere: bool, write: bool, agent: list[AgentName] | None, dry_run: bool) -> "Wanted":
    from holovault.errors import NotFoundError, UsageError
    from holovault.setup.agents import Wanted

    if everywhere and project is not None:
        raise UsageError("--global and --project exclude each other: say one of them.")
    folder = None if everywhere else (project or Path.cwd()).resolve()
    if folder is not None and not folder.is_dir():
        raise NotFoundError(f"There is no folder {folder}. Name an existing project with --project.")
    return Wanted(folder, write, tuple(name.value for name in agent or ()), dry_run)


def _agents(vault: Path | None) -> "Agents":
    from holovault.cli.reach import vault_root
    from holovault.config import AgentPlaces, Home, ServicePlaces, load_config, read_config
    from holovault.setup.agents import Agents

    root, home = vault_root(vault, Path.cwd()), Home.from_environment()
    profile = load_config(*read_config(root)).memory.profile
    return Agents(root, profile, home, ServicePlaces.from_environment().home, AgentPlaces.from_environment(), sys.executable)


def _show(done: "AgentsReport", json: bool) -> None:
    if json:
        printer.show_json(done)
    else:
        printer.show(line for place in done.places for line in _place(place, done.dry_run))
    if not done.done:
        raise typer.Exit(NOT_DONE)


def _place(place: "Place", dry_run: bool) -> list[Line]:
    if place.change == "printed":
        head: Line = (Span(f"{place.what}: put this into "), Span(render.clean(place.file), "path"), Span(" (or repeat with --write)"))
    elif place.change == "refused":
        head = (Span("no  ", "bad"), Span(render.clean(place.problem or place.file)))
    else:
        fate = _FATES.get(place.change, place.change)
        would = "would be " if dry_run and place.change not in {"none", "same"} else ""
        head = (Span("ok  ", "good"), Span(f"{place.what}: "), Span(render.clean(place.file), "path"), Span(f" {would}{fate}"))
    return [head, *((Span(f"    {line}"),) for line in (place.text or "").splitlines())]
