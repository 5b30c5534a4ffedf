"""Exact texts for others: each found where and as often as its author said, or nothing is changed.

Owns what counts as found. All edits are looked for in the note as it is, so their order means nothing, and two of them must not
touch the same text. Must not write.
"""

import unicodedata
from collections.abc import Sequence
from itertools import islice, pairwise

from holovault.edits.coding import given
from holovault.edits.differences import nearest
from holovault.edits.matching import Shown
from holovault.edits.pieces import Piece
from holovault.errors import AmbiguousError, NotFoundError, UsageError
from holovault.model import TextEdit

MOST_EDITS = 1_000
MOST_PLACES = 100_000
_SHOWN_LINES = 20


def replacements(own: str, edits: Sequence[TextEdit], end_of_line: str, path: str) -> list[Piece]:
    """The pieces of all edits, in the order of the note. Raises NotFoundError, AmbiguousError or UsageError."""
    if len(edits) > MOST_EDITS:
        raise UsageError(f"{path}: {len(edits)} edits are more than {MOST_EDITS} at once. Nothing was changed; replace the whole note.")
    shown = Shown(own)
    found: list[tuple[int, int, int, str]] = []
    for number, edit in enumerate(edits, start=1):
        old, new = _checked(edit, number, len(edits), path)
        for start, end in _places(shown, old, edit.count, _name(number, len(edits)), path):
            found.append((start, end, number, new))
    found.sort()
    for one, other in pairwise(found):
        if other[0] < one[1]:
            line = 1 + shown.text.count("\n", 0, other[0])
            raise UsageError(
                f"{path}: edits {one[2]} and {other[2]} touch the same text in line {line}. Nothing was changed; make them one."
            )
    return [_piece(shown, start, end, new, end_of_line) for start, end, _, new in found]


def _checked(edit: TextEdit, number: int, total: int, path: str) -> tuple[str, str]:
    name = _name(number, total)
    old, new = given(edit.old, f"{path}: the old text{name}"), given(edit.new, f"{path}: the new text{name}")
    if not old:
        raise UsageError(f"{path}: the old text{name} is empty. Give the text to replace; to add text, append.")
    if old == new:
        raise UsageError(f"{path}: old and new text{name} are the same. Nothing was changed.")
    if not 1 <= edit.count <= MOST_PLACES:
        raise UsageError(f"{path}: count{name} is {edit.count}; it says how often the old text stands in the note, 1 to {MOST_PLACES:,}.")
    return old, new


def _places(shown: Shown, old: str, count: int, name: str, path: str) -> list[tuple[int, int]]:
    """Where `old` stands, exactly `count` times."""
    walk = shown.places(old)
    starts = list(islice(walk, count + _SHOWN_LINES))
    if not starts:
        raise NotFoundError(
            f"The old text{name} does not stand in {path}. Nothing was changed; read the note again and copy the text as it is.",
            quoted=nearest(shown.text, old),
        )
    if len(starts) != count:
        more = sum(1 for _ in islice(walk, MOST_PLACES))
        raise AmbiguousError(_how_often(shown.text, starts, more, count, name, path))
    length = len(unicodedata.normalize("NFC", old))
    ends = [start + length for start in starts]
    if any(end > start for end, start in zip(ends, starts[1:], strict=False)):
        raise AmbiguousError(f"The old text{name} overlaps itself in {path}. Nothing was changed; give a longer old text.")
    return list(zip(starts, ends, strict=True))


def _how_often(text: str, starts: Sequence[int], more: int, count: int, name: str, path: str) -> str:
    lines: list[int] = []
    line, done = 1, 0
    for start in starts[:_SHOWN_LINES]:
        line += text.count("\n", done, start)
        done = start
        lines.append(line)
    total = len(starts) + more
    often = f"{total} times" if more < MOST_PLACES else f"more than {MOST_PLACES:,} times"
    where = f"{'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines))}{' and further on' if total > len(lines) else ''}"
    return (
        f"The old text{name} stands {often} in {path}, not {count}: {where}. Nothing was changed; "
        f"give more of the text around it, or count={total} to change all of them."
    )


def _piece(shown: Shown, start: int, end: int, new: str, end_of_line: str) -> Piece:
    """Only what differs: what both texts begin and end with keeps its own bytes."""
    old = shown.text
    head = 0
    while start + head < end and head < len(new) and old[start + head] == new[head]:
        head += 1
    while shown.own(start + head) is None:
        head -= 1
    tail = 0
    while tail < min(end - start, len(new)) - head and old[end - 1 - tail] == new[len(new) - 1 - tail]:
        tail += 1
    while shown.own(end - tail) is None:
        tail -= 1
    first, last = shown.own(start + head), shown.own(end - tail)
    assert first is not None and last is not None
    return Piece(first, last, new[head : len(new) - tail].replace("\n", end_of_line))


def _name(number: int, total: int) -> str:
    return f" of edit {number}" if total > 1 else ""
