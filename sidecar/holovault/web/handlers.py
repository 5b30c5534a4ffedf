"""One handler per route: parse, call the engine, serialise. Must not decide anything about notes or ranking."""

import asyncio
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from aiohttp import hdrs, web

from holovault.errors import UsageError
from holovault.model import (
    CheckupRequest,
    Health,
    IndexProgress,
    IndexRequest,
    NoteChange,
    PageAddress,
    RelatedRequest,
    SearchRequest,
    SearchResponse,
    Status,
)
from holovault.ownership import prove
from holovault.web.bodies import from_query, number, read_body, read_json
from holovault.web.guard import caller
from holovault.web.keys import ACTIVITY, ENGINE, REMOTES, SETTINGS, STOP
from holovault.web.page import CODE_S, PAGE
from holovault.web.preconditions import etag, intent, unchanged, version

T = TypeVar("T")

MARKDOWN = "text/markdown"
MAX_LIMIT = 200
MAX_NONCE = 256
MAX_LINE = 1e9
_HEALTH_WAIT = 2.0


@dataclass(frozen=True, slots=True)
class Stop:
    """A request to leave; `again`: a service that runs the daemon is to start it anew."""

    again: bool = False


@dataclass(frozen=True, slots=True)
class Stopping:
    """The answer to a stop: the daemon leaves once the requests in flight are answered."""

    stopping: bool = True


