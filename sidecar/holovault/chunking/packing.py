"""Which pieces share a chunk.

Owns the sizes: about 600 tokens, never above 1,000, and no cut at a heading below 200. Must not look
at text; it knows pieces by weight.
"""

from dataclasses import dataclass, replace

from holovault.chunking.pieces import Piece, Source
from holovault.chunking.tokens import SCALE

TARGET = 600
"""Tokens at which a chunk is closed at the next block."""

LIMIT = 1000
"""Tokens that no chunk exceeds."""

MINIMUM = 200
"""Tokens below which a heading does not close a chunk, and a tail joins the chunk before it."""

# Two tokens of slack: a chunk that begins inside a line weighs a little more by itself than as a part of it.
_TARGET, _LIMIT, _MINIMUM = TARGET * SCALE, (LIMIT - 2) * SCALE, MINIMUM * SCALE
_LINE = LIMIT * SCALE


@dataclass(frozen=True, slots=True)
class Packed:
    """Visible code points of one chunk. One `apart` is joined with no other; `headings` is nothing but that, above such a one."""

    start: int
    end: int
    weight: int
    apart: bool = False
    headings: bool = False


class Packer:
    """Fills chunks with pieces in order. A heading stays with what follows it wherever the sizes allow."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._done: list[Packed] = []
        self._pieces: list[Piece] = []
        self._weight = 0
        self._said = 0

    def pack(self) -> list[Packed]:
        """All chunks of the document; edge to edge from the first to the last visible code point."""
        for piece in self._source.blocks():
            self._add(piece)
        self._close(len(self._pieces))
        self._join_tail()
        return self._done

    def _add(self, piece: Piece) -> None:
        if piece.apart:
            self._add_apart(piece)
            return
        if piece.heading and (self._said >= _MINIMUM or self._weight >= _TARGET):
            self._close(len(self._pieces))
        if self._weight + piece.weight > _TARGET and self._said >= _MINIMUM:
            self._close(len(self._pieces))
        fits = self._weight + piece.weight <= (_LIMIT if self._said < _MINIMUM else _TARGET)
        if fits or (not self._pieces and self._is_whole_line(piece)):
            self._append(piece)
        elif not self._is_whole_line(piece) and (piece.weight > _LIMIT or not self._source.is_one_line(piece)):
            for part in self._source.divide(piece, _TARGET):
                self._add(part)
        else:
            self._close(self._before_headings())
            self._add(piece)

    def _add_apart(self, piece: Piece) -> None:
        """A chunk of its own, or more than one where it is too long; the headings above it are left behind as such."""
        count = self._before_headings()
        if count < len(self._pieces):
            self._close(count)
        self._close(len(self._pieces), headings=all(each.heading for each in self._pieces))
        at = len(self._done)
        self._add(replace(piece, apart=False))
        self._close(len(self._pieces))
        self._done[at:] = [replace(packed, apart=True) for packed in self._done[at:]]

    def _is_whole_line(self, piece: Piece) -> bool:
        """A line within the limit is never cut, also where it fills a chunk to the last token."""
        return not piece.sentence and piece.weight <= _LINE and self._source.is_one_line(piece)

    def _append(self, piece: Piece) -> None:
        self._pieces.append(piece)
        self._weight += piece.weight
        if not piece.heading:
            self._said = self._weight

    def _before_headings(self) -> int:
        """How many pieces stand before the headings at the end; all, where there are only headings."""
        count = len(self._pieces)
        while count and self._pieces[count - 1].heading:
            count -= 1
        return count or len(self._pieces)

    def _close(self, count: int, *, headings: bool = False) -> None:
        """Make a chunk of the first `count` pieces."""
        closed, self._pieces = self._pieces[:count], self._pieces[count:]
        if closed:
            weight = sum(piece.weight for piece in closed)
            self._done.append(Packed(closed[0].start, closed[-1].end, weight, headings=headings))
        self._weight = sum(piece.weight for piece in self._pieces)
        self._said = 0

    def _join_tail(self) -> None:
        if len(self._done) < 2 or self._done[-1].weight >= _MINIMUM:
            return
        before, tail = self._done[-2:]
        if before.apart or tail.apart:
            return
        if before.weight + tail.weight <= _LIMIT:
            self._done[-2:] = [Packed(before.start, tail.end, before.weight + tail.weight)]
