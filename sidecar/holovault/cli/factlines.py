"""Facts as lines of spans, for people. Pure: no terminal, no colour codes, no clock."""

from typing import TYPE_CHECKING

from holovault.cli.render import INDENT, Line, Span, clean

if TYPE_CHECKING:
    from holovault.model import Contradictions, Corrected, Fact, FactHistory, FactList, FeedbackResult, FoldReport, Forgotten, Remembered


def listing(found: "FactList") -> list[Line]:
    """Every fact with its id, trust and place, and how many there are by category and tag."""
    lines: list[Line] = []
    for fact in found.facts:
        lines += _fact(fact)
    if len(found.facts) < found.total:
        lines.append((Span(f"{len(found.facts)} of {found.total}: narrow them, or raise --limit.", "dim"),))
    for name, counted in (("Categories", found.categories), ("Tags", found.tags)):
        if counted:
            lines.append((Span(f"{name}: " + ", ".join(f"{clean(each.name)} {each.count}" for each in counted[:20]), "dim"),))
    return lines


def history(found: "FactHistory") -> list[Line]:
    """One fact, its votes with their dates, and where its id stands as well."""
    fact = found.fact
    lines = _fact(fact)
    own = f"its line says {fact.own_trust:g}; {fact.helpful} helpful, {fact.unhelpful} unhelpful"
    lines.append((Span(INDENT), Span(f"trust {fact.trust:.2f}: {own}" + (f"; since {clean(fact.created)}" if fact.created else ""), "dim")))
    for vote in found.votes:
        style = "good" if vote.vote == "helpful" else "bad"
        lines.append((Span(INDENT), Span(vote.vote, style), Span(f"  {clean(vote.at)}  {clean(vote.path)}", "dim")))
    for copy in found.copies:
        lines.append((Span(INDENT), Span("the same id: ", "bad"), Span(clean(copy), "path")))
    return lines


def contradictions(found: "Contradictions") -> list[Line]:
    """Both facts of every pair and the value in which they differ."""
    lines: list[Line] = []
    for pair in found.pairs:
        lines += [()] if lines else []
        lines.append((Span(f"{pair.kind}: {clean(pair.first)} or {clean(pair.second)}", "bad"),))
        lines += [*_fact(pair.one), *_fact(pair.other)]
    if len(found.pairs) < found.total:
        lines.append((Span(f"{len(found.pairs)} of {found.total} pairs: raise --limit for more.", "dim"),))
    return lines


def folded(done: "FoldReport") -> list[Line]:
    """What was written, and what was left alone and why."""
    lines: list[Line] = [
        (Span(_id(each.id), "score"), Span(f"  {each.before:g} → {each.trust:g}"), Span(f"  {clean(each.path)}", "path"))
        for each in done.facts
    ]
    if done.facts:
        lines.append((Span(f"{_many(len(done.facts), 'fact has its votes in its line', 'facts have their votes in their lines')} now."),))
    else:
        lines.append((Span("No vote is waiting: every line says its trust already."),))
    return [*lines, *((Span(f"left alone: {clean(sentence)}", "bad"),) for sentence in done.left)]


def remembered(done: "Remembered") -> list[Line]:
    """The fact as it stands, and whether it was there before."""
    return [(Span("This is known already:" if done.known else "Remembered:"),), *_fact(done.fact)]


def corrected(done: "Corrected") -> list[Line]:
    """The fact as it stands, and what it said."""
    return [(Span("Corrected:"),), *_fact(done.fact), (Span(INDENT), Span(f"it said: {clean(done.was)}", "dim"))]


def forgotten(gone: "Forgotten") -> list[Line]:
    """What was removed and where from."""
    where = f"{clean(gone.path)}:{gone.start_line}-{gone.end_line}"
    return [(Span("Forgotten:"),), (Span(_id(gone.id), "score"), Span(f"  {clean(gone.text)}"), Span(f"  {where}", "path"))]


def rated(done: "FeedbackResult") -> list[Line]:
    """The fact's trust before and after, and where the vote stands."""
    line = f"Counted as {done.vote.vote}: trust {done.before:.2f} → {done.fact.trust:.2f}."
    return [(Span(line), Span(f"  {clean(done.vote.path)}", "path")), *_fact(done.fact)]


def _fact(fact: "Fact") -> list[Line]:
    where = f"{clean(fact.path)}:{fact.start_line}-{fact.end_line}"
    faults = [f"the same id stands at {fact.duplicate_of} already"] if fact.duplicate_of else []
    return [
        (Span(f"{_id(fact.id):<5} ", "score"), Span(f"{fact.trust:.2f}", _trust(fact.trust)), Span(f"  {clean(fact.text)}")),
        (Span(INDENT), Span(clean(fact.category), "heading"), Span(f"  {where}", "path")),
        *((Span(INDENT), Span(clean(fault), "bad")) for fault in (*faults, *fact.problems)),
    ]


def _many(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


def _trust(trust: float) -> str:
    return "good" if trust >= 0.6 else "bad" if trust < 0.3 else "dim"


def _id(name: str) -> str:
    # A derived id is no block id that could be linked to.
    return name if name.startswith("_") else f"^{name}"
