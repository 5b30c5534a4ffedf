"""Reading lines of a note and writing a whole one.

Owns what a line range means. Must not decide about paths or conflicts: that is `vault`'s.
"""

from holovault.errors import UsageError
from holovault.markdown import Document, decode, parse, split_lines
from holovault.model import ReadResult
from holovault.vault import NoteBytes


def lines_of(found: NoteBytes, start: int, end: int | None) -> ReadResult:
    """Lines `start`…`end` (1-based, inclusive) with the headings above them; the end may lie beyond the last line.

    Raises UsageError where the range is empty or begins after the note's end.
    """
    text = decode(found.data)
    lines, document = split_lines(text), parse(text)
    total = len(lines)
    first, last = start, min(end or max(total, 1), max(total, 1))
    if first < 1 or (end is not None and end < first):
        raise UsageError(f"lines {first}–{end} of {found.state.path} are no range: lines start at 1 and the first must not follow the last")
    if first > max(total, 1):
        raise UsageError(f"{found.state.path} has {total} lines; line {first} does not exist: ask for lines 1–{total}")
    return ReadResult(
        path=found.state.path,
        hash=found.state.hash,
        start_line=first,
        end_line=last,
        total_lines=total,
        text="".join(lines[first - 1 : last]),
        heading=_headings_above(document, first),
        source=document.front.source,
    )


def _headings_above(document: Document, line: int) -> tuple[str, ...]:
    path: list[tuple[int, str]] = []
    for block in document.blocks:
        if block.start_line > line:
            break
        if block.kind != "heading":
            continue
        while path and path[-1][0] >= block.level:
            path.pop()
        path.append((block.level, block.text))
    return tuple(text for _, text in path)
