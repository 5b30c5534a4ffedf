"""The windows and vectors of one fingerprint, kept in memory while they change.

Owns the arrays behind `Snapshot`, the tail of new rows, and when rows go to a segment file. Changes come
in after their transaction is committed and are folded in by the next reader, so that a bulk of puts costs
nothing. Lock order: the database's writer lock, then ours.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from holovault.store.database import Database
from holovault.store.segments import Segment
from holovault.store.shelf import Shelf
from holovault.store.snapshot import Snapshot
from holovault.store.space import Space
from holovault.store.tail import Tail
from holovault.store.values import Float32, Int64

_FOLD_AT = 256
_SMALL_SEGMENTS = 8


@dataclass(frozen=True, slots=True)
class SegmentRules:
    """Rows that make a segment, the most that one holds, and the share of dead rows that calls for new ones."""

    rows: int = 4_096
    most: int = 65_536
    dead: float = 0.3


@dataclass(frozen=True, slots=True)
class WindowDelta:
    """What one transaction did to windows: chunk ids that went, rows (chunk, number, slot, size) that came."""

    removed: Int64
    added: Int64


@dataclass(frozen=True, slots=True)
class VectorDelta:
    """Vectors (n, dimension) that one transaction stored, and their slots (n,)."""

    fingerprint: int
    slots: Int64
    matrix: Float32


@dataclass(frozen=True, slots=True)
class _State:
    """Everything that belongs to one fingerprint; arrays are replaced, never changed in place. `windows` rows are chunk, number, slot."""

    fingerprint: int
    dimension: int
    windows: Int64
    segments: tuple[Segment, ...]
    row_of_slot: NDArray[np.int32]
    tail: Tail
    dead: int
    middle: Float32


class Live:
    """Snapshots of what is committed."""

    def __init__(self, database: Database, shelf: Shelf, rules: SegmentRules, size: int) -> None:
        """`size` is that of its windows, in tokens."""
        self._database = database
        self._shelf = shelf
        self._rules = rules
        self._size = size
        self._lock = threading.RLock()
        self._state: _State | None = None
        self._snapshot: Snapshot | None = None
        self._windows: list[WindowDelta] = []
        self._vectors: list[VectorDelta] = []

    def publish_windows(self, delta: WindowDelta) -> None:
        """Take over a committed change of windows."""
        with self._lock:
            if self._state is not None:
                self._windows.append(WindowDelta(delta.removed, delta.added[delta.added[:, 3] == self._size][:, :3]))
                self._snapshot = None
                if len(self._windows) > _FOLD_AT:
                    self._fold()

    def publish_vectors(self, delta: VectorDelta) -> None:
        """Take over committed vectors; those of another fingerprint are left to the next load."""
        with self._lock:
            if self._state is not None and self._state.fingerprint == delta.fingerprint:
                self._vectors.append(delta)
                self._snapshot = None
                if len(self._vectors) > _FOLD_AT:
                    self._fold()

    def forget(self) -> None:
        """Load anew at the next question: the fingerprint or the durable vectors changed."""
        with self._lock:
            self._state = self._snapshot = None
            self._windows, self._vectors = [], []

    def snapshot(self, fingerprint: int, dimension: int) -> Snapshot:
        """The newest committed view of one fingerprint."""
        with self._lock:
            if self._has(fingerprint):
                return self._current()
        with self._database.writing_stopped():
            if not self._has(fingerprint):
                self.load(fingerprint, dimension)
            with self._lock:
                return self._current()

    def _has(self, fingerprint: int) -> bool:
        return self._state is not None and self._state.fingerprint == fingerprint

    def _current(self) -> Snapshot:
        if self._snapshot is None:
            self._fold()
            state = self._loaded()
            windows = state.windows
            starts = np.flatnonzero(np.diff(windows[:, 0], prepend=-1)) if len(windows) else np.zeros(0, dtype=np.int64)
            slots = np.minimum(windows[:, 2], len(state.row_of_slot) - 1)  # the last place is "no vector"
            self._snapshot = Snapshot(
                chunks=windows[starts, 0],
                starts=starts,
                numbers=windows[:, 1].astype(np.int32),
                rows=state.row_of_slot[slots],
                space=Space(state.segments, state.tail.matrix, state.middle),
            )
        return self._snapshot

    def _loaded(self) -> _State:
        if self._state is None:
            raise RuntimeError("no fingerprint is loaded")
        return self._state

    def _fold(self) -> None:
        """Take all waiting changes into the state. Chunk ids are never used twice, so "came" and "went" commute."""
        state = self._loaded()
        windows, row_of_slot, dead = state.windows, state.row_of_slot, state.dead
        if self._windows:
            windows = np.concatenate((windows, *(delta.added for delta in self._windows)))
            gone = np.concatenate([delta.removed for delta in self._windows])
            if len(gone):
                windows = windows[~np.isin(windows[:, 0], gone)]
        if self._vectors:
            slots = np.concatenate([delta.slots for delta in self._vectors])
            first = sum(segment.rows for segment in state.segments) + len(state.tail.slots)
            row_of_slot = _grown(row_of_slot, int(slots.max()) + 2)
            dead += int(np.count_nonzero(row_of_slot[slots] >= 0))
            row_of_slot[slots] = np.arange(first, first + len(slots), dtype=np.int32)
            tail = state.tail.appended(slots, np.concatenate([delta.matrix for delta in self._vectors]))
        else:
            tail = state.tail
        self._windows, self._vectors = [], []
        self._state = replace(state, windows=windows, row_of_slot=row_of_slot, tail=tail, dead=dead)

    def load(self, fingerprint: int, dimension: int) -> None:
        """Read windows and vectors of a fingerprint as committed; mapped segments serve what they can, SQLite the rest."""
        with self._database.writing_stopped():
            rows = self._database.rows(
                "SELECT chunk, number, slot FROM windows WHERE size = ? ORDER BY chunk, number", (self._size,), committed=True
            )
            windows = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=3 * len(rows)).reshape(-1, 3)
            alive = self._shelf.stored(fingerprint)
            segments = self._shelf.usable(fingerprint, dimension)
            missing = np.setdiff1d(alive, _slots_of(segments))
            whole = len(missing) - len(missing) % self._rules.rows
            middle = self._shelf.middle(fingerprint, dimension)
            made = self._written(fingerprint, dimension, missing[:whole], middle)
            self._shelf.enlist(fingerprint, made)
            rest = missing[whole:]
            tail = Tail.empty(dimension).appended(rest, self._shelf.read(fingerprint, dimension, rest))
            state = _assembled(fingerprint, dimension, windows, (*segments, *made), tail, alive, middle)
            with self._lock:
                self._state, self._snapshot = state, None
                self._windows, self._vectors = [], []
            self._shelf.remove_struck()

    def _written(self, fingerprint: int, dimension: int, slots: Int64, middle: Float32) -> list[Segment]:
        most = self._rules.most
        parts = [slots[start : start + most] for start in range(0, len(slots), most)]
        return [self._shelf.write(part, self._shelf.read(fingerprint, dimension, part), middle) for part in parts]

    def flush(self) -> None:
        """Move a full tail into a segment, and make fewer or denser segments when there are many or many dead rows."""
        with self._database.writing_stopped():
            with self._lock:
                if self._state is None:
                    return
                self._fold()
                state = self._state
            if len(state.tail.slots) >= self._rules.rows:
                segment = self._shelf.write(state.tail.slots, state.tail.matrix, state.middle)
                self._shelf.enlist(state.fingerprint, [segment])
                # row numbers stay: the new segment begins where the tail began
                with self._lock:
                    self._state = replace(state, segments=(*state.segments, segment), tail=Tail.empty(state.dimension))
                    self._snapshot = None
        if self._untidy():
            self.compact()

    def _untidy(self) -> bool:
        state = self._loaded()
        rows = sum(segment.rows for segment in state.segments)
        small = [segment for segment in state.segments if segment.rows < self._rules.most // 2]
        return len(small) > _SMALL_SEGMENTS or state.dead > self._rules.dead * max(rows, self._rules.rows)

    @property
    def dead(self) -> int:
        """Rows in files whose vector is gone or was replaced."""
        with self._lock:
            return 0 if self._state is None else self._state.dead

    def compact(self) -> None:
        """Write small segments and those with dead rows anew without the dead, publish them at once, then delete the old files.

        Writers go on while the files are written: durable vectors never change under a slot.
        """
        state = self._loaded()
        alive = self._shelf.stored(state.fingerprint)
        keep = [segment for segment in state.segments if segment.rows >= self._rules.most // 2 and np.isin(segment.slots, alive).all()]
        rest = np.setdiff1d(alive, _slots_of(keep))
        made = self._written(state.fingerprint, state.dimension, rest[: len(rest) - len(rest) % self._rules.rows], state.middle)
        kept = {segment.name for segment in keep}
        with self._database.writing_stopped():
            with self._database.atomic():
                self._shelf.strike(segment.name for segment in state.segments if segment.name not in kept)
                self._shelf.enlist(state.fingerprint, made)
            self.load(state.fingerprint, state.dimension)


def _slots_of(segments: Sequence[Segment]) -> Int64:
    return np.concatenate([segment.slots for segment in segments]) if segments else np.zeros(0, dtype=np.int64)


def _grown(row_of_slot: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    grown = np.full(max(size, len(row_of_slot)), -1, dtype=np.int32)
    grown[: len(row_of_slot)] = row_of_slot
    return grown


def _assembled(
    fingerprint: int, dimension: int, windows: Int64, segments: tuple[Segment, ...], tail: Tail, alive: Int64, middle: Float32
) -> _State:
    """Number the rows; a segment's row whose vector is gone from SQLite is dead, as is the older of two of one slot."""
    held = np.concatenate((*(segment.slots for segment in segments), tail.slots))
    size = int(max(held.max(initial=0), windows[:, 2].max(initial=0))) + 2
    row_of_slot = np.full(size, -1, dtype=np.int32)
    row_of_slot[held] = np.arange(len(held), dtype=np.int32)
    lost = np.setdiff1d(held, alive)
    row_of_slot[lost] = -1
    return _State(fingerprint, dimension, windows, segments, row_of_slot, tail, len(held) - int(np.count_nonzero(row_of_slot >= 0)), middle)
