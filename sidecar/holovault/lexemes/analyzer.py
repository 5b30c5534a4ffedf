"""Analyzer: text in, terms out.

Owns the order of terms, their offsets and the memory of words already seen. Must not know what terms are for.
"""

import re
from collections.abc import Callable, Set
from dataclasses import dataclass
from operator import add
from typing import ClassVar, Generic, TypeVar

from holovault.lexemes.folding import fold
from holovault.lexemes.languages import Stemmer
from holovault.lexemes.pieces import LONGEST, Piece, pieces_of, terms_of
from holovault.lexemes.shape import RUNS
from holovault.lexemes.stopwords import STOP_WORDS

_CACHED_RUNS = 16_384
_CACHED_LENGTH = 128
_PLAIN_WORD = re.compile(r"[-_+/#@:&']*([A-Za-z][a-z]*|[A-Z]+|[А-Яа-я][а-я]*|[0-9]+)[-_./@:&']*")
_ONE_STEM = re.compile(r"[A-Za-z][a-z]*[./:]*|[А-Яа-я][а-я]*[./:]*")
"""Runs that give one stem and no more, which begins as they do, since stemmers of these scripts take from the end only."""
_PLAIN_UNSPACED = re.compile("[\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Term:
    """One term and where it stands: code points `[start, end)` of the text that was given."""

    term: str
    start: int
    end: int


class _Memo(dict[str, Value], Generic[Value]):
    """Results by run: at most two generations of `_CACHED_RUNS`, so that frequent words survive the rare ones."""

    def __init__(self, compute: Callable[[str], Value]) -> None:
        super().__init__()
        self._compute = compute
        self._older: dict[str, Value] = {}

    def __missing__(self, run: str) -> Value:
        known = self._older.get(run)
        value = self._compute(run) if known is None else known
        if len(run) <= _CACHED_LENGTH:
            if len(self) >= _CACHED_RUNS:
                self._older = dict(self)
                self.clear()
            self[run] = value
        return value


class Analyzer:
    """The one token rule. Safe to share between threads; texts of any content and length are legal.

    A term has 1–64 code points: letters, marks, digits, pictographs, and of ASCII only a–z, 0–9 and
    `-_+.#/@:&'`. An identifier gives itself, unstemmed, and its parts; camel case and letters beside
    digits likewise; a plain word gives one stem; scripts without spaces give overlapping pairs.
    """

    version: ClassVar[int] = 1

    def __init__(self, languages: tuple[str, ...] = ("en", "ru")) -> None:
        """`languages` are ISO 639-1 codes, the first of each script stems it; raises UsageError for an unknown one."""
        stemmer = Stemmer(languages)
        self._stem = stemmer.stem
        self._steady = stemmer.steady
        self._stop_words = frozenset(word for code in languages for word in STOP_WORDS.get(code, "").split())
        self._stop_stems = frozenset(self._stem(word) for word in self._stop_words)
        self._stems: _Memo[str] = _Memo(self._stem)
        self._pieces: _Memo[tuple[Piece, ...]] = _Memo(self._pieces_of)
        self._pairs: _Memo[tuple[tuple[str, str], ...]] = _Memo(
            lambda run: tuple((piece.word, piece.term) for piece in self._pieces_of(run))
        )
        self._joined: _Memo[str] = _Memo(self._join)

    def analyze(self, text: str) -> list[Term]:
        """All terms in reading order; a whole comes before its parts, which lie inside it."""
        return [
            Term(piece.term, run.start() + piece.start, run.start() + piece.end)
            for run in RUNS.finditer(text)
            for piece in self._pieces[run[0]]
        ]

    def find(self, text: str, terms: Set[str]) -> list[Term]:
        """The terms of `analyze(text)` that are in `terms`, without making the others."""
        if not terms:
            return []
        begins = tuple(begin for term in terms for begin in self._begins(term))
        held = {
            run
            for run in set(RUNS.findall(text))
            if (run.startswith(begins) or not _ONE_STEM.fullmatch(run)) and any(piece.term in terms for piece in self._pieces[run])
        }
        if not held:
            return []
        return [
            Term(piece.term, run.start() + piece.start, run.start() + piece.end)
            for run in RUNS.finditer(text)
            if run[0] in held
            for piece in self._pieces[run[0]]
            if piece.term in terms
        ]

    def _begins(self, term: str) -> tuple[str, str]:
        """How a run begins that can have no other term than this one, in small letters and with a capital."""
        begin = term[: self._steady] if len(term) > self._steady else term[0]
        return begin, begin[0].upper() + begin[1:]

    def index_text(self, text: str) -> str:
        """The terms of `analyze(text)` in the same order, joined by spaces."""
        return " ".join(filter(None, map(self._joined.__getitem__, RUNS.findall(text))))

    def words(self, text: str) -> set[tuple[str, str]]:
        """Pairs of folded word and its term, so that a typed beginning finds the stems of the words it begins.

        Runs of more than 64 code points (addresses, keys) are left out: nobody types their beginning.
        """
        return set().union(*(self._pairs[run] for run in set(RUNS.findall(text)) if len(run) <= LONGEST))

    def is_stop(self, term_or_word: str) -> bool:
        """Whether a word in any spelling, or a stem, is a function word of the configured languages."""
        return self.is_stop_word(term_or_word) or term_or_word in self._stop_stems

    def is_stop_word(self, word: str) -> bool:
        """Whether a word is one; a content word whose spelling happens to be a function word's stem (`doe`, from `does`) is not."""
        return fold(word) in self._stop_words

    def _pieces_of(self, run: str) -> tuple[Piece, ...]:
        plain = _PLAIN_WORD.fullmatch(run)
        if plain and plain.end(1) - plain.start(1) <= LONGEST:
            word = plain[1].lower()
            return (Piece(self._stems[word], word, plain.start(1), plain.end(1)),)
        if _PLAIN_UNSPACED.fullmatch(run):
            pairs = list(map(add, run, run[1:])) or [run]
            return tuple(Piece(pair, pair, start, start + len(pair)) for start, pair in enumerate(pairs))
        return pieces_of(run, self._stems.__getitem__)

    def _join(self, run: str) -> str:
        if _PLAIN_UNSPACED.fullmatch(run):
            return " ".join(map(add, run, run[1:])) or run
        plain = _PLAIN_WORD.fullmatch(run)
        if plain and plain.end(1) - plain.start(1) <= LONGEST:
            return self._stems[plain[1].lower()]
        return " ".join(terms_of(run, self._stems.__getitem__))
