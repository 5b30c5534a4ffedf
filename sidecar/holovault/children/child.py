"""The parent's side: one worker that is there whenever it is asked, however often it has to be started.

Owns the order of requests and the decision to start and to kill. Must not retry: what a failed request means is the caller's to judge.
"""

import logging
import threading
from collections.abc import Mapping
from pathlib import Path

from holovault.children.failures import WorkerDied, WorkerRefused
from holovault.children.frames import LARGEST
from holovault.children.process import Process, Recipe
from holovault.errors import WorkerError

_log = logging.getLogger(__name__)


class Child:
    """A worker process that starts with its first request. Every method is thread-safe; one request is in flight at a time.

    `module` is run as `python -m module` and calls `children.serve`; `env` is added to the environment; `memory_mb` caps resident
    memory (looked at every 50 ms of a request and after it); `log` takes its stderr, appended, started anew above 5 MB.
    """

    def __init__(
        self,
        module: str,
        *,
        name: str,
        memory_mb: int,
        env: Mapping[str, str] | None = None,
        log: Path | None = None,
        low_priority: bool = False,
    ) -> None:
        self._recipe = Recipe(module, name, memory_mb, dict(env or {}), log, low_priority)
        self._turn = threading.Lock()
        self._guard = threading.Lock()
        self._process: Process | None = None
        self._closed = False

    @property
    def name(self) -> str:
        """What sentences about it begin with."""
        return self._recipe.name

    @property
    def pid(self) -> int | None:
        """The process id, None while nothing runs."""
        with self._guard:
            return self._process.pid if self._process is not None and self._process.alive() else None

    def rss_mb(self) -> float:
        """Resident memory in MB, 0 while nothing runs."""
        with self._guard:
            return self._process.rss_mb() if self._process is not None else 0.0

    def request(self, payload: bytes, timeout: float) -> bytes:
        """The worker's answer within `timeout` seconds, its start included.

        WorkerRefused: the handler raised, the worker lives. WorkerDied, WorkerHung, WorkerOverMemory: it is gone, and the next
        request starts another. ValueError: the payload is above 256 MiB.
        """
        if len(payload) > LARGEST:
            raise ValueError(f"a request of {len(payload)} bytes is above the limit of {LARGEST}")
        with self._turn:
            process = self._running()
            try:
                return process.exchange(payload, timeout)
            except WorkerRefused:
                raise
            except WorkerError as error:
                if not self._closed:  # an end that was asked for is no news
                    _log.warning("%s", error)
                self._drop(process)
                raise

    def stop(self) -> None:
        """Ends the process, if there is one, and gives its memory back; a request in flight fails, the next one starts another."""
        with self._guard:
            process, self._process = self._process, None
        if process is not None:
            process.end()

    def close(self) -> None:
        """Ends the process for good; requests from now on raise WorkerDied."""
        with self._guard:
            self._closed = True
        self.stop()

    def _running(self) -> Process:
        with self._guard:
            if self._closed:
                raise WorkerDied(f"{self.name} was stopped")
            if self._process is not None and not self._process.alive():
                _log.warning("%s (pid %s) ended between two requests", self.name, self._process.pid)
                self._process.end()
                self._process = None
            if self._process is None:
                self._process = self._start()
            return self._process

    def _start(self) -> Process:
        try:
            return Process(self._recipe)
        except OSError as error:
            raise WorkerDied(f"{self.name} could not be started: {error}") from error

    def _drop(self, process: Process) -> None:
        with self._guard:
            if self._process is process:
                self._process = None
        process.end()
