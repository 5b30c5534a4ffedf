"""Vectors of windows: stored by the key of their text, found by likeness, in sets of which one is searched.

Owns `vectors` and the change from one set to another. The durable copy is a float16 BLOB in SQLite (recall@10 against float32
1.0000, measured); searching goes over `Live`. Methods without a fingerprint mean the serving set.
"""

import logging
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from holovault.store.backlog import Backlog
from holovault.store.codes import Popcount
from holovault.store.database import Database
from holovault.store.fingerprints import Fingerprints
from holovault.store.live import VectorDelta
from holovault.store.lives import Lives
from holovault.store.recut import Recut
from holovault.store.snapshot import ScanLimits
from holovault.store.values import (
    ChunkFilter,
    ChunkId,
    Coverage,
    Fingerprint,
    Float32,
    PendingWindow,
    PruneReport,
    Scale,
    SemanticMatch,
)

_log = logging.getLogger(__name__)
WINDOW = 128


class Vectors:
    """The semantic side of the index."""

    def __init__(
        self,
        database: Database,
        lives: Lives,
        fingerprints: Fingerprints,
        backlog: Backlog,
        recut: Recut,
        scan: ScanLimits,
        popcount: Popcount,
        prune: Callable[[], PruneReport],
    ) -> None:
        self._database = database
        self._lives = lives
        self._fingerprints = fingerprints
        self._backlog = backlog
        self._recut = recut
        self._scan = scan
        self._popcount = popcount
        self._prune = prune

    @property
    def serving(self) -> Fingerprint | None:
        """The set that is searched; none until a model was adopted."""
        return self._fingerprints.serving

    @property
    def filling(self) -> Fingerprint | None:
        """The set that is made behind it, none while nothing changes."""
        return self._fingerprints.filling

    @property
    def fingerprint(self) -> str | None:
        """The id of the serving fingerprint; none until a model was adopted."""
        serving = self._fingerprints.serving
        return None if serving is None else serving.id

    @property
    def dimension(self) -> int | None:
        """The serving fingerprint's dimension."""
        serving = self._fingerprints.serving
        return None if serving is None else serving.dimension

    def recognise(self, identity: str, probes: Float32) -> Fingerprint | None:
        """The known set of a model: equal identity, and every probe (n, dimension) within cosine .9999 of what was recorded."""
        return self._fingerprints.find(identity, probes)

    def adopt(self, identity: str, dimension: int, probes: Float32, *, window: int = WINDOW, settings: str = "") -> str:
        """Make a model's set, known or new, the serving one at once, complete or not, and return its id. Nothing fills then."""
        with self._database.atomic():
            found = self._fingerprints.known(identity, dimension, probes, window, settings)
            before = self._fingerprints.used
            if [one.number for one in before] != [found.number]:
                self._fingerprints.assign(found, None)
                for one in before:
                    if one.number != found.number:
                        self._backlog.drop(one.number)
                self._expect(found)
        return found.id

    def fill(self, identity: str, dimension: int, probes: Float32, *, window: int = WINDOW, settings: str = "") -> Fingerprint:
        """Make a model's set, known or new, the filling one: what it lacks waits, and the serving one serves on.

        A model whose set serves already is returned as it is, and nothing fills.
        """
        with self._database.atomic():
            found = self._fingerprints.known(identity, dimension, probes, window, settings)
            serving, filling = self._fingerprints.serving, self._fingerprints.filling
            if serving is not None and serving.number == found.number:
                self._fingerprints.assign(found, None)
                if filling is not None:
                    self._backlog.drop(filling.number)
            elif filling is None or filling.number != found.number:
                if filling is not None:
                    self._backlog.drop(filling.number)
                self._fingerprints.assign(serving, found)
                self._expect(found)
        return found

    def _expect(self, of: Fingerprint) -> None:
        self._backlog.drop(0)
        self._backlog.refill(of)
        self._recut.find(of.window)

    def switch(self) -> None:
        """The filling set serves from now on, in one transaction; the vectors of the old one stay. Nothing without a filling set."""
        with self._database.atomic():
            serving, filling = self._fingerprints.serving, self._fingerprints.filling
            if filling is not None:
                self._fingerprints.assign(filling, None)
                if serving is not None:
                    self._backlog.drop(serving.number)

    def abandon(self) -> None:
        """Nothing fills any more; what was made so far stays until it is pruned."""
        with self._database.atomic():
            filling = self._fingerprints.filling
            if filling is not None:
                self._fingerprints.assign(self._fingerprints.serving, None)
                self._backlog.drop(filling.number)

    def prune(self) -> PruneReport:
        """Remove every set that neither serves nor fills, and give its bytes back."""
        return self._prune()

    def coverage(self, of: Fingerprint) -> Coverage:
        """How much of the vault a set covers."""
        return self._backlog.coverage(of)

    def scale(self, of: Fingerprint | None = None) -> Scale | None:
        """The measured scale of a set, or none yet."""
        return self._fingerprints.scale(of or self._fingerprints.serving)

    def set_scale(self, floor: float, ceiling: float, of: Fingerprint | None = None) -> None:
        """Record the scale of a set."""
        self._fingerprints.set_scale(of or self._fingerprints.serving, floor, ceiling)

    def search(self, vector: Float32, limit: int, allowed: ChunkFilter | None = None, of: Fingerprint | None = None) -> list[SemanticMatch]:
        """The chunks whose best window is nearest to a unit vector (dimension,), nearest first; none before a model was adopted."""
        current = of or self._fingerprints.serving
        if current is None:
            return []
        query = _checked(np.asarray(vector, dtype=np.float32).reshape(1, -1), current)[0]
        return self._lives.snapshot(current).search(query, limit, allowed, self._scan, self._popcount)

    def of_chunks(self, chunks: Sequence[ChunkId], of: Fingerprint | None = None) -> Float32:
        """Vectors (n, dimension) of these chunks' windows, in order; windows without one are left out."""
        current = of or self._fingerprints.serving
        if current is None:
            return np.empty((0, 0), dtype=np.float32)
        return self._lives.snapshot(current).of_chunks(np.array(chunks, dtype=np.int64))

    def put(self, items: Sequence[tuple[str, Float32]], of: Fingerprint | None = None) -> int:
        """Store unit vectors by key (hex); returns how many. Keys forgotten meanwhile are left out."""
        current = of or self._fingerprints.serving
        if current is None:
            raise ValueError("no model was adopted: there is no fingerprint to store vectors for")
        if not items:
            return 0
        matrix = _checked(np.array([vector for _, vector in items], dtype=np.float32), current)
        with self._database.atomic() as connection:
            placed = self._placed([key for key, _ in items])
            slots = np.array(list(placed), dtype=np.int64)
            halves = matrix[list(placed.values())].astype("<f2")
            connection.executemany(
                "INSERT OR REPLACE INTO vectors (fingerprint, slot, vector) VALUES (?, ?, ?)",
                ((current.number, slot, half.tobytes()) for slot, half in zip(placed, halves, strict=True)),
            )
            self._backlog.arrived(current.number, list(placed))
            if placed:
                delta = VectorDelta(current.number, slots, halves.astype(np.float32))
                self._database.after_commit(lambda: self._lives.publish_vectors(delta))
        self._flush(current)
        return len(placed)

    def _placed(self, keys: Sequence[str]) -> dict[int, int]:
        """Slot → place of its key; of two equal keys the last."""
        placed: dict[int, int] = {}
        for place, key in enumerate(keys):
            row = self._database.row("SELECT slot FROM keys WHERE key = ?", (bytes.fromhex(key),))
            if row is not None:
                placed[row[0]] = place
        return placed

    def _flush(self, current: Fingerprint) -> None:
        if self._database.in_transaction:
            return
        try:
            self._lives.flush(current)
        except OSError as problem:
            # the vectors are safe in SQLite; only the scan cache could not grow
            _log.warning("vector segments could not be written: %s", problem)

    def backlog(self, limit: int, of: Fingerprint | None = None) -> list[PendingWindow]:
        """Windows that wait for a vector, those of the newest notes first, one per text; failed ones are left out."""
        return self._backlog.waiting(self._number(of), limit)

    def pending(self, of: Fingerprint | None = None) -> int:
        """How many different window texts wait for a vector."""
        return self._backlog.pending(self._number(of))

    def mark_failed(self, key: str, reason: str, since: str = "", of: Fingerprint | None = None) -> None:
        """Take a window's text out of the backlog; it is listed among the failures of its notes."""
        self._backlog.fail(self._number(of), key, reason, since)

    def retry_failed(self) -> int:
        """Put every failed window back into the backlog; returns how many."""
        return self._backlog.retry()

    def _number(self, of: Fingerprint | None) -> int:
        current = of or self._fingerprints.serving
        return 0 if current is None else current.number


def _checked(matrix: Float32, current: Fingerprint) -> Float32:
    if matrix.ndim != 2 or matrix.shape[1] != current.dimension:
        raise ValueError(f"a vector has shape {matrix.shape[1:]}, the current model makes ({current.dimension},)")
    finite: NDArray[np.bool_] = np.isfinite(matrix)
    if not finite.all():
        raise ValueError("a vector contains numbers that are not finite")
    return matrix
