"""Search by words: BM25 over analysed text.

Owns `chunks_fts` on the reading side. Takes terms, never typed text: every term is quoted, and one that is
in no chunk never reaches FTS5. The cost of BM25 is the number of matching rows, so on large vaults the
rarest terms go first and common ones are left out when the budget is spent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from holovault.store.database import Database
from holovault.store.values import ChunkFilter, ChunkId, ChunkTerms, ColumnWeights, LexicalMatch
from holovault.store.words import Words

POSTINGS = 40_000
_COMMON = 1_000
_DRIFT = 0.05
_MAX_TERMS = 64
_SELECT = "SELECT rowid, -bm25(chunks_fts, ?, ?, ?, ?) AS score FROM chunks_fts WHERE chunks_fts MATCH ?"
_ALLOWED = " AND substr(?, rowid + 1, 1) = x'01'"
_BEST = " ORDER BY score DESC, rowid LIMIT ?"


@dataclass(frozen=True, slots=True)
class _Frequency:
    chunks: int
    total: int


class Lexical:
    """The lexical side of the index."""

    def __init__(self, database: Database, words: Words, postings: int = POSTINGS) -> None:
        self._database = database
        self._words = words
        self._postings = postings
        self._common: dict[str, _Frequency] = {}

    def search(
        self,
        terms: Sequence[str],
        limit: int,
        allowed: ChunkFilter | None = None,
        weights: ColumnWeights = ColumnWeights(),  # noqa: B008  (frozen)
    ) -> list[LexicalMatch]:
        """Chunks with any of the terms, best first, equal ones in the order of the index."""
        if limit < 1 or (allowed is not None and not len(allowed)):
            return []
        present = self._rarest_first(terms)
        affordable = self._affordable(present, limit, allowed)
        found = self._matches(affordable, limit, allowed, weights)
        if allowed is not None and len(found) < min(limit, len(allowed)) and len(affordable) < len(present):
            # the rare terms were rare elsewhere: what a filter allows must not be starved by what it does not
            return self._matches([term for term, _ in present], limit, allowed, weights)
        return found

    def _matches(self, terms: Sequence[str], limit: int, allowed: ChunkFilter | None, weights: ColumnWeights) -> list[LexicalMatch]:
        if not terms:
            return []
        match = " OR ".join(f'"{term.replace(chr(34), chr(34) * 2)}"' for term in terms)
        columns = (weights.title, weights.headings, weights.tags, weights.body)
        if allowed is None:
            rows = self._database.rows(_SELECT + _BEST, (*columns, match, limit))
        else:
            # a byte per row id: constant time per row, and BM25 is computed for allowed rows only
            rows = self._database.rows(_SELECT + _ALLOWED + _BEST, (*columns, match, allowed.mask(), limit))
        return [LexicalMatch(ChunkId(chunk), score) for chunk, score in rows]

    def _rarest_first(self, terms: Sequence[str]) -> list[tuple[str, int]]:
        frequencies = self.document_frequency(terms[:_MAX_TERMS])
        return sorted(((term, count) for term, count in frequencies.items() if count), key=lambda pair: (pair[1], pair[0]))

    def _affordable(self, present: Sequence[tuple[str, int]], limit: int, allowed: ChunkFilter | None) -> list[str]:
        """The rarest terms whose rows cost no more than the budget, but always as many as may fill the limit."""
        chosen: list[str] = []
        rows = spent = 0
        half = self.total() / 2
        for term, count in present:
            # a row that a filter takes out is passed over at about a tenth of the cost of scoring it
            cost = count if allowed is None else min(count, len(allowed)) + count // 10
            # FTS5 scores a term that is in more than half of all rows as nothing, at full cost
            if rows >= limit and (count > half or spent + cost > self._postings):
                break
            chosen.append(term)
            rows += count
            spent += cost
        return chosen

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """Chunks that contain each term; 0 for one that occurs nowhere. Above 1,000 it may lag by 5 % of the chunks."""
        total = self.total()
        return {term: self._frequency(term, total) for term in dict.fromkeys(terms)}

    def _frequency(self, term: str, total: int) -> int:
        # counting reads all the term's postings: 2 to 15 ms for common ones, where a stale number does no harm
        known = self._common.get(term)
        if known is not None and abs(total - known.total) <= _DRIFT * total:
            return known.chunks
        rows = self._database.rows("SELECT doc FROM stems WHERE term = ?", (term,))
        count = int(rows[0][0]) if rows else 0
        if count > _COMMON:
            if len(self._common) >= 10 * _COMMON:
                self._common = {}
            self._common[term] = _Frequency(count, total)
        return count

    def total(self) -> int:
        """Searchable chunks."""
        return int(self._database.rows("SELECT count(*) FROM chunks_fts_docsize")[0][0])

    def analysed(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, ChunkTerms]:
        """The analysed text of searchable chunks."""
        wanted = msgspec.json.encode(chunks).decode()
        rows = self._database.rows(
            "SELECT id, c0, c1, c2, c3 FROM chunks_fts_content WHERE id IN (SELECT value FROM json_each(?))", (wanted,)
        )
        return {ChunkId(chunk): ChunkTerms(title, headings, tags, body) for chunk, title, headings, tags, body in rows}

    def expand_prefix(self, prefix: str, limit: int = 20) -> list[str]:
        """Stems of the words that begin with `prefix`, those of most notes first."""
        return self._words.expand(prefix, limit)

    def suggest(self, word: str) -> str | None:
        """A word of the vault that `word` may be a slip of: one or two edits away, same first letter; none if it is known itself."""
        for other, stem in self._words.close_to(word):
            if self._database.rows("SELECT 1 FROM stems WHERE term = ?", (stem,)):
                return other
        return None
