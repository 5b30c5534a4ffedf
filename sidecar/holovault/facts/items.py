"""List items of a note with the places of what belongs to them: text, own fields, own block id, comments.

Owns which list items are facts: those of the note's own lists, not of quotes. A nested item belongs to the fact above it, with its
marks: a fact that is told in several lines stays one. Code, HTML and quotes inside an item are shown with it and say
nothing as fields. Must not know files or what a fact is worth.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holovault.facts.fields import Field, find_fields
from holovault.markdown import Block, Document, Span

MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
CHECKBOX = re.compile(r"\[[^\[\]\n]\][ \t]+")
_SILENT = frozenset({"fence", "code", "html", "quote"})
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+[ \t]*$")
_WORD = re.compile(r"\w")
_HIDDEN = "\ufffc"


@dataclass(frozen=True, slots=True)
class Item:
    """One fact's item; all spans are offsets of the document's body.

    `content` runs from the first character after marker and checkbox to the last one that is no white space. `marks` are what is
    not shown, in order and without overlap: own fields, the own block id, comments. `said` is the content with code, comments
    and fields masked, offset by offset; `width` is the column at which the content starts. `own_end` is where the item's first own
    block ends, where a field or an id is to be put; None where the item opens with a list or with code.
    """

    start_line: int
    end_line: int
    category: str
    content: Span
    marks: tuple[Span, ...]
    fields: tuple[Field, ...]
    id: str | None
    id_span: Span | None
    nested_ids: tuple[str, ...]
    said: str
    width: int
    own_end: int | None


def find_items(document: Document, name: str) -> Iterator[Item]:
    """All facts of a note in order; `name` is the category of those before the first heading (the note's own name)."""
    reader = _Reader(document)
    category = name
    for block in document.blocks:
        if block.kind == "heading":
            category = block.text or name
        elif block.kind == "list":
            for child in block.children:
                item = reader.item(child, category)
                if item is not None:
                    yield item


class _Reader:
    """Reads items of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._body = document.body
        self._first = document.body_line
        self._comments = _Cover(document.comments)
        self._code = _Cover(document.code)
        self._ids = {block_id.line: block_id.id for block_id in document.block_ids}

    def item(self, block: Block, category: str) -> Item | None:
        content, width = self._content(block)
        silent = [self._lines(each) for each in _walk(block.children) if each.kind in _SILENT]
        nested = [self._lines(each) for each in block.children if each.kind == "list"]
        comments, code = self._comments.within(content), self._code.within(content)
        own = self._masked(content, hidden=(*comments, *code), dropped=(*silent, *nested))
        fields = tuple(self._placed(field, content.start) for field in find_fields(own))
        line = next((each.end_line for each in block.children if each.kind != "list" and each.end_line in self._ids), None)
        mark = self._id_span(line) if line is not None else None
        marks = _joined((*(Span(field.start, field.end) for field in fields), *comments, *((mark,) if mark else ())))
        said = self._masked(content, hidden=code, dropped=(*silent, *marks))
        if not _WORD.search(said):
            return None
        inside = [self._ids[each] for each in range(block.start_line, block.end_line + 1) if each in self._ids and each != line]
        identity = self._ids[line].lower() if line is not None else None
        end = self._own_end(block)
        return Item(block.start_line, block.end_line, category, content, marks, fields, identity, mark, tuple(inside), said, width, end)

    def _own_end(self, block: Block) -> int | None:
        first = block.children[0] if block.children else None
        if first is None or first.kind not in ("paragraph", "heading"):
            return None
        span = self._lines(first)
        return span.start + len(self._body[span.start : span.end].rstrip())

    def _content(self, block: Block) -> tuple[Span, int]:
        """What the item says, and the column at which that starts."""
        span = self._lines(block)
        marker = MARKER.match(self._body, span.start, _line_end(self._body, span.start, span.end))
        at = marker.end() if marker else span.start
        width = _columns(self._body[span.start : at])
        if not self._body[at : _line_end(self._body, at, span.end)].strip():
            width = _columns(self._body[span.start : at].rstrip()) + 1
        box = CHECKBOX.match(self._body, at)
        at = box.end() if box else at
        text = self._body[at : span.end]
        start = at + len(text) - len(text.lstrip())
        return Span(start, max(start, at + len(text.rstrip()))), width

    def _lines(self, block: Block) -> Span:
        starts = self._document.starts
        index = block.end_line - self._first + 1
        return Span(starts[block.start_line - self._first], starts[index] - 1 if index < len(starts) else len(self._body))

    def _placed(self, field: Field, by: int) -> Field:
        """A field found in masked content as it stands in the body."""
        value = field.value
        if _HIDDEN in value:
            value = self._body[field.start + by : field.end + by - 1].partition("::")[2].strip()
        return Field(field.key, value, field.start + by, field.end + by)

    def _id_span(self, line: int) -> Span | None:
        start = self._document.starts[line - self._first]
        match = _BLOCK_ID.search(self._body, start, _line_end(self._body, start, len(self._body)))
        return Span(match.start(), match.start() + len(match[0].rstrip())) if match else None

    def _masked(self, content: Span, hidden: Sequence[Span], dropped: Sequence[Span]) -> str:
        """The content, offset by offset, with place-holders for what is hidden and line ends for what is not there."""
        text = self._body[content.start : content.end]
        for spans, filler in ((hidden, _HIDDEN), (dropped, "\n")):
            for span in spans:
                start, end = max(span.start, content.start) - content.start, min(span.end, content.end) - content.start
                if start < end:
                    text = text[:start] + filler * (end - start) + text[end:]
        return text


class _Cover:
    """Ordered spans, asked for those that touch another one."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._starts = [span.start for span in spans]

    def within(self, outer: Span) -> list[Span]:
        """The parts of the spans that lie in `outer`."""
        first = max(0, bisect_right(self._starts, outer.start) - 1)
        parts: list[Span] = []
        for span in self._spans[first:]:
            if span.start >= outer.end:
                break
            if span.end > outer.start:
                parts.append(Span(max(span.start, outer.start), min(span.end, outer.end)))
        return parts


def _joined(spans: Sequence[Span]) -> tuple[Span, ...]:
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


def _line_end(text: str, at: int, limit: int) -> int:
    end = text.find("\n", at, limit)
    return limit if end < 0 else end


def _columns(text: str) -> int:
    """Width with tab stops of four columns (CommonMark)."""
    width = 0
    for char in text:
        width += 4 - width % 4 if char == "\t" else 1
    return width


def _walk(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _walk(block.children)
