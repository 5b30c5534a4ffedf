"""Which passages state a name, and how much of each is about it.

Owns the meeting of the exact index with the vectors: membership from the one, likeness from the other. Must not decide an order.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from holovault.hrr import Atoms, Floats, Phases, effective, key, presence, similarities
from holovault.store import ChunkId, Store
from holovault.store.structure import Matrix

FEW = 2_000
"""Vectors that are read one by one; more of them come out of the whole matrix."""

Chunks = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Held:
    """Chunks (n,) that state something, ascending, with likeness and presence (n,) each; NaN where the vector is still to be made."""

    chunks: Chunks
    similarities: Floats
    presences: Floats

    def of(self, chunks: Chunks) -> Self:
        """The same for some of the chunks, ascending."""
        kept = np.isin(self.chunks, chunks)
        return type(self)(self.chunks[kept], self.similarities[kept], self.presences[kept])

    def best(self) -> NDArray[np.int64]:
        """Places in order: most like first, those without a vector last, equal ones by age."""
        return np.lexsort((self.chunks, -np.nan_to_num(self.similarities, nan=-2.0)))


def holding(store: Store, atoms: Atoms, name: str, role: str) -> Held:
    """Every chunk that states a canonical name in a role: all of them and no other, whatever the vectors say."""
    chunks = store.structure.chunks_with(name, role)
    return weighed(store, chunks, key(atoms, role, name))


def weighed(store: Store, chunks: Chunks, asked: Phases) -> Held:
    """Chunks with their likeness to a key."""
    matrix = vectors(store, chunks)
    likeness, present = np.full(len(chunks), np.nan), np.full(len(chunks), np.nan)
    if len(matrix):
        places = np.searchsorted(chunks, matrix.chunks)
        found = similarities(matrix.phases, asked)
        likeness[places], present[places] = found, presence(found, effective(matrix.w2.astype(np.float64)))
    return Held(chunks, likeness, present)


def vectors(store: Store, chunks: Chunks) -> Matrix:
    """The vectors of some chunks, ascending."""
    if len(chunks) <= FEW:
        return store.structure.vectors_of([ChunkId(int(chunk)) for chunk in chunks])
    whole = store.structure.matrix()
    kept = np.isin(whole.chunks, chunks)
    return Matrix(whole.chunks[kept], whole.phases[kept], whole.counts[kept], whole.w2[kept])
