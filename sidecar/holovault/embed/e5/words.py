"""The table of word vectors, read from the disk row by row.

Owns one open file. The table is three quarters of the model and a text needs a handful of its rows: mapped into memory, all of its
54 MB would stay there.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holovault.embed.e5.weights import BLOCK, BLOCK_BYTES, dequantise


class WordTable:
    """Rows of 4-bit blocks, one for each id, `hidden` wide. For one thread at a time. OSError where the file is not there."""

    def __init__(self, path: Path, hidden: int) -> None:
        self._hidden = hidden
        self._row = hidden // BLOCK * BLOCK_BYTES
        self._file = path.open("rb", buffering=0)

    def vectors(self, ids: Sequence[int]) -> NDArray[np.float32]:
        """The rows of `ids`, (n, hidden), exact. ValueError where the file has no such row."""
        rows = np.empty((len(ids), self._row), np.uint8)
        for place, number in enumerate(ids):
            self._file.seek(number * self._row)
            if self._file.readinto(rows[place]) != self._row:
                raise ValueError(f"the table of words has no row {number}")
        return dequantise(rows, self._hidden)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
