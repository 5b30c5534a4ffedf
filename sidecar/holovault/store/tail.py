"""Rows of vectors that are not in a segment yet.

An append-only buffer that snapshots share: each sees the rows that were there when it was made, and
nothing ever writes over those.
"""

import numpy as np

from holovault.store.values import Float32, Int64

_LEAST = 256


class Tail:
    """`matrix` (n, dimension) and `slots` (n,), both views of larger buffers."""

    __slots__ = ("_places", "_rows", "matrix", "slots")

    def __init__(self, rows: Float32, places: Int64, count: int) -> None:
        self._rows = rows
        self._places = places
        self.matrix = rows[:count]
        self.slots = places[:count]

    @classmethod
    def empty(cls, dimension: int) -> "Tail":
        return cls(np.empty((0, dimension), dtype=np.float32), np.empty(0, dtype=np.int64), 0)

    def appended(self, slots: Int64, matrix: Float32) -> "Tail":
        """A longer tail. Only the newest one may be appended to: they share the buffer."""
        before, after = len(self.slots), len(self.slots) + len(slots)
        rows, places = self._rows, self._places
        if after > len(places):
            size = max(_LEAST, 2 * after)
            rows = np.empty((size, rows.shape[1]), dtype=np.float32)
            places = np.empty(size, dtype=np.int64)
            rows[:before], places[:before] = self.matrix, self.slots
        rows[before:after], places[before:after] = matrix, slots
        return Tail(rows, places, after)
