"""The commands about names: entities, probe, reason, like, analogy. Parse, ask the facade, print."""

import contextlib
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holovault.cli import printer
from holovault.cli.options import Json, Limit, NoDaemon, Vault, text

if TYPE_CHECKING:
    from holovault.client import EntitiesFacade
    from holovault.model import EntityAnswer, EntityRoles

NOTHING = 1
MAX_LISTED = 1_000

Role = Annotated[str, typer.Option(help="The part it plays: entity, tag, head, title, in, text, src, or a property such as lead.")]
Fuzzy = Annotated[bool, typer.Option("--fuzzy", help="By vectors alone; what the exact index does not confirm is marked.")]


class KindName(StrEnum):
    """What a name is."""

    note = "note"
    tag = "tag"
    name = "name"


def entities(
    prefix: Annotated[str, typer.Argument(help="The begin of a name, or of one of its words.", show_default=False)] = "",
    vault: Vault = None,
    kind: Annotated[KindName | None, typer.Option(help="Names of notes, tags, or other names only.", show_default=False)] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=MAX_LISTED, help="How many at most.")] = 50,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """List the names that notes state, those of most passages first."""
    from holovault.cli import nameslines
    from holovault.model import EntityQuery

    with asking(vault, "holovault entities", no_daemon) as names:
        found = names.list(EntityQuery(text(prefix), kind.value if kind else None, limit))
    printer.show_json(found) if json else printer.show(nameslines.listed(found))
    if not found.entities:
        if not json:
            printer.remark(nameslines.none_listed(text(prefix), kind.value if kind else None))
        raise typer.Exit(NOTHING)


def probe(
    entity: Annotated[str, typer.Argument(help="A name as you write it: a note, an alias, a person, a tag.")],
    vault: Vault = None,
    role: Role = "entity",
    limit: Limit = 10,
    fuzzy: Fuzzy = False,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Find every passage that states a name, those that are most about it first."""
    from holovault.model import ProbeRequest

    with asking(vault, "holovault probe", no_daemon) as names:
        found = names.probe(ProbeRequest(text(entity), text(role), limit, fuzzy))
        elsewhere = roles_of_strangers(found, names)
    show(found, json, f"No passage states {{}} in the role {text(role)}.", elsewhere)


def reason(
    entities: Annotated[list[str], typer.Argument(metavar="A B …", help="Names that a passage must state, all of them.")],
    vault: Vault = None,
    role: Role = "entity",
    limit: Limit = 10,
    fuzzy: Fuzzy = False,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Find passages that state all of the names; where there is none, those that lie between them."""
    from holovault.model import ReasonRequest

    with asking(vault, "holovault reason", no_daemon) as names:
        found = names.reason(ReasonRequest(tuple(map(text, entities)), text(role), limit, fuzzy))
        elsewhere = roles_of_strangers(found, names)
    show(found, json, "No passage states {} together, and none has enough in common with each of them to lie between.", elsewhere)


def like(
    address: Annotated[str, typer.Argument(metavar="PATH:LINE", help="A passage, as search prints it.")],
    vault: Vault = None,
    plus: Annotated[list[str] | None, typer.Option("--plus", help="A name to put in, or ROLE:NAME.", show_default=False)] = None,
    minus: Annotated[list[str] | None, typer.Option("--minus", help="A name to take out, or ROLE:NAME.", show_default=False)] = None,
    limit: Limit = 10,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Find passages of other notes that are built like one, with names put in and taken out."""
    from holovault.model import LikeRequest

    with asking(vault, "holovault like", no_daemon) as names:
        found = names.like(LikeRequest(text(address), tuple(map(text, plus or ())), tuple(map(text, minus or ())), limit))
    show(found, json, "No passage of another note is built like that one.")


def analogy(
    a: Annotated[str, typer.Argument(help="A name.")],
    x: Annotated[str, typer.Argument(help="A name that plays some role in A.")],
    b: Annotated[str, typer.Argument(help="A name of the same sort as A.")],
    vault: Vault = None,
    limit: Limit = 10,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """X is to A as what is to B? No answer where none stands out."""
    from holovault.cli import nameslines
    from holovault.model import AnalogyRequest

    with asking(vault, "holovault analogy", no_daemon) as names:
        found = names.analogy(AnalogyRequest(text(a), text(x), text(b), limit))
    if json:
        printer.show_json(found)
    else:
        printer.show(nameslines.analogy(found, printer.width()))
    if found.answer is None:
        raise typer.Exit(NOTHING)


@contextlib.contextmanager
def asking(vault: Path | None, command: str, no_daemon: bool) -> "Iterator[EntitiesFacade]":
    """The names of a vault, of an index that is up to date."""
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home

    root = vault_root(vault, Path.cwd())
    with reached(Home.from_environment(), root, command, no_daemon=no_daemon) as way, printer.progress() as progress:
        way.catch_up(None, progress, words_only=True)
        yield way.facade.entities


def roles_of_strangers(found: "EntityAnswer", names: "EntitiesFacade") -> "list[EntityRoles]":
    """For an answer without hits: what those of its names are that no passage states as an entity."""
    return [] if found.results else [names.roles(one.name) for one in found.entities if not one.chunks]


def show(found: "EntityAnswer", json: bool, nothing: str, elsewhere: "Sequence[EntityRoles]" = ()) -> None:
    """Print an answer; nothing found is status 1, said as `nothing` does ({}: the names) with what else the names are."""
    from holovault.cli import nameslines, render

    if json:
        printer.show_json(found)
    else:
        printer.remark(render.degraded(found.degraded))
        printer.remark(nameslines.understood(found))
        printer.show(nameslines.hits(found, printer.width()))
        if not found.results:
            printer.remark(nameslines.nothing(found, nothing, elsewhere))
    if not found.results:
        raise typer.Exit(NOTHING)
