"""Looking at every vector.

Owns the one fast pass over all rows and the exact look at what it lets through. Must not know what rows are.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holovault.hrr.algebra import similarities
from holovault.hrr.atoms import DIMENSION, Phases
from holovault.hrr.statistics import Floats

BLOCK = 512
RESCORED = 200
_QUARTER = 64.0
_SHARE = 8 / np.pi**2
# The triangle is its first cosine and harmonics that add .0022 of noise: six of those let no row slip.
_SLACK = 6 * 0.0022


@dataclass(frozen=True, slots=True)
class Nearest:
    """Rows (n,) of the matrix with their exact similarities (n,), best first; equal ones by row."""

    rows: NDArray[np.int64]
    similarities: Floats

    def __len__(self) -> int:
        return len(self.rows)


def scan(matrix: Phases, key: Phases, top: int) -> Nearest:
    """The `top` rows of `matrix` (n, DIMENSION) that are most like `key`. 5 ms for 12,000 rows, 60 ms for 100,000, on one core.

    A first pass in whole numbers goes by a triangle instead of the cosine (its noise is 1/√(3D), it keeps 99.3 % of the separation);
    the best 200, or twice `top`, are then compared exactly. Assumes that a row worth showing is among those.
    """
    rough = estimates(matrix, key)
    kept = min(len(rough), max(RESCORED, 2 * top))
    rows = np.argpartition(rough, len(rough) - kept)[len(rough) - kept :] if kept else np.zeros(0, dtype=np.int64)
    return _exact(matrix, key, rows, top)


def above(matrix: Phases, key: Phases, least: float) -> Nearest:
    """Every row whose similarity to `key` is more than `least`; the same pass, then an exact look at what may reach that."""
    rough = estimates(matrix, key)
    found = _exact(matrix, key, np.nonzero(rough > _SHARE * least - _SLACK)[0])
    kept = int((found.similarities > least).sum())
    return Nearest(found.rows[:kept], found.similarities[:kept])


def estimates(matrix: Phases, key: Phases) -> Floats:
    """1 − 2|d|/π averaged over the dimensions, for every row (n,): −1…1, in order nearly that of the similarity, .81 of it where small."""
    sums = np.empty(len(matrix), dtype=np.uint32)
    for start in range(0, len(matrix), BLOCK):
        # Bytes wrap as angles do; the smaller way round is the distance, 0…128.
        distance = matrix[start : start + BLOCK] - key
        np.minimum(distance, np.uint8(0) - distance, out=distance)
        sums[start : start + BLOCK] = distance.sum(axis=1, dtype=np.uint32)
    return 1.0 - sums / (_QUARTER * DIMENSION)


def _exact(matrix: Phases, key: Phases, rows: NDArray[np.int64], top: int | None = None) -> Nearest:
    found = np.concatenate([np.zeros(0), *(similarities(matrix[rows[at : at + BLOCK]], key) for at in range(0, len(rows), BLOCK))])
    order = np.lexsort((rows, -found))[:top]
    return Nearest(rows[order].astype(np.int64), found[order])
