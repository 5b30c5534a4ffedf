"""The daemon's background threads: words, structure and meaning.

Owns when a pass runs: on changes, on request, hourly, after sleep, and when a failed one is due
again; and idle housekeeping. Must not know what a pass does. Faults are logged and the loop goes
on: one bad pass never stops the watching.
"""

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from holovault.engine.inbox import Inbox, Work
from holovault.errors import HolovaultError

_log = logging.getLogger(__name__)

TICK_S = 5.0
FULL_CHECK_S = 3600.0
SLEPT_S = 60.0
RETRY_S = (5.0, 30.0, 120.0, 600.0)


class Worker(Protocol):
    """What the loops call."""

    def words(self, work: Work) -> None: ...

    def structure_step(self) -> bool:
        """Compose a few structure vectors; False when nothing waits."""

    def meaning_step(self) -> bool:
        """Embed a little; False when nothing waits."""

    def idle(self) -> None: ...


class Loops:
    """Starts, feeds and stops the threads. `looked` becomes true when the first pass is over, well or not."""

    def __init__(self, worker: Worker, inbox: Inbox, clock: Callable[[], float], wall: Callable[[], float]) -> None:
        self._worker = worker
        self._inbox = inbox
        self._clock = clock
        self._wall = wall
        self._stopping = threading.Event()
        self._backlog = threading.Event()
        self._unbound = threading.Event()
        self.looked = False
        self._threads = (
            threading.Thread(target=self._words, name="words", daemon=True),
            threading.Thread(target=self._structure, name="structure", daemon=True),
            threading.Thread(target=self._meaning, name="meaning", daemon=True),
        )

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """There may be structure to compose and windows to embed."""
        self._unbound.set()
        self._backlog.set()

    @property
    def alive(self) -> bool:
        """Whether all threads run."""
        return all(thread.is_alive() for thread in self._threads)

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def stop(self) -> None:
        """Ask all threads to end and wait for the piece of work in hand."""
        self._stopping.set()
        self._inbox.close()
        self.wake()
        for thread in self._threads:
            thread.join(30)

    def _words(self) -> None:
        last_full, last_tick = self._clock(), self._wall()
        while not self._stopping.is_set():
            work = self._inbox.take(TICK_S)
            now, wall = self._clock(), self._wall()
            if now - last_full > FULL_CHECK_S or wall - last_tick > TICK_S + SLEPT_S:
                work = Work(frozenset(), True, work.orders)
            last_tick = wall
            try:
                if work.empty:
                    self._worker.idle()
                else:
                    last_full = now if work.rescan else last_full
                    self._worker.words(work)
                    last_tick = self._wall()
            except Exception as fault:  # noqa: BLE001 - the edge of a thread: the next pass must still run
                _log.exception("an indexing pass failed")
                for order in work.orders:
                    if not order.answer.done():
                        order.answer.set_exception(fault)
            self.looked = self.looked or not work.empty
            self.wake()

    def _structure(self) -> None:
        while not self._stopping.is_set():
            self._unbound.wait()
            self._unbound.clear()
            try:
                while not self._stopping.is_set() and self._worker.structure_step():
                    pass
            except Exception:  # noqa: BLE001 - the edge of a thread: what waits is composed after the next pass
                _log.exception("composing structure vectors failed")

    def _meaning(self) -> None:
        misses = 0
        while not self._stopping.is_set():
            self._backlog.wait()
            self._backlog.clear()
            try:
                while not self._stopping.is_set() and self._worker.meaning_step():
                    misses = 0
            except HolovaultError as fault:
                _log.warning("embedding stopped for a while: %s", fault)
                self._stopping.wait(RETRY_S[min(misses, len(RETRY_S) - 1)])
                misses += 1
                self._backlog.set()
            except Exception:  # noqa: BLE001 - the edge of a thread: embedding is tried again later
                _log.exception("embedding failed")
                self._stopping.wait(RETRY_S[-1])
                self._backlog.set()
