"""The algebra without an index: what vectors alone say, at the thresholds of chance.

Owns scans of the whole matrix. Must not ask the exact index anything: that both agree is what it is for.
"""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from holovault.hrr import Atoms, above, effective, is_present, key, presence, threshold
from holovault.hrr.statistics import SIGMA
from holovault.searcher.algebra.held import Held
from holovault.store.structure import Matrix


class Alone:
    """Answers from one matrix of vectors."""

    def __init__(self, matrix: Matrix, atoms: Atoms) -> None:
        self._matrix = matrix
        self._atoms = atoms

    def probe(self, name: str, role: str = "entity") -> Held:
        """The chunks whose likeness to a canonical name in a role is none that chance reaches in any row of so many."""
        return self._above(name, role, threshold(max(1, len(self._matrix))))

    def reason(self, names: Sequence[str], role: str = "entity") -> Held:
        """The chunks that hold all of the names: each above half of a member, and above three deviations; the least one counts."""
        each = [self._present(name, role) for name in names]
        chunks = reduce(np.intersect1d, (one.chunks for one in each))
        held = [one.of(chunks) for one in each]
        least = np.min([one.similarities for one in held], axis=0) if len(chunks) else np.zeros(0)
        return Held(chunks, least, np.min([one.presences for one in held], axis=0) if len(chunks) else np.zeros(0))

    def _above(self, name: str, role: str, least: float) -> Held:
        found = above(self._matrix.phases, key(self._atoms, role, name), least) if len(self._matrix) else None
        if found is None:
            return Held(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))
        order = np.argsort(found.rows)
        rows, likeness = found.rows[order], found.similarities[order]
        sizes = effective(self._matrix.w2[rows].astype(np.float64))
        return Held(self._matrix.chunks[rows], likeness, presence(likeness, sizes))

    def _present(self, name: str, role: str) -> Held:
        found = self._above(name, role, 3 * SIGMA)
        rows = np.searchsorted(self._matrix.chunks, found.chunks)
        there = is_present(found.similarities, effective(self._matrix.w2[rows].astype(np.float64)))
        return found.of(found.chunks[there])
