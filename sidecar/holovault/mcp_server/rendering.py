"""What an agent reads: few tokens, addresses first, everything of a note between the marks.

Owns the wording of answers; the same facts as in the structured answer. Must not ask the daemon or choose what is shown.
"""

from collections.abc import Iterable

from holovault.mcp_server.answers import Found, Gap, Kept, Lines, Read, State, Written
from holovault.mcp_server.boundary import Boundary, name
from holovault.mcp_server.lines import numbered
from holovault.mcp_server.origin import origin_of
from holovault.model import Hit, ReadResult

_DAY = len("2026-05-24")


def heading(parts: Iterable[str]) -> str:
    """A heading path on one line."""
    return " › ".join(name(part) for part in parts)


def excerpt(hit: Hit, length: int | None = None) -> str:
    """What a hit says: headings, tags, the passage that fits best; of that at most `length` code points around the first mark."""
    head = heading(hit.heading) or name(hit.title)
    tags = " ".join(f"#{name(tag)}" for tag in hit.tags)
    return "\n".join(line for line in (f"{head}  {tags}".strip(), _shortened(hit, length)) if line)


def _shortened(hit: Hit, length: int | None) -> str:
    text = hit.excerpt.strip()
    if length is None or len(text) <= length:
        return text
    first = hit.matches[0][0] if hit.matches else 0
    start = max(0, min(first - length // 3, len(hit.excerpt) - length))
    cut = hit.excerpt[start : start + length].strip()
    return f"{'… ' if start else ''}{cut}{' …' if start + length < len(hit.excerpt) else ''}"


def passage(found: ReadResult) -> str:
    """Lines with their numbers in the file, the headings above them first."""
    body = numbered(found.text, found.start_line)
    return f"[{heading(found.heading)}]\n{body}" if found.heading else body


def address(hit: Hit) -> str:
    """Where a hit is and what to think of it, on one line."""
    known = (f"fact {hit.fact.id}, trust {hit.fact.trust:.2f}",) if hit.fact else ()
    names = (f"by {', '.join(map(name, hit.via))}",) if hit.via else ()
    links = tuple(way.replace("-", " ") for way in hit.links)
    unsure = ("the exact index does not confirm it",) if hit.verified is False else ()
    facts = (f"{hit.score:.2f}", origin_of(hit.tier, hit.source), hit.modified[:_DAY], *known, *links, *names, *unsure)
    return f"{name(hit.path)}:{hit.start_line}-{hit.end_line}  ({', '.join(facts)})"


def found(answer: Found, boundary: Boundary, rows: list[tuple[str, str]], aside: str = "") -> str:
    """Hits as `address` and text, `aside` before them, then what is missing and how to go on."""
    said = [*(f"Not complete: {gap}" for gap in map(_gap, answer.degraded)), *([answer.note] if answer.note else [])]
    listed = [*([aside] if aside else []), *(f"{number}. {where}\n{_indented(text)}" for number, (where, text) in enumerate(rows, 1))]
    said = [*([] if rows else ["Nothing found."]), *([boundary.notice, boundary.around("\n".join(listed))] if listed else []), *said]
    if answer.suggestion:
        said.append(f"Did you mean: {name(answer.suggestion)}")
    if answer.cursor:
        said.append(f"More: repeat the call with cursor={answer.cursor}")
    return "\n".join(said)


def read(answer: Read, boundary: Boundary, texts: list[str]) -> str:
    """Ranges with their hashes, and those that could not be read."""
    said = [boundary.notice] if answer.ranges else []
    for one, text in zip(answer.ranges, texts, strict=True):
        said += [_about(one), boundary.around(text)]
        if one.next_line is not None:
            said.append(f"Cut here: read on with start_line={one.next_line}")
    said += [f"{name(unread.path)}: {unread.error}" for unread in answer.errors]
    return "\n".join(said)


def written(answer: Written) -> str:
    """What was written and where it stands now, and the hash for the next write."""
    ranges = ",".join(f"{one.start_line}-{one.end_line}" for one in answer.lines)
    address = f"{name(answer.path)}:{ranges}" if ranges else name(answer.path)
    return f"{'Created' if answer.created else 'Wrote'} {address} ({answer.bytes} bytes). hash {answer.hash}"


def kept(answer: Kept, boundary: Boundary, text: str) -> str:
    """A fact, its place, its trust and what was done with it."""
    votes = f", {answer.helpful} helpful and {answer.unhelpful} unhelpful votes" if answer.helpful or answer.unhelpful else ""
    head = f"{answer.done}: fact {answer.id} at {name(answer.path)}:{answer.start_line}, trust {answer.trust:.2f}{votes}"
    return f"{head}\n{boundary.notice}\n{boundary.around(text)}"


def state(answer: State, boundary: Boundary, reasons: list[str]) -> str:
    """What the index holds, in a few lines; why notes failed may quote them."""
    said = [
        f"{answer.vault}: {answer.state}, {answer.notes} notes, {answer.passages} passages, model {answer.model} ({answer.model_state})"
    ]
    if answer.pending:
        left = f", about {answer.eta_s:.0f} s" if answer.eta_s else ""
        said.append(f"Search by meaning still lacks {answer.pending} pieces of text{left}.")
    said.append(f"Profile note: {answer.profile}")
    failed = [f"{name(one.path)} ({one.stage}): {reason}" for one, reason in zip(answer.failures, reasons, strict=True)]
    said += ["Failed:", boundary.notice, boundary.around("\n".join(failed))] if failed else []
    return "\n".join([*said, *([f"… and {answer.more_failures} more"] if answer.more_failures else [])])


def _about(one: Lines) -> str:
    return f"{name(one.path)}:{one.start_line}-{one.end_line} of {one.total_lines} lines, {one.origin}. hash {one.hash}"


def _gap(gap: Gap) -> str:
    return f"{gap.lane} is {gap.code}: {gap.reason}"


def _indented(text: str) -> str:
    return "\n".join(f"   {line}" for line in text.split("\n"))
