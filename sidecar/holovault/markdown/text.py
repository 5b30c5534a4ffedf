"""Bytes to text, and text to lines.

Owns what a line is: it ends at `\\n`, `\\r\\n` or `\\r` and at nothing else, so U+2028, form feeds and
the like stay inside their line. Must not know Markdown.
"""

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_BREAK = re.compile(r"\r\n?")

_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def decode(data: bytes) -> str:
    """The text of a note file: UTF-8, or UTF-16 if a byte order mark says so; the mark itself is dropped.

    Bytes that are no text become U+FFFD, so every file has a text and no lone surrogate leaves here.
    """
    encoding = _UTF16.get(data[:2])
    if encoding is not None:
        return data[2:].decode(encoding, errors="replace")
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")


def split_lines(text: str) -> list[str]:
    """The lines of `text` with their line ends; joined they are `text` again. Empty text has no lines."""
    return _LINE.findall(text)


def unify_breaks(text: str) -> str:
    """`text` with every line end written as `\\n`; the number of lines stays the same."""
    return _BREAK.sub("\n", text) if "\r" in text else text
