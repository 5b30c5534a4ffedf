"""A fact's sentence taken apart: whom it is about, its values (numbers, dates, names) and the words in between.

Owns those rules for languages written with capitals and spaces. Reads nothing but the text. Must not compare two of them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from holovault.lexemes import Analyzer, fold
from holovault.memory.calendar import DATE, Day, day_of
from holovault.memory.wordlists import FILLERS, JOINERS, NEGATIONS, SCOPES

_LINK = r"\[\[(?P<target>[^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|(?P<alias>[^\[\]\n]*))?\]\]\w*"
_QUOTED = r"«(?P<q1>[^«»\n]{1,200})»|“(?P<q2>[^“”\n]{1,200})”|\"(?P<q3>[^\"\n]{1,200})\""
_NUMBER = r"[$€£₽]?(?:\d{1,3}(?:[\u00a0\u2009\u202f ]\d{3})+(?!\d)|[\w.@:/+-]*\d[\w.@:/%+-]*|[\w.+-]+@[\w-]+\.[\w.-]+)[$€£₽]?"
_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_TOKEN = re.compile(rf"{_LINK}|(?P<tag>#[^\s#]+)|{_QUOTED}|(?P<date>{DATE})|(?P<number>{_NUMBER})|(?P<word>{_WORD})", re.IGNORECASE)
_SPACES = re.compile("[\u00a0\u2009\u202f ]")
_COPULA = re.compile(r"\s[—–-]\s|[:=]\s")
_DECIMAL = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Value:
    """Something that a fact says: `key` tells which values are the same, `shown` is as it stands there, `before` the word before it."""

    key: str
    shown: str
    at: int
    before: str = ""


@dataclass(frozen=True, slots=True)
class DateValue:
    """A date with what is known of it."""

    day: Day
    shown: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One fact, taken apart. `words` are stems of the content words that are neither names nor values, `said` all words, folded.

    `copula`: a dash, colon or equals sign joins two halves. `placed`: it begins with a preposition of place. `scoped`: it says of
    itself that it is not the only one or not for now (`also`, `formerly`).
    """

    names: tuple[Value, ...]
    numbers: tuple[Value, ...]
    dates: tuple[DateValue, ...]
    words: frozenset[str]
    said: frozenset[str]
    negative: bool
    scoped: bool
    copula: bool
    placed: bool

    @property
    def subject(self) -> str | None:
        """The key of the first name."""
        return self.names[0].key if self.names else None


def read_statement(text: str, analyzer: Analyzer) -> Statement:
    """Take one sentence apart; any text is one."""
    reader = _Reader(text, analyzer)
    for match in _TOKEN.finditer(text):
        reader.take(match)
    return reader.statement()


def name_key(name: str, analyzer: Analyzer) -> str:
    """What two spellings and inflected forms of a name have in common: its stems."""
    return " ".join(term.term for term in analyzer.analyze(name)) or fold(name)


class _Reader:
    """The sentence while it is being read, left to right."""

    def __init__(self, text: str, analyzer: Analyzer) -> None:
        self._text = text
        self._analyzer = analyzer
        self._names: list[Value] = []
        self._numbers: list[Value] = []
        self._dates: list[DateValue] = []
        self._words: set[str] = set()
        self._folded: list[str] = []
        self._capital_until = -1
        self._kinds: tuple[tuple[str, Callable[[re.Match[str]], None]], ...] = (
            ("date", self._date),
            ("number", self._number),
            ("word", self._word),
        )

    def take(self, match: re.Match[str]) -> None:
        """One token."""
        named = match["target"] or match["q1"] or match["q2"] or match["q3"]
        if named is not None:
            self._name(match["alias"] or named, named.rpartition("/")[2], match.start())
            return
        for kind, reads in self._kinds:
            if match[kind] is not None:
                reads(match)
                return

    def statement(self) -> Statement:
        said = set(self._folded)
        return Statement(
            names=tuple(self._names),
            numbers=tuple(self._numbers),
            dates=tuple(self._dates),
            words=frozenset(self._words),
            said=frozenset(said),
            negative=any(word in NEGATIONS or word.endswith("n't") for word in said),
            scoped=not said.isdisjoint(SCOPES),
            copula=_COPULA.search(self._text) is not None,
            placed=bool(self._folded) and self._folded[0] in JOINERS.places,
        )

    @property
    def _before(self) -> str:
        return self._folded[-1] if self._folded else ""

    def _name(self, shown: str, name: str, at: int) -> None:
        self._names.append(Value(name_key(name, self._analyzer), shown, at, self._before))
        self._folded.append("")

    def _date(self, match: re.Match[str]) -> None:
        day = day_of(match["date"])
        if day is None:
            self._number_of(match["date"], match.start())
        else:
            self._dates.append(DateValue(day, match["date"]))

    def _number(self, match: re.Match[str]) -> None:
        self._number_of(match["number"], match.start())

    def _number_of(self, found: str, at: int) -> None:
        shown = found.rstrip(".:/+-")
        plain = _SPACES.sub("", shown)
        key = f"{float(plain.replace(',', '.')):g}" if _DECIMAL.fullmatch(plain) else fold(plain)
        self._numbers.append(Value(key, shown, at, self._before))

    def _word(self, match: re.Match[str]) -> None:
        word = match["word"]
        folded = fold(word)
        stop = self._analyzer.is_stop_word(folded) or folded in NEGATIONS
        if word[0].isupper() and not (stop or folded in FILLERS or folded in SCOPES):
            self._capital(word, match)
        elif not stop and folded not in FILLERS:
            self._words.update(self._stems(word))
        self._folded.append(folded)

    def _capital(self, word: str, match: re.Match[str]) -> None:
        """A name; capitals side by side are one name."""
        key = name_key(word, self._analyzer)
        if self._capital_until == match.start() - 1 and self._text[match.start() - 1] == " ":
            last = self._names.pop()
            self._names.append(Value(f"{last.key} {key}", f"{last.shown} {word}", last.at, last.before))
        else:
            self._names.append(Value(key, word, match.start(), self._before))
        self._capital_until = match.end()

    def _stems(self, word: str) -> Iterator[str]:
        return (term.term for term in self._analyzer.analyze(word))
