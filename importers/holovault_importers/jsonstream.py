"""JSON larger than memory: the elements of a top-level array, one after the other, through a window of text.

Owns the window. `json.JSONDecoder.raw_decode` of the standard library reads each element; it takes lone surrogates and raw
control characters, which faster parsers refuse with the whole file. Memory is one element and a window.
"""

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

WINDOW = 1 << 18
LARGEST_ELEMENT = 1 << 28
_NEAR_END = 64
_SPACE = " \t\r\n"
_WRAPPERS = frozenset({"conversations", "projects", "data"})


@dataclass(frozen=True, slots=True)
class Element:
    """One value of the array, or the whole document where there is no array, and the byte at which it starts."""

    value: Any
    offset: int


class BrokenJson(Exception):
    """The text cannot be read on; everything before `offset` (bytes) was given."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(f"byte {offset:,}: {reason}")
        self.offset = offset
        self.reason = reason


def elements(stream: BinaryIO, largest: int = LARGEST_ELEMENT) -> Iterator[Element]:
    """The elements of an array, of `{"conversations": [...]}`, or the one value there is. Raises BrokenJson after the last good one."""
    yield from _Reader(stream, largest).run()


class _Reader:
    def __init__(self, stream: BinaryIO, largest: int) -> None:
        self._stream = stream
        self._largest = largest
        self._decode = codecs.getincrementaldecoder("utf-8-sig")(errors="replace").decode
        self._json = json.JSONDecoder(strict=False)
        self._text = ""
        self._at = 0
        self._bytes = 0
        self._counted = 0
        self._ended = False

    def run(self) -> Iterator[Element]:
        first = self._peek()
        if first == "":
            raise BrokenJson(0, "the file is empty")
        if first == "{" and (value := self._wrapped()) is not None:
            yield value
        elif first in "[{":
            yield from self._array()
        else:
            yield self._element()

    def _array(self) -> Iterator[Element]:
        self._at += 1
        while self._expect() != "]":
            yield self._element()
            if (follows := self._expect()) == ",":
                self._at += 1
            elif follows != "]":
                raise BrokenJson(self._offset(), f"a comma or ] is expected, not {follows!r}")

    def _wrapped(self) -> Element | None:
        """A document that is one object; None, with the place moved to its array, where the object only wraps one."""
        while len(self._text) - self._at < 256 and self._more():
            pass
        head = self._text[self._at : self._at + 256].replace(" ", "").replace("\n", "").replace("\r", "").replace("\t", "")
        if not any(head.startswith('{"' + name + '":[') for name in _WRAPPERS):
            return self._element()
        self._at = self._text.index("[", self._at)
        return None

    def _expect(self) -> str:
        found = self._peek()
        if not found:
            raise BrokenJson(self._offset(), "the file ends in the middle")
        return found

    def _peek(self) -> str:
        """The next character that is no white space; "" at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _SPACE:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def _element(self) -> Element:
        self._peek()
        offset = self._offset()
        size = WINDOW
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._is_wrong(error) or not self._grow(size):
                    reason = "the file ends in the middle" if self._ended else error.msg[:1].lower() + error.msg[1:]
                    raise BrokenJson(offset, reason) from None
            except RecursionError:
                raise BrokenJson(offset, "brackets are nested too deep") from None
            else:
                if end < len(self._text) or not self._grow(size):
                    self._at = end
                    return Element(value, offset)
            if len(self._text) - self._at > self._largest:
                raise BrokenJson(offset, f"one element is larger than {self._largest >> 20} MB")
            size *= 2

    def _is_wrong(self, error: json.JSONDecodeError) -> bool:
        """Whether more text cannot help: what is missing at the end of the window is noticed at its end."""
        return not error.msg.startswith("Unterminated string") and len(self._text) - error.pos > _NEAR_END

    def _grow(self, size: int) -> bool:
        grown = False
        target = len(self._text) + size
        while len(self._text) < target and self._more():
            grown = True
        return grown

    def _more(self) -> bool:
        """Read one window more, and let go what was consumed. False at the end."""
        if self._ended:
            return False
        data = self._stream.read(WINDOW)
        self._ended = not data
        text = self._decode(data, final=not data)
        if self._at:
            self._offset()
            self._text = self._text[self._at :] + text
            self._at = self._counted = 0
        else:
            self._text += text
        return bool(data) or bool(text)

    def _offset(self) -> int:
        """The byte at which the reader stands; each character is counted once."""
        passed = self._text[self._counted : self._at]
        self._bytes += len(passed) if passed.isascii() else len(passed.encode("utf-8", "surrogatepass"))
        self._counted = self._at
        return self._bytes
