"""Excerpts: the passage of a text that answers a query best. Must not know scores of documents."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holovault.lexemes import Analyzer, Term
from holovault.query.phrase import phrase_in

_BLANK = re.compile(r"[\s\x00-\x1f\x7f]+")
_BREAK = re.compile(r"\n|[.!?…](?=\s)|[。！？]")
_NEAR = 40


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage on one line: every run of whitespace is one space. `matches` are `[from, to)` code points in `text`, apart and in order.

    `start` is the code point of the original at which the passage begins.
    """

    text: str
    matches: tuple[tuple[int, int], ...]
    start: int


@dataclass(frozen=True, slots=True)
class _Mark:
    """Something found at `[start, end)`; `key` says what, so that repetition does not count as variety."""

    start: int
    end: int
    key: str


def best_excerpt(
    text: str,
    terms: frozenset[str],
    phrases: Sequence[str],
    analyzer: Analyzer,
    length: int,
    weights: Mapping[str, float] | None = None,
) -> Excerpt:
    """The passage of at most `length` code points that is richest in different terms, by `weights` (1 where absent; idf is meant).

    A phrase weighs as much as all its terms together again. Cut at the begin of a sentence where one is near,
    else between words. With nothing to find it is the text's begin.
    """
    marks = _marks(text, terms, phrases, analyzer)
    first, last = _richest(marks, max(length, 1), _weights(terms, phrases, analyzer, weights or {}))
    start, end = _frame(text, first, last, max(length, 1))
    return _on_one_line(text, start, end, marks)


def _marks(text: str, terms: frozenset[str], phrases: Sequence[str], analyzer: Analyzer) -> list[_Mark]:
    marks = [_Mark(term.start, term.end, term.term) for term in analyzer.find(text, terms)]
    if phrases:
        analysed = analyzer.analyze(text)
        for phrase in phrases:
            wanted = [term.term for term in analyzer.analyze(phrase)]
            marks += [_Mark(start, end, f"{phrase} ") for start, end in _runs(analysed, wanted) if phrase_in(phrase, text[start:end])]
    return sorted(marks, key=lambda mark: (mark.start, -mark.end))


def _runs(analysed: list[Term], wanted: list[str]) -> list[tuple[int, int]]:
    """Where the wanted terms follow each other."""
    count = len(wanted)
    starts = [index for index, term in enumerate(analysed) if wanted and term.term == wanted[0]]
    found = [index for index in starts if [term.term for term in analysed[index : index + count]] == wanted]
    return [(analysed[index].start, max(term.end for term in analysed[index : index + count])) for index in found]


def _weights(terms: frozenset[str], phrases: Sequence[str], analyzer: Analyzer, weights: Mapping[str, float]) -> dict[str, float]:
    by_key = {term: weights.get(term, 1.0) for term in terms}
    for phrase in phrases:
        by_key[f"{phrase} "] = sum(weights.get(term, 1.0) for term in {term.term for term in analyzer.analyze(phrase)})
    return by_key


def _richest(marks: list[_Mark], length: int, weights: Mapping[str, float]) -> tuple[int, int]:
    """The span of the window with the greatest weight of different keys, then with the most marks, then the first."""
    best, span = (0.0, 0), (0, 0)
    inside: Counter[str] = Counter()
    weight, left = 0.0, 0
    for right, mark in enumerate(marks):
        weight += 0.0 if inside[mark.key] else weights[mark.key]
        inside[mark.key] += 1
        while mark.end - marks[left].start > length and left < right:
            inside[marks[left].key] -= 1
            weight -= 0.0 if inside[marks[left].key] else weights[marks[left].key]
            left += 1
        if (round(weight, 9), right - left) > best:
            best, span = (round(weight, 9), right - left), (marks[left].start, mark.end)
    return span


def _frame(text: str, first: int, last: int, length: int) -> tuple[int, int]:
    """`[start, end)` around the span, a third of the room before it, cut where a reader would."""
    room = max(length - (last - first), 0)
    start = max(min(first - room // 3, len(text) - length), 0)
    if start:
        breaks = [match.end() for match in _BREAK.finditer(text, start, min(first, start + room // 2))]
        start = breaks[0] if breaks else _word_start(text, start, first)
    end = min(start + length, len(text))
    cut = _word_end(text, end, max(last, start + 1))
    return start, cut if cut > start else end


def _word_start(text: str, start: int, latest: int) -> int:
    if text[start - 1].isspace():
        return start
    for index in range(start, min(start + _NEAR, latest)):
        if text[index].isspace():
            return index + 1
    while start < latest and _parts(text, start):  # forwards: backwards it would push the match out at the other end
        start += 1
    return start


def _word_end(text: str, end: int, earliest: int) -> int:
    if end >= len(text) or text[end].isspace():
        return end
    for index in range(end, max(end - _NEAR, earliest, 1), -1):
        if text[index - 1].isspace():
            return index
    return next((index for index in range(end, earliest - 1, -1) if not _parts(text, index)), end)


def _parts(text: str, index: int) -> bool:
    """Whether a cut here would part a letter from its marks or a pictograph from its joiners."""
    inside = 0 < index < len(text)
    return inside and (unicodedata.category(text[index])[0] in "MC" or text[index - 1] == "\u200d" or _modifies(text[index]))


def _modifies(char: str) -> bool:
    return "\U0001f3fb" <= char <= "\U0001f3ff"


def _on_one_line(text: str, start: int, end: int, marks: list[_Mark]) -> Excerpt:
    while start < end and _BLANK.match(text[start]):
        start += 1
    line = _BLANK.sub(" ", text[start:end]).rstrip()
    matches: list[tuple[int, int]] = []
    for mark in marks:
        left, right = max(mark.start, start), min(mark.end, end)
        if left < right:
            _merge(matches, *(min(len(_BLANK.sub(" ", text[start:place])), len(line)) for place in (left, right)))
    return Excerpt(line, tuple(matches), start)


def _merge(matches: list[tuple[int, int]], left: int, right: int) -> None:
    if matches and left <= matches[-1][1]:
        matches[-1] = (matches[-1][0], max(matches[-1][1], right))
    elif left < right:
        matches.append((left, right))
