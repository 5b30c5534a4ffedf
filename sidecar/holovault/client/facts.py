"""Facts over HTTP: what can be asked of them, and the same for callers with and without an event loop.

Owns the addresses below /v1/facts. Must not hold a connection: the way to the daemon is handed in.
"""

from collections.abc import Coroutine, Mapping
from typing import Any, Protocol, TypeVar
from urllib.parse import quote, urlencode

from holovault.model import (
    Contradictions,
    Corrected,
    Correction,
    CorrectRequest,
    FactActivity,
    FactHistory,
    FactList,
    FactQuery,
    FeedbackRequest,
    FeedbackResult,
    FoldReport,
    ForgetRequest,
    Forgotten,
    Rating,
    Remembered,
    RememberRequest,
)

T = TypeVar("T")

_FACTS = "/v1/facts"


class FactsFacade(Protocol):
    """What every way to a vault can do with its facts. Ids may be given with or without `^`."""

    def list(self, query: FactQuery, /) -> FactList: ...

    def history(self, name: str, /) -> FactHistory: ...

    def remember(self, request: RememberRequest, /) -> Remembered: ...

    def correct(self, request: CorrectRequest, /) -> Corrected: ...

    def forget(self, request: ForgetRequest, /) -> Forgotten: ...

    def feedback(self, request: FeedbackRequest, /) -> FeedbackResult: ...

    def contradictions(self, limit: int, /) -> Contradictions: ...

    def activity(self) -> FactActivity: ...

    def fold(self) -> FoldReport: ...


class Ask(Protocol):
    """One request with the daemon's answer as a value of the model; `value` is sent as JSON."""

    async def __call__(
        self, method: str, target: str, kind: type[T], /, value: object = None, headers: Mapping[str, str] | None = None
    ) -> T: ...


class AsyncFacts:
    """The daemon's facts."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def list(self, query: FactQuery) -> FactList:
        """Facts that meet `query`, in the order of the notes."""
        default = FactQuery()
        names = ("query", "category", "tag", "entity", "path", "min_trust", "limit", "offset")
        wanted = {name: getattr(query, name) for name in names if getattr(query, name) != getattr(default, name)}
        return await self._ask("GET", f"{_FACTS}?{urlencode(wanted)}" if wanted else _FACTS, FactList)

    async def history(self, name: str) -> FactHistory:
        """One fact with its votes."""
        return await self._ask("GET", _address(name), FactHistory)

    async def remember(self, request: RememberRequest) -> Remembered:
        """Writes a fact, unless it is known."""
        return await self._ask("POST", _FACTS, Remembered, request)

    async def correct(self, request: CorrectRequest) -> Corrected:
        """Replaces a fact's text. Raises StaleError with the current one."""
        body = Correction(request.text, request.keep_tags)
        return await self._ask("PUT", _address(request.id), Corrected, body, _if_match(request.expected))

    async def forget(self, request: ForgetRequest) -> Forgotten:
        """Removes a fact from its note. Raises StaleError with its current text."""
        return await self._ask("DELETE", _address(request.id), Forgotten, None, _if_match(request.expected))

    async def feedback(self, request: FeedbackRequest) -> FeedbackResult:
        """Appends a vote to this device's feedback note."""
        return await self._ask("POST", f"{_address(request.id)}/feedback", FeedbackResult, Rating(request.vote))

    async def contradictions(self, limit: int) -> Contradictions:
        """Pairs of facts that cannot both be so."""
        return await self._ask("GET", f"{_FACTS}/contradictions?limit={limit}", Contradictions)

    async def activity(self) -> FactActivity:
        """How many facts and votes each day brought."""
        return await self._ask("GET", f"{_FACTS}/activity", FactActivity)

    async def fold(self) -> FoldReport:
        """Writes all votes into the facts' lines."""
        return await self._ask("POST", f"{_FACTS}/fold", FoldReport)


class SyncFacts:
    """The same for callers without an event loop; `do` runs a request to its end."""

    def __init__(self, facts: AsyncFacts, do: "Do") -> None:
        self._facts = facts
        self._do = do

    def list(self, query: FactQuery) -> FactList:
        """Facts that meet `query`."""
        return self._do(self._facts.list(query))

    def history(self, name: str) -> FactHistory:
        """One fact with its votes."""
        return self._do(self._facts.history(name))

    def remember(self, request: RememberRequest) -> Remembered:
        """Writes a fact, unless it is known."""
        return self._do(self._facts.remember(request))

    def correct(self, request: CorrectRequest) -> Corrected:
        """Replaces a fact's text."""
        return self._do(self._facts.correct(request))

    def forget(self, request: ForgetRequest) -> Forgotten:
        """Removes a fact from its note."""
        return self._do(self._facts.forget(request))

    def feedback(self, request: FeedbackRequest) -> FeedbackResult:
        """Appends a vote to this device's feedback note."""
        return self._do(self._facts.feedback(request))

    def contradictions(self, limit: int) -> Contradictions:
        """Pairs of facts that cannot both be so."""
        return self._do(self._facts.contradictions(limit))

    def activity(self) -> FactActivity:
        """How many facts and votes each day brought."""
        return self._do(self._facts.activity())

    def fold(self) -> FoldReport:
        """Writes all votes into the facts' lines."""
        return self._do(self._facts.fold())


class Do(Protocol):
    """Runs one request to its end."""

    def __call__(self, work: Coroutine[Any, Any, T], /) -> T: ...


def _address(name: str) -> str:
    return f"{_FACTS}/{quote(name.strip(), safe='^', errors='surrogatepass')}"


def _if_match(expected: tuple[str, ...]) -> dict[str, str]:
    return {"If-Match": ", ".join(f'"{each}"' for each in expected) or "*"}
