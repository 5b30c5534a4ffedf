"""An engine without an index: notes in memory, words matched as they stand. For tests of the surfaces only."""

import asyncio
import hashlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from holovault import __version__
from holovault.client import ProgressCallback, silent
from holovault.edits import changed
from holovault.errors import NotFoundError, PathForbiddenError, StaleError
from holovault.model import (
    Checkup,
    CheckupRequest,
    ChunkInfo,
    Degraded,
    Event,
    Events,
    FileState,
    Hit,
    IndexHealth,
    IndexProgress,
    IndexReport,
    IndexRequest,
    ModelStatus,
    NoteChange,
    PathExplanation,
    PruneReport,
    ReadResult,
    RelatedRequest,
    SearchRequest,
    SearchResponse,
    Signals,
    Status,
    WriteResult,
)
from holovault.vault import NoteBytes
from tests.support.fake_entities import OneName
from tests.support.fake_facts import NoFacts

P = ParamSpec("P")
T = TypeVar("T")


def hash_of(data: bytes) -> str:
    """SHA-256 as the model writes it."""
    return hashlib.sha256(data).hexdigest()


class FakeEngine:
    """Fulfils `web.Served`. `gate` holds `index` back until opened, `entered` says that somebody waits; `broken` breaks `status`."""

    def __init__(self, notes: dict[str, bytes] | None = None) -> None:
        self.notes = dict(notes or {})
        self.facts = NoFacts()
        self.entities = OneName()
        self.generation = 1
        self.state = "ready"
        self.broken = False
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()
        self.asked: list[SearchRequest] = []
        self.orders: list[IndexRequest] = []
        self.pruned = PruneReport(("test/old",), 1_200, 4_100_000)
        self._events: list[Event] = []
        self._news = threading.Condition()
        self._closing = False
        self._threads = ThreadPoolExecutor(8, "fake")

    def search(self, request: SearchRequest, /) -> SearchResponse:
        self.asked.append(request)
        hits = [_hit(path, data) for path, data in sorted(self.notes.items()) if request.query in data.decode("utf-8", "replace")]
        return SearchResponse(request.query, 1.5, (Degraded("semantic", "disabled", "no model here"),), tuple(hits[: request.limit]))

    def related(self, request: RelatedRequest, /) -> SearchResponse:
        self._bytes(request.path)
        return SearchResponse(request.path, 1.0, (), tuple(_hit(path, data) for path, data in self.notes.items() if path != request.path))

    def read(self, path: str, start: int = 1, end: int | None = None, /) -> ReadResult:
        data = self._bytes(path)
        lines = data.decode("utf-8").splitlines(keepends=True)
        first, last = start or 1, min(end or len(lines), len(lines))
        return ReadResult(path, hash_of(data), first, last, len(lines), "".join(lines[first - 1 : last]))

    def raw(self, path: str, /) -> NoteBytes:
        data = self._bytes(path)
        return NoteBytes(data, FileState(path, path, hash_of(data), len(data), 0, 0, 0))

    def write(self, path: str, content: bytes, expected_hash: str | None, create: bool, /) -> WriteResult:
        current = self.notes.get(path)
        found = None if current is None else hash_of(current)
        if found != expected_hash or (create and current is not None):
            raise StaleError(f"{path} is not the version that was read. Read it again.", found)
        self.notes[path] = content
        self.tell("index", path)
        return WriteResult(path, hash_of(content), create, len(content))

    def change(self, path: str, change: NoteChange, expected_hash: str | None, /) -> WriteResult:
        current = self._bytes(path)
        if expected_hash not in (None, hash_of(current)):
            raise StaleError(f"{path} is not the version that was read. Read it again.", hash_of(current), quoted="-was\n+is")
        edited = changed(current, change, path)
        self.notes[path] = edited.data
        self.tell("index", path)
        return WriteResult(path, hash_of(edited.data), False, len(edited.data), edited.lines)

    def index(self, request: IndexRequest, progress: ProgressCallback = silent, /) -> IndexReport:
        self.entered.set()
        self.orders.append(request)
        progress(IndexProgress("words", 0, len(self.notes)))
        if not self.gate.wait(10):
            raise AssertionError("nobody opened the gate")
        return IndexReport(files=len(self.notes), unchanged=len(self.notes))

    def status(self) -> Status:
        if self.broken:
            raise RuntimeError("secret detail of a bug")
        count = len(self.notes)
        model = ModelStatus("none", "", "", 0, "none")
        return Status("/vault", self.state, count, count, count, count, 0, 1, model, 1.0, "daemon", 1, __version__, "off")

    def prune(self) -> PruneReport:
        return self.pruned

    def explain(self, path: str, /) -> PathExplanation:
        return PathExplanation(path, path in self.notes, None, 1, "default", None, None, None, (ChunkInfo(1, 2, (), 5, 1, 1),))

    def checkup(self, request: CheckupRequest, /) -> Checkup:
        return Checkup(1, IndexHealth(files=len(self.notes)))

    def events(self, since: int, wait: float, /) -> Events:
        with self._news:
            self._news.wait_for(lambda: self._closing or len(self._events) >= max(since, 1), timeout=wait)
            return Events(len(self._events) + 1, tuple(event for event in self._events if event.number >= since))

    def tell(self, kind: str, path: str) -> None:
        """Adds an event and wakes who waits for one."""
        with self._news:
            self._events.append(Event(len(self._events) + 1, kind, self.generation, (path,)))
            self._news.notify_all()

    def release_waiters(self) -> None:
        with self._news:
            self._closing = True
            self._news.notify_all()

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: call(*args, **kwargs))

    async def linger(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(call, *args, **kwargs)

    def close(self) -> None:
        self.gate.set()
        self.release_waiters()
        self._threads.shutdown()

    def _bytes(self, path: str) -> bytes:
        if ".." in path.split("/") or path.startswith("/"):
            raise PathForbiddenError(f"{path} lies outside the vault.")
        try:
            return self.notes[path]
        except KeyError:
            raise NotFoundError(f"There is no note {path}. Check the spelling.") from None


def _hit(path: str, data: bytes) -> Hit:
    text = data.decode("utf-8", "replace")
    return Hit(
        path, path, ("Top",), 1, 3, text[:100], ((0, 1),), (), 0.5, Signals(lexical=1.0), 1, None, "2026-01-02T03:04:05Z", hash_of(data)
    )
