"""Where a key of a TOML text stands: tomllib reads values but keeps no line numbers.

Owns a scanner for texts that tomllib has already accepted; it finds places and judges nothing. Anything it
does not expect ends the search, and a key without a place of its own has that of the table around it.
"""

from collections.abc import Mapping
from contextlib import suppress

Place = tuple[str | int, ...]
"""A way to a value: table and key names, and the index in arrays: `("tiers", 0, "path")`."""

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


class Lines:
    """The 1-based line of every table, key and array entry of one text."""

    def __init__(self, text: str) -> None:
        self._found = _Scan(text).places()

    def of(self, place: Place) -> int:
        """The line of `place`, else of what contains it, else 1."""
        while place:
            if place in self._found:
                return self._found[place]
            place = place[:-1]
        return 1


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.at = 0
        self.counted = 0
        self.line = 1
        self.found: dict[Place, int] = {}
        self.arrays: dict[Place, int] = {}

    def places(self) -> Mapping[Place, int]:
        # What was found before an unexpected form is right; the rest is named by its table.
        with suppress(IndexError, RecursionError, ValueError):
            self._document()
        return self.found

    def _document(self) -> None:
        table: Place = ()
        while self._blank("\n"):
            if self._peek() == "[":
                table = self._header()
            else:
                self._pair(table)

    def _peek(self) -> str:
        return self.text[self.at]

    def _mark(self, place: Place) -> None:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        self.found.setdefault(place, self.line)

    def _blank(self, more: str = "") -> bool:
        """Skips blanks, comments and `more`; False at the end of the text."""
        while self.at < len(self.text):
            if self._peek() == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif self._peek() in " \t" + more:
                self.at += 1
            else:
                return True
        return False

    def _header(self) -> Place:
        start, double = self.at, self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        names = self._names("]")
        self.at += 2 if double else 1
        place = self._inside(names[:-1] if double else names)
        if double:
            array = (*place, names[-1])
            self.arrays[array] = self.arrays.get(array, -1) + 1
            place = (*array, self.arrays[array])
        end, self.at = self.at, start
        self._mark(place)
        self.at = end
        return place

    def _inside(self, names: tuple[str, ...]) -> Place:
        """`[tiers.x]` after `[[tiers]]` means the last entry of the array."""
        place: Place = ()
        for name in names:
            place = (*place, name)
            if place in self.arrays:
                place = (*place, self.arrays[place])
        return place

    def _pair(self, table: Place) -> None:
        start = self.at
        names = self._names("=")
        end, self.at = self.at, start
        for size in range(1, len(names) + 1):
            self._mark((*table, *names[:size]))
        self.at = end + 1
        self._value((*table, *names))

    def _names(self, closing: str) -> tuple[str, ...]:
        names: list[str] = []
        while True:
            self._blank()
            names.append(self._name())
            self._blank()
            if self._peek() == closing:
                return tuple(names)
            if self._peek() != ".":
                raise ValueError(self._peek())
            self.at += 1

    def _name(self) -> str:
        if self._peek() in "\"'":
            return self._string()
        start = self.at
        while self._peek() in _BARE:
            self.at += 1
        if self.at == start:
            raise ValueError(self._peek())
        return self.text[start : self.at]

    def _value(self, place: Place) -> None:
        self._blank("\n")
        first = self._peek()
        if first == "[":
            self._array(place)
        elif first == "{":
            self._inline(place)
        elif first in "\"'":
            self._string()
        else:
            while self.at < len(self.text) and self._peek() not in ",]}\n#":
                self.at += 1

    def _array(self, place: Place) -> None:
        self.at += 1
        index = 0
        while self._blank("\n,") and self._peek() != "]":
            self._mark((*place, index))
            self._value((*place, index))
            index += 1
        self.at += 1

    def _inline(self, place: Place) -> None:
        self.at += 1
        while self._blank("\n,") and self._peek() != "}":
            self._pair(place)
        self.at += 1

    def _string(self) -> str:
        quote = self._peek()
        if self.text.startswith(quote * 3, self.at):
            return self._long_string(quote * 3)
        self.at += 1
        made: list[str] = []
        while self._peek() != quote:
            made.append(self._escape() if quote == '"' and self._peek() == "\\" else self._peek())
            self.at += 1
        self.at += 1
        return "".join(made)

    def _long_string(self, quotes: str) -> str:
        self.at += 3
        while not self.text.startswith(quotes, self.at):
            self.at += 2 if quotes[0] == '"' and self._peek() == "\\" else 1
            self._peek()
        self.at += 3
        while self.at < len(self.text) and self._peek() == quotes[0]:  # a long string may end with quotes of its own
            self.at += 1
        return ""

    def _escape(self) -> str:
        self.at += 1
        letter = self._peek()
        if letter in "uU":
            size = 4 if letter == "u" else 8
            code = self.text[self.at + 1 : self.at + 1 + size]
            self.at += size
            return chr(int(code, 16))
        return _ESCAPES[letter]
