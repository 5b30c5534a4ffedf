"""A message's Markdown made harmless inside a larger note, without changing what a reader sees.

Owns what must not leak out of a message: headings into the outline, an open fence into the next message, comments, tags, links
and raw HTML into the vault, code that programs of Obsidian would run. Structure comes from the vault's own block parser. Pure.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from holovault.markdown.blocks import Block, block_tree
from holovault_importers.safety import cut, one_line, trimmed

DEEPER = 3
DEEPEST = 6
RUNNING = frozenset({"dataviewjs", "dataview", "tasks", "query", "button", "templater", "js-engine", "meta-bind", "custom-frames", "base"})
"""Fences whose content a plugin of Obsidian executes or replaces."""

_PLAIN = re.compile(r"[#`~%\[<$^=\-\t]|^(?: {4}|\d)", re.MULTILINE)
_ATX = re.compile(r"^([\s>*+\-\d.)]*?)(#{1,6})(?=\s|$)")
_UNDERLINE = re.compile(r"^(.*?)([-=]+[ \t]*)$")
_OPENING = re.compile(r"^([\s>*+\-\d.)]*?)(`{3,}|~{3,})[ \t]*([\w-]*)")
_FENCES = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_TICKS = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_RUNNING_SPAN = re.compile(r"\s*(?:\$=|= )")
_HTML = re.compile(r"<(?=[A-Za-z/!?%])(?![A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>)(?![\w.+-]+@[\w.-]+>)(?P<after>[/!?%])?")
_TAG = re.compile(r"(?<![\w#\\&/])#(?=[\w/-])")
_BLOCK_ID = re.compile(r"(?:^|(?<=\s))\^(?=[A-Za-z0-9-]+$)", re.MULTILINE)
_MARKS = re.compile(r"^[\s>#*+\-]+|[`*\[\]<>#|^%\\]")
_INDENT = re.compile(r"^(?: {4}| {0,3}\t)")
_ROUNDS = 5
_CODE = frozenset({"fence", "code"})


def harmless(text: str, deeper: int = DEEPER) -> str:
    """The Markdown of one message, its headings `deeper` by so many levels (3: below a speaker's). "" for white space."""
    text = trimmed(text)
    if not text.strip() or not _PLAIN.search(text):
        return text
    lines, blocks = _escaped(text.split("\n"))
    rules: set[int] = set()
    for block, depth in _walk(blocks):
        if block.kind == "heading":
            _demote(lines, block, depth, deeper, rules)
        elif block.kind == "fence":
            lines[block.start_line] = _OPENING.sub(_as_text, lines[block.start_line])
        elif block.kind == "code":
            _code(lines, block, depth)
    closing = _missing_end(lines, blocks)
    return "\n".join(f"\n{line}" if number in rules else line for number, line in enumerate(lines + closing))


def top_level(text: str) -> int:
    """The level of the highest heading; 1 where there is none."""
    return min((block.level for block, _ in _walk(block_tree(text.split("\n"), 0)) if block.kind == "heading"), default=1)


def title_line(text: str, longest: int = 70) -> str:
    """The first line of a text that says something, without Markdown, for use as a heading."""
    for line in text.split("\n"):
        words = one_line(_MARKS.sub("", line))
        if any(char.isalnum() for char in words):
            return cut(words, longest)
    return ""


def fenced(text: str, language: str = "") -> str:
    """Text in a fence that nothing inside it can close."""
    text = trimmed(text)
    longest = max((len(ticks) for ticks in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * max(3, longest + 1)
    language = re.sub(r"[^\w+#.-]", "", language)
    return f"{fence}{'text' if language.lower() in RUNNING else language}\n{text}\n{fence}"


def callout(kind: str, title: str, text: str) -> str:
    """A folded callout."""
    return "\n".join((f"> [!{kind}]- {title}", *(f"> {line}".rstrip() for line in text.split("\n"))))


def hidden(text: str) -> str:
    """Text for the inside of a `%%` comment: nothing in it ends the comment."""
    return re.sub(r"%(?=%)", "%\\\\", trimmed(text))


def inline(text: str) -> str:
    """Text as part of a line: on one line, nothing in it a mark of Markdown."""
    return _marks(re.sub(r"[\\`*\[\]|]|(?<!\w)_|_(?!\w)", r"\\\g<0>", one_line(text)))


def _escaped(lines: Sequence[str]) -> tuple[list[str], Sequence[Block]]:
    """All lines with what is no code made inert, and their blocks.

    What is code depends on what was escaped (raw HTML hides fences until it is text), so it is looked at again until both agree.
    """
    code = _fence_lines(lines) | _code_lines(block_tree(lines, 0))
    for _ in range(_ROUNDS):
        done = _inert(lines, code)
        blocks = block_tree(done, 0)
        seen, code = code, _code_lines(blocks)
        if code == seen:
            break
    return done, blocks


def _inert(lines: Sequence[str], code: set[int]) -> list[str]:
    """Every line that is no code, made inert paragraph by paragraph."""
    done: list[str] = []
    prose: list[str] = []
    for number, line in enumerate((*lines, None)):
        if line is not None and number not in code and line.strip():
            prose.append(line)
            continue
        if prose:
            done += _paragraph("\n".join(prose)).split("\n")
            prose = []
        if line is not None:
            done.append(line)
    return _math_closed(done, code)


def _code_lines(blocks: Sequence[Block]) -> set[int]:
    """Lines of fences and indented code."""
    return {number for block, _ in _walk(blocks) if block.kind in _CODE for number in range(block.start_line, block.end_line + 1)}


def _fence_lines(lines: Sequence[str]) -> set[int]:
    """Lines of fences as they will be when raw HTML around them is text."""
    found: set[int] = set()
    opened = ""
    for number, line in enumerate(lines):
        mark = _FENCES.match(line)
        if opened:
            found.add(number)
            if mark and mark[1].startswith(opened) and not line.strip().strip(opened[0]):
                opened = ""
        elif mark and not (mark[1][0] == "`" and "`" in line[mark.end() :]):
            found.add(number)
            opened = mark[1]
    return found


def _paragraph(text: str) -> str:
    """Running text outside its code spans made inert."""
    pieces: list[str] = []
    at = 0
    for span in _TICKS.finditer(text) if "`" in text else ():
        pieces.append(_marks(text[at : span.start()]))
        pieces.append(_marks(span[0]).replace("`", "\\`") if _RUNNING_SPAN.match(span[2]) else span[0])
        at = span.end()
    return "".join((*pieces, _marks(text[at:])))


def _marks(text: str) -> str:
    text = re.sub(r"%(?=%)", r"%\\", text)
    text = re.sub(r"\[(?=\[)", r"[\\", text)
    text = _HTML.sub(lambda found: f"<\\{found['after']}" if found["after"] else "\\<", text)
    return _BLOCK_ID.sub(r"\\^", _TAG.sub(r"\\#", text))


def _math_closed(lines: list[str], code: set[int]) -> list[str]:
    """A `$$` without a partner would take the rest of the note for a formula."""
    marked = [number for number, line in enumerate(lines) if "$$" in line and number not in code]
    if sum(lines[number].count("$$") for number in marked) % 2:
        before, _, after = lines[marked[-1]].rpartition("$$")
        lines[marked[-1]] = f"{before}\\$\\${after}"
    return lines


def _walk(blocks: Iterable[Block], depth: int = 0) -> Iterator[tuple[Block, int]]:
    for block in blocks:
        yield block, depth
        yield from _walk(block.children, depth + 1)


def _demote(lines: list[str], block: Block, depth: int, deeper: int, rules: set[int]) -> None:
    first, last = block.start_line, block.end_line
    found = _ATX.match(lines[first])
    if first == last and found:
        level = max(1, min(DEEPEST, len(found[2]) + deeper))
        lines[first] = found[1] + "#" * level + lines[first][found.end() :]
    elif depth == 0 and lines[last].strip().startswith("-"):
        rules.add(last)  # a rule, as it was surely meant; above it a blank line
    else:
        lines[last] = _UNDERLINE.sub(r"\1\\\2", lines[last])


def _code(lines: list[str], block: Block, depth: int) -> None:
    """Indented code as a fence: a comment's mark in it would hide the rest of the note. Inside a list the mark is escaped."""
    rows = range(block.start_line, block.end_line + 1)
    if depth:
        for row in rows:
            lines[row] = lines[row].replace("<!--", "<\\!--").replace("%%", "%\\%")
        return
    inside = [_INDENT.sub("", lines[row]) for row in rows]
    made = fenced("\n".join(inside)).split("\n")
    lines[block.start_line : block.end_line + 1] = [*made[1:-1], *[""] * (len(inside) - len(made) + 2)]
    lines[block.start_line] = f"{made[0]}\n{lines[block.start_line]}"
    lines[block.end_line] = f"{lines[block.end_line]}\n{made[-1]}"


def _as_text(opening: re.Match[str]) -> str:
    return f"{opening[1]}{opening[2]}text {opening[3]}" if opening[3].lower() in RUNNING else opening[0]


def _missing_end(lines: Sequence[str], blocks: Sequence[Block]) -> list[str]:
    """The closing line of a fence that was left open."""
    if not blocks or blocks[-1].kind != "fence":
        return []
    block = blocks[-1]
    opening = _OPENING.match(lines[block.start_line])
    if opening is None:
        return []
    last = lines[block.end_line].strip()
    closed = block.end_line > block.start_line and last.startswith(opening[2]) and not last.strip(opening[2][0])
    return [] if closed else [opening[2]]
