"""Real engines on small vaults, and waiting for what they do.

Owns opening, closing and bounded waiting in tests. A wait ends when its condition holds and fails
with what the engine last said; nothing sleeps for a fixed time.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from holovault.config import Home
from holovault.embed import EmbeddingService
from holovault.engine import Engine
from holovault.model import Hit, IndexReport, IndexRequest, Mode, SearchRequest, SearchResponse

ROOT = Path(__file__).resolve().parents[2]
BOUND_S = 10.0
MODES: tuple[Mode, ...] = ("hybrid", "lexical", "semantic")


@contextmanager
def open_engine(root: Path, home: Path, *, watching: bool = False, embedding: EmbeddingService | None = None) -> Iterator[Engine]:
    """An engine that owns the vault until the block ends."""
    with Engine.open(root, Home(home), owner="test", embedding=embedding) as engine:
        if watching:
            engine.start_watching()
        yield engine


@contextmanager
def indexed_engine(root: Path, home: Path) -> Iterator[Engine]:
    """An engine whose index is complete, vectors included."""
    with open_engine(root, home) as engine:
        index(engine)
        yield engine


def index(engine: Engine, wait: bool = True) -> IndexReport:
    """One whole pass."""
    return engine.index(IndexRequest(wait=wait))


def ask(engine: Engine, query: str, mode: Mode = "hybrid", limit: int = 10) -> SearchResponse:
    """Search and wait for the model as long as it takes."""
    return engine.search(SearchRequest(query, limit=limit, mode=mode, max_wait=None))


def found(engine: Engine, query: str, mode: Mode = "hybrid", limit: int = 10) -> list[str]:
    """The paths of the hits, best first, each once."""
    return list(dict.fromkeys(hit.path for hit in ask(engine, query, mode, limit).results))


def first(engine: Engine, query: str, mode: Mode = "hybrid") -> Hit:
    """The best hit; fails where there is none."""
    results = ask(engine, query, mode).results
    assert results, f"nothing was found for {query!r} ({mode})"
    return results[0]


def wait_until(engine: Engine, condition: Callable[[], bool], what: str, bound: float = BOUND_S) -> None:
    """Wait on the engine's events until the condition holds, at most `bound` seconds."""
    deadline = time.monotonic() + bound
    since = 0
    while not condition():
        left = deadline - time.monotonic()
        assert left > 0, f"not within {bound} s: {what}; the engine says {engine.status()}"
        since = engine.events(since, min(left, 0.1)).next


def run_as_a_person() -> tuple[str, ...] | None:
    """What to put before a command so that file modes count for it; None where root cannot give up reading everything."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return ()
    tool = shutil.which("setpriv")
    prefix = (str(tool), "--bounding-set=-dac_override,-dac_read_search")
    works = tool is not None and subprocess.run([*prefix, "true"], capture_output=True, timeout=10).returncode == 0
    return prefix if works else None


class Child:
    """A process that runs `tests.support.engine_child` on a vault; its reports come line by line."""

    def __init__(self, root: Path, home: Path, *orders: str, prefix: Sequence[str] = ()) -> None:
        command = [*prefix, sys.executable, "-m", "tests.support.engine_child", str(root), str(home), *orders]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def next(self) -> dict[str, object]:
        """The next report; fails with the child's errors where it died instead."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            assert self.process.stderr
            raise AssertionError(f"the child ended without a word: {self.process.stderr.read()}")
        report: dict[str, object] = json.loads(line)
        return report

    def until(self, phase: str, done: int) -> dict[str, object]:
        """Read reports up to the first one of a phase that has done this much."""
        while True:
            report = self.next()
            if report.get("phase") == phase and int(str(report.get("done", done))) >= done:
                return report
            assert report.get("phase") != "end", f"the child finished before {phase} {done}"

    def kill(self) -> None:
        """End it with no chance to say goodbye."""
        self.process.kill()
        self._reap()

    def finish(self, timeout: float = 60.0) -> None:
        """Let it end by itself; fails where it does not end well."""
        try:
            code = self.process.wait(timeout)
            assert code == 0, self.process.stderr.read() if self.process.stderr else code
        finally:
            self._reap()

    def _reap(self) -> None:
        self.process.wait(10)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
