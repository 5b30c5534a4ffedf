"""From values of the model to lines of spans, for people. Pure: no terminal, no colour codes, no clock.

Control characters of notes and names never reach a terminal: they are shown as `·`.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holovault.model import Degraded, FactRef, Failure, Hit, IndexReport, ModelStatus, PathExplanation, ReadResult, Status

INDENT = "    "
HEADINGS = " › "
EXCERPT_LINES = 2
SHOWN_FAILURES = 20


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text in one style: "", path, heading, score, match, dim, good or bad."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


def plain(line: Line) -> str:
    """The line without its styles."""
    return "".join(span.text for span in line)


def clean(text: str) -> str:
    """`text` on one line: white space folded, control characters replaced, so that no note can steer a terminal."""
    return "".join(_visible(char) for char in " ".join(text.split()))


def quoted(text: str) -> list[Line]:
    """Lines of a note inside a message, set apart from it."""
    return [(Span("  | ", "dim"), Span("".join(map(_visible, line)))) for line in text.split("\n")] if text else []


def hits(found: "Sequence[Hit]", width: int, why: "Callable[[Hit], list[Line]] | None" = None) -> list[Line]:
    """Every hit with its address, headings, score, a two-line excerpt of at most `width` columns, and `why` it is here."""
    lines: list[Line] = []
    for number, hit in enumerate(found):
        lines += [()] if number else []
        lines.append(_address(hit))
        lines += excerpt(hit.excerpt, hit.matches, width)
        lines += (why or explanation)(hit)
    return lines


def excerpt(text: str, matches: Sequence[tuple[int, int]], width: int) -> list[Line]:
    """Two lines of `text` around its first match. `matches` are [from, to) code points in `text`."""
    chars = _folded(text, matches)
    room = max(width - len(INDENT), 20)
    first = next((at for at, (_, hit) in enumerate(chars) if hit), 0)
    rows = _rows(chars[_start(chars, first, room) :], room)
    return [(Span(INDENT), *_spans(row)) for row in rows[:EXCERPT_LINES]]


def explanation(hit: "Hit") -> list[Line]:
    """How a score came about, where the hit says it: the addends of relevance, then the factors."""
    found = hit.explanation
    if found is None:
        return []
    parts = (f"{part.lane} {part.value:.3f} × {part.weight:.2f} → {part.contribution:.3f}" for part in found.parts)
    factors = f"× tier {found.tier:.2f} × trust {found.trust:.2f} × decay {found.decay:.2f} = {found.score:.3f}"
    return [
        (Span(INDENT), Span(f"{found.profile}: relevance {found.relevance:.3f} = " + " + ".join(parts), "dim")),
        (Span(INDENT), Span(factors, "dim")),
    ]


def kinship(hit: "Hit") -> list[Line]:
    """What relates a note, in one line: its link, the names in common, nearness."""
    value = {part.lane: part.value for part in hit.explanation.parts} if hit.explanation else {}
    said = [
        *(way.replace("-", " ") for way in hit.links),
        *([f"names in common: {', '.join(clean(name) for name in hit.via)}"] if hit.via else []),
        *(["near in meaning"] if value.get("semantic", 0.0) > 0 else []),
        *(["near by words"] if value.get("lexical", 0.0) > 0 else []),
    ]
    return [(Span(INDENT), Span("; ".join(said), "dim"))] if said else []


def degraded(missing: "Iterable[Degraded]") -> list[Line]:
    """What was missing from an answer, one line each."""
    return [(Span(f"note: {entry.lane}: {clean(entry.reason)}", "dim"),) for entry in missing]


def numbered(found: "ReadResult") -> list[Line]:
    """The lines of a note with their numbers."""
    texts = found.text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    digits = len(str(found.end_line))
    return [
        (Span(f"{number:>{digits}}  ", "dim"), Span("".join(map(_visible, text))))
        for number, text in enumerate(texts, start=found.start_line)
    ]


def report(done: "IndexReport") -> list[Line]:
    """What an indexing pass did, on two lines, and what failed."""
    notes = f"{done.added} added, {done.changed} changed, {done.renamed} renamed, {done.removed} removed, {done.unchanged} unchanged"
    meaning = f"{done.embedded} embedded, {done.reused} reused"
    return [
        (Span(f"{done.files} files: {notes}"),),
        (Span(f"{done.chunks} chunks, {done.windows} windows: {meaning}; {done.seconds:.1f} s"),),
        *failures(done.failed),
    ]


def failures(failed: "Sequence[Failure]") -> list[Line]:
    """What failed, why and since when; the first twenty and how many more."""
    if not failed:
        return []
    lines: list[Line] = [(Span(f"{len(failed)} failed:", "bad"),)]
    for failure in failed[:SHOWN_FAILURES]:
        where = clean(failure.path) or "(the vault)"
        lines.append(
            (Span(f"  {where}", "path"), Span(f"  {failure.stage}: {clean(failure.reason)}"), Span(f"  since {failure.since}", "dim"))
        )
    if len(failed) > SHOWN_FAILURES:
        lines.append((Span(f"  and {len(failed) - SHOWN_FAILURES} more: see them all with --json", "dim"),))
    return lines


def status(found: "Status") -> list[Line]:
    """A summary of the index, its owner and its troubles."""
    rows = [
        ("Vault", clean(found.vault)),
        ("State", _state(found)),
        ("Index", f"{found.files} files, {found.chunks} chunks, {found.windows} windows, generation {found.generation}"),
        ("Meaning", _meaning(found)),
        ("Model", _model(found.model)),
        *_filling(found),
        ("Owner", f"{found.owner}, pid {found.pid}, version {found.version}, {found.memory_mb:.0f} MB, watching: {found.watching}"),
    ]
    return [*table(rows), *failures(found.failures)]


def table(rows: Iterable[tuple[str, str]]) -> list[Line]:
    """Names and values in two columns."""
    listed = list(rows)
    column = max(len(name) for name, _ in listed) + 2
    return [(Span(f"{name:<{column}}", "dim"), Span(value)) for name, value in listed]


def why(found: "PathExplanation") -> list[Line]:
    """Why a path is treated as it is, and how it was cut."""
    rows = [
        ("Path", clean(found.path)),
        ("Indexed", "yes" if found.indexed else f"no{f': {clean(found.excluded_by)}' if found.excluded_by else ''}"),
        ("Tier", f"{found.tier} ({clean(found.tier_rule)})"),
        ("Project", f"{clean(found.project)} ({clean(found.project_rule or '')})" if found.project else "none"),
        ("Hash", found.hash or "none"),
        *(("Note", clean(note)) for note in found.notes),
    ]
    lines = table(rows)
    for chunk in found.chunks:
        cut = f"{chunk.tokens} tokens, {chunk.embedded} of {chunk.windows} windows embedded"
        lines.append((Span(f"  {chunk.start_line}-{chunk.end_line}", "path"), _headings(chunk.heading), Span(f"  {cut}", "dim")))
    return [*lines, *failures(found.failures)]


def _meaning(found: "Status") -> str:
    failed = f", {found.model.failed} failed: try them again with holovault index --retry-failed" if found.model.failed else ""
    return f"{found.embedded} windows embedded, {found.pending} pending{failed}{'' if found.filling else _pace(found)}"


def _model(model: "ModelStatus") -> str:
    name = clean(f"{model.provider} {model.name}".strip())
    return f"{name}, {model.state}{f': {clean(model.reason)}' if model.reason else ''}"


def _filling(found: "Status") -> list[tuple[str, str]]:
    """The model that is to take over, and how far it is."""
    coming = found.filling
    if coming is None:
        return []
    failed = f", {coming.failed} failed" if coming.failed else ""
    return [("Next model", f"{_model(coming)}; {coming.embedded} windows embedded, {coming.pending} pending{failed}{_pace(found)}")]


def _pace(found: "Status") -> str:
    if found.rate is None or found.eta_s is None:
        return ""
    return f", {found.rate:.3g} a second, about {_duration(found.eta_s)} left"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def _state(found: "Status") -> str:
    return f"{found.state} ({found.done} of {found.total} notes)" if found.state == "indexing" and found.total else found.state


def _address(hit: "Hit") -> Line:
    where = f"{clean(hit.path)}:{hit.start_line}-{hit.end_line}"
    line = (Span(where, "path"), _headings(hit.heading), Span(f"  {hit.score:.3f}", "score"))
    return line if hit.fact is None else (*line, Span(f"  {_fact(hit.fact)}", "dim"))


def _fact(fact: "FactRef") -> str:
    """Under which id a fact is corrected or rated, and its trust; a derived id is no block id."""
    return f"{fact.id if fact.id.startswith('_') else f'^{fact.id}'} trust {fact.trust:.2f}"


def _headings(path: Sequence[str]) -> Span:
    return Span(f"  {HEADINGS.join(clean(heading) for heading in path)}" if path else "", "heading")


def _visible(char: str) -> str:
    # Bidirectional overrides can make an address look like another one.
    if char == "\t" or (
        unicodedata.category(char) not in {"Cc", "Cs"} and char not in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u202c"
    ):
        return char
    return "·"


def _folded(text: str, matches: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    hit = bytearray(len(text))
    for start, end in matches:
        for at in range(max(start, 0), min(end, len(text))):
            hit[at] = 1
    chars: list[tuple[str, bool]] = []
    for char, marked in zip(text, hit, strict=True):
        if not char.isspace():
            chars.append((_visible(char), bool(marked)))
        elif chars and chars[-1][0] != " ":
            chars.append((" ", bool(marked)))
    return chars


def _start(chars: Sequence[tuple[str, bool]], first: int, room: int) -> int:
    if first < room * (EXCERPT_LINES - 1):
        return 0
    at = first - room // 2
    while at < first and chars[at - 1][0] != " ":
        at += 1
    return at


def _rows(chars: Sequence[tuple[str, bool]], room: int) -> list[list[tuple[str, bool]]]:
    rows: list[list[tuple[str, bool]]] = []
    at = 0
    while at < len(chars) and len(rows) < EXCERPT_LINES:
        end, columns, space = at, 0, -1
        while end < len(chars) and columns + _columns(chars[end][0]) <= room:
            columns += _columns(chars[end][0])
            space = end if chars[end][0] == " " else space
            end += 1
        if end < len(chars) and space > at:
            end = space + 1
        rows.append(list(chars[at:end]))
        at = end
    return rows


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _spans(row: Sequence[tuple[str, bool]]) -> Iterable[Span]:
    text, marked = "", False
    for char, hit in (*row, ("", False)):
        if hit != marked or not char:
            if text:
                yield Span(text if char else text.rstrip(), "match" if marked else "")
            text, marked = "", hit
        text += char
