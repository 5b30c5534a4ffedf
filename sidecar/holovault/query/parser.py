"""Parsing: any text is a query. Must not raise, and must not know how terms are looked up."""

import re
from collections.abc import Iterator

from holovault.lexemes import Analyzer, fold
from holovault.query.filters import FilterSet, take
from holovault.query.scan import Item, scan
from holovault.query.values import Query

MOST_TERMS = 64
"""Terms of one query; a question has about ten, a pasted page is cut here."""

_UNSAYABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]")


def parse(text: str, analyzer: Analyzer) -> Query:
    """Understand a query; what is not understood, or makes no sense, is words.

    Grammar: `"phrase"`, `-word`, `-"phrase"`, `path:` `folder:` `file:` `tag:` `#tag` `project:`
    `tier:` `[key]` `[key:value]` `fact:` `category:` (each also with `-`), `after:` `before:` `within:` `trust:`, and `in:title`,
    which asks all free words to be in the title. Values with spaces stand in quotes.
    """
    reading = _Reading()
    clean = _UNSAYABLE.sub(" ", text)
    for item in scan(clean):
        reading.take(item, analyzer)
    in_title = reading.settle_title()
    terms = _terms(reading.free, analyzer)
    filters = reading.wanted.frozen(terms if in_title else (), reading.unwanted.frozen())
    words = " ".join(" ".join(reading.free).split())
    prefix = _prefix(reading.last, clean, analyzer)
    return Query(text, words, terms, tuple(reading.phrases), tuple(reading.excluded), prefix, filters)


class _Reading:
    """What the items read so far have said."""

    def __init__(self) -> None:
        self.free: list[str] = []
        self.phrases: dict[str, None] = {}
        self.excluded: dict[str, None] = {}
        self.wanted = FilterSet()
        self.unwanted = FilterSet()
        self.last = ""
        self._title: list[int] = []

    def take(self, item: Item, analyzer: Analyzer) -> None:
        self.last = ""
        if item.kind == "filter" and item.source.lower() == "in:title" and not item.negated:
            self._title.append(len(self.free))
            self.free.append(item.source)
        elif take(item, self.unwanted if item.negated else self.wanted):
            return
        elif item.negated:
            self._exclude(item, analyzer)
        elif item.kind == "phrase":
            self._phrase(item, analyzer)
        else:
            self.free.append(item.source.lstrip('"“'))
            self.last = item.source

    def settle_title(self) -> bool:
        """Take `in:title` out of the free words; where there are no others, it is words itself."""
        if not self._title or len(self.free) == len(self._title):
            return False
        self.free = [word for index, word in enumerate(self.free) if index not in self._title]
        return True

    def _exclude(self, item: Item, analyzer: Analyzer) -> None:
        value = (item.value or "").strip() if item.kind == "phrase" else item.source
        if analyzer.index_text(value):
            self.excluded[value] = None
        elif item.kind != "phrase":
            self.free.append(f"-{item.source}")

    def _phrase(self, item: Item, analyzer: Analyzer) -> None:
        value = (item.value or "").strip()
        if analyzer.index_text(value):
            self.phrases[value] = None
        self.free.append(value)


def _terms(free: list[str], analyzer: Analyzer) -> tuple[str, ...]:
    """Different terms in the order typed, function words only if there are no others, at most `MOST_TERMS`."""
    kept: dict[str, None] = {}
    stopped: dict[str, None] = {}
    for term, word in _analysed(free, analyzer):
        (stopped if analyzer.is_stop_word(word) else kept)[term] = None
        if len(kept) == MOST_TERMS:
            break
    return tuple(kept or stopped)[:MOST_TERMS]


def _analysed(free: list[str], analyzer: Analyzer) -> Iterator[tuple[str, str]]:
    for text in free:
        for term in analyzer.analyze(text):
            yield term.term, text[term.start : term.end]


def _prefix(last: str, text: str, analyzer: Analyzer) -> str | None:
    """The word that ends the text, folded, the whole of an identifier; None after a space, a quote, a filter or punctuation."""
    if not last or not text.endswith(last):
        return None
    terms = analyzer.analyze(last)
    end = len(last.rstrip("-_+./#@:&'"))
    ending = next((term for term in terms if term.end >= end), None)
    return fold(last[ending.start : ending.end]) if ending else None
