"""A real embeddings service in a thread of its own, which misbehaves when it is told to.

Owns a port, the requests that came, and a script: each request takes the next behaviour from it, and an honest one when it is empty.
A behaviour that hangs does so until the server stops. Vectors depend on the text alone.
"""

import asyncio
import base64
import json
import ssl
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from aiohttp import web

from tests.support.fake_model import vector

DIMENSION = 8
Behaviour = Callable[["Visit"], Awaitable[web.StreamResponse]]
Spoil = Callable[[list[dict[str, Any]]], Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came."""

    path: str
    authorization: str | None
    texts: tuple[str, ...]
    body: dict[str, Any]
    size: int


@dataclass(frozen=True, slots=True)
class Visit:
    """What a behaviour has to work with."""

    request: web.Request
    asked: Asked
    server: "Server"

    def rows(self) -> list[dict[str, Any]]:
        """What an honest service would give."""
        dimension = self.asked.body.get("dimensions") or self.server.dimension
        rows = [vector(text, dimension) for text in self.asked.texts]
        return [{"object": "embedding", "index": number, "embedding": self._written(row)} for number, row in enumerate(rows)]

    def honest(self) -> bytes:
        """Its body."""
        return answer(self.rows())

    def _written(self, row: Any) -> str | list[float]:
        if self.asked.body.get("encoding_format") == "base64":
            return base64.b64encode(np.asarray(row, dtype="<f4").tobytes()).decode("ascii")
        return [float(number) for number in row]


@dataclass
class Server:
    """`script` is taken from the left; `asked` grows; `judge` may refuse a request by its texts before the script is looked at."""

    port: int = 0
    dimension: int = DIMENSION
    script: deque[Behaviour] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)
    always: Behaviour | None = None
    judge: Callable[[Asked], Behaviour | None] = lambda asked: None
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    tls: ssl.SSLContext | None = None

    @property
    def base_url(self) -> str:
        """What a person writes into knowledge.toml."""
        return f"http{'s' if self.tls else ''}://127.0.0.1:{self.port}/v1"

    def open_gate(self) -> None:
        """Lets those go on who wait at it; for any thread."""
        self.loop.call_soon_threadsafe(self.gate.set)

    def texts(self) -> list[tuple[str, ...]]:
        """The texts of each request, in order, without the one that every load is tried with."""
        return [asked.texts for asked in self.asked if "lighthouse" not in asked.texts[0]]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        raw = await request.read()
        body = json.loads(raw)
        asked = Asked(request.path, request.headers.get("Authorization"), tuple(body["input"]), body, len(raw))
        self.asked.append(asked)
        first = self.judge(asked) or (self.script.popleft() if self.script else self.always or honest)
        return await first(Visit(request, asked, self))


@contextmanager
def openai_server(*script: Behaviour, **options: Any) -> Iterator[Server]:
    """A server on a free loopback port until the block ends."""
    ready: threading.Event = threading.Event()
    made: list[Server] = []

    async def run() -> None:
        server = Server(script=deque(script), **options)
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post("/{path:.*}", server.handle)
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.5)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=server.tls)
        await site.start()
        server.port = runner.addresses[0][1]
        made.append(server)
        ready.set()
        await server.stopping.wait()
        server.gate.set()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="openai server")
    thread.start()
    assert ready.wait(10)
    server = made[0]
    try:
        yield server
    finally:
        server.loop.call_soon_threadsafe(server.stopping.set)
        thread.join(10)
        assert not thread.is_alive()


def answer(rows: Any) -> bytes:
    """The body around rows."""
    return json.dumps({"object": "list", "data": rows, "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}).encode("utf-8")


async def honest(visit: Visit) -> web.StreamResponse:
    """What the documentation says."""
    return web.Response(body=visit.honest(), content_type="application/json")


def status(code: int, headers: Mapping[str, str] | None = None, body: bytes = b"{}", kind: str = "application/json") -> Behaviour:
    """This status and nothing of use."""

    async def behave(visit: Visit) -> web.StreamResponse:
        return web.Response(status=code, headers=headers, body=body, content_type=kind)

    return behave


def spoilt(spoil: Spoil) -> Behaviour:
    """Status 200 with rows that were tampered with."""

    async def behave(visit: Visit) -> web.StreamResponse:
        return web.Response(body=answer(spoil(visit.rows())), content_type="application/json")

    return behave


def says(body: bytes, kind: str = "application/json") -> Behaviour:
    """Status 200 and this body."""
    return status(200, body=body, kind=kind)


def with_numbers(numbers: Sequence[float]) -> Behaviour:
    """Every vector is this one, as plain floats."""
    return spoilt(lambda rows: [{**row, "embedding": list(numbers)} for row in rows])


async def cut_in_half(visit: Visit) -> web.StreamResponse:
    """Announces all bytes, sends half of them and closes."""
    body = visit.honest()
    response = await _begun(visit, len(body))
    await response.write(body[: len(body) // 2])
    return _hung_up(visit, response)


async def chunked_and_cut(visit: Visit) -> web.StreamResponse:
    """Announces nothing, sends half of it in chunks and closes without the last one."""
    response = await _begun(visit, None)
    await response.write(visit.honest()[:60])
    return _hung_up(visit, response)


async def stalls(visit: Visit) -> web.StreamResponse:
    """Sends half of the body, then nothing."""
    body = visit.honest()
    response = await _begun(visit, len(body))
    await response.write(body[: len(body) // 2])
    await visit.server.stopping.wait()
    return response


async def silent(visit: Visit) -> web.StreamResponse:
    """Takes the request and never answers."""
    await visit.server.stopping.wait()
    return web.Response(status=500)


async def hangs_up(visit: Visit) -> web.StreamResponse:
    """Closes without a byte."""
    return _hung_up(visit, web.Response())


async def babbles(visit: Visit) -> web.StreamResponse:
    """Sends something that is no HTTP."""
    assert visit.request.transport is not None
    visit.request.transport.write(b"\x00\x01 no http at all \xff\r\n\r\n")
    return _hung_up(visit, web.Response())


async def floods(visit: Visit) -> web.StreamResponse:
    """Sends spaces until the other side has had enough."""
    response = await _begun(visit, None)
    try:
        while not visit.server.stopping.is_set():
            await response.write(b" " * 65_536)
    except ConnectionError:
        pass
    return response


def at_the_gate(then: Behaviour = honest) -> Behaviour:
    """Behaves like `then` when the test opens the gate."""

    async def behave(visit: Visit) -> web.StreamResponse:
        await visit.server.gate.wait()
        return await then(visit)

    return behave


async def _begun(visit: Visit, length: int | None) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    if length is None:
        response.enable_chunked_encoding()
    else:
        response.content_length = length
    await response.prepare(visit.request)
    return response


def _hung_up(visit: Visit, response: web.StreamResponse) -> web.StreamResponse:
    if visit.request.transport is not None:
        visit.request.transport.close()
    return response
