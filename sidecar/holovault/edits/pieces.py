"""Texts that take the place of others in a note, and which lines they are afterwards.

Owns the splice. Must not know where a piece comes from.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from holovault.edits.coding import breaks_in

MOST_RANGES = 100
_BREAKS = ("\n", "\r")


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` instead of the note's own characters [start, end)."""

    start: int
    end: int
    text: str


def spliced(text: str, pieces: Sequence[Piece]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text with its pieces, which are in order and do not overlap, and the 1-based lines that they are now."""
    parts: list[str] = []
    ranges: list[tuple[int, int]] = []
    done, line = 0, 1
    for piece in pieces:
        kept = text[done : piece.start]
        new = _apart(text[max(piece.start - 1, 0) : piece.start], piece.text, text[piece.end : piece.end + 1])
        parts += (kept, new)
        first = line + breaks_in(kept)
        line = first + breaks_in(new)
        first += new[:1] in _BREAKS and text[max(piece.start - 1, 0) : piece.start] not in ("", *_BREAKS)
        last = line - 1 if new[-1:] in _BREAKS and line > first else line
        if ranges and first <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(last, ranges[-1][1]))
        elif len(ranges) < MOST_RANGES:
            ranges.append((first, last))
        done = piece.end
    parts.append(text[done:])
    return "".join(parts), tuple(ranges)


def _apart(before: str, new: str, after: str) -> str:
    """`\\r` and `\\n` that were two line ends, or would be, must not meet as one."""
    if before == "\r" and new.startswith("\n"):
        new = "\r" + new
    if after == "\n" and (new or before).endswith("\r"):
        new += "\n"
    return new
