"""Which lines form which block.

Owns the block tree. Lines are numbered in the file, so the number of the body's first line is handed
in. Must not read the text inside a block, a heading's excepted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from markdown_it.token import Token

from holovault.markdown.grammar import BlockParser
from holovault.markdown.headings import plain_heading

BlockKind = Literal["heading", "paragraph", "fence", "code", "list", "item", "table", "quote", "html", "hr"]

LONG_LINE = 4096
"""Characters of a line that the parser sees; what is between its head and its tail cannot change the structure."""

_KINDS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph": "paragraph",
    "fence": "fence",
    "code_block": "code",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "table": "table",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "hr",
}
_HTML_ENDS = ("-->", "?>", "]]>", "</script>", "</pre>", "</style>", "</textarea>")

_PARSER = BlockParser()


@dataclass(frozen=True, slots=True)
class Block:
    """One block with its lines, both inclusive; blank lines after it are not its own.

    `level` is 1…6 for headings and 0 elsewhere, `text` a heading's plain text. Lists have items,
    items and quotes have blocks as `children`; a table's rows and a fence's lines are just its lines.
    """

    kind: BlockKind
    start_line: int
    end_line: int
    level: int = 0
    text: str = ""
    children: tuple["Block", ...] = ()


@dataclass(slots=True)
class _Open:
    kind: BlockKind
    start: int
    end: int
    level: int
    text: str
    children: list[Block]


def block_tree(lines: Sequence[str], first_line: int) -> tuple[Block, ...]:
    """The top blocks of body lines (without line ends), the first of which is line `first_line` of the file."""
    source = "\n".join(line if len(line) <= LONG_LINE else _shorten(line) for line in lines)
    return _build(_PARSER.tokens(source.replace("\0", "\ufffd")), lines, first_line)


def _shorten(line: str) -> str:
    """Head and tail of a very long line, with the ends of HTML blocks that lie between them."""
    half = LONG_LINE // 2
    lowered = line.lower()
    return line[:half] + "".join(end for end in _HTML_ENDS if end in lowered) + line[-half:]


def _build(tokens: Sequence[Token], lines: Sequence[str], first_line: int) -> tuple[Block, ...]:
    top = _Open("quote", 0, 0, 0, "", [])
    path = [top]
    for token in tokens:
        if token.nesting < 0:
            closed = path.pop()
            path[-1].children.append(_close(closed, lines, first_line))
        elif token.type == "inline":
            path[-1].text = plain_heading(token.content)
        else:
            start, end = token.map or (0, 0)
            level = int(token.tag[1]) if token.type == "heading_open" else 0
            block = _Open(_KINDS[token.type], start, end, level, "", [])
            if token.nesting > 0:
                path.append(block)
            else:
                path[-1].children.append(_close(block, lines, first_line))
    return tuple(top.children)


def _close(block: _Open, lines: Sequence[str], first_line: int) -> Block:
    end = block.end
    while end - 1 > block.start and not lines[end - 1].strip():
        end -= 1
    return Block(block.kind, block.start + first_line, end - 1 + first_line, block.level, block.text, tuple(block.children))
