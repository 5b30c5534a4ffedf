"""Where a text stands in a note, although line ends and Unicode forms may differ between the two.

Owns `Shown`: the note as its readers see it, with the way back to its own characters. A place never cuts a `\\r\\n` or
a letter from its accents, however they are stored. Must not change anything.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_SPOT = re.compile(r"\r\n|[\x00-\x7f]?[^\x00-\x7f]+")
_JAMO = (("\u1160", "\u11ff"), ("\ud7b0", "\ud7ff"))


@dataclass(frozen=True, slots=True)
class _Bend:
    """A run whose shown form is another one than its own: [start, end) as shown, [own_start, own_end) in the note."""

    start: int
    end: int
    own_start: int
    own_end: int


class Shown:
    """A note's text with `\\n` line ends, in NFC. Positions in it lead back to the note's own characters."""

    def __init__(self, own: str) -> None:
        self._bends: list[_Bend] = []
        self.text = self._build(own)
        self._starts = [bend.start for bend in self._bends]

    def _build(self, own: str) -> str:
        composed = unicodedata.is_normalized("NFC", own)
        if composed and "\r" not in own:
            return own
        parts: list[str] = []
        done = length = 0
        for start, end, shown in _spots(own, composed):
            parts += (own[done:start].replace("\r", "\n"), shown)
            length += start - done
            self._bends.append(_Bend(length, length + len(shown), start, end))
            length += len(shown)
            done = end
        parts.append(own[done:].replace("\r", "\n"))
        return "".join(parts)

    def own(self, at: int) -> int | None:
        """The note's own position for the shown position `at`; None where it lies inside of what belongs together."""
        if at < len(self.text) and _joins(self.text[at]) and at > 0 and self.text[at - 1] != "\n":
            return None
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return at
        bend = self._bends[index]
        if at == bend.start:
            return bend.own_start
        return None if at < bend.end else bend.own_end + at - bend.end

    def places(self, wanted: str) -> Iterator[int]:
        """Every shown position at which `wanted` (`\\n` line ends, not empty) stands, overlapping ones too."""
        needle = unicodedata.normalize("NFC", wanted)
        at = self.text.find(needle)
        while at >= 0:
            if self.own(at) is not None and self.own(at + len(needle)) is not None:
                yield at
            at = self.text.find(needle, at + 1)


def _spots(own: str, composed: bool) -> Iterator[tuple[int, int, str]]:
    """Runs that are shown in another length or form: [start, end) and what they are shown as."""
    for run in _SPOT.finditer(own):
        if run[0] == "\r\n":
            yield run.start(), run.end(), "\n"
        elif not composed and not unicodedata.is_normalized("NFC", run[0]):
            for start, end in _clusters(run[0]):
                shown = unicodedata.normalize("NFC", run[0][start:end])
                if shown != run[0][start:end]:
                    yield run.start() + start, run.start() + end, shown


def _clusters(run: str) -> Iterator[tuple[int, int]]:
    start = 0
    for at in range(1, len(run) + 1):
        if at == len(run) or not _joins(run[at]):
            yield start, at
            start = at


def _joins(char: str) -> bool:
    """Whether a character belongs to the one before it."""
    return char > "\x7f" and (unicodedata.category(char)[0] == "M" or any(low <= char <= high for low, high in _JAMO))
