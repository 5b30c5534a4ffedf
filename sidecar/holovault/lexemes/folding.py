"""Folding: one spelling for everything that people type in several ways.

Owns NFKC, case, `ё`, apostrophes, hyphens, ignorable code points and vowel points, and the way back
from normalised to original offsets. Must not split words.
"""

import re
import unicodedata
from dataclasses import dataclass

IGNORED = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200c-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u20e3\ufe00-\ufe0f"
    "\U0001f3fb-\U0001f3ff\U000e0000-\U000e01ef"
)
"""Body of a character class: joiners, bidi controls, soft hyphens, variation selectors, skin tones, tag characters."""

_IGNORED = re.compile(f"[{IGNORED}]+")
_POINTS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]+"
)
_COMMON = re.compile(r"[\x00-\x7fÀ-ÖØ-Þà-öø-ÿА-яЁё’‘«»“”„–—•·×°€→←↑↓]*")
_FOREIGN_DIGIT = re.compile(r"[^\D0-9]")
_VARIANTS = (("’", "'"), ("‘", "'"), ("‛", "'"), ("ʼ", "'"), ("ʻ", "'"), ("‐", "-"), ("‑", "-"))
_JAMO = re.compile("[\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7fb\uff9e\uff9f\uffa0-\uffdc]")


@dataclass(frozen=True, slots=True)
class Normal:
    """NFKC text without ignorable code points; its code point `i` came from `[starts[i], ends[i])` of the original."""

    text: str
    starts: tuple[int, ...] | range
    ends: tuple[int, ...] | range


def fold(text: str) -> str:
    """The form in which words are compared: NFKC, casefolded, ё→е, ASCII digits, `'` and `-` for their variants, no points.

    Length may change. Points that NFKC leaves uncomposed (stress marks, niqqud, harakat) are dropped;
    letters that differ by a composed accent stay different (`café`, `й`).
    """
    if text.isascii():
        return text.lower()
    if _COMMON.fullmatch(text):
        return _one_spelling(text.lower().replace("ё", "е"))
    folded = unicodedata.normalize("NFKC", _IGNORED.sub("", text)).casefold()
    folded = _POINTS.sub("", _one_spelling(unicodedata.normalize("NFKC", folded).replace("ё", "е")))
    return folded if folded.isascii() else _FOREIGN_DIGIT.sub(_ascii_digit, folded)


def normalise(text: str) -> Normal:
    """NFKC with case kept and with the way back: a ligature's letters all point at the ligature, a decomposed letter at all its parts."""
    if text.isascii() or (unicodedata.is_normalized("NFKC", text) and not _IGNORED.search(text)):
        return Normal(_one_spelling(text), range(len(text)), range(1, len(text) + 1))
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _segments(text):
        part = unicodedata.normalize("NFKC", _IGNORED.sub("", text[start:end]))
        parts.append(part)
        starts.extend([start] * len(part))
        ends.extend([end] * len(part))
    return Normal(_one_spelling("".join(parts)), tuple(starts), tuple(ends))


def _one_spelling(text: str) -> str:
    """Apostrophes and hyphens as ASCII has them; repeated `replace` is several times as fast as `translate` beyond ASCII."""
    if not text.isascii():
        for variant, usual in _VARIANTS:
            text = text.replace(variant, usual)
    return text


def _segments(text: str) -> list[tuple[int, int]]:
    """Stretches that no normalisation can join with their neighbours: a base and everything that may compose with it."""
    cuts = [index for index, char in enumerate(text) if index == 0 or not _attaches(char)]
    return list(zip(cuts, [*cuts[1:], len(text)], strict=True))


def _attaches(char: str) -> bool:
    if char.isascii():
        return False
    return unicodedata.category(char)[0] == "M" or _JAMO.match(char) is not None or _IGNORED.match(char) is not None


def _ascii_digit(match: re.Match[str]) -> str:
    return str(unicodedata.decimal(match[0]))
