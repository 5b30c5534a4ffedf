"""Pieces: the terms of one run, an identifier whole and in parts.

Owns what counts as a word, an identifier and its parts. Must not choose stemmers: they are handed in.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from holovault.lexemes.folding import fold, normalise
from holovault.lexemes.shape import one_script, shape_of

LONGEST = 64
"""Code points of the longest term; longer ones (keys, encoded data) are not indexed."""

Stem = Callable[[str], str]

_BLOB = re.compile(r"[A-Za-z0-9+/_-]{256,}")
_ATOM = r"(?:[Aa]{1,2}\#(?![Aa0#])|[Aa0]+(?:\+\+(?!\+))?)"
_TOKEN = rf"(?:(?<![.Aa0])\.(?=[Aa]))?{_ATOM}(?:[-_+./#@:&']{_ATOM})*"
_ITEMS = re.compile(rf"(?P<word>(?:A?a+|A+|0+)(?![-_+./#@:&'Aa0]))|(?P<token>{_TOKEN})|(?P<unspaced>n+)|e|rr?")
_JOINTS = re.compile(r"[-_+./#@:&'](?=[Aa0])")
_STRENGTH = dict.fromkeys("/:@#&", 0) | {".": 1} | dict.fromkeys("-_+'", 2)
_POINT = 3
_SIMPLE = re.compile(r"A?a+|A+|0+")
_PARTS = re.compile(r"A+(?=Aa)|A?a+|A+|0+")
_PLURAL = re.compile(r"AA+a")
_VERSION = re.compile(r"[Aa]0+(?:\.0+)+")
_MOST_PARTS = 5


@dataclass(frozen=True, slots=True)
class Piece:
    """One term of a run at `[start, end)` of the run's original text; `word` is its folded spelling."""

    term: str
    word: str
    start: int
    end: int


def pieces_of(run: str, stem: Stem) -> tuple[Piece, ...]:
    """The terms of one run in reading order, a whole before its parts; `stem` gets folded words of letters only."""
    normal = normalise(_without_blobs(run))
    folded = normal.text.lower() if normal.text.isascii() else None
    pieces: list[Piece] = []
    for start, end, stemmed in _spans(normal.text):
        word = folded[start:end] if folded is not None else fold(normal.text[start:end])
        if word and len(word) <= LONGEST:
            pieces.append(Piece((stem(word) or word) if stemmed else word, word, normal.starts[start], normal.ends[end - 1]))
    return tuple(pieces)


def terms_of(run: str, stem: Stem) -> list[str]:
    """The terms of `pieces_of` without their places; made for indexing, several times as fast on ASCII."""
    if not run.isascii():
        return [piece.term for piece in pieces_of(run, stem)]
    folded = run.lower()
    return [
        (stem(folded[start:end]) or folded[start:end]) if stemmed else folded[start:end]
        for start, end, stemmed in _spans(_without_blobs(run))
        if end - start <= LONGEST
    ]


def _without_blobs(run: str) -> str:
    return run if len(run) < 256 else _BLOB.sub(lambda blob: " " * len(blob[0]), run)


Spans = list[tuple[int, int, bool]]
"""Places of terms in normalised text, and whether each is a word to stem; tuples because a vault has millions."""


def _spans(text: str) -> Spans:
    shape = shape_of(text)
    spans: Spans = []
    for start, end in one_script(text, shape):
        for item in _ITEMS.finditer(shape, start, end):
            left, right = item.span()
            match item.lastgroup:
                case "word":
                    spans.append((left, right, shape[left] != "0"))
                case "token":
                    _identifier(text, shape, left, right, _joints(shape, left, right), spans)
                case "unspaced":
                    _bigrams(text, left, right, spans)
                case _:
                    spans.append((left, right, False))
    return spans


def _joints(shape: str, start: int, end: int) -> list[tuple[int, int]]:
    """Places of joiners and their strength, 0 the strongest: a dot between digits holds closer than a hyphen, one before letters less."""
    places = [joint.start() for joint in _JOINTS.finditer(shape, start, end)]
    return [(place, _POINT if shape[place] == "." and shape[place + 1] == "0" else _STRENGTH[shape[place]]) for place in places]


def _identifier(text: str, shape: str, start: int, end: int, joints: list[tuple[int, int]], spans: Spans) -> None:
    """The whole, then what its strongest joiners separate, down to single words; `joints` lie inside it."""
    if not joints:
        _word(text, shape, start, end, spans)
        return
    spans.append((start, end, False))
    if joints[0][0] == start:
        _identifier(text, shape, start + 1, end, joints[1:], spans)
        return
    if text[start] in "vV" and _VERSION.fullmatch(shape, start, end):
        _identifier(text, shape, start + 1, end, joints, spans)
        return
    strongest = min(strength for _, strength in joints)
    inner: list[tuple[int, int]] = []
    for joint, strength in [*joints, (end, strongest)]:
        if strength == strongest and joint > start:
            _identifier(text, shape, start, joint, inner, spans)
            start, inner = joint + 1, []
        else:
            inner.append((joint, strength))


def _word(text: str, shape: str, start: int, end: int, spans: Spans) -> None:
    """One unjoined word; camel case and letters beside digits give parts unless there are so many that it must be a key."""
    if _SIMPLE.fullmatch(shape, start, end):
        spans.append((start, end, shape[start] != "0"))
        return
    if shape[end - 1] in "+#":
        spans.append((start, end, False))
        return
    spans.append((start, end, "0" not in shape[start:end]))
    if _PLURAL.fullmatch(shape, start, end) and text[end - 1] == "s":
        spans.append((start, end - 1, True))
        return
    parts = [part.span() for part in _PARTS.finditer(shape, start, end)]
    if len(parts) <= _MOST_PARTS:
        spans.extend((left, right, shape[left] != "0") for left, right in parts if shape[left] == "0" or right - left > 1)


def _bigrams(text: str, start: int, end: int, spans: Spans) -> None:
    """Overlapping pairs of letters with their marks; a lone letter is a term of its own."""
    bases = [index for index in range(start, end) if unicodedata.category(text[index])[0] != "M"]
    if len(bases) == 1:
        spans.append((bases[0], end, False))
        return
    spans.extend((left, right, False) for left, right in zip(bases, [*bases[2:], end], strict=False))
