"""What happened lately, for those who poll.

Owns the event numbers of one daemon's life. Must not know why something happened.
"""

import threading
from collections import deque

from holovault.model import Event, Events

KEPT = 500
PATHS = 100


class EventLog:
    """A bounded list of events with a condition to wait on."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque(maxlen=KEPT)
        self._next = 1
        self._news = threading.Condition()
        self._closed = False

    def add(self, kind: str, generation: int, paths: tuple[str, ...] = ()) -> None:
        with self._news:
            self._events.append(Event(self._next, kind, generation, paths[:PATHS]))
            self._next += 1
            self._news.notify_all()

    def since(self, number: int, wait: float) -> Events:
        """Events with a number of at least `number`, waiting up to `wait` seconds for the first one.

        A number that this daemon never gave (it restarted) answers at once with all it has.
        """
        with self._news:
            if 0 <= number <= self._next:
                self._news.wait_for(lambda: self._next > max(number, 1) or self._closed, timeout=max(0.0, wait))
            start = number if number <= self._next else 0
            return Events(self._next, tuple(event for event in self._events if event.number >= start))

    def close(self) -> None:
        """Let everybody who waits go."""
        with self._news:
            self._closed = True
            self._news.notify_all()
