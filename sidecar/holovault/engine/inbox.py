"""What the words loop has to do next.

Owns debouncing: changes are handed out once they have been quiet for a moment, or have waited long
enough. Must not index anything itself.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from holovault.indexer import Tally

QUIET_S = 0.15
LONGEST_S = 1.0
MANY = 400
"""More changed paths than this are cheaper to find by one scan."""


@dataclass(frozen=True, slots=True)
class Order:
    """Somebody asked for a pass over the whole vault and waits for its tally."""

    answer: Future[Tally]


@dataclass(frozen=True, slots=True)
class Work:
    """`paths` to look at, or `rescan` for all; `orders` are answered by the same pass."""

    paths: frozenset[str]
    rescan: bool
    orders: tuple[Order, ...]

    @property
    def empty(self) -> bool:
        return not (self.paths or self.rescan or self.orders)


class Inbox:
    """Collects changes and orders from any thread; one thread takes them."""

    def __init__(self, clock: Callable[[], float], quiet_s: float = QUIET_S, longest_s: float = LONGEST_S) -> None:
        self._clock = clock
        self._quiet = quiet_s
        self._longest = longest_s
        self._news = threading.Condition()
        self._paths: set[str] = set()
        self._rescan = False
        self._orders: list[Order] = []
        self._first: float | None = None
        self._last = 0.0
        self._closed = False

    def changed(self, path: str) -> None:
        with self._news:
            self._paths.add(path)
            self._touch()

    def rescan(self) -> None:
        with self._news:
            self._rescan = True
            self._touch()

    def order(self, order: Order) -> None:
        with self._news:
            self._orders.append(order)
            self._news.notify_all()

    def close(self) -> None:
        with self._news:
            self._closed = True
            self._news.notify_all()

    def _touch(self) -> None:
        self._last = self._clock()
        if self._first is None:
            self._first = self._last
        self._news.notify_all()

    def take(self, timeout: float) -> Work:
        """Wait until there is settled work, at most `timeout` seconds; the empty work means time is up or closed."""
        deadline = self._clock() + timeout
        with self._news:
            while not self._closed:
                now = self._clock()
                due = self._due()
                if self._orders or (due is not None and due <= now):
                    break
                if now >= deadline:
                    return Work(frozenset(), False, ())
                self._news.wait(max(0.001, min(deadline, due if due is not None else deadline) - now))
            return self._hand_out()

    def _due(self) -> float | None:
        return None if self._first is None else min(self._last + self._quiet, self._first + self._longest)

    def _hand_out(self) -> Work:
        rescan = self._rescan or len(self._paths) > MANY or bool(self._orders)
        work = Work(frozenset() if rescan else frozenset(self._paths), rescan, tuple(self._orders))
        self._paths.clear()
        self._orders.clear()
        self._rescan = False
        self._first = None
        return work
