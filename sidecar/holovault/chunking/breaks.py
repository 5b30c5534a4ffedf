"""Where text may be cut: after a sentence, at white space, between characters as people see them.

Owns sentence ends (Latin, Cyrillic, CJK, Arabic, Indic) and the promise that no visible character is
torn: no combining mark, variation selector, skin tone, flag or joined emoji (UAX #29, extended grapheme clusters, without the rules for
Hangul jamo). Must not know lines or blocks.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from holovault.chunking.blobs import BLOB_LENGTH, Blob
from holovault.chunking.tokens import Weights

ENDS = ".!?…。！？｡؟।॥"
"""Characters that may end a sentence; patterns begin with them as one set, which is what makes the search fast."""

AFTER_END = (
    r"(?<=[。！？｡؟।॥])[」』”’）)]{0,8}\s*"
    r"|(?<=[.!?…])[.!?…]*[\"'»”’)\]*_]{0,8}(?=\s)(?!\s{1,100}[a-zа-яё])\s*"
)
"""What follows such a character where it does end one: no small letter after the white space (an abbreviation)."""

_SENTENCE = re.compile(f"[{ENDS}](?:{AFTER_END})")
_SPACES = re.compile(r"\s+")
_JOINER = "\u200d"
_MODIFIER = re.compile("[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_NEAR = 200


def sentence_starts(text: str, start: int, end: int) -> Iterator[int]:
    """Offsets inside `start`…`end` at which a new sentence begins; white space belongs to the sentence before."""
    return (match.end() for match in _SENTENCE.finditer(text, start, end) if match.end() < end)


class Cutter:
    """Cuts one text by weight where nothing better than code points is left."""

    def __init__(self, text: str, weights: Weights, blobs: list[Blob]) -> None:
        self._text = text
        self._weights = weights
        self._blobs = blobs
        self._starts = [blob.start for blob in blobs]

    def pieces(self, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
        """`start`…`end` as pieces that weigh at most `limit` each, where no single visible character weighs more."""
        while start < end:
            cut = self._reach(start, end, limit)
            if cut < end:
                cut = self._before_data(start, self._before_word(start, cut, end), end)
                cut = _before_cluster(self._text, start, cut) if cut < end else end
            yield start, cut
            start = cut

    def _reach(self, start: int, end: int, limit: int) -> int:
        """The first offset after which more than `limit` would be behind."""
        at, step = start, 4096
        while at < end:
            sums = np.cumsum(self._weights[at : min(end, at + step)], dtype=np.int64)
            if sums[-1] > limit:
                return max(start + 1, at + int(np.searchsorted(sums, limit, side="right")))
            limit -= int(sums[-1])
            at += len(sums)
            step *= 2
        return end

    def _before_word(self, start: int, cut: int, end: int) -> int:
        """After the last white space shortly before `cut`, if there is some."""
        near = max(start, cut - _NEAR)
        last = max((match.end() for match in _SPACES.finditer(self._text, near, min(cut + 1, end))), default=0)
        return min(last, cut) if last > start else cut

    def _before_data(self, start: int, cut: int, end: int) -> int:
        """Data is cut so that both parts are still recognised as data, and a whole one is not cut."""
        index = bisect_right(self._starts, cut) - 1
        if index < 0 or cut >= self._blobs[index].end or cut == self._blobs[index].start:
            return cut
        blob = self._blobs[index]
        if not blob.whole:
            if blob.end - cut < BLOB_LENGTH:
                cut = blob.end - BLOB_LENGTH
            if cut - max(blob.start, start) >= BLOB_LENGTH:
                return cut
        return blob.start if blob.start > start else min(blob.end, end)


def _before_cluster(text: str, low: int, cut: int) -> int:
    """The last offset ≤ `cut` between two visible characters; `cut` itself where there is none after `low`."""
    at = cut
    while at > low and _inside(text, low, at):
        at -= 1
    return at if at > low else cut


def _inside(text: str, low: int, at: int) -> bool:
    following = text[at]
    if following.isascii():
        return text[at - 1] == "\r" and following == "\n"
    if (
        text[at - 1] == _JOINER
        or following == _JOINER
        or "\U0001f3fb" <= following <= "\U0001f3ff"
        or "\U000e0020" <= following <= "\U000e007f"
    ):
        return True
    if "\U0001f1e6" <= following <= "\U0001f1ff":
        return _flags_before(text, low, at) % 2 == 1
    return unicodedata.category(following)[0] == "M"


def _flags_before(text: str, low: int, at: int) -> int:
    count = 0
    while at - count > low and "\U0001f1e6" <= text[at - count - 1] <= "\U0001f1ff":
        count += 1
    return count
