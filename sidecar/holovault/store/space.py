"""All rows of vectors that can be scanned, as one numbered sequence.

Immutable: segments first, then the tail of rows that are not in a segment yet. Knows rows, not chunks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holovault.store.codes import Codes, Popcount, distances, sign_codes
from holovault.store.segments import Segment
from holovault.store.values import Float32

FAR = np.uint16(65_535)
NEVER = np.float32(-np.inf)


@dataclass(frozen=True, slots=True)
class Space:
    """`tail` (n, dimension) follows the segments' rows. Row −1 stands for "no vector" everywhere. `middle` is where codes are seen from."""

    segments: tuple[Segment, ...]
    tail: Float32
    middle: Float32

    @property
    def rows(self) -> int:
        return sum(segment.rows for segment in self.segments) + len(self.tail)

    def _blocks(self) -> list[tuple[int, Float32]]:
        blocks, base = [], 0
        for matrix in (*(segment.matrix for segment in self.segments), self.tail):
            blocks.append((base, matrix))
            base += len(matrix)
        return blocks

    def scores(self, query: Float32) -> Float32:
        """Dot product of every row with `query`; one more at the end, −inf, for row −1."""
        out = np.empty(self.rows + 1, dtype=np.float32)
        for base, matrix in self._blocks():
            np.dot(matrix, query, out=out[base : base + len(matrix)])
        out[-1] = NEVER
        return out

    def scores_of(self, rows: NDArray[np.int32], query: Float32) -> Float32:
        """Dot products of some rows (none of them −1) with `query`."""
        out = np.empty(len(rows), dtype=np.float32)
        for base, matrix in self._blocks():
            inside = np.flatnonzero((rows >= base) & (rows < base + len(matrix)))
            if len(inside):
                out[inside] = matrix[rows[inside] - base] @ query
        return out

    def vectors(self, rows: NDArray[np.int32]) -> Float32:
        """Copies of some rows (none of them −1), in the order asked for."""
        out = np.empty((len(rows), self.tail.shape[1]), dtype=np.float32)
        for base, matrix in self._blocks():
            inside = np.flatnonzero((rows >= base) & (rows < base + len(matrix)))
            out[inside] = matrix[rows[inside] - base]
        return out

    def distances(self, query: Float32, popcount: Popcount) -> NDArray[np.uint16]:
        """Different sign bits of every row; one more at the end, the largest number, for row −1."""
        code = sign_codes(query.reshape(1, -1), self.middle)
        out = np.empty(self.rows + 1, dtype=np.uint16)
        base = 0
        parts: Sequence[Codes] = (*(segment.codes for segment in self.segments), sign_codes(self.tail, self.middle))
        for codes in parts:
            out[base : base + codes.shape[1]] = distances(codes, code, popcount)
            base += codes.shape[1]
        out[-1] = FAR
        return out
