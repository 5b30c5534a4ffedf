"""The sets of vectors that are in use, each as a `Live` of its own.

Owns which of them are kept in memory. A set that nobody asked for costs nothing.
"""

import threading
from collections.abc import Callable, Iterable

from holovault.store.live import Live, VectorDelta, WindowDelta
from holovault.store.snapshot import Snapshot
from holovault.store.values import Fingerprint


class Lives:
    """Snapshots of what is committed, by fingerprint."""

    def __init__(self, make: Callable[[int], Live]) -> None:
        """`make` gets a size of windows."""
        self._make = make
        self._lock = threading.Lock()
        self._lives: dict[int, Live] = {}

    def of(self, fingerprint: Fingerprint) -> Live:
        """The one of this fingerprint; it loads itself at its first question."""
        with self._lock:
            if fingerprint.number not in self._lives:
                self._lives[fingerprint.number] = self._make(fingerprint.window)
            return self._lives[fingerprint.number]

    def snapshot(self, fingerprint: Fingerprint) -> Snapshot:
        """The newest committed view of one fingerprint."""
        return self.of(fingerprint).snapshot(fingerprint.number, fingerprint.dimension)

    def keep(self, numbers: Iterable[int]) -> None:
        """Let all others go."""
        wanted = set(numbers)
        with self._lock:
            self._lives = {number: live for number, live in self._lives.items() if number in wanted}

    def publish_windows(self, delta: WindowDelta) -> None:
        """Take over a committed change of windows."""
        with self._lock:
            lives = list(self._lives.values())
        for live in lives:
            live.publish_windows(delta)

    def publish_vectors(self, delta: VectorDelta) -> None:
        """Take over committed vectors."""
        with self._lock:
            live = self._lives.get(delta.fingerprint)
        if live is not None:
            live.publish_vectors(delta)

    def flush(self, fingerprint: Fingerprint) -> None:
        """Move what is new into segment files, where there is enough of it."""
        with self._lock:
            live = self._lives.get(fingerprint.number)
        if live is not None:
            live.flush()
