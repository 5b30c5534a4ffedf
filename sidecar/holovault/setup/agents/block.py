"""Our part of somebody else's Markdown file: the lines between two marks. Pure; must not touch a byte outside of them."""

import re

from holovault.errors import UsageError


def with_block(text: str, key: str, body: str, source: str) -> str:
    """`text` with the block `key` saying `body`: in its place, else at the end. Line ends follow the file's.

    Raises UsageError where the marks in `text` do not pair up.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    block = _joined((_begin(key), *body.strip("\n").split("\n"), _end(key)), end)
    span = _span(text, key, source)
    if span is not None:
        return text[: span[0]] + block + text[span[1] :]
    gap = "" if not text else end if text.endswith("\n") else end * 2
    return f"{text}{gap}{block}{end}"


def without_block(text: str, key: str, source: str) -> str:
    """`text` without the block and the blank line that came with it; the same text where there is none."""
    span = _span(text, key, source)
    if span is None:
        return text
    before, after = text[: span[0]], text[span[1] :]
    after = re.sub(r"\A\r?\n", "", after)
    if not after.strip():
        before = re.sub(r"(?<=\n)\r?\n\Z", "", before)
    return before + after


def _span(text: str, key: str, source: str) -> tuple[int, int] | None:
    begins = [found.span() for found in re.finditer(rf"^{re.escape(_begin(key))}(?=\r?$)", text, re.MULTILINE)]
    ends = [found.span() for found in re.finditer(rf"^{re.escape(_end(key))}(?=\r?$)", text, re.MULTILINE)]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0][0] < begins[0][1]:
        raise UsageError(
            f"{source} has marks of Holovault that do not pair up ({_begin(key)}): put them right or remove them, then try again."
        )
    return begins[0][0], ends[0][1]


def _begin(key: str) -> str:
    return f"<!-- holovault:begin {key} -->"


def _end(key: str) -> str:
    return f"<!-- holovault:end {key} -->"


def _joined(lines: tuple[str, ...], end: str) -> str:
    return end.join(lines)
