"""From a document to its chunks.

Owns a chunk's address (heading path, lines, block ids) and its text. Must not know windows.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from holovault.chunking.packing import Packed, Packer
from holovault.chunking.pieces import Source
from holovault.chunking.tokens import estimate_tokens
from holovault.markdown import Document, Span
from holovault.model import Chunk, Section

VERSION = 2
"""Raised whenever the same note would be cut differently: every note is then cut again."""


@dataclass(frozen=True, slots=True)
class _Path:
    """A heading path that is in force from a visible offset on."""

    offset: int
    line: int
    heading: tuple[str, ...]


def chunk(document: Document, apart: Collection[int] = ()) -> tuple[Chunk, ...]:
    """Cut a note. Line `i` of a chunk's text is line `start_line + i` of the file, a comment's place stays empty.

    About 600 tokens, at most 1,000; a line is shared by two chunks only where it alone exceeds that.
    A body without any text but comments is one chunk without text; an empty body has none. List items that start at the lines
    `apart` are chunks of their own (several, where one exceeds the limit); headings right above one have a chunk without text,
    because every chunk below says them.
    """
    source = Source(document, apart)
    return tuple(_Maker(source).chunks())


def source_spans(document: Document, apart: Collection[int] = ()) -> tuple[Span, ...]:
    """What each chunk of `chunk(document, apart)` covers of `document.body`: edge to edge, comments and blank lines included."""
    source = Source(document, apart)
    packed = list(_Maker(source).written())
    edges = [0, *(source.visible.to_body(piece.start) for piece in packed[1:]), len(document.body)]
    return tuple(Span(start, end) for start, end in pairwise(edges)) if packed else ()


def _said_below(paths: Sequence[_Path]) -> bool:
    """Whether the last heading path names all these headings."""
    return all(path.heading and path.heading[-1] in paths[-1].heading for path in paths)


class _Maker:
    """Gives packed spans their addresses."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._document = source.document
        self._visible = source.visible
        self._paths = list(self._heading_paths())
        self._offsets = [path.offset for path in self._paths]

    def chunks(self) -> Iterator[Chunk]:
        for ordinal, piece in enumerate(self.written()):
            yield self._chunk(ordinal, piece)

    def written(self) -> Iterator[Packed]:
        """The spans whose lines say anything, be it a comment."""
        for piece in Packer(self._source).pack():
            first, last = self._line_range(piece)
            if first <= last:
                yield piece

    def _chunk(self, ordinal: int, piece: Packed) -> Chunk:
        first, last = self._line_range(piece)
        start, end = max(piece.start, self._visible.starts[first]), min(piece.end, self._visible.end_of(last))
        text = self._visible.text[start:end].rstrip()
        if start > self._visible.starts[first]:
            text = text.lstrip()
        offset = self._document.body_line
        index = bisect_right(self._offsets, start) - 1
        inside = self._paths[index + 1 : bisect_right(self._offsets, max(start, end - 1))]
        if piece.headings and _said_below(self._paths[max(index, 0) : index + 1 + len(inside)]):
            text = ""
        return Chunk(
            ordinal=ordinal,
            heading=self._paths[index].heading if index >= 0 else (),
            start_line=first + offset,
            end_line=last + offset,
            text=text if text.strip() else "",
            tokens=estimate_tokens(text),
            block_ids=self._block_ids(piece, first, last),
            hash=hashlib.sha256((text if text.strip() else "").encode("utf-8", "surrogatepass")).hexdigest(),
            sections=tuple(Section(path.line, path.heading) for path in inside),
        )

    def _line_range(self, piece: Packed) -> tuple[int, int]:
        """Indices of the first and the last line of a span that are not blank."""
        first, last = self._visible.line_at(piece.start), self._visible.line_at(max(piece.start, piece.end - 1))
        while first <= last and not self._is_written(first, piece):
            first += 1
        while last > first and not self._is_written(last, piece):
            last -= 1
        return first, last

    def _is_written(self, line: int, piece: Packed) -> bool:
        """Whole lines count with their comments, a part of a line by its visible text."""
        start, end = self._visible.starts[line], self._visible.end_of(line)
        if piece.start > start or piece.end < end:
            return bool(self._visible.text[max(piece.start, start) : min(piece.end, end)].strip())
        return bool(self._document.lines[line + self._document.body_line - 1].strip())

    def _block_ids(self, piece: Packed, first: int, last: int) -> tuple[str, ...]:
        """Ids at the end of the lines that end here."""
        offset = self._document.body_line
        ids = ((block_id.id, block_id.line - offset) for block_id in self._document.block_ids)
        return tuple(name for name, line in ids if first <= line <= last and self._visible.end_of(line) <= piece.end)

    def _heading_paths(self) -> Iterator[_Path]:
        stack: list[tuple[int, str]] = []
        for block in self._document.blocks:
            if block.kind != "heading":
                continue
            while stack and stack[-1][0] >= block.level:
                stack.pop()
            if block.text:
                stack.append((block.level, block.text))
            offset = self._visible.starts[block.start_line - self._document.body_line]
            yield _Path(offset, block.start_line, tuple(text for _, text in stack))