def json_response(value: object, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A value of the model as JSON."""
    return web.Response(status=status, body=msgspec.json.encode(value), content_type="application/json", headers=headers)


async def health(request: web.Request) -> web.Response:
    """The handshake. Without the token it shows the vault's folder name only, so other users learn no path."""
    settings, nonce = request.app[SETTINGS], request.query.get("nonce", "")
    if len(nonce) > MAX_NONCE:
        raise UsageError(f"nonce may have {MAX_NONCE} characters at most.")
    generation, state = await _pulse(request)
    trusted = caller(request) is not None
    return json_response(
        Health(
            api="v1",
            protocol=settings.protocol,
            version=settings.version,
            vault=settings.vault if trusted else settings.vault.replace("\\", "/").rstrip("/").rpartition("/")[2],
            boot_id=settings.boot_id,
            generation=generation,
            state=state,
            pid=settings.pid,
            proof=prove(settings.token, nonce) if nonce else "",
            # Which token this client has is not known yet, so it looks for its own among them.
            proofs=tuple(prove(secret, nonce) for secret in request.app[REMOTES].secrets()) if nonce else (),
        )
    )


async def status(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return json_response(await engine.run(engine.status))


async def search_by_query(request: web.Request) -> web.Response:
    return await _search(request, from_query(request, SearchRequest, {"q": "query"}))


async def search_by_body(request: web.Request) -> web.Response:
    return await _search(request, await read_json(request, SearchRequest))


async def related_by_query(request: web.Request) -> web.Response:
    return await _related(request, from_query(request, RelatedRequest))


async def related_by_body(request: web.Request) -> web.Response:
    return await _related(request, await read_json(request, RelatedRequest))


async def read_note(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    start, end = number(request, "start", int, 1, MAX_LINE) or 1, number(request, "end", int, 1, MAX_LINE)
    found = await engine.run(engine.read, request.match_info["path"], start, end)
    headers: dict[str, str] = {hdrs.ETAG: etag(found.hash)}
    if unchanged(request.headers.get(hdrs.IF_NONE_MATCH), found.hash):
        return web.Response(status=304, headers=headers)
    if MARKDOWN not in request.headers.get(hdrs.ACCEPT, ""):
        return json_response(found, headers=headers)
    if "start" in request.query or "end" in request.query:
        return web.Response(body=found.text.encode("utf-8"), content_type=MARKDOWN, charset="utf-8", headers=headers)
    whole = await engine.run(engine.raw, request.match_info["path"])
    return web.Response(body=whole.data, content_type=MARKDOWN, headers={hdrs.ETAG: etag(whole.state.hash)})


async def write_note(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    wanted = intent(request.headers.get(hdrs.IF_MATCH), request.headers.get(hdrs.IF_NONE_MATCH))
    content = await read_body(request)
    written = await engine.run(engine.write, request.match_info["path"], content, wanted.expected_hash, wanted.create)
    return json_response(written, status=201 if written.created else 200, headers={hdrs.ETAG: etag(written.hash)})


async def change_note(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    held = version(request.headers.get(hdrs.IF_MATCH), request.headers.get(hdrs.IF_NONE_MATCH))
    change = await read_json(request, NoteChange)
    written = await engine.run(engine.change, request.match_info["path"], change, held)
    return json_response(written, headers={hdrs.ETAG: etag(written.hash)})


async def index(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    wanted = await read_json(request, IndexRequest) if request.can_read_body else IndexRequest()
    return json_response(await engine.linger(engine.index, wanted))


async def index_progress(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return json_response(progress_of(await engine.linger(engine.status)))


async def prune(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return json_response(await engine.linger(engine.prune))


async def events(request: web.Request) -> web.Response:
    """The long poll: answers at the first change, after `wait` seconds, or when the daemon leaves."""
    engine, settings, activity = request.app[ENGINE], request.app[SETTINGS], request.app[ACTIVITY]
    since = number(request, "since", int, 0, 1e18) or 0
    wait = min(number(request, "wait", float, 0, 3600) or 0.0, settings.poll_limit)
    if activity.polls >= settings.pollers or request.app[STOP].is_set():
        wait = 0.0
    activity.polls += 1
    try:
        return json_response(await engine.linger(engine.events, since, wait))
    finally:
        activity.polls -= 1


async def explain(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return json_response(await engine.run(engine.explain, request.match_info["path"]))


async def checkup(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    wanted = await read_json(request, CheckupRequest) if request.can_read_body else CheckupRequest()
    return json_response(await engine.linger(engine.checkup, wanted))


async def open_page(request: web.Request) -> web.Response:
    """A code for one browser; whoever has the token may hand it on."""
    return json_response(PageAddress(f"/open?code={request.app[PAGE].visits.code()}", CODE_S))


async def stop(request: web.Request) -> web.Response:
    request.app[ACTIVITY].again = from_query(request, Stop).again
    request.app[STOP].set()
    return json_response(Stopping(), status=202)


def progress_of(found: Status) -> IndexProgress:
    """How far the index is, from the status: notes while words are read, windows while meaning is computed."""
    if found.state == "indexing":
        return IndexProgress("words", found.done, found.total)
    if found.pending:
        return IndexProgress("meaning", max(0, found.windows - found.pending), found.windows)
    if found.filling and found.filling.pending:
        return IndexProgress("meaning", found.filling.embedded, found.filling.embedded + found.filling.pending)
    return IndexProgress("idle", found.files, found.files)


async def _search(request: web.Request, wanted: SearchRequest) -> web.Response:
    engine = request.app[ENGINE]
    _check_limit(wanted.limit)
    door = engine.linger if wanted.max_wait is None else engine.run
    found: SearchResponse = await door(engine.search, wanted)
    return json_response(found)


async def _related(request: web.Request, wanted: RelatedRequest) -> web.Response:
    engine = request.app[ENGINE]
    _check_limit(wanted.limit)
    door = engine.linger if wanted.max_wait is None else engine.run
    found: SearchResponse = await door(engine.related, wanted)
    return json_response(found)


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= MAX_LIMIT:
        raise UsageError(f"limit must be between 1 and {MAX_LIMIT}, not {limit}.")


async def _pulse(request: web.Request) -> tuple[int, str]:
    # Waits in the other pool and not for long: a busy daemon is alive, and must say so.
    engine = request.app[ENGINE]
    try:
        async with asyncio.timeout(_HEALTH_WAIT):
            return await engine.linger(lambda: (engine.generation, engine.state))
    except TimeoutError:
        return 0, "indexing"
