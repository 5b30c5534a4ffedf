"""A waiting line in front of one worker: one job at a time, urgent ones first, else first come first served.

Owns the thread that does the jobs. Must not know what they are.
"""

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, PriorityQueue
from typing import TypeVar

T = TypeVar("T")
_LAST, _URGENT, _PATIENT = -1, 0, 1


@dataclass(frozen=True, slots=True, order=True)
class _Job:
    rank: int
    number: int
    run: Callable[[], None] = field(compare=False)
    cancel: Callable[[], object] = field(compare=False)


class Line:
    """Thread-safe; its thread starts with the first job. A cancelled future that has not begun is skipped."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: PriorityQueue[_Job] = PriorityQueue()
        self._numbers = itertools.count()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._unfinished = 0

    def submit(self, work: Callable[[], T], *, urgent: bool) -> Future[T]:
        """The future of `work()`, which runs on the line's thread; already cancelled when the line is closed."""
        future: Future[T] = Future()
        with self._guard:
            if self._closed:
                future.cancel()
                return future
            self._unfinished += 1
            self._put(_URGENT if urgent else _PATIENT, lambda: _settle(future, work), future.cancel)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
        return future

    def unfinished(self) -> int:
        """How many jobs wait or run."""
        with self._guard:
            return self._unfinished

    def refuse(self) -> None:
        """Takes no more jobs and cancels those that wait; the running one goes on."""
        with self._guard:
            self._closed = True
            with suppress(Empty):
                while (job := self._jobs.get_nowait()).rank != _LAST:
                    job.cancel()
                    self._unfinished -= 1
            self._put(_LAST, lambda: None, lambda: None)

    def close(self) -> None:
        """As `refuse`, and returns when the running job has ended."""
        self.refuse()
        if self._thread is not None:
            self._thread.join()

    def _put(self, rank: int, run: Callable[[], None], cancel: Callable[[], object]) -> None:
        self._jobs.put(_Job(rank, next(self._numbers), run, cancel))

    def _work(self) -> None:
        while (job := self._jobs.get()).rank != _LAST:
            job.run()
            with self._guard:
                self._unfinished -= 1


def _settle(future: Future[T], work: Callable[[], T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001  (not swallowed: raised again where the result is awaited)
        future.set_exception(error)
    else:
        future.set_result(result)
