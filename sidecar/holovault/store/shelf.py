"""Which segment files there are, and how they are made from the durable vectors.

Owns the `segments` table and the way back from float16 BLOBs to float32 rows. Keeps nothing in memory.
"""

import logging
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from holovault.store.codes import middle_of
from holovault.store.database import Database
from holovault.store.segments import Segment, open_segment, remove_unlisted, sample, write_segment
from holovault.store.values import Float32, Int64

_SLICE = 1_000
_log = logging.getLogger(__name__)


class Shelf:
    """The segment files beside the database."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._new: set[str] = set()

    def stored(self, fingerprint: int) -> Int64:
        """The slots that have a durable vector, ascending."""
        rows = self._database.rows("SELECT slot FROM vectors WHERE fingerprint = ? ORDER BY slot", (fingerprint,), committed=True)
        return np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=len(rows))

    def usable(self, fingerprint: int, dimension: int) -> list[Segment]:
        """The listed segments that are what they should be; the others are struck off and will be made anew."""
        usable, damaged = [], []
        rows = self._database.rows(
            "SELECT name, rows, check_sum FROM segments WHERE fingerprint = ? ORDER BY rowid", (fingerprint,), committed=True
        )
        for name, count, check_sum in rows:
            segment = open_segment(self._folder, name, dimension, count, check_sum)
            if segment is not None and self._agrees(fingerprint, dimension, segment):
                usable.append(segment)
            else:
                _log.warning("vector segment %s is missing or damaged; it is made anew", name)
                damaged.append(name)
        if damaged:
            self.strike(damaged)
        return usable

    def _agrees(self, fingerprint: int, dimension: int, segment: Segment) -> bool:
        """Whether some rows equal their durable copies; rows that were deleted since prove nothing."""
        places = sample(segment.rows)
        durable = self._by_slot(fingerprint, dimension, segment.slots[places])
        return all(
            np.array_equal(segment.matrix[place], durable[slot]) for place in places if (slot := int(segment.slots[place])) in durable
        )

    def read(self, fingerprint: int, dimension: int, slots: Int64) -> Float32:
        """Durable vectors (n, dimension) of slots that have one."""
        out = np.empty((len(slots), dimension), dtype=np.float32)
        for start in range(0, len(slots), _SLICE):
            part = slots[start : start + _SLICE]
            found = self._by_slot(fingerprint, dimension, part)
            out[start : start + len(part)] = [found[slot] for slot in part.tolist()]
        return out

    def _by_slot(self, fingerprint: int, dimension: int, slots: Int64) -> dict[int, Float32]:
        rows = self._database.rows(
            f"SELECT slot, vector FROM vectors WHERE fingerprint = ? AND slot IN ({','.join('?' * len(slots))})",
            (fingerprint, *slots.tolist()),
            committed=True,
        )
        return {slot: np.frombuffer(blob, dtype="<f2", count=dimension).astype(np.float32) for slot, blob in rows}

    def middle(self, fingerprint: int, dimension: int) -> Float32:
        """Where the codes of a fingerprint's vectors are seen from, (dimension,): the same for all of its segments, for ever."""
        row = self._database.row("SELECT probes FROM fingerprints WHERE number = ?", (fingerprint,))
        return middle_of(np.frombuffer(b"" if row is None else row[0], dtype="<f4").reshape(-1, dimension))

    def write(self, slots: Int64, matrix: Float32, middle: Float32) -> Segment:
        """A new file, not listed yet."""
        segment = write_segment(self._folder, slots, matrix, middle)
        self._new.add(segment.name)
        return segment

    def enlist(self, fingerprint: int, segments: Sequence[Segment]) -> None:
        """Make files part of the index."""
        with self._database.atomic() as connection:
            self._database.after_commit(lambda: self._new.difference_update(segment.name for segment in segments))
            connection.executemany(
                "INSERT INTO segments (name, fingerprint, rows, check_sum) VALUES (?, ?, ?, ?)",
                ((segment.name, fingerprint, segment.rows, segment.check_sum) for segment in segments),
            )

    def strike(self, names: Iterable[str]) -> None:
        """Make files no part of the index."""
        with self._database.atomic() as connection:
            connection.executemany("DELETE FROM segments WHERE name = ?", ((name,) for name in names))

    def strike_others(self, fingerprints: Sequence[int]) -> None:
        """Keep files of these fingerprints only: the others can be made again when they are wanted."""
        with self._database.atomic() as connection:
            marks = ",".join("?" * len(fingerprints))
            connection.execute(f"DELETE FROM segments WHERE fingerprint NOT IN ({marks})", fingerprints)

    def remove_struck(self) -> None:
        """Delete the files that are no part of the index. Those that another thread is about to enlist stay."""
        with self._database.writing_stopped():
            listed = [name for (name,) in self._database.rows("SELECT name FROM segments", committed=True)]
            remove_unlisted(self._folder, [*listed, *self._new])
