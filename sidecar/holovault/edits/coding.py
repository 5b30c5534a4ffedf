"""From bytes to text that can be changed, and back to the same bytes.

Owns byte order marks, encodings and line ends of files. Must not know Markdown.
"""

import re
from dataclasses import dataclass
from typing import Self

from holovault.errors import UsageError

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Coded:
    """A note's text with its own line ends; bytes that are no text are lone surrogates in it, so that they survive."""

    text: str
    mark: bytes
    encoding: str

    @classmethod
    def of(cls, data: bytes, path: str) -> Self:
        """Raises UsageError for a file that cannot be written back as it is."""
        mark, encoding = next((found for found in _MARKS if data.startswith(found[0])), (b"", "utf-8"))
        found = cls("", mark, encoding)
        try:
            text = data[len(mark) :].decode(encoding, found.errors)
            same = text.encode(encoding, found.errors) == data[len(mark) :]
        except UnicodeError:
            same = False
        if not same:
            raise UsageError(f"{path} holds bytes that are no text in {encoding}. Nothing was changed; replace the whole note instead.")
        return cls(text, mark, encoding)

    @property
    def errors(self) -> str:
        return "surrogateescape" if self.encoding == "utf-8" else "surrogatepass"

    def data(self, text: str) -> bytes:
        """`text` as this note's file would hold it."""
        return self.mark + text.encode(self.encoding, self.errors)


def break_of(text: str) -> str:
    """The line end that most lines of `text` have; the first one's where two are as common, `\\n` where there is none."""
    crlf = text.count("\r\n")
    every = {"\r\n": crlf, "\n": text.count("\n") - crlf, "\r": text.count("\r") - crlf}
    counts = {end: count for end, count in every.items() if count}
    if len(counts) < 2:
        return next(iter(counts), "\n")
    most = max(counts.values())
    return next(found[0] for found in _BREAK.finditer(text) if counts[found[0]] == most)


def breaks_in(text: str) -> int:
    """How many line ends `text` has."""
    return text.count("\n") + (text.count("\r") - text.count("\r\n") if "\r" in text else 0)


def given(text: str, what: str) -> str:
    """A caller's text with `\\n` line ends. Raises UsageError where it is no legal Unicode."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(f"{what} holds a lone surrogate, which no file can hold. Send it as UTF-8.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
