"""The life of a served engine: listen, publish, answer, and leave in order.

Owns the socket, the signals and the idle clock. Must not open the engine or close it before the last
answer is sent.
"""

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from types import FrameType
from typing import Any

from aiohttp import web

from holovault.web.access import AccessLog
from holovault.web.app import make_app
from holovault.web.keys import ACTIVITY, STOP
from holovault.web.settings import Served, ServerSettings

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
MAX_HEADER = 8190
_BUSY_STATES = frozenset({"indexing", "embedding"})


def listen(port: int) -> socket.socket:
    """A loopback socket that nobody else on this machine can share; `port` 0 takes a free one. Raises OSError."""
    return socket.create_server((HOST, port))


@contextlib.asynccontextmanager
async def serving(engine: Served, settings: ServerSettings, door: socket.socket) -> AsyncIterator[web.Application]:
    """Answers on `door` inside the block; after it, requests in flight are finished and the door is closed."""
    app = make_app(engine, settings)
    runner = web.AppRunner(
        app,
        handle_signals=False,
        access_log_class=AccessLog,
        shutdown_timeout=settings.shutdown_timeout,
        keepalive_timeout=settings.keepalive_timeout,
        lingering_time=settings.lingering_time,
        max_line_size=MAX_HEADER,
        max_field_size=MAX_HEADER,
    )
    await runner.setup()
    try:
        await web.SockSite(runner, door).start()
        app[ACTIVITY].last = asyncio.get_running_loop().time()
        yield app
    finally:
        app[STOP].set()
        engine.release_waiters()
        await runner.cleanup()


async def run(
    engine: Served,
    settings: ServerSettings,
    door: socket.socket,
    published: Callable[[], None],
    beside: Callable[[], Coroutine[Any, Any, None]] | None = None,
) -> bool:
    """Serves until somebody asks to stop, a signal comes or nobody has asked for `idle_exit` seconds.

    `published` is called once the port answers. `beside` runs from then on and is cancelled as soon as the end begins.
    Returns whether whoever asked it to stop wants it started again.
    """
    async with serving(engine, settings, door) as app:
        stop = app[STOP]
        with _signals(stop):
            published()
            log.info("listening on %s:%d", HOST, settings.port)
            await _until_stopped(app, [_idle(engine, settings, app), *([beside()] if beside else [])])
        log.info("leaving")
        return app[ACTIVITY].again


async def _until_stopped(app: web.Application, company: list[Coroutine[Any, Any, None]]) -> None:
    tasks = [asyncio.create_task(work) for work in company]
    try:
        await app[STOP].wait()
    finally:
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                log.error("what ran beside the server failed", exc_info=outcome)


async def _idle(engine: Served, settings: ServerSettings, app: web.Application) -> None:
    if settings.idle_exit is None:
        return
    activity, loop = app[ACTIVITY], asyncio.get_running_loop()
    while True:
        left = activity.last + settings.idle_exit - loop.time()
        if left <= 0 and not activity.running:
            if await engine.linger(lambda: engine.state) not in _BUSY_STATES:
                log.info("nobody has asked for %g s", settings.idle_exit)
                app[STOP].set()
                return
            left = settings.idle_exit
        await asyncio.sleep(max(left, 0.05))


@contextlib.contextmanager
def _signals(stop: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    if sys.platform != "win32":
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        try:
            yield
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)
        return

    def leave(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop.set)

    # A Windows console sends Ctrl-Break to a process group of its own; SIGTERM ends a process there without asking.
    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGBREAK)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
