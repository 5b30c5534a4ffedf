"""A note's body as people see it: without comments, line for line.

Owns the removal of comments and the way back from visible offsets to the body. Removing one never
joins or drops lines, so line numbers hold. Must not weigh or cut.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from holovault.markdown import Document, Span


@dataclass(frozen=True, slots=True)
class Removal:
    """At visible offset `at`, `length` code points of the body are missing; `before` sums the lengths of earlier ones."""

    at: int
    length: int
    before: int


class Visible:
    """Visible text with the starts of its lines; line index 0 is the document's `body_line`."""

    def __init__(self, document: Document) -> None:
        self._removals: list[Removal] = []
        self.text = document.body
        self.starts: Sequence[int] = document.starts
        if document.comments:
            self.text = "".join(self._visible_parts(document.body, document.comments))
            self.starts = list(accumulate((len(line) + 1 for line in self.text.split("\n")), initial=0))[: len(document.starts)]

    def _visible_parts(self, body: str, comments: Sequence[Span]) -> Iterator[str]:
        at = seen = removed = 0
        for span in _within_lines(body, comments):
            yield body[at : span.start]
            seen += span.start - at
            self._removals.append(Removal(seen, span.end - span.start, removed))
            removed += span.end - span.start
            at = span.end
        yield body[at:]

    def to_body(self, offset: int) -> int:
        """The body offset of a visible offset; a comment that stands there comes after it."""
        index = bisect_left(self._removals, offset, key=lambda removal: removal.at) - 1
        return offset + (self._removals[index].before + self._removals[index].length if index >= 0 else 0)

    def line_at(self, offset: int) -> int:
        """The index of the line that holds a visible offset."""
        return bisect_right(self.starts, offset) - 1

    def end_of(self, line: int) -> int:
        """The visible offset at which the line after `line` starts."""
        return self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)


def _within_lines(body: str, comments: Sequence[Span]) -> Iterator[Span]:
    """Comments without their line breaks; the one space too many that an inline comment leaves goes with it."""
    for comment in comments:
        at = comment.start
        while at < comment.end:
            newline = body.find("\n", at, comment.end)
            end = comment.end if newline < 0 else newline
            if end == comment.end and body[at - 1 : at] in ("", " ", "\n") and body[end : end + 1] == " ":
                end += 1
            if end > at:
                yield Span(at, end)
            at = max(end, newline + 1)
