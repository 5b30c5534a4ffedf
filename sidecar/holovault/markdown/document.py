"""A note as structure: front matter, blocks, and what is said in its running text.

Owns the order in which the parts are found, above all of comments: what a comment hides is no block,
and code hides comments. Must not decide how a note is cut.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from holovault.markdown.blocks import Block, block_tree
from holovault.markdown.front import find_block, read_block
from holovault.markdown.inline import find_block_ids, find_inline, link_of, tag_of
from holovault.markdown.opaque import Opaque, Span, SpanIndex, find_opaque, has_comment_marks, merged, probable_fences, without
from holovault.markdown.text import split_lines, unify_breaks
from holovault.model import FrontMatter, Link

_CODE = frozenset({"fence", "code"})
_NOT_RUNNING = _CODE | {"html"}
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class BlockId:
    """An Obsidian block id (without `^`) and its line."""

    id: str
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """One note. Lines are the file's, 1-based; `body` has `\\n` line ends only.

    `lines` are all lines of the file without line ends; `starts[i]` is the offset in `body` of line
    `body_line + i`; `comments` and `code` (inline code) are spans of `body`. `tags` are the inline ones, without `#`.
    """

    front: FrontMatter
    body_line: int
    body: str
    lines: tuple[str, ...]
    starts: tuple[int, ...]
    blocks: tuple[Block, ...]
    comments: tuple[Span, ...]
    links: tuple[Link, ...]
    tags: tuple[str, ...]
    block_ids: tuple[BlockId, ...]
    code: tuple[Span, ...] = ()

    @property
    def first_heading(self) -> str | None:
        """The text of the first level-1 heading."""
        return next((block.text for block in self.blocks if block.kind == "heading" and block.level == 1 and block.text), None)


def parse(text: str) -> Document:
    """Read one note. Any text is a note; nothing raises."""
    text = unify_breaks(text.removeprefix("\ufeff"))
    found = find_block(text)
    front, body_line = (read_block(found), found.body_line) if found else (FrontMatter(), 1)
    body = text[found.body :] if found else text
    lines = tuple(line.removesuffix("\n") for line in split_lines(text))
    body_lines = lines[body_line - 1 :]
    starts = tuple(accumulate((len(line) + 1 for line in body_lines[:-1]), initial=0)) if body_lines else ()
    layout = _Layout(body, body_lines, body_line, starts)
    blocks, opaque = layout.settle()
    links, tags, ids = layout.running_text(blocks, opaque)
    links = (*_front_links(lines[: body_line - 1]), *links)
    return Document(front, body_line, body, lines, starts, blocks, opaque.comments, links, tags, ids, opaque.code)


def _front_links(lines: Sequence[str]) -> Iterator[Link]:
    """Links in properties: Obsidian counts them as the note's."""
    for number, line in enumerate(lines, start=1):
        if "[[" in line:
            for match in find_inline(line):
                link = link_of(match, number) if match["wiki"] else None
                if link:
                    yield link


def _over_lines(body: str, opaque: Opaque) -> tuple[Span, ...]:
    return tuple(span for span in opaque.comments if "\n" in body[span.start : span.end])


class _Layout:
    """The body while its structure is being found."""

    def __init__(self, body: str, lines: Sequence[str], first_line: int, starts: Sequence[int]) -> None:
        self._body = body
        self._lines = lines
        self._first = first_line
        self._starts = starts

    def settle(self) -> tuple[tuple[Block, ...], Opaque]:
        """Blocks and comments that agree: code hides comments, and a comment over several lines hides marks of blocks.

        Fences are guessed first; the blocks are parsed again only where the guess was wrong.
        """
        if not has_comment_marks(self._body):
            blocks = block_tree(self._lines, self._first)
            return blocks, find_opaque(self._body, self._spans(blocks, _CODE)) if "`" in self._body else Opaque()
        code = probable_fences(self._body)
        opaque = find_opaque(self._body, code)
        for _ in range(_ROUNDS):
            hidden = _over_lines(self._body, opaque)
            blocks = block_tree(without(self._body, hidden).split("\n")[: len(self._lines)] if hidden else self._lines, self._first)
            guess, code = code, self._spans(blocks, _CODE)
            if code == guess:
                break
            opaque = find_opaque(self._body, code)
            if _over_lines(self._body, opaque) == hidden:
                break
        return blocks, opaque

    def running_text(self, blocks: Sequence[Block], opaque: Opaque) -> tuple[tuple[Link, ...], tuple[str, ...], tuple[BlockId, ...]]:
        """Links, tags and block ids outside code, HTML and comments."""
        skipped = SpanIndex(merged((*self._spans(blocks, _NOT_RUNNING), *opaque.comments, *opaque.code)))
        links: list[Link] = []
        tags: dict[str, str] = {}
        for match in find_inline(self._body):
            if skipped.at(match.start()):
                continue
            link = link_of(match, self._line_at(match.start()))
            tag = None if link else tag_of(match, self._body)
            if link:
                links.append(link)
            elif tag:
                tags.setdefault(tag.casefold(), tag)
        return tuple(links), tuple(tags.values()), self._block_ids(blocks, skipped)

    def _block_ids(self, blocks: Sequence[Block], skipped: SpanIndex) -> tuple[BlockId, ...]:
        found = [match for match in find_block_ids(self._body) if not skipped.at(match.start())]
        if not found:
            return ()
        ends = {block.end_line for block in _walk(blocks)}
        ids = (BlockId(match[1], self._line_at(match.start())) for match in found)
        return tuple(block_id for block_id in ids if block_id.line in ends)

    def _spans(self, blocks: Sequence[Block], kinds: frozenset[str]) -> list[Span]:
        """Where blocks of these kinds lie in the body."""
        chosen = (block for block in _walk(blocks) if block.kind in kinds)
        return [Span(self._starts[block.start_line - self._first], self._end_of(block.end_line)) for block in chosen]

    def _end_of(self, line: int) -> int:
        index = line - self._first + 1
        return self._starts[index] if index < len(self._starts) else len(self._body)

    def _line_at(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1 + self._first


def _walk(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks and all that is inside them, in the order of their first lines."""
    for block in blocks:
        yield block
        if block.children:
            yield from _walk(block.children)
