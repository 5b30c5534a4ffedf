"""Text that is not read: code spans and comments.

Owns `%%…%%`, `<!-- … -->` and backtick spans, in one pass from left to right, because each hides the
others' marks. A comment that opens a line may span blocks; inside a line it ends before the next
blank line (Obsidian). One that never ends is plain text, except `%%` or `<!--` alone on its line: that hides the
rest of the note, as Obsidian shows it. Must not parse blocks; where code blocks lie is handed in.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MARK = re.compile(r"%%|<!--|`+")
_BLANK_LINE = re.compile(r"\n[ \t>]*(?=\n)")
_FENCE = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$", re.MULTILINE)
_LINE_START = " \t>"
_CLOSER = {"%%": "%%", "<!--": "-->"}


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Code points `start`…`end` (exclusive) of the body."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Opaque:
    """Comments (with their marks) and inline code, each in order and without overlap."""

    comments: tuple[Span, ...] = ()
    code: tuple[Span, ...] = ()


class SpanIndex:
    """Answers whether an offset lies in one of some ordered spans."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._starts = [span.start for span in spans]

    def at(self, offset: int) -> Span | None:
        """The span that holds `offset`."""
        index = bisect_right(self._starts, offset) - 1
        return self._spans[index] if index >= 0 and offset < self._spans[index].end else None


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same offsets as ordered spans that do not overlap."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if found and span.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def has_comment_marks(body: str) -> bool:
    """Whether there can be a comment at all."""
    return "%%" in body or "<!--" in body


def probable_fences(body: str) -> list[Span]:
    """Where fenced code lies, whole lines, as far as lines alone can tell; good enough as a first guess."""
    found: list[Span] = []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(body):
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]) and not fence[2].strip():
            found.append(Span(opening.start(), min(fence.end() + 1, len(body))))
            opening = None
    return found


def find_opaque(body: str, code_blocks: Sequence[Span]) -> Opaque:
    """Comments and inline code outside `code_blocks`."""
    return _Scan(body, code_blocks).run()


class _Scan:
    """One pass over one body. Every search is bounded by an index or a limit, so the pass stays linear."""

    def __init__(self, body: str, code_blocks: Sequence[Span]) -> None:
        self._body = body
        self._blocks = SpanIndex(code_blocks)
        self._limit = -1
        self._runs: dict[int, list[int]] | None = None
        self._missing: set[str] = set()
        self._comments: list[Span] = []
        self._code: list[Span] = []

    def run(self) -> Opaque:
        at = 0
        while mark := _MARK.search(self._body, at):
            block = self._blocks.at(mark.start())
            at = block.end if block else self._take(mark)
        return Opaque(tuple(self._comments), tuple(self._code))

    def _take(self, mark: re.Match[str]) -> int:
        """Note what `mark` opens, and tell where to go on."""
        found, spans = (self._code_end(mark), self._code) if mark[0][0] == "`" else (self._comment_end(mark), self._comments)
        if found is None:
            return mark.end()
        spans.append(Span(mark.start(), found))
        return found

    def _code_end(self, mark: re.Match[str]) -> int | None:
        length = len(mark[0])
        runs = self._backticks().get(length, [])
        after = bisect_right(runs, mark.start())
        if after == len(runs) or runs[after] >= self._paragraph_end(mark.start()):
            return None
        return runs[after] + length

    def _comment_end(self, mark: re.Match[str]) -> int | None:
        opener = mark[0]
        closer = _CLOSER[opener]
        first = mark.start() + 2 if opener == "<!--" else mark.end()
        end = -1 if opener in self._missing else self._body.find(closer, first)
        if end < 0:
            self._missing.add(opener)
        opens_line = self._opens_line(mark.start())
        if end >= 0 and (opens_line or end < self._paragraph_end(mark.start())):
            return end + len(closer)
        alone = opens_line and not self._body[mark.end() : self._line_end(mark.end())].strip()
        return len(self._body) if end < 0 and alone else None

    def _opens_line(self, offset: int) -> bool:
        line = self._body.rfind("\n", 0, offset) + 1
        return offset - line < 200 and not self._body[line:offset].strip(_LINE_START)

    def _line_end(self, offset: int) -> int:
        end = self._body.find("\n", offset)
        return len(self._body) if end < 0 else end

    def _paragraph_end(self, offset: int) -> int:
        if offset >= self._limit:
            blank = _BLANK_LINE.search(self._body, offset)
            self._limit = blank.start() if blank else len(self._body)
        return self._limit

    def _backticks(self) -> dict[int, list[int]]:
        if self._runs is None:
            self._runs = {}
            for run in re.finditer(r"`+", self._body):
                self._runs.setdefault(run.end() - run.start(), []).append(run.start())
        return self._runs


def without(body: str, spans: Sequence[Span]) -> str:
    """`body` with nothing but their line ends left of `spans`; padding could make an indented code block of what follows."""
    parts: list[str] = []
    at = 0
    for span in spans:
        parts += (body[at : span.start], "\n" * body.count("\n", span.start, span.end))
        at = span.end
    return "".join((*parts, body[at:]))
