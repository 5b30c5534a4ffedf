"""One structure vector per chunk, and the chunks that wait for theirs.

Owns `hrr` and `unbound`, and the matrix of what is committed: read when first asked for, kept up to date afterwards, given back on request.
Must not compose vectors or know names.
"""

import threading
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from holovault.store.database import Database, Row
from holovault.store.failures import Meta
from holovault.store.structure.values import Bound, Matrix, Phases
from holovault.store.values import ChunkId

_SCHEME = "hrr_scheme"
_IN = "IN (SELECT value FROM json_each(?))"
_READ = "SELECT chunk, count, w2, phases FROM hrr"


class Vectors:
    """Vectors by chunk; thread-safe."""

    def __init__(self, database: Database, meta: Meta, clock: Callable[[], float]) -> None:
        self._database = database
        self._meta = meta
        self._clock = clock
        self._used = float("-inf")
        self._lock = threading.Lock()
        self._matrix: Matrix | None = None
        self._changed: set[int] = set()
        self._waiting: tuple[int, int] | None = None

    def adopt(self, scheme: int) -> None:
        """Vectors are of this scheme from now on; those of another go, and every chunk that states anything waits."""
        if self._meta.get(_SCHEME) == str(scheme):
            return
        with self._database.atomic() as connection:
            self._meta.set(_SCHEME, str(scheme))
            connection.execute("DELETE FROM hrr")
            connection.execute(
                "INSERT OR REPLACE INTO unbound SELECT c.id, n.modified FROM chunks c JOIN files n ON n.id = c.file"
                " WHERE c.id IN (SELECT chunk FROM fillers)"
            )
            self._database.after_commit(lambda: self.release())

    def expect(self, chunks: Sequence[Row]) -> None:
        """These chunks (id, date of their note) wait for a vector."""
        with self._database.atomic() as connection:
            connection.executemany("INSERT OR REPLACE INTO unbound (chunk, modified) VALUES (?, ?)", chunks)

    def remove(self, chunks: Sequence[int]) -> None:
        """Forget the vectors of these chunks; nothing waits for them either."""
        wanted = _json(chunks)
        with self._database.atomic() as connection:
            connection.execute(f"DELETE FROM unbound WHERE chunk {_IN}", (wanted,))
            if connection.execute(f"DELETE FROM hrr WHERE chunk {_IN}", (wanted,)).rowcount:
                self._announce(chunks)

    def put(self, bound: Sequence[Bound]) -> int:
        """Store vectors of chunks that still wait for one; returns how many."""
        with self._database.atomic() as connection:
            wanted = _json([one.chunk for one in bound])
            waits = {chunk for (chunk,) in connection.execute(f"SELECT chunk FROM unbound WHERE chunk {_IN}", (wanted,))}
            scheme = int(self._meta.get(_SCHEME) or 0)
            rows = [(one.chunk, one.count, one.w2, scheme, one.phases.tobytes()) for one in bound if one.chunk in waits]
            connection.executemany("INSERT OR REPLACE INTO hrr (chunk, count, w2, scheme, phases) VALUES (?, ?, ?, ?, ?)", rows)
            connection.execute(f"DELETE FROM unbound WHERE chunk {_IN}", (wanted,))
            self._announce([row[0] for row in rows])
        return len(rows)

    def next(self, limit: int) -> list[ChunkId]:
        """The chunks that wait, those of the newest notes first."""
        rows = self._database.rows("SELECT chunk FROM unbound ORDER BY modified DESC, chunk LIMIT ?", (limit,))
        return [ChunkId(chunk) for (chunk,) in rows]

    def waiting(self) -> int:
        """How many chunks wait."""
        generation, kept = self._database.generation, self._waiting
        if kept is not None and kept[0] == generation and not self._database.in_transaction:
            return kept[1]
        count = int(self._database.rows("SELECT count(*) FROM unbound")[0][0])
        if not self._database.in_transaction:
            self._waiting = (generation, count)
        return count

    def of(self, chunks: Sequence[ChunkId]) -> Matrix:
        """The vectors of some chunks, of those that have one."""
        return _matrix(self._database.rows(f"{_READ} WHERE chunk {_IN} ORDER BY chunk", (_json(chunks),)))

    def matrix(self) -> Matrix:
        """Every committed vector. Loaded at the first question: about 1 KB per chunk, kept until `release`."""
        with self._lock:
            self._used = self._clock()
            if self._matrix is not None and not self._changed:
                return self._matrix
        with self._database.writing_stopped(), self._lock:
            changed, self._changed = self._changed, set()
            if self._matrix is None:
                self._matrix = _matrix(self._database.rows(f"{_READ} ORDER BY chunk", committed=True))
            elif changed:
                wanted = _json(sorted(changed))
                fresh = _matrix(self._database.rows(f"{_READ} WHERE chunk {_IN} ORDER BY chunk", (wanted,), committed=True))
                self._matrix = _merged(self._matrix, changed, fresh)
            return self._matrix

    def release(self, unused_s: float = 0.0) -> None:
        """Give the matrix back if nobody has asked for it for so many seconds; the next question loads it anew."""
        with self._lock:
            if self._clock() - self._used >= unused_s:
                self._matrix, self._changed = None, set()

    def _announce(self, chunks: Sequence[int]) -> None:
        """Once committed, these chunks' vectors are others, or none."""
        self._database.after_commit(lambda: self._take(chunks))

    def _take(self, chunks: Sequence[int]) -> None:
        with self._lock:
            if self._matrix is not None:
                self._changed.update(chunks)


def _matrix(rows: Sequence[Row]) -> Matrix:
    if not rows:
        return Matrix.empty()
    numbers = np.array([row[:3] for row in rows], dtype=np.int64)
    phases: Phases = np.frombuffer(b"".join(row[3] for row in rows), dtype=np.uint8).reshape(len(rows), -1)
    return Matrix(numbers[:, 0], phases, numbers[:, 1], numbers[:, 2])


def _merged(old: Matrix, changed: set[int], fresh: Matrix) -> Matrix:
    keep = ~np.isin(old.chunks, np.fromiter(changed, dtype=np.int64, count=len(changed)))
    if not len(fresh):
        return Matrix(old.chunks[keep], old.phases[keep], old.counts[keep], old.w2[keep])
    if not keep.any():
        return fresh
    chunks = np.concatenate((old.chunks[keep], fresh.chunks))
    order = np.argsort(chunks, kind="stable")
    return Matrix(
        chunks[order],
        np.concatenate((old.phases[keep], fresh.phases))[order],
        np.concatenate((old.counts[keep], fresh.counts))[order],
        np.concatenate((old.w2[keep], fresh.w2))[order],
    )


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
