"""What every way to a vault can do: the engine in this process and the daemon over HTTP alike.

Owns the list of questions, nothing else. Errors are UserErrors, the same ones on both ways.
"""

from collections.abc import Callable
from typing import Protocol

from holovault.client.entities import EntitiesFacade
from holovault.client.facts import FactsFacade
from holovault.model import (
    Checkup,
    CheckupRequest,
    Events,
    IndexProgress,
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

ProgressCallback = Callable[[IndexProgress], None]


def silent(_: IndexProgress) -> None:
    """Progress for nobody."""


class Facade(Protocol):
    """One vault. Paths are vault-relative, lines 1-based and inclusive; `end` null means to the last line."""

    @property
    def facts(self) -> FactsFacade: ...

    @property
    def entities(self) -> EntitiesFacade: ...

    def search(self, request: SearchRequest, /) -> SearchResponse: ...

    def related(self, request: RelatedRequest, /) -> SearchResponse: ...

    def read(self, path: str, start: int = 1, end: int | None = None, /) -> ReadResult: ...

    def write(self, path: str, content: bytes, expected_hash: str | None, create: bool, /) -> WriteResult: ...

    def change(self, path: str, change: NoteChange, expected_hash: str | None, /) -> WriteResult: ...

    def index(self, request: IndexRequest, progress: ProgressCallback = silent, /) -> IndexReport: ...

    def status(self) -> Status: ...

    def prune(self) -> PruneReport: ...

    def explain(self, path: str, /) -> PathExplanation: ...

    def checkup(self, request: CheckupRequest, /) -> Checkup: ...

    def events(self, since: int, wait: float, /) -> Events: ...

    def close(self) -> None: ...
