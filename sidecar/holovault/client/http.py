"""The engine's facade over HTTP, for asynchronous callers.

Owns one daemon's address, the proof that it is ours, and the time limit of every request. The token is
sent only to a port that has just answered a nonce with it. aiohttp is imported on the first request.
Must not start or choose a daemon: that is `connecting`'s part.
"""

import asyncio
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar
from urllib.parse import quote

import msgspec

from holovault.client.entities import AsyncEntities
from holovault.client.facade import ProgressCallback, silent
from holovault.client.facts import AsyncFacts
from holovault.client.problems import error_from
from holovault.errors import IndexUnreadableError, UserError
from holovault.model import (
    Checkup,
    CheckupRequest,
    Events,
    Health,
    IndexProgress,
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
from holovault.ownership import RunFile, proven

if TYPE_CHECKING:
    import aiohttp

T = TypeVar("T")

_PROOF_AGE = 2.0
_HASH = re.compile(r"[0-9a-fA-F]{64}")
_POLL = 0.25
_LOST_POLLS = 3


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: to connect, for the handshake, for an ordinary request, and for one that waits for a cold model."""

    connect: float = 3.0
    health: float = 5.0
    request: float = 60.0
    model: float = 900.0


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    body: bytes


class AsyncClient:
    """The daemon that `run` describes. Use as `async with`, or call `close`."""

    def __init__(self, run: RunFile, timeouts: Timeouts | None = None) -> None:
        self.run = run
        self._timeouts = timeouts or Timeouts()
        self._session: aiohttp.ClientSession | None = None
        self._proven_at = float("-inf")
        self.facts = AsyncFacts(self._request)
        self.entities = AsyncEntities(self._request)

    @property
    def address(self) -> str:
        """Where the daemon listens, as a URL without a path."""
        return f"http://127.0.0.1:{self.run.port}"

    async def health(self) -> Health:
        """The handshake. Raises IndexUnreadableError unless the port proves that it holds this start's token."""
        nonce = secrets.token_hex(16)
        reply = await self._send("GET", f"/v1/health?nonce={nonce}", self._timeouts.health, headers={})
        health = self._decoded(reply, Health)
        if health.boot_id != self.run.boot_id or not proven(self.run.token, nonce, health.proof):
            raise IndexUnreadableError(
                f"{self.address} belongs to another program than the daemon of {self.run.vault} (pid {self.run.pid}). "
                "Nothing was sent to it. Start the daemon anew with: holovault up"
            )
        self._proven_at = time.monotonic()
        return health

    async def search(self, request: SearchRequest) -> SearchResponse:
        """The engine's search; a null `max_wait` waits up to the model time limit."""
        return await self._post("/v1/search", request, SearchResponse, self._waiting(request.max_wait))

    async def related(self, request: RelatedRequest) -> SearchResponse:
        """Passages near a note."""
        return await self._post("/v1/related", request, SearchResponse, self._waiting(request.max_wait))

    async def read(self, path: str, start: int = 1, end: int | None = None) -> ReadResult:
        """Lines `start` to `end` of a note, to its last line where `end` is null."""
        last = "" if end is None else f"&end={end}"
        return await self._get(f"/v1/notes/{_quoted(path)}?start={start}{last}", ReadResult)

    async def write(self, path: str, content: bytes, expected_hash: str | None, create: bool) -> WriteResult:
        """Replaces the note that still has `expected_hash`, or creates it. Raises StaleError with the current hash."""
        headers = {"If-None-Match": "*"} if create else {"If-Match": _tag(expected_hash)}
        reply = await self._ask("PUT", f"/v1/notes/{_quoted(path)}", self._timeouts.request, body=content, headers=headers)
        return self._decoded(reply, WriteResult)

    async def change(self, path: str, change: NoteChange, expected_hash: str | None) -> WriteResult:
        """Replaces texts inside a note, or appends to it; with a hash only the version that has it."""
        headers = {"Content-Type": "application/json"} | ({} if expected_hash is None else {"If-Match": _tag(expected_hash)})
        body = msgspec.json.encode(change)
        reply = await self._ask("PATCH", f"/v1/notes/{_quoted(path)}", self._timeouts.request, body=body, headers=headers)
        return self._decoded(reply, WriteResult)

    async def index(self, request: IndexRequest, progress: ProgressCallback = silent) -> IndexReport:
        """Brings the index up to date; lasts as long as it takes while the daemon keeps answering in between."""
        work = asyncio.ensure_future(self._post("/v1/index", request, IndexReport, None))
        try:
            await self._watch(work, progress)
            return await work
        finally:
            work.cancel()

    async def index_progress(self) -> IndexProgress:
        """How far the daemon is just now."""
        return await self._get("/v1/index", IndexProgress, self._timeouts.health)

    async def status(self) -> Status:
        """What the daemon holds, does and could not do."""
        return await self._get("/v1/status", Status)

    async def prune(self) -> PruneReport:
        """Removes the vectors of models that neither answer nor are brought in; lasts as long as the vault has many of them."""
        return self._decoded(await self._ask("POST", "/v1/models/prune", self._timeouts.model), PruneReport)

    async def explain(self, path: str) -> PathExplanation:
        """Why a path is treated as it is."""
        return await self._get(f"/v1/explain/{_quoted(path)}", PathExplanation)

    async def checkup(self, request: CheckupRequest) -> Checkup:
        """What the daemon finds in itself; it reads its whole index and may have to load its model."""
        return await self._post("/v1/doctor", request, Checkup, self._timeouts.model)

    async def events(self, since: int, wait: float) -> Events:
        """Changes numbered `since` or later; waits at most `wait` seconds for the first one."""
        return await self._get(f"/v1/events?since={since}&wait={wait:g}", Events, wait + self._timeouts.request)

    async def open_page(self) -> PageAddress:
        """A one-time address, below `address`, at which a browser enters the daemon's page."""
        return self._decoded(await self._ask("POST", "/v1/page", self._timeouts.request), PageAddress)

    async def stop(self, *, again: bool = False) -> None:
        """Asks the daemon to finish what it is doing and leave; `again`: a service that runs it is to start the version installed now."""
        await self._ask("POST", "/v1/stop?again=true" if again else "/v1/stop", self._timeouts.request)

    async def close(self) -> None:
        """Closes the connections; the daemon stays."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def _watch(self, work: "asyncio.Future[IndexReport]", progress: ProgressCallback) -> None:
        lost = 0
        while not (await asyncio.wait({work}, timeout=_POLL))[0]:
            try:
                state = await self.index_progress()
            except UserError:
                lost += 1
                if lost >= _LOST_POLLS:
                    raise
                continue
            lost = 0
            progress(state)

    def _waiting(self, max_wait: float | None) -> float:
        return self._timeouts.model if max_wait is None else max_wait + self._timeouts.request

    async def _get(self, target: str, kind: type[T], timeout: float | None = None) -> T:
        return self._decoded(await self._ask("GET", target, timeout or self._timeouts.request), kind)

    async def _post(self, target: str, value: object, kind: type[T], timeout: float | None) -> T:
        body = msgspec.json.encode(value)
        return self._decoded(await self._ask("POST", target, timeout, body=body, headers={"Content-Type": "application/json"}), kind)

    async def _request(
        self, method: str, target: str, kind: type[T], /, value: object = None, headers: Mapping[str, str] | None = None
    ) -> T:
        body = None if value is None else msgspec.json.encode(value)
        sent = {**({} if body is None else {"Content-Type": "application/json"}), **(headers or {})}
        return self._decoded(await self._ask(method, target, self._timeouts.request, body=body, headers=sent), kind)

    async def _ask(
        self, method: str, target: str, timeout: float | None, *, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> _Reply:
        if time.monotonic() - self._proven_at > _PROOF_AGE:
            await self.health()
        reply = await self._send(method, target, timeout, body, {**(headers or {}), "Authorization": f"Bearer {self.run.token}"})
        self._proven_at = time.monotonic()
        return reply

    async def _send(
        self, method: str, target: str, timeout: float | None, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> _Reply:
        import aiohttp
        from yarl import URL

        limit = aiohttp.ClientTimeout(total=timeout, sock_connect=self._timeouts.connect)
        url = URL(self.address + target, encoded=True)
        try:
            async with self._opened().request(method, url, data=body, headers=headers, timeout=limit, allow_redirects=False) as response:
                return _Reply(response.status, await response.read())
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            self._proven_at = float("-inf")
            raise self._silent(error) from error

    def _opened(self) -> "aiohttp.ClientSession":
        import aiohttp

        if self._session is None:
            # No proxy of the environment may see a request to this machine.
            self._session = aiohttp.ClientSession(trust_env=False, cookie_jar=aiohttp.DummyCookieJar())
        return self._session

    def _decoded(self, reply: _Reply, kind: type[T]) -> T:
        if reply.status >= 400:
            raise error_from(reply.status, reply.body)
        try:
            return msgspec.json.decode(reply.body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise IndexUnreadableError(
                f"{self.address} answered something else than a {kind.__name__}: {error}. Start the daemon anew with: holovault up"
            ) from error

    def _silent(self, error: Exception) -> IndexUnreadableError:
        reason = str(error) or ("no answer in time" if isinstance(error, TimeoutError) else type(error).__name__)
        return IndexUnreadableError(
            f"The daemon of {self.run.vault} (pid {self.run.pid}) does not answer at {self.address}: {reason}. "
            "Try again, or start it anew with: holovault up"
        )


def _tag(expected_hash: str | None) -> str:
    """A hash as an entity tag. What is no hash fits no note, here as in the engine, and never reaches a header as it is."""
    given = (expected_hash or "").strip()
    return f'"{given if expected_hash is None or _HASH.fullmatch(given) else "0" * 64}"'


def _quoted(path: str) -> str:
    return quote(path, safe="/", errors="surrogatepass")
