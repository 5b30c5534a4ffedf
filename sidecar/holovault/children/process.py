"""One life of a child: from Popen to the reaped process.

Owns the process, its pipes, the thread that writes and reads them, and its log file. Must not start a second one: `child` does.
"""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from subprocess import PIPE
from time import monotonic
from typing import IO

import psutil

from holovault.children.failures import WorkerDied, WorkerHung, WorkerOverMemory, WorkerRefused, end_in_words
from holovault.children.frames import ANSWER, REFUSAL, REQUEST, BrokenFrameError, Frame, read_frame, write_frame

LOG_BYTES = 5_000_000
_POLL_S = 0.05
_REAP_S = 10.0
_NICENESS = 10
_LEAST = 19
_MB = 1 << 20
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to start a child: `name` begins every sentence about it ("the cutter"), `memory_mb` is the cap of its resident memory."""

    module: str
    name: str
    memory_mb: int
    env: Mapping[str, str] = field(default_factory=dict)
    log: Path | None = None
    low_priority: bool = False


class Process:
    """A running child. `exchange` is for one thread at a time, `end` for any; OSError when it cannot be started."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._log_start = 0
        self._popen = self._start()
        self._inbox: SimpleQueue[Frame | None] = SimpleQueue()
        self._outbox: SimpleQueue[Frame | str] = SimpleQueue()
        self._ending = threading.Lock()
        self._ended = False
        self._pump = threading.Thread(target=self._move_frames, name=f"frames of {recipe.name}", daemon=True)
        self._pump.start()
        if recipe.low_priority:
            self._lower_priority()

    @property
    def pid(self) -> int:
        """Process id, also after the end."""
        return self._popen.pid

    def alive(self) -> bool:
        """Whether the process runs just now."""
        return self._popen.poll() is None

    def rss_mb(self) -> float:
        """Resident memory in MB, 0 when the process is gone."""
        if not self.alive():
            return 0.0
        try:
            return sum(process.memory_info().rss for process in self._tree()) / _MB
        except psutil.Error:
            return 0.0

    def check_memory(self) -> None:
        """WorkerOverMemory if the cap is passed just now."""
        used, cap = self.rss_mb(), self._recipe.memory_mb
        if used > cap:
            raise WorkerOverMemory(f"{self._recipe.name} needed {used:.0f} MB, over its memory cap of {cap} MB")

    def exchange(self, payload: bytes, timeout: float) -> bytes:
        """The answer to one request; WorkerRefused leaves the process fit for the next, every other WorkerError does not."""
        self._inbox.put(Frame(REQUEST, payload))
        outcome = self._await(monotonic() + timeout, timeout)
        if isinstance(outcome, str):
            raise WorkerDied(f"{self._recipe.name} {self._last_words(outcome)}")
        if outcome.kind == REFUSAL:
            raise WorkerRefused(f"{self._recipe.name} failed: {outcome.payload.decode('utf-8', 'replace')}")
        self.check_memory()
        return outcome.payload

    def end(self) -> None:
        """Kills, reaps, joins and closes; a second call waits for the first and does nothing."""
        with self._ending:
            if self._ended:
                return
            self._ended = True
            self._popen.kill()
            self._inbox.put(None)
            self._reap()

    def _start(self) -> subprocess.Popen[bytes]:
        # -P: the current folder may be a vault, and a vault must not be able to bring its own numpy.py.
        command = [sys.executable, "-P", "-X", "utf8", "-m", self._recipe.module]
        environment = {**os.environ, **self._recipe.env}
        with self._open_log() as log:
            if sys.platform == "win32":
                flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
                # Here and not by psutil: in a virtual environment the pid is a launcher's, and only this is inherited.
                flags |= subprocess.BELOW_NORMAL_PRIORITY_CLASS if self._recipe.low_priority else 0
                return subprocess.Popen(command, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=log, env=environment, creationflags=flags)
            return subprocess.Popen(command, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=log, env=environment, process_group=0)

    def _open_log(self) -> IO[bytes]:
        path = self._recipe.log
        if path is None:
            return open(os.devnull, "wb")
        path.parent.mkdir(parents=True, exist_ok=True)
        full = path.exists() and path.stat().st_size > LOG_BYTES
        log = path.open("wb" if full else "ab")
        self._log_start = log.tell()
        return log

    def _lower_priority(self) -> None:
        if sys.platform == "win32":
            return
        try:
            process = psutil.Process(self.pid)
            # On top of what it inherited: a program that was started niced does not make its children any more important.
            process.nice(min(_LEAST, process.nice() + _NICENESS))
        except psutil.Error as error:
            _log.warning("%s keeps its priority: %s", self._recipe.name, error)

    def _tree(self) -> list[psutil.Process]:
        process = psutil.Process(self.pid)
        if sys.platform == "win32":
            return [process, *process.children(recursive=True)]
        return [process]

    def _move_frames(self) -> None:
        """The pump: writes a request, reads its answer, again. A thread, because pipes on Windows know no time limit."""
        while frame := self._inbox.get():
            self._outbox.put(self._round_trip(frame))

    def _round_trip(self, frame: Frame) -> Frame | str:
        stdin, stdout = self._pipes()
        try:
            write_frame(stdin, frame)
            answer = read_frame(stdout)
        except (OSError, BrokenFrameError) as error:
            return "" if isinstance(error, OSError) else f"sent something that is no answer: {error}"
        if answer is None:
            return ""
        return answer if answer.kind in (ANSWER, REFUSAL) else "sent a request instead of an answer"

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        stdin, stdout = self._popen.stdin, self._popen.stdout
        assert stdin is not None and stdout is not None
        return stdin, stdout

    def _await(self, deadline: float, timeout: float) -> Frame | str:
        while True:
            try:
                return self._outbox.get(timeout=max(0.0, min(_POLL_S, deadline - monotonic())))
            except Empty:
                pass
            self.check_memory()
            if monotonic() >= deadline:
                raise WorkerHung(f"{self._recipe.name} gave no answer within {timeout:g} s")

    def _last_words(self, outcome: str) -> str:
        if outcome:
            return outcome
        if self._ended:
            return "was stopped"
        try:
            code: int | None = self._popen.wait(_REAP_S)
        except subprocess.TimeoutExpired:
            code = None
        words = end_in_words(code)
        return f"{words}: {said}" if code == 1 and (said := self._log_tail()) else words

    def _log_tail(self) -> str:
        """The last line this process wrote to its log: for exit code 1 that is Python's own reason, such as a missing module."""
        if self._recipe.log is None:
            return ""
        try:
            with self._recipe.log.open("rb") as log:
                log.seek(max(self._log_start, os.fstat(log.fileno()).st_size - 2000))
                lines = log.read().decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        return next((line.strip()[:200] for line in reversed(lines) if line.strip()), "")

    def _reap(self) -> None:
        try:
            self._popen.wait(_REAP_S)
        except subprocess.TimeoutExpired:
            _log.error("%s (pid %s) does not die", self._recipe.name, self.pid)
            return
        self._pump.join(_REAP_S)
        for pipe in self._pipes():
            pipe.close()
