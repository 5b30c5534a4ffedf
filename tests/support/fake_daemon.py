"""A daemon with a fake engine: a real lock, run file and port, served from a thread of the test's own process."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from holovault.config import Home
from holovault.ownership import Lease, acquire
from holovault.web import ServerSettings, listen, serving
from holovault.web.keys import STOP
from tests.support.fake_engine import FakeEngine


@contextlib.contextmanager
def fake_daemon(home: Home, vault: Path, engine: FakeEngine, **changes: object) -> Iterator[Lease]:
    """Owns `vault` and serves `engine` until it is stopped over HTTP or the block ends; the lock falls with the server."""
    lease = acquire(home, vault, "daemon")
    door = listen(0)
    settings = ServerSettings(
        port=door.getsockname()[1], vault=lease.run.vault, boot_id=lease.run.boot_id, pid=os.getpid(), token=lease.run.token
    )
    settings = replace(settings, **changes)  # type: ignore[arg-type]
    ready = threading.Event()
    enders: list[Callable[[], object]] = []

    async def life() -> None:
        loop = asyncio.get_running_loop()
        async with serving(engine, settings, door) as app:
            lease.publish(settings.port)
            enders.append(partial(loop.call_soon_threadsafe, app[STOP].set))
            ready.set()
            await app[STOP].wait()
        lease.release()

    thread = threading.Thread(target=lambda: asyncio.run(life()), name="fake-daemon")
    thread.start()
    try:
        assert ready.wait(10)
        yield lease
    finally:
        engine.gate.set()
        for end in enders:
            with contextlib.suppress(RuntimeError):
                end()
        thread.join(20)
        engine.close()
        lease.release()
        assert not thread.is_alive()
