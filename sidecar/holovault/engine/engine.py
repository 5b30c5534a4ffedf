"""The one facade: search, related, read, write, index, status, explain, events.

Owns the threads of the process and the order of opening and closing. Every surface asks here and
gets the same answer. Must not know HTTP, MCP or a terminal.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import ParamSpec, Self, TypeVar

from holovault.chunking import VERSION as CHUNKER_VERSION
from holovault.config import Config, EmbeddingConfig, Home, load_config, read_config
from holovault.embed import EmbeddingService, make_embedding
from holovault.engine.checkup import index_health, mend, route
from holovault.engine.entities import EngineEntities
from holovault.engine.events import EventLog
from holovault.engine.folder import index_folder
from holovault.engine.inbox import Inbox, Order, Work
from holovault.engine.loops import Loops
from holovault.engine.memory import facts_service
from holovault.engine.notes import lines_of
from holovault.engine.parts import Surroundings
from holovault.engine.passes import Passes
from holovault.engine.report import explanation, index_report, status, why_not
from holovault.engine.roles import Roles
from holovault.engine.writing import Writing
from holovault.engine.written import Written
from holovault.errors import BusyError, HolovaultError, NotFoundError, UserError
from holovault.indexer import Progress, Tally, silent
from holovault.lexemes import Analyzer
from holovault.model import (
    Checkup,
    CheckupRequest,
    Events,
    IndexReport,
    IndexRequest,
    NoteChange,
    PathExplanation,
    PruneReport,
    ReadResult,
    RelatedRequest,
    SearchRequest,
    SearchResponse,
    Status,
    WriteResult,
)
from holovault.ownership import Lease, acquire
from holovault.store import Store
from holovault.vault import NoteBytes, Vault
from holovault.watcher import Watcher

_log = logging.getLogger(__name__)
_P = ParamSpec("_P")
_T = TypeVar("_T")

REQUEST_THREADS = 8
WAITING_THREADS = 64
FRESH_S = 10.0
CUTTER_HOME_S = 30.0
MATRIX_IDLE_S = 60.0
CLEAN_UP_S = 120.0


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _open_store(folder: Path) -> Store:
    return Store.open(folder, Analyzer.version, CHUNKER_VERSION)


class Engine:
    """One open vault. Open with `Engine.open`; close exactly once (or use it as a context manager)."""

    def __init__(
        self,
        lease: Lease,
        around: Surroundings,
        config: Config,
        cutting: ThreadPoolExecutor,
        make: Callable[[EmbeddingConfig], EmbeddingService],
    ) -> None:
        self._lease = lease
        self._around = around
        self._cutting = cutting
        self._store = around.store
        self._clock = around.clock
        self._closed = False
        self._events = EventLog()
        self._roles = Roles(around.store, make, config.embedding, around.now, around.clock, lambda: self._closed, self._switched)
        self._written = Written(around.index or around.logs, self._vault, around.now)
        self._passes = Passes(around, config, self._roles, self._events, lambda: self._closed, self._written.look)
        self._writing = Writing(self._vault, self._written, self._index_written)
        self._inbox = Inbox(around.clock)
        self.facts = facts_service(around, self._passes, self.write, self._freshen, lambda: self.index(IndexRequest(wait=False)))
        self.entities = EngineEntities(lambda: self._passes.parts.entities, self._freshen, lambda: self._passes.behind)
        self._loops: Loops | None = None
        self._watcher: Watcher | None = None
        self._requests = ThreadPoolExecutor(REQUEST_THREADS, "request")
        self._waiting = ThreadPoolExecutor(WAITING_THREADS, "waiting")

    @classmethod
    def open(
        cls,
        root: Path,
        home: Home,
        *,
        owner: str,
        lock_wait: float = 0.5,
        now: Callable[[], datetime] = _utc_now,
        clock: Callable[[], float] = time.monotonic,
        embedding: EmbeddingService | None = None,
        models: Callable[[EmbeddingConfig], EmbeddingService] | None = None,
    ) -> Self:
        """Take the vault's lock and open its index, building it empty where there is none.

        `models` replaces the making of models from `[embedding]`, `embedding` every model; the engine closes them.
        Raises NotFoundError (no such vault), ConfigError, BusyError (who holds it) or VersionError.
        """
        if not root.is_dir():
            raise NotFoundError(f"there is no folder {root}: name an existing vault with --vault")
        root = root.resolve()
        config = load_config(*read_config(root))
        with ExitStack() as undo:
            lease = acquire(home, root, owner, lock_wait, now)
            undo.callback(lease.release)
            index = index_folder(home, root, _open_store)
            store = _open_store(index)
            undo.callback(store.close)
            make = models or (lambda wanted: embedding or make_embedding(wanted, home.logs, home))
            cutters = max(1, min(2, os.cpu_count() or 1))
            cutting = ThreadPoolExecutor(cutters, "cutting")
            engine = cls(lease, Surroundings(root, store, home.logs, now, clock, cutting, cutters, home, index), config, cutting, make)
            undo.pop_all()
        return engine

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def lease(self) -> Lease:
        """The lock this engine holds, for publishing an address beside it."""
        return self._lease

    @property
    def config(self) -> Config:
        return self._passes.parts.config

    @property
    def root(self) -> Path:
        return self._around.root

    @property
    def generation(self) -> int:
        return self._store.generation

    def search(self, request: SearchRequest) -> SearchResponse:
        """Passages for a query, best first; `degraded` says what was missing."""
        self._freshen()
        return self._honest(self._passes.parts.searcher.search(request))

    def related(self, request: RelatedRequest) -> SearchResponse:
        """Passages of other notes that are near this one."""
        self._freshen()
        return self._honest(self._passes.parts.searcher.related(replace(request, path=self._known_path(request.path))))

    def read(self, path: str, start: int = 1, end: int | None = None) -> ReadResult:
        """Lines of a note with the whole file's hash."""
        parts = self._passes.parts
        found = lines_of(self._writing.read(path), start, end)
        return replace(found, tier=parts.rules.tier_of(found.path, found.source).value)

    def raw(self, path: str) -> NoteBytes:
        """A note's bytes as they are on disk, with their hash."""
        return self._writing.read(path)

    def explain(self, path: str) -> PathExplanation:
        """Why a path has its tier, project and chunks, or why it is not indexed."""
        self._passes.parts.vault.resolve(path)
        return explanation(self._store, self._passes.parts, path)

    def status(self) -> Status:
        watching = self._watcher.state if self._watcher else "off"
        passes = self._passes
        faults = (*passes.faults, *self._written.losses())
        return status(self._store, passes.parts, self._roles, self.state, self._lease.run.owner, watching, passes.progress, faults)

    @property
    def state(self) -> str:
        """vault-missing, indexing, embedding or ready."""
        if not self._passes.parts.vault.present():
            return "vault-missing"
        if self._passes.running or not self._passes.whole_done:
            return "indexing"
        return "embedding" if self._roles.pending() else "ready"

    @property
    def alive(self) -> bool:
        """Whether the background threads of `start_watching` run."""
        return self._loops is not None and self._loops.alive

    @property
    def looked(self) -> bool:
        """Whether the first pass after `start_watching` is over, well or not."""
        return self._loops is not None and self._loops.looked

    def checkup(self, request: CheckupRequest) -> Checkup:
        """Look at the index and the model as they are in this process; reads every page of the index."""
        parts = self._passes.parts
        repaired: tuple[str, ...] = ()
        health = index_health(self._store, parts)
        if request.repair and health.damage is None and (repaired := mend(self._store)):
            health = index_health(self._store, parts)
            self._inbox.rescan()
        goal = self._roles.goal
        seen = route(goal.service, goal.config, self._around.home) if request.probe else None
        return Checkup(os.getpid(), health, seen, repaired)

    def events(self, since: int, wait: float) -> Events:
        """Events numbered `since` or later, waiting up to `wait` seconds for one."""
        return self._events.since(since, wait)

    def write(self, path: str, content: bytes, expected_hash: str | None, create: bool) -> WriteResult:
        """Create a note, or replace the one whose hash was read; searchable when this returns."""
        return self._writing.write(path, content, expected_hash, create)

    def change(self, path: str, change: NoteChange, expected_hash: str | None) -> WriteResult:
        """Change texts inside a note, or append to it; searchable when this returns. A hash, where given, must be the note's.

        Raises what `write` raises, NotFoundError for a text or heading that is not there, AmbiguousError for one that is
        there another number of times than was said.
        """
        return self._writing.change(path, change, expected_hash)

    def index(self, request: IndexRequest, progress: Progress | None = None) -> IndexReport:
        """Make index and vault agree; with `wait` also compose and embed all that is pending."""
        progress = progress or silent
        started, before = self._clock(), self._passes.embedded
        if request.retry_failed:
            self._passes.retry_failed()
        tally = self._ordered() if self._loops else self._passes.whole(progress)
        if request.wait:
            self._passes.compose_all(progress)
            self._passes.embed_all(progress, None)
        return index_report(self._store, tally, self._passes.embedded - before, self._passes.faults, self._clock() - started)

    def catch_up(self, max_wait: float | None, progress: Progress | None = None) -> None:
        """Before a one-shot answer: index what changed, and embed for at most `max_wait` seconds (null: until done).

        A model that is brought in behind the one that answers is not waited for.
        """
        self._passes.whole(progress or silent)
        self._passes.compose_all(progress or silent)
        self._passes.embed_all(progress or silent, None if max_wait is None else self._clock() + max_wait, serving_only=True)

    def prune(self) -> PruneReport:
        """Remove the vectors of models that neither answer nor are brought in; going back to one of those embeds all anew."""
        report = self._store.vectors.prune()
        names = dict.fromkeys(identity.partition(" dimension=")[0] for identity in report.sets)
        return PruneReport(tuple(names), report.vectors, report.bytes)

    def start_watching(self, polling: bool = False) -> None:
        """Begin the daemon's life: watch, index in the background, embed after."""
        self._watcher = Watcher(self.root, self._watched_path, self._inbox, polling)
        self._watcher.start()
        self._loops = Loops(self, self._inbox, self._clock, time.time)
        self._inbox.rescan()
        self._loops.start()

    async def run(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """The one door from the event loop to threads, for calls that answer soon."""
        return await asyncio.get_running_loop().run_in_executor(self._requests, lambda: call(*args, **kwargs))

    async def linger(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """The same door for calls that wait for something to happen."""
        return await asyncio.get_running_loop().run_in_executor(self._waiting, lambda: call(*args, **kwargs))

    def release_waiters(self) -> None:
        """Let long polls go, so that a server can stop."""
        self._events.close()

    def close(self) -> None:
        """Stop watching, finish the work in hand, close children and index, give up the lock."""
        if self._closed:
            return
        self._closed = True
        self._events.close()
        if self._watcher:
            self._watcher.stop()
        if self._loops:
            self._loops.stop()
        for order in self._inbox.take(0).orders:
            order.answer.set_exception(BusyError("the daemon is stopping: ask again in a moment"))
        self._waiting.shutdown(wait=True)
        self._requests.shutdown(wait=True)
        self._cutting.shutdown(wait=True)
        self._passes.parts.cutter.close()
        self._roles.close()
        self._store.close()
        self._lease.release()

    def words(self, work: Work) -> None:
        """One pass over what changed, for the words loop; whoever ordered it gets its tally."""
        if work.rescan:
            self._passes.reload()
        tally = self._passes.whole() if work.rescan else self._passes.some(work.paths)
        for order in work.orders:
            order.answer.set_result(tally)

    def structure_step(self) -> bool:
        """Compose a few structure vectors, for the structure loop; False when nothing waits."""
        return self._passes.structure.step()

    def meaning_step(self) -> bool:
        """Embed a little, for the meaning loop; False when nothing waits."""
        return self._passes.embed_step()

    def idle(self) -> None:
        """Nothing to do: let the children go home, clean up once after changes, look for what was missing."""
        self._passes.look_for_model()
        parts = self._passes.parts
        self._roles.unload_if_idle()
        self._written.tidy()
        quiet = self._clock() - self._passes.last_pass
        if quiet > CUTTER_HOME_S:
            parts.cutter.go_home()
        self._store.structure.release(MATRIX_IDLE_S)
        if self._passes.dirty and quiet > CLEAN_UP_S and not self._roles.pending():
            self._store.clean_up(self._around.now().timestamp())
            self._passes.dirty = False
        if self._watcher and not self._watcher.alive and parts.vault.present():
            self._watcher.stop()
            self._watcher.start()
            self._inbox.rescan()

    def _vault(self) -> Vault:
        return self._passes.parts.vault

    def _index_written(self, path: str) -> None:
        try:
            self._passes.some([path])
        except HolovaultError as fault:
            # The write is on the disk: whoever made it must not be told that it failed.
            _log.warning("a written note is indexed later: %s", fault)
            self._inbox.changed(path)
        if self._loops:
            self._loops.wake()

    def _switched(self) -> None:
        self._events.add("model", self._store.generation)

    def _ordered(self) -> Tally:
        answer: Future[Tally] = Future()
        self._inbox.order(Order(answer))
        return answer.result()

    def _freshen(self) -> None:
        """Where events cannot be trusted, look at the disk before an answer, at most every ten seconds."""
        if self._watcher is None or self._watcher.state == "native" or self._clock() - self._passes.last_look < FRESH_S:
            return
        self._passes.last_look = self._clock()
        try:
            self._passes.whole()
        except HolovaultError as fault:
            _log.warning("the vault could not be checked before an answer: %s", fault)

    def _honest(self, response: SearchResponse) -> SearchResponse:
        behind = self._passes.behind
        return replace(response, degraded=(*behind, *response.degraded)) if behind else response

    def _known_path(self, path: str) -> str:
        self._passes.parts.vault.resolve(path)
        if self._store.notes.state(path) is None:
            raise NotFoundError(f"{path} is not in the index: {why_not(path, self._passes.parts)}. Name a note as search prints it.")
        return path

    def _watched_path(self, raw: str) -> str | None:
        vault = self._passes.parts.vault
        try:
            path = vault.note_path(raw)
        except UserError:
            return None
        return None if path != ".obsidian/app.json" and vault.excluded_by(path) else path
