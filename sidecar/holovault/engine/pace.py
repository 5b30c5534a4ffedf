"""How fast windows are being embedded.

Owns the counts of the last minute. Must not read a clock of its own.
"""

import threading
from collections import deque
from collections.abc import Callable

SPAN_S = 60.0
_LEAST_S = 1.0


class Pace:
    """Counts windows against `clock`, in seconds that only rise. Thread-safe."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._done: deque[tuple[float, float, int]] = deque()

    def begun(self) -> float:
        """When a piece of work begins: give it back to `did`."""
        return self._clock()

    def did(self, count: int, begun: float) -> None:
        """So many windows were embedded since `begun`."""
        with self._lock:
            self._done.append((begun, self._clock(), count))

    def rate(self) -> float | None:
        """Windows per second over the last minute, pauses included; None where nothing was embedded in it."""
        with self._lock:
            now = self._clock()
            while self._done and self._done[0][1] < now - SPAN_S:
                self._done.popleft()
            if not self._done:
                return None
            first = max(self._done[0][0], now - SPAN_S)
            return sum(count for _, _, count in self._done) / max(_LEAST_S, now - first)
