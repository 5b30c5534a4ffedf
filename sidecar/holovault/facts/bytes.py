"""A note's bytes as lines and back, without losing one.

Owns encodings, the byte order mark and line ends. Bytes that are no text survive. Must not know facts.
"""

from dataclasses import dataclass

from holovault.errors import UsageError
from holovault.markdown import split_lines

_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_UTF8_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class NoteLines:
    """Lines with their line ends; `mark` is what stands before the first one, `encoding` what the rest is in."""

    lines: tuple[str, ...]
    mark: bytes
    encoding: str
    errors: str

    @property
    def text(self) -> str:
        """The note as the parser reads it."""
        return "".join(self.lines)

    @property
    def line_end(self) -> str:
        """The line end that the note uses, by its first line."""
        first = self.lines[0] if self.lines else ""
        return next((end for end in ("\r\n", "\n", "\r") if first.endswith(end)), "\n")

    def joined(self, lines: list[str]) -> bytes:
        """Bytes of the note with other lines."""
        return self.mark + "".join(lines).encode(self.encoding, self.errors)


def note_lines(data: bytes) -> NoteLines:
    """Take a note apart. Raises UsageError for UTF-16 that breaks off in the middle of a character."""
    encoding = _UTF16.get(data[:2])
    if encoding is not None:
        mark, errors = data[:2], "surrogatepass"
    else:
        mark = _UTF8_MARK if data.startswith(_UTF8_MARK) else b""
        encoding, errors = "utf-8", "surrogateescape"
    try:
        text = data[len(mark) :].decode(encoding, errors)
    except UnicodeDecodeError as fault:
        raise UsageError(
            "The note's bytes are no whole UTF-16 text, so nothing in it can be changed here. Save it as UTF-8 first."
        ) from fault
    if text.startswith("\ufeff"):
        mark, text = mark + "\ufeff".encode(encoding), text[1:]
    return NoteLines(tuple(split_lines(text)), mark, encoding, errors)
