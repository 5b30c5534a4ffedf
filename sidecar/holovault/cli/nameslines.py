"""Answers about names as lines of spans, for people. Pure, as `render` is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holovault.cli.render import INDENT, Line, Span, clean, excerpt, table
from holovault.cli.render import hits as plain_hits

if TYPE_CHECKING:
    from holovault.model import AnalogyAnswer, EntityAnswer, EntityInfo, EntityList, EntityRoles, Hit

PARTS = {"head": "a heading", "title": "a title", "tag": "a tag", "in": "a folder", "text": "a word of facts", "src": "a source"}
"""What a name is that is no entity."""


def listed(found: "EntityList") -> list[Line]:
    """Names with their passages and what they are; how many more there are."""
    rows = [(f"{one.chunks:>6}", _named(one)) for one in found.entities]
    more = found.total - len(found.entities)
    lines: list[Line] = [(Span(f"{count}  ", "score"), *spans) for count, spans in rows]
    return [*lines, (Span(f"{more} more: ask with a prefix or a higher --limit", "dim"),)] if more > 0 and lines else lines


def none_listed(prefix: str, kind: str | None) -> list[Line]:
    """That no name is listed, and why."""
    what = {"note": "No note", "tag": "No tag", "name": "No other name"}.get(kind or "", "No name")
    begin = f" that begins with «{clean(prefix)}», nor with a word that does" if prefix else ""
    return [(Span(f"{what}{begin} is stated in this vault."),)]


def understood(found: "EntityAnswer") -> list[Line]:
    """What the names were taken for, where that is not what was typed; and that an answer is a bridge."""
    lines: list[Line] = []
    if any(one.text not in found.query for one in found.entities):
        lines.append((Span(f"understood as: {', '.join(clean(one.text) for one in found.entities)}", "dim"),))
    if found.mode == "bridges" and found.results:
        lines.append((Span("no passage states them all; these lie between them:", "dim"),))
    return lines


def nothing(found: "EntityAnswer", said: str, elsewhere: "Sequence[EntityRoles]") -> list[Line]:
    """That an answer is empty, as `said` ({}: the names as understood), what its strangers are instead, and what to try."""
    names = " and ".join(f"«{clean(one.text)}»" for one in found.entities)
    lines: list[Line] = [(Span(said.replace("{}", names)),)]
    for one in elsewhere:
        parts = ", ".join(f"{PARTS.get(use.role, f'the property {clean(use.role[5:])}')} of {_passages(use.chunks)}" for use in one.roles)
        where = f"only {parts}: ask with --role {clean(one.roles[0].role)}" if one.roles else "linked and named nowhere"
        lines.append((Span(f"«{clean(one.entity.text)}» is {where}.", "dim"),))
    words = " ".join(clean(one.text) for one in found.entities)
    return [*lines, (Span(f"By words: holovault search {words}", "dim"),)] if words else lines


def hits(found: "EntityAnswer", width: int) -> list[Line]:
    """Every hit as search shows it, with its presence and the names by which it is here."""
    lines: list[Line] = []
    for number, hit in enumerate(found.results):
        address, *_ = plain_hits([hit], width)
        lines += [()] if number else []
        lines += [address, *excerpt(hit.excerpt, hit.matches, width), (Span(INDENT), Span(_why(hit), "dim"))]
    return lines


def analogy(found: "AnalogyAnswer", width: int) -> list[Line]:
    """The answer with its role and the passages that say so, or what came near."""
    if found.answer is None:
        near = ", ".join(f"{clean(one.text)} {one.z:.1f}σ" for one in found.candidates[:3])
        return [(Span(f"{clean(found.query)}: nothing stands out{f' ({near})' if near else ''}"),)]
    lines: list[Line] = [
        *table([("Question", clean(found.query)), ("Answer", clean(found.answer.text)), ("Role", clean(found.role or ""))]),
        (),
    ]
    return [*lines, *plain_hits(found.results, width)]


def _why(hit: "Hit") -> str:
    presence = "no vector yet" if hit.presence is None else f"presence {hit.presence:.2f}"
    via = f", via {', '.join(clean(name) for name in hit.via)}" if hit.via else ""
    return f"{presence}{via}{'' if hit.verified else ', not confirmed by the index'}"


def _passages(count: int) -> str:
    return f"{count} passage{'' if count == 1 else 's'}"


def _named(one: "EntityInfo") -> tuple[Span, ...]:
    where = f"  {clean(one.path)}" if one.path else ""
    return (Span(clean(one.text)), Span(f"  {one.kind}{where}", "dim"))
