"""What must hold of any cut, told as assertions with the numbers in them."""

from itertools import pairwise

from holovault.chunking import LIMIT, chunk, estimate_tokens, source_spans, window_string, windows
from holovault.markdown import Document
from holovault.model import Chunk

WINDOW = 128


def squash(text: str) -> str:
    """The characters that are no white space."""
    return "".join(text.split())


def visible(document: Document, start: int, end: int) -> str:
    """Non-blank body characters between two offsets that are in no comment."""
    parts, at = [], start
    for comment in document.comments:
        if comment.end > start and comment.start < end:
            parts.append(document.body[at : max(at, comment.start)])
            at = max(at, min(comment.end, end))
    return squash("".join((*parts, document.body[at:end])))


def check_chunks(document: Document) -> tuple[Chunk, ...]:
    """Cut and check: nothing is lost or twice, sizes and lines hold."""
    chunks, spans = chunk(document), source_spans(document)
    assert len(chunks) == len(spans)
    assert bool(chunks) == bool(document.body.strip())
    if spans:
        assert (spans[0].start, spans[-1].end) == (0, len(document.body))
    assert all(one.end == two.start for one, two in pairwise(spans))
    for one, two in pairwise(chunks):
        assert one.end_line <= two.start_line
    shared = {one.end_line for one, two in pairwise(chunks) if one.end_line == two.start_line}
    assert all(estimate_tokens(document.lines[line - 1]) > LIMIT for line in shared)
    for each, span in zip(chunks, spans, strict=True):
        assert each.tokens == estimate_tokens(each.text) <= LIMIT
        assert document.body_line <= each.start_line <= each.end_line <= len(document.lines)
        assert squash(each.text) == visible(document, span.start, span.end)
        check_windows(each)
    return chunks


def check_windows(each: Chunk, size: int = WINDOW) -> None:
    """Windows hold every non-blank character of the chunk in order, within their size, with the right lines."""
    found = windows(each, size)
    assert "".join(squash(each.text[window.start : window.end]) for window in found) == squash(each.text)
    assert all(one.end <= two.start for one, two in pairwise(found))
    for number, window in enumerate(found):
        assert window.number == number
        assert estimate_tokens(window_string(window, each.text)) <= 1.25 * size + size // 4 + 2
        assert estimate_tokens(window.prefix) <= size // 4
        assert window.start_line == each.start_line + each.text.count("\n", 0, window.start)
        assert window.end_line == each.start_line + each.text.count("\n", 0, window.end)
        assert window.end_line <= each.end_line
