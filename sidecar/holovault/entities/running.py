"""The running text of a chunk: what a person would say, without code, links and markup.

Owns what is taken out before names are looked for. Masked spans become one sign that is no letter, so that nothing joins across them.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from holovault.markdown import Block, Document
from holovault.markdown.inline import find_inline, link_of, tag_of
from holovault.model import Chunk, Link

GAP = "\x01"
"""Stands for what was taken out."""

_CODE = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_MASKED = re.compile(
    r"\[\[[^\[\]\n]{0,1000}\]\]"
    r"|\[(?:[^\[\]\n\\]|\\.){0,1000}\]\([^()\n]{0,2000}(?:\([^()\n]*\)[^()\n]*)?\)"
    r"|<[^<>\n]{1,500}>"
    r"|\$[^$\s][^$\n]*\$"
    r"|\{\{[^\n]*?\}\}"
)


class Running:
    """`linked` has links and tags in it and no code; `spoken` has neither, nor headings, and is composed (NFC)."""

    __slots__ = ("_shared", "chunk", "linked", "spoken")

    def __init__(self, chunk: Chunk, silent: Sequence[int], headings: Sequence[int], *, shared: bool) -> None:
        self.chunk = chunk
        self._shared = shared
        lines = chunk.text.split("\n")
        start = chunk.start_line
        code = {line - start for line in silent}
        self.linked = self.spoken = _without_code(_rest(lines, code))
        if headings:
            self.spoken = _without_code(_rest(lines, code.union(line - start for line in headings)))
        self.spoken = unicodedata.normalize("NFC", _MASKED.sub(GAP, self.spoken))

    def links(self, document: Document, lines: Sequence[int]) -> list[Link]:
        """Its links of the document's, whose lines are given. Of a line that several chunks share, those that stand in its own text."""
        if self._shared:
            return [link for match in find_inline(self.linked) if (link := link_of(match, 0))]
        return list(document.links[bisect_left(lines, self.chunk.start_line) : bisect_right(lines, self.chunk.end_line)])

    def tags(self, known: frozenset[str]) -> list[str]:
        """Its tags of those (casefolded) that the document has."""
        if not known or "#" not in self.linked:
            return []
        tags = (tag_of(match, self.linked) for match in find_inline(self.linked) if match["tag"] is not None)
        return [tag for tag in tags if tag is not None and tag.casefold() in known]


def running(document: Document, chunks: Sequence[Chunk]) -> list[Running]:
    """Every chunk of a document with its running text."""
    silent, headings = _lines(document.blocks)
    made = []
    for place, chunk in enumerate(chunks):
        before = place > 0 and chunks[place - 1].end_line >= chunk.start_line
        after = place + 1 < len(chunks) and chunks[place + 1].start_line <= chunk.end_line
        made.append(Running(chunk, _within(silent, chunk), _within(headings, chunk), shared=before or after))
    return made


def _rest(lines: Sequence[str], without: set[int]) -> str:
    return "\n".join([line for place, line in enumerate(lines) if place not in without])


def _without_code(text: str) -> str:
    return _CODE.sub(GAP, text) if "`" in text else text


def _within(lines: Sequence[int], chunk: Chunk) -> Sequence[int]:
    return lines[bisect_left(lines, chunk.start_line) : bisect_right(lines, chunk.end_line)]


def _lines(blocks: Sequence[Block]) -> tuple[list[int], list[int]]:
    """The lines that are code or HTML, and those that are headings, ascending."""
    silent: list[int] = []
    headings: list[int] = []
    for block in _walk(blocks):
        if block.kind in ("fence", "code", "html"):
            silent.extend(range(block.start_line, block.end_line + 1))
        elif block.kind == "heading":
            headings.extend(range(block.start_line, block.end_line + 1))
    return silent, headings


def _walk(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _walk(block.children)
