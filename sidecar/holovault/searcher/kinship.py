"""Notes that speak of the same names as a note.

Owns which names count (idf: a name that is everywhere relates nothing), who shares them by the exact index, and how alike the
structures are by their vectors. Must not know words, meaning or links.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holovault.hrr import Atoms, evidence, mixture, similarities
from holovault.searcher.words import idf
from holovault.store import ChunkId, ChunkRow, Store

NAMES = 24
"""Names of the note that ask, those first that say most."""

COMMON = 500
"""Passages from which on a name is too common to relate anything."""

LIST = 100
MOST_VIA = 5


@dataclass(frozen=True, slots=True)
class Kin:
    """The passage of another note that shares most: `share` of the names' idf mass, `likeness` above chance, both 0…1; `via` to show."""

    row: ChunkRow
    share: float
    likeness: float
    via: tuple[str, ...]


class Kinship:
    """Answers for one store."""

    def __init__(self, store: Store, atoms: Atoms) -> None:
        self._store = store
        self._atoms = atoms

    def of(self, path: str, own: Sequence[ChunkRow]) -> dict[str, Kin] | None:
        """The best passage of every other note that shares a name, by path; None where the note states no name that could relate it."""
        weights = self._names(path, own)
        if not weights:
            return None
        shared = self._sharing(weights, {row.id for row in own})
        mass = {chunk: sum(weights[name] for name in names) for chunk, names in shared.items()}
        best = sorted(mass, key=lambda chunk: (-mass[chunk], chunk))[:LIST]
        likeness = self._likeness(weights, best)
        whole = sum(weights.values())
        texts = self._store.structure.texts(weights)
        kin: dict[str, Kin] = {}
        for row in self._store.notes.chunk_rows(best):
            via = sorted(shared[row.id], key=lambda name: (-weights[name], name))[:MOST_VIA]
            one = Kin(row, mass[row.id] / whole, likeness.get(row.id, 0.0), tuple(texts[name] for name in via))
            if row.path != path and (row.path not in kin or _order(one) > _order(kin[row.path])):
                kin[row.path] = one
        return kin

    def _names(self, path: str, own: Sequence[ChunkRow]) -> dict[str, float]:
        """The note's own names with their idf; not its own name, and none that nobody shares or everybody does."""
        stated = self._store.structure.fillers_of([row.id for row in own])
        counts = Counter(one.name for fillers in stated.values() for one in fillers if one.role == "entity")
        counts.pop(self._store.structure.canonical(path.removesuffix(".md")), None)
        frequency, total = self._store.structure.frequency(list(counts)), self._store.lexical.total()
        useful = {name: idf(frequency[name], max(total, frequency[name])) for name in counts if 1 < frequency.get(name, 0) <= COMMON}
        best = sorted(useful.items(), key=lambda item: (-item[1] * (1 + np.log(counts[item[0]])), item[0]))
        return dict(best[:NAMES])

    def _sharing(self, names: Sequence[str] | dict[str, float], own: set[ChunkId]) -> dict[ChunkId, set[str]]:
        shared: dict[ChunkId, set[str]] = {}
        for name in names:
            for chunk in self._store.structure.chunks_with(name, "entity").tolist():
                if chunk not in own:
                    shared.setdefault(ChunkId(chunk), set()).add(name)
        return shared

    def _likeness(self, weights: dict[str, float], chunks: Sequence[ChunkId]) -> dict[ChunkId, float]:
        matrix = self._store.structure.vectors_of(chunks)
        if not len(matrix):
            return {}
        key = mixture({("entity", name): weight for name, weight in weights.items()}, self._atoms)
        found = evidence(similarities(matrix.phases, key))
        return {ChunkId(int(chunk)): float(value) for chunk, value in zip(matrix.chunks, found, strict=True)}


def _order(one: Kin) -> tuple[float, float, int]:
    return one.share, one.likeness, -one.row.start_line
