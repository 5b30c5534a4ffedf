"""The commands that ask: search, related, read, explain, status. Parse, ask the facade, print."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holovault.cli import entities, printer
from holovault.cli.options import Json, Limit, MaxWait, ModeName, NoDaemon, ProfileName, Vault, address, text

if TYPE_CHECKING:
    from holovault.model import SearchResponse

NOTHING = 1


def search(
    query: Annotated[
        list[str], typer.Argument(help="What to look for; several words are one query. Put -- before a query that begins with -.")
    ],
    vault: Vault = None,
    limit: Limit = 10,
    mode: Annotated[ModeName, typer.Option(help="By words, by meaning, or both.")] = ModeName.hybrid,
    profile: Annotated[
        ProfileName | None, typer.Option(help="How the two are weighed; knowledge.toml's unless told.", show_default=False)
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say how each score came about.")] = False,
    max_wait: MaxWait = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Find passages by words and by meaning."""
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home
    from holovault.model import SearchRequest

    request = SearchRequest(text(" ".join(query)), limit, mode.value, profile.value if profile else None, explain, max_wait)
    root = vault_root(vault, Path.cwd())
    with reached(Home.from_environment(), root, "holovault search", no_daemon=no_daemon) as way, printer.progress() as progress:
        way.catch_up(max_wait, progress, words_only=mode is ModeName.lexical)
        found = way.facade.search(request)
    _show(found, json)


def related(
    target: Annotated[str, typer.Argument(metavar="PATH|NAME", help="A note, as search prints it, or any name that your notes state.")],
    vault: Vault = None,
    limit: Limit = 10,
    max_wait: MaxWait = None,
    unlinked: Annotated[bool, typer.Option("--unlinked", help="Only notes that the note is not linked with.")] = False,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Find passages of other notes that are near a note, or that share the company of a name."""
    from holovault.cli import render
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home
    from holovault.model import NeighbourRequest, RelatedRequest

    root = vault_root(vault, Path.cwd())
    with reached(Home.from_environment(), root, "holovault related", no_daemon=no_daemon) as way, printer.progress() as progress:
        way.catch_up(max_wait, progress)
        path, entity = address(target).path, None
        if not path.lower().endswith(".md"):
            entity = way.facade.entities.resolve(text(target))
            path = entity.path or path
            if entity.path and not json:
                printer.remark([(render.Span(f"understood as the note {render.clean(entity.path)}", "dim"),)])
        if entity is None or entity.path:
            _show(way.facade.related(RelatedRequest(path, limit, max_wait, unlinked)), json, why=True)
        else:
            names = way.facade.entities
            found = names.related(NeighbourRequest(entity.name, limit))
            entities.show(found, json, "No other passage shares the company of {}.", entities.roles_of_strangers(found, names))


def read(
    target: Annotated[str, typer.Argument(metavar="PATH[:FIRST-LAST]", help="A note, and perhaps its lines.")],
    vault: Vault = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Print lines of a note with their numbers; --json adds the hash that a write needs."""
    from holovault.cli import render
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home

    wanted = address(target)
    with reached(Home.from_environment(), vault_root(vault, Path.cwd()), "holovault read", no_daemon=no_daemon) as way:
        found = way.facade.read(wanted.path, wanted.start, wanted.end)
    printer.show_json(found) if json else printer.show(render.numbered(found))


def explain(
    path: Annotated[str, typer.Argument(help="A path in the vault, whether it is indexed or not.")],
    vault: Vault = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Say why a path is or is not found: its rules, its tier, how it was cut, what failed."""
    from holovault.cli import render
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home

    root = vault_root(vault, Path.cwd())
    with reached(Home.from_environment(), root, "holovault explain", no_daemon=no_daemon) as way, printer.progress() as progress:
        way.catch_up(None, progress, words_only=True)
        found = way.facade.explain(text(path))
    printer.show_json(found) if json else printer.show(render.why(found))
    if not found.indexed:
        raise typer.Exit(NOTHING)


def status(vault: Vault = None, json: Json = False, no_daemon: NoDaemon = False) -> None:
    """Show what the index holds, what is still to come, and what failed and why."""
    from holovault.cli import render
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home

    root = vault_root(vault, Path.cwd())
    with reached(Home.from_environment(), root, "holovault status", no_daemon=no_daemon) as way, printer.progress() as progress:
        way.catch_up(None, progress, words_only=True)
        found = way.facade.status()
    printer.show_json(found) if json else printer.show(render.status(found))


def _show(found: "SearchResponse", json: bool, *, why: bool = False) -> None:
    """Print hits; `why` says in a few words what relates each one, instead of its formula."""
    from holovault.cli import render

    if json:
        printer.show_json(found)
    else:
        printer.remark(render.degraded(found.degraded))
        printer.show(render.hits(found.results, printer.width(), render.kinship if why else render.explanation))
        if not found.results:
            printer.remark([(render.Span("Nothing found."),)])
        if found.suggestion:
            printer.remark([(render.Span(f"Did you mean: {render.clean(found.suggestion)}"),)])
    if not found.results:
        raise typer.Exit(NOTHING)
