"""The commands about facts: facts, remember, correct, forget, feedback. Parse, ask the facade, print."""

import contextlib
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holovault.cli import printer
from holovault.cli.options import Json, NoDaemon, Vault, text
from holovault.errors import UsageError

if TYPE_CHECKING:
    from holovault.client import FactsFacade

NOTHING = 1
MAX_FACTS = 500
_NONE = 'This vault has no facts yet. Write one: holovault remember "…"'

Id = Annotated[str, typer.Argument(metavar="ID", help="The fact's id, as `holovault facts` prints it, with or without ^.")]
Category = Annotated[str | None, typer.Option(help="Its heading, or its note's name.", show_default=False)]
Expect = Annotated[
    list[str] | None,
    typer.Option("--expect", help="Hash of what you read (`hash` or `item` of facts --json): it must still be that.", show_default=False),
]


class VoteName(StrEnum):
    """What feedback says."""

    helpful = "helpful"
    unhelpful = "unhelpful"


def facts(
    name: Annotated[str | None, typer.Argument(metavar="[ID]", help="One fact, with its votes.", show_default=False)] = None,
    query: Annotated[str, typer.Option("--query", "-q", help="Words that a fact must have.", show_default=False)] = "",
    category: Category = None,
    tag: Annotated[str | None, typer.Option(help="A tag, with or without #; nested ones count as theirs.", show_default=False)] = None,
    entity: Annotated[str | None, typer.Option(help="A note that it links to.", show_default=False)] = None,
    path: Annotated[str | None, typer.Option(help="The note that it stands in.", show_default=False)] = None,
    min_trust: Annotated[float, typer.Option("--min-trust", min=0, max=1, help="Leave out facts with less trust.")] = 0.0,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=MAX_FACTS, help="How many at most.")] = 100,
    contradictions: Annotated[
        bool, typer.Option("--contradictions", help="List pairs of facts that cannot both be so; nothing is changed.")
    ] = False,
    fold: Annotated[bool, typer.Option("--fold", help="Write the votes so far into the facts' own lines.")] = False,
    vault: Vault = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """List what is remembered, with its trust; one fact with its votes; contradictions; or fold votes into the lines."""
    from holovault.cli import factlines
    from holovault.model import FactQuery

    if sum((name is not None, contradictions, fold)) > 1:
        raise UsageError("Name one fact, or ask for --contradictions, or for --fold: one of them at a time.")
    with _facts(vault, "holovault facts", no_daemon) as known:
        if fold:
            report = known.fold()
            printer.show_json(report) if json else printer.show(factlines.folded(report))
        elif name is not None:
            history = known.history(text(name))
            printer.show_json(history) if json else printer.show(factlines.history(history))
        elif contradictions:
            pairs = known.contradictions(limit)
            printer.show_json(pairs) if json else printer.show(factlines.contradictions(pairs))
            _or_nothing(pairs.total, json, "No two facts contradict each other, as far as this can be seen.")
        else:
            wanted = FactQuery(text(query), _text(category), _text(tag), _text(entity), _text(path), min_trust, limit)
            found = known.list(wanted)
            printer.show_json(found) if json else printer.show(factlines.listing(found))
            _or_nothing(found.total, json, _NONE if wanted == FactQuery(limit=limit) else "No fact is like that.")


def remember(
    words: Annotated[list[str], typer.Argument(metavar="TEXT…", help="The fact, in one sentence.")],
    category: Category = None,
    tags: Annotated[list[str] | None, typer.Option("--tag", help="A tag; may be given again.", show_default=False)] = None,
    entities: Annotated[
        list[str] | None, typer.Option("--entity", help="Whom or what it is about; becomes a link. May be given again.", show_default=False)
    ] = None,
    trust: Annotated[float | None, typer.Option(min=0, max=1, help="How sure it is; .5 unless told.", show_default=False)] = None,
    path: Annotated[str | None, typer.Option(help="The note to write it into.", show_default=False)] = None,
    vault: Vault = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Write a fact into a note; one that is known already is only shown."""
    from holovault.cli import factlines
    from holovault.model import RememberRequest

    wanted = RememberRequest(
        text(" ".join(words)), _text(category), tuple(map(text, tags or ())), tuple(map(text, entities or ())), trust, _text(path)
    )
    with _facts(vault, "holovault remember", no_daemon) as known:
        done = known.remember(wanted)
    printer.show_json(done) if json else printer.show(factlines.remembered(done))


def correct(
    name: Id,
    words: Annotated[list[str], typer.Argument(metavar="TEXT…", help="What it says from now on.")],
    expect: Expect = None,
    vault: Vault = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Give a fact another text; its id, date, trust, votes and tags stay."""
    from holovault.cli import factlines
    from holovault.model import CorrectRequest

    wanted = CorrectRequest(text(name), text(" ".join(words)), tuple(expect or ()))
    with _facts(vault, "holovault correct", no_daemon) as known:
        done = known.correct(wanted)
    printer.show_json(done) if json else printer.show(factlines.corrected(done))


def forget(name: Id, expect: Expect = None, vault: Vault = None, json: Json = False, no_daemon: NoDaemon = False) -> None:
    """Remove a fact from its note."""
    from holovault.cli import factlines
    from holovault.model import ForgetRequest

    with _facts(vault, "holovault forget", no_daemon) as known:
        gone = known.forget(ForgetRequest(text(name), tuple(expect or ())))
    printer.show_json(gone) if json else printer.show(factlines.forgotten(gone))


def feedback(
    name: Id,
    vote: Annotated[VoteName, typer.Argument(help="Whether the fact was of use.")],
    vault: Vault = None,
    json: Json = False,
    no_daemon: NoDaemon = False,
) -> None:
    """Say that a fact was of use or was not; its trust follows."""
    from holovault.cli import factlines
    from holovault.model import FeedbackRequest

    with _facts(vault, "holovault feedback", no_daemon) as known:
        done = known.feedback(FeedbackRequest(text(name), vote.value))
    printer.show_json(done) if json else printer.show(factlines.rated(done))


@contextlib.contextmanager
def _facts(vault: Path | None, owner: str, no_daemon: bool) -> "Iterator[FactsFacade]":
    from holovault.cli.reach import reached, vault_root
    from holovault.config import Home

    root = vault_root(vault, Path.cwd())
    with reached(Home.from_environment(), root, owner, no_daemon=no_daemon) as way, printer.progress() as progress:
        way.catch_up(None, progress, words_only=True)
        yield way.facade.facts


def _text(argument: str | None) -> str | None:
    return None if argument is None else text(argument)


def _or_nothing(count: int, json: bool, sentence: str) -> None:
    """Exit status 1 where there was nothing to show."""
    from holovault.cli.render import Span

    if count:
        return
    if not json:
        printer.remark([(Span(sentence),)])
    raise typer.Exit(NOTHING)
