"""CommonMark's block rules, with less work per line than the stock parser.

Owns which of markdown-it's rules is asked for which line. The stock parser asks ten rules per block
and seven per paragraph line; the first character already excludes most of them. Lists, quotes,
fences, HTML, headings and rules are markdown-it's own; ours are paragraphs (with setext headings)
and tables, which there cost three tokens per cell (GFM spec, tables). Two deviations, both so that
no line is lost: past the nesting limit a line is a paragraph (stock: the rest of the document is
dropped), and a table has no limit of missing cells. Must not keep anything between two parses.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock, RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock, blockquote, code, fence, heading, hr, html_block, list_block
from markdown_it.token import Token

NESTING = 40
"""How many containers may hold one another (a list and its item count as two)."""

_SPACE = " \t"
_DELIMITER_START = "|-:"
_DELIMITER_ROW = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*(?::?-+:?)?[ \t]*")
_UNDERLINE = re.compile(r"(=+|-+)[ \t]*")
_CELL = re.compile(r"(?<!\\)\|")

_LEAVES: dict[str, tuple[RuleFuncBlockType, ...]] = {
    **dict.fromkeys("`~", (fence,)),
    "_": (hr,),
    "<": (html_block,),
    "#": (heading,),
    **dict.fromkeys("*-", (hr,)),
}
_ALL: dict[str, tuple[RuleFuncBlockType, ...]] = {
    **_LEAVES,
    ">": (blockquote,),
    **dict.fromkeys("*-", (hr, list_block)),
    **dict.fromkeys("+0123456789", (list_block,)),
}
_END_ITEM: dict[str, tuple[RuleFuncBlockType, ...]] = {
    **dict.fromkeys("`~", (fence,)),
    ">": (blockquote,),
    **dict.fromkeys("*-_", (hr,)),
}


class BlockParser(ParserBlock):
    """Block tokens of normalised text (`\\n` only), each with its `map`; there are no inline tokens.

    Paragraphs and tables are single tokens; a heading keeps its text in `content`.
    """

    def __init__(self) -> None:
        self.ruler = Ruler[RuleFuncBlockType]()
        self.ruler.push("code", code, {"alt": []})
        self.ruler.push("end_of_item", _end_of_item, {"alt": ["list"]})
        self.ruler.push("end_of_quote", _end_of_quote, {"alt": ["blockquote"]})
        self._owner = MarkdownIt("commonmark", {"maxNesting": NESTING})
        self._owner.block = self

    def tokens(self, source: str) -> list[Token]:
        """All block tokens of `source` in order."""
        found: list[Token] = []
        self.parse(source, self._owner, {}, found)
        return found

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:
        """One container's blocks; markdown-it's container rules call this for their content."""
        state.tight = False
        rules = _ALL if state.level < NESTING else _LEAVES
        line = startLine
        while line < endLine:
            line = state.skipEmptyLines(line)
            state.line = line
            if line >= endLine or state.sCount[line] < state.blkIndent:
                break
            _block(state, line, endLine, rules)
            line = state.line
        state.tight = False


def _block(state: StateBlock, line: int, end: int, rules: dict[str, tuple[RuleFuncBlockType, ...]]) -> None:
    """Parse the one block that starts at `line`."""
    if line + 1 < end and _first(state, line + 1) in _DELIMITER_START and _table(state, line, end, silent=False):
        return
    if code(state, line, end, False):
        return
    for rule in rules.get(_first(state, line), ()):
        if rule(state, line, end, False):
            return
    _text(state, line, end)


def _first(state: StateBlock, line: int) -> str:
    """The first character of a line after its indentation; a line end where the line is empty."""
    at = state.bMarks[line] + state.tShift[line]
    return state.src[at] if at < state.eMarks[line] else "\n"


def _text(state: StateBlock, start: int, end: int) -> None:
    """A paragraph, or a setext heading where an underline ends it."""
    parent, state.parentType = state.parentType, "paragraph"
    level, line = 0, start + 1
    while line < state.lineMax and not state.isEmpty(line):
        indent = state.sCount[line] - state.blkIndent
        if indent <= 3:
            first = _first(state, line)
            if indent >= 0 and line < end and first in "=-" and _is_underline(state, line):
                level = 1 if first == "=" else 2
                break
            if state.sCount[line] >= 0 and _interrupts(state, line, end, first):
                break
        line += 1
    state.parentType = parent
    if not level:
        _leaf(state, "paragraph", start, line)
        return
    content = state.getLines(start, line, state.blkIndent, False)
    state.push("heading_open", f"h{level}", 1).map = [start, line + 1]
    state.push("inline", "", 0).content = content
    state.push("heading_close", f"h{level}", -1)
    state.line = line + 1


def _leaf(state: StateBlock, kind: str, start: int, end: int) -> None:
    state.line = end
    state.push(kind, "", 0).map = [start, end]


def _is_underline(state: StateBlock, line: int) -> bool:
    at = state.bMarks[line] + state.tShift[line]
    return _UNDERLINE.fullmatch(state.src, at, state.eMarks[line]) is not None


def _interrupts(state: StateBlock, line: int, end: int, first: str) -> bool:
    """Whether `line` starts a block that may end a paragraph."""
    if line + 1 < end and _first(state, line + 1) in _DELIMITER_START and _table(state, line, end, silent=True):
        return True
    return any(rule(state, line, end, True) for rule in _ALL.get(first, ()))


def _end_of_item(state: StateBlock, startLine: int, endLine: int, silent: bool) -> bool:
    return any(rule(state, startLine, endLine, True) for rule in _END_ITEM.get(_first(state, startLine), ()))


def _end_of_quote(state: StateBlock, startLine: int, endLine: int, silent: bool) -> bool:
    return any(rule(state, startLine, endLine, True) for rule in _ALL.get(_first(state, startLine), ()))


def _table(state: StateBlock, start: int, end: int, *, silent: bool) -> bool:
    """A GFM table as one token; its rows are its lines."""
    if state.sCount[start + 1] < state.blkIndent or state.is_code_block(start + 1) or state.is_code_block(start):
        return False
    head, delimiter = _content(state, start), _content(state, start + 1)
    if "|" not in head or len(delimiter) < 2 or delimiter.startswith(("- ", "-\t")) or not _DELIMITER_ROW.fullmatch(delimiter):
        return False
    columns = _columns(head)
    if not columns or columns != _columns(delimiter):
        return False
    if silent:
        return True
    parent, state.parentType = state.parentType, "table"
    line = start + 2
    while line < end and not _ends_table(state, line, end):
        line += 1
    state.parentType = parent
    _leaf(state, "table", start, line)
    return True


def _ends_table(state: StateBlock, line: int, end: int) -> bool:
    if state.isEmpty(line) or state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return True
    return _end_of_quote(state, line, end, True)


def _content(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip(_SPACE)


def _columns(row: str) -> int:
    """How many cells a row has; outer pipes are no cells."""
    cells = _CELL.split(row)
    return len(cells) - (cells[0] == "") - (len(cells) > 1 and cells[-1] == "")
