"""Inline fields of a list item: `[trust:: 0.65]`, `(created:: 2026-05-24)`.

Owns their syntax (Dataview's, in brackets or parentheses, on one line) and what `trust` and `created` may say. A field that
cannot be read is a problem in words and counts as not written: nothing is guessed. Must not know blocks or lines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

KNOWN = frozenset({"trust", "created"})
"""Keys that mean something to a fact; compared without case."""

_OPEN = re.compile(r"(?<![\\\[!])([\[(])[ \t]*([^\[\]():\n\\]{1,60}?)[ \t]*::")
_CLOSERS = {"[": "]", "(": ")"}
_NUMBER = re.compile(r"[+-]?(?:\d{1,9}(?:[.,]\d{0,18})?|[.,]\d{1,18})")
DATE = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?[ ]?(?:[Zz]|[+-]\d{2}:?\d{2})?)?"
"""A date, or a date with a time, as a regular expression."""

_DATE = re.compile(DATE)


@dataclass(frozen=True, slots=True)
class Field:
    """One inline field with its place, brackets included, as offsets of the text it was found in."""

    key: str
    value: str
    start: int
    end: int


def find_fields(text: str) -> Iterator[Field]:
    """All inline fields from left to right.

    Any key needs white space after `::`, so that `(std::vector)` is text; `trust` and `created` do not. `\\[` opens none.
    """
    at = 0
    while opening := _OPEN.search(text, at):
        at = opening.end()
        end = _closing(text, opening.end(), opening[1])
        if end is None:
            continue
        known = opening[2].casefold() in KNOWN
        if known or text[opening.end()] in " \t":
            yield Field(opening[2], text[opening.end() : end].strip(), opening.start(), end + 1)
            at = end + 1


def _closing(text: str, start: int, opener: str) -> int | None:
    """Where the bracket closes that was opened before `start`; pairs inside the value are its own (`[[Note]]`)."""
    depth, closer = 0, _CLOSERS[opener]
    for offset in range(start, min(len(text), start + 1000)):
        char = text[offset]
        if char == "\n":
            return None
        if char == opener:
            depth += 1
        elif char == closer:
            if depth == 0:
                return offset
            depth -= 1
    return None


def trust_of(value: str) -> float | str:
    """The number 0…1 that `value` says (`.65`, `0,65`), or the sentence that says why it is none."""
    if not _NUMBER.fullmatch(value):
        return f"`trust:: {value}` is no number; write one from 0 to 1, such as `trust:: 0.65`."
    number = float(value.replace(",", "."))
    if not 0 <= number <= 1:
        return f"`trust:: {value}` is not between 0 and 1, so it does not count; write one from 0 to 1, such as `trust:: 0.65`."
    return number


def created_of(value: str) -> tuple[str | None, str | None]:
    """The date, or date with time, as written (a link to a daily note is its date); else None and why."""
    text = value.removeprefix("[[").removesuffix("]]").strip()
    if _DATE.fullmatch(text):
        try:
            datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-").replace(" Z", "Z"))
        except ValueError:
            pass
        else:
            return text, None
    return None, f"`created:: {value}` is no date; write one such as `created:: 2026-05-24`."
