"""A body as pieces, and a piece as smaller pieces.

Owns the ladder of cuts: blocks, list items and table rows and fence lines, lines (those that end a
sentence first), and, only inside a line that is too long by itself, sentences and then code points.
Pieces lie edge to edge, so nothing is lost between them. Must not decide which pieces share a chunk.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np

from holovault.chunking.blobs import find_blobs
from holovault.chunking.breaks import Cutter, sentence_starts
from holovault.chunking.tokens import weigh
from holovault.chunking.visible import Visible
from holovault.markdown import Block, Document

_SENTENCE_CLOSERS = "\"'»”’)]*_」』）"
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।")


@dataclass(frozen=True, slots=True)
class Piece:
    """Visible code points `start`…`end` with their weight.

    `first`…`last` (exclusive) are the line indices it touches. `block` is what it consists of, if it
    is a whole block; `sentence` says that only code points are left to cut at, `apart` that it is to be a chunk of its own.
    """

    start: int
    end: int
    first: int
    last: int
    weight: int
    block: Block | None = None
    heading: bool = False
    sentence: bool = False
    apart: bool = False


class Source:
    """One document's visible text with weights, ready to be taken apart."""

    def __init__(self, document: Document, apart: Collection[int] = ()) -> None:
        self.document = document
        self._apart = apart
        self.visible = Visible(document)
        self._text = self.visible.text
        self._weights = weigh(self._text)
        self._cutter = Cutter(self._text, self._weights, find_blobs(self._text))
        starts = self.visible.starts
        self._before: list[int] = [0]
        if starts:
            by_line = np.add.reduceat(np.append(self._weights, np.int16(0)), starts, dtype=np.int64)
            self._before += np.cumsum(by_line).tolist()

    def blocks(self) -> Iterator[Piece]:
        """The top blocks with the lines after them; lines before the first belong to it. Items that stand apart are pieces themselves."""
        for piece in self._of_blocks(self.document.blocks, 0, len(self.visible.starts)):
            items = piece.block.children if piece.block is not None and piece.block.kind == "list" else ()
            if any(item.start_line in self._apart for item in items):
                yield from self._of_items(items, piece)
            else:
                yield piece

    def _of_items(self, items: Sequence[Block], whole: Piece) -> Iterator[Piece]:
        for item, piece in zip(items, self._of_blocks(items, whole.first, whole.last), strict=True):
            yield replace(piece, apart=item.start_line in self._apart)

    def is_one_line(self, piece: Piece) -> bool:
        """Whether at most one line of it says anything."""
        return sum(1 for _ in islice(self._written(piece), 2)) <= 1

    def divide(self, piece: Piece, target: int) -> Iterator[Piece]:
        """The next smaller pieces, at least one step down the ladder; code points are cut to `target`."""
        if piece.block is not None and piece.block.children:
            return self._of_blocks(piece.block.children, piece.first, piece.last)
        if not self.is_one_line(piece):
            grouped = piece.block is not None and piece.block.kind == "paragraph"
            return self._of_lines(piece, sentences=grouped)
        if not piece.sentence:
            return self._of_sentences(piece)
        return (
            Piece(start, end, piece.first, piece.last, self._weight(start, end), sentence=True)
            for start, end in self._cutter.pieces(piece.start, piece.end, target)
        )

    def _of_blocks(self, blocks: Sequence[Block], first: int, last: int) -> Iterator[Piece]:
        offset = self.document.body_line
        edges = [first, *(block.start_line - offset for block in blocks[1:]), last]
        if not blocks:
            if last > first:
                yield self._lines(first, last, None)
            return
        for block, (start, end) in zip(blocks, pairwise(edges), strict=True):
            yield self._lines(start, end, block)

    def _lines(self, first: int, last: int, block: Block | None) -> Piece:
        start, end = self.visible.starts[first], self.visible.end_of(last - 1)
        heading = block is not None and block.kind == "heading"
        return Piece(start, end, first, last, self._before[last] - self._before[first], block, heading)

    def _of_lines(self, piece: Piece, *, sentences: bool) -> Iterator[Piece]:
        """Groups of lines; a line without text goes with the one before it."""
        groups: list[int] = []
        ended = True
        for line in self._written(piece):
            if ended or not sentences:
                groups.append(line)
            ended = self._ends_sentence(line)
        if len(groups) <= 1:
            groups = list(self._written(piece))
        edges = [piece.first, *groups[1:], piece.last]
        for first, last in pairwise(edges):
            yield self._lines(first, last, None)

    def _of_sentences(self, piece: Piece) -> Iterator[Piece]:
        edges = [piece.start, *sentence_starts(self._text, piece.start, piece.end), piece.end]
        weights = np.add.reduceat(self._weights[: piece.end], edges[:-1], dtype=np.int64).tolist()
        for (start, end), weight in zip(pairwise(edges), weights, strict=True):
            yield Piece(start, end, piece.first, piece.last, weight, sentence=True)

    def _written(self, piece: Piece) -> Iterator[int]:
        lines, offset = self.document.lines, self.document.body_line - 1
        return (line for line in range(piece.first, piece.last) if lines[line + offset].strip())

    def _ends_sentence(self, line: int) -> bool:
        text = self._text[self.visible.starts[line] : self.visible.end_of(line)].rstrip().rstrip(_SENTENCE_CLOSERS)
        return text.endswith(_SENTENCE_ENDS)

    def _weight(self, start: int, end: int) -> int:
        return int(self._weights[start:end].sum(dtype=np.int64))
