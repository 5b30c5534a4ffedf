"""From chunks to hits that say why they are here.

Owns the excerpt, which shows the names that were asked about, and the fields that only such questions fill. Must not choose or reorder.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from holovault.lexemes import Analyzer
from holovault.model import Degraded, Hit, Signals
from holovault.query import best_excerpt
from holovault.searcher.hits import LENGTH, as_hit
from holovault.store import ChunkId, Store

MOST_SPELLINGS = 12
"""Ways to write a name that an excerpt looks for."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a chunk is in an answer. `similarity` NaN: its vector is still to be made. `via` are names to show."""

    chunk: int
    similarity: float
    presence: float
    verified: bool
    via: tuple[str, ...]


class Showing:
    """Makes hits of one store."""

    def __init__(self, store: Store, analyzer: Analyzer) -> None:
        self._store = store
        self._analyzer = analyzer

    def hits(self, reasons: Sequence[Reason], spellings: Sequence[str] = ()) -> tuple[Hit, ...]:
        """A hit for each, in the order given; chunks that are gone are left out. Excerpts show `via` and `spellings`."""
        also = tuple(spellings[:MOST_SPELLINGS])
        by_chunk = {reason.chunk: reason for reason in reasons}
        rows = self._store.notes.chunk_rows([ChunkId(reason.chunk) for reason in reasons])
        facts = self._store.facts.of([row.id for row in rows])
        shown = []
        for row in rows:
            why = by_chunk[row.id]
            names = tuple(dict.fromkeys((*why.via, *also)))
            terms = frozenset(term.term for name in names for term in self._analyzer.analyze(name))
            excerpt = best_excerpt(row.text, terms, names, self._analyzer, LENGTH)
            likeness = None if np.isnan(why.similarity) else round(max(0.0, float(why.similarity)), 6)
            hit = as_hit(row, excerpt, likeness or 0.0, Signals(hrr=likeness), None, facts.get(row.id))
            present = None if np.isnan(why.presence) else round(float(why.presence), 6)
            shown.append(replace(hit, presence=present, verified=why.verified, via=why.via))
        return tuple(shown)

    def waiting(self) -> tuple[Degraded, ...]:
        """Said while vectors are still to be made: their passages come last, or not at all where only vectors find them."""
        count = self._store.structure.waiting()
        return (Degraded("hrr", "building", f"{count} passages wait for their structure vector"),) if count else ()
