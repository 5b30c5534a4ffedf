"""The same facade for callers without an event loop: the command line, scripts.

Owns one private event loop. Must not be used from inside a running loop: there, take AsyncClient.
"""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from holovault.client import connecting
from holovault.client.connecting import Patience
from holovault.client.entities import SyncEntities
from holovault.client.facade import ProgressCallback, silent
from holovault.client.facts import SyncFacts
from holovault.client.http import AsyncClient, Timeouts
from holovault.config import Home
from holovault.model import (
    Checkup,
    CheckupRequest,
    Events,
    Health,
    IndexReport,
    IndexRequest,
    NoteChange,
    PageAddress,
    PathExplanation,
    PruneReport,
    ReadResult,
    RelatedRequest,
    SearchRequest,
    SearchResponse,
    Status,
    WriteResult,
)
from holovault.ownership import RunFile

T = TypeVar("T")


class Client:
    """A daemon, asked synchronously; every method blocks and is bounded in time. Use as `with`, or call `close`."""

    def __init__(self, client: AsyncClient, runner: asyncio.Runner) -> None:
        self._client = client
        self._runner = runner
        self.facts = SyncFacts(client.facts, self._do)
        self.entities = SyncEntities(client.entities, self._do)

    @classmethod
    def of(cls, run: RunFile, timeouts: Timeouts | None = None) -> Self:
        """A client of the daemon that `run` describes."""
        return cls(AsyncClient(run, timeouts), asyncio.Runner())

    @classmethod
    def connect_or_none(cls, home: Home, root: Path, *, timeouts: Timeouts | None = None, patience: Patience | None = None) -> Self | None:
        """A client of the running daemon of the vault at `root`, or None."""
        runner = asyncio.Runner()
        try:
            client = runner.run(connecting.connect_or_none(home, root, timeouts=timeouts, patience=patience))
        except BaseException:
            runner.close()
            raise
        if client is None:
            runner.close()
            return None
        return cls(client, runner)

    @classmethod
    def start_daemon(cls, home: Home, root: Path, *, timeouts: Timeouts | None = None, patience: Patience | None = None) -> Self:
        """A client of the daemon of the vault at `root`, started now unless it already runs."""
        runner = asyncio.Runner()
        try:
            return cls(runner.run(connecting.start_daemon(home, root, timeouts=timeouts, patience=patience)), runner)
        except BaseException:
            runner.close()
            raise

    @property
    def daemon(self) -> RunFile:
        """What the daemon says about itself."""
        return self._client.run

    @property
    def address(self) -> str:
        """Where the daemon listens, as a URL without a path."""
        return self._client.address

    def health(self) -> Health:
        """The handshake, proven."""
        return self._do(self._client.health())

    def search(self, request: SearchRequest) -> SearchResponse:
        """The engine's search."""
        return self._do(self._client.search(request))

    def related(self, request: RelatedRequest) -> SearchResponse:
        """Passages near a note."""
        return self._do(self._client.related(request))

    def read(self, path: str, start: int = 1, end: int | None = None) -> ReadResult:
        """Lines of a note."""
        return self._do(self._client.read(path, start, end))

    def write(self, path: str, content: bytes, expected_hash: str | None, create: bool) -> WriteResult:
        """Replaces or creates a note."""
        return self._do(self._client.write(path, content, expected_hash, create))

    def change(self, path: str, change: NoteChange, expected_hash: str | None) -> WriteResult:
        """Replaces texts inside a note, or appends to it."""
        return self._do(self._client.change(path, change, expected_hash))

    def index(self, request: IndexRequest, progress: ProgressCallback = silent) -> IndexReport:
        """Brings the index up to date; `progress` is called from this thread."""
        return self._do(self._client.index(request, progress))

    def status(self) -> Status:
        """What the daemon holds, does and could not do."""
        return self._do(self._client.status())

    def prune(self) -> PruneReport:
        """Removes the vectors of models that neither answer nor are brought in."""
        return self._do(self._client.prune())

    def explain(self, path: str) -> PathExplanation:
        """Why a path is treated as it is."""
        return self._do(self._client.explain(path))

    def checkup(self, request: CheckupRequest) -> Checkup:
        """What the daemon finds in itself."""
        return self._do(self._client.checkup(request))

    def events(self, since: int, wait: float) -> Events:
        """Changes numbered `since` or later."""
        return self._do(self._client.events(since, wait))

    def open_page(self) -> PageAddress:
        """A one-time address at which a browser enters the daemon's page."""
        return self._do(self._client.open_page())

    def stop(self) -> None:
        """Asks the daemon to leave."""
        self._do(self._client.stop())

    def close(self) -> None:
        """Closes the connections; the daemon stays. Doing so twice is fine."""
        try:
            self._do(self._client.close())
        finally:
            self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)


def stop_daemon(home: Home, root: Path, *, timeouts: Timeouts | None = None, patience: Patience | None = None) -> RunFile | None:
    """Stops the daemon of the vault at `root` and waits until it is gone; None where none ran."""
    return asyncio.run(connecting.stop_daemon(home, root, timeouts=timeouts, patience=patience))
