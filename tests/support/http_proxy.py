"""A real HTTP proxy, small and with a memory.

Owns a port and a list of what went through it. It sends every plain http request to one upstream, whatever host it names, so that a
test needs no name that resolves; it refuses CONNECT with a status of the test's choice, or opens the tunnel, to that upstream too.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Passed:
    """One request line and the headers that a proxy is interested in."""

    method: str
    target: str
    authorization: str | None


@dataclass
class Proxy:
    """`upstream` is a port of this machine; `refusal` answers CONNECT, None lets it through."""

    upstream: int
    refusal: str | None = "403 Forbidden"
    port: int = 0
    passed: list[Passed] = field(default_factory=list)
    serving: set["asyncio.Task[None]"] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, one request."""
        task = asyncio.current_task()
        assert task is not None
        self.serving.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await self._pass_on(reader, writer)
            await _closed(writer)
        finally:
            self.serving.discard(task)

    async def end(self) -> None:
        """Ends what is still open."""
        tasks = tuple(self.serving)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        self.passed.append(Passed(method, target, headers.get("proxy-authorization")))
        if method == "CONNECT" and self.refusal is None:
            await self._tunnel(reader, writer)
            return
        if method == "CONNECT":
            writer.write(f"HTTP/1.1 {self.refusal}\r\nContent-Length: 0\r\n\r\n".encode("ascii"))
            await writer.drain()
            return
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        there, back = await asyncio.open_connection("127.0.0.1", self.upstream)
        path = "/" + target.split("/", 3)[3]
        kept = "".join(f"{line}\r\n" for line in lines if line and not line.lower().startswith(("proxy-", "connection:")))
        back.write(f"{method} {path} HTTP/1.1\r\n{kept}Connection: close\r\n\r\n".encode("latin-1") + body)
        writer.write(await there.read())
        await writer.drain()
        await _closed(back)

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Bytes in both directions, unread, until either side ends."""
        there, back = await asyncio.open_connection("127.0.0.1", self.upstream)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        ways = [asyncio.create_task(_pump(reader, back)), asyncio.create_task(_pump(there, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            await _closed(back)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await source.read(65_536):
            target.write(piece)
            await target.drain()


@contextmanager
def http_proxy(upstream: int, refusal: str | None = "403 Forbidden") -> Iterator[Proxy]:
    """A proxy on a free loopback port until the block ends."""
    proxy = Proxy(upstream, refusal)
    ready = threading.Event()
    stop: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def run() -> None:
        server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        over = asyncio.Event()
        stop.append((asyncio.get_running_loop(), over))
        ready.set()
        async with server:
            await over.wait()
        await proxy.end()

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="http proxy")
    thread.start()
    assert ready.wait(10)
    try:
        yield proxy
    finally:
        loop, over = stop[0]
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        assert not thread.is_alive()
