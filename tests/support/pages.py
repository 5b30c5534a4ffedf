"""A real daemon's page in this process: engine, server and socket, with the loop in a thread of its own.

Owns their start and end. Browsers of `browser` enter as a person would, by a one-time address.
"""

import asyncio
import json
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

from holovault.config import Home
from holovault.engine import Engine
from holovault.web import ServerSettings, listen, serving
from tests.support.engines import index
from tests.support.servers import BOOT, TOKEN


@dataclass(frozen=True, slots=True)
class Site:
    """The daemon's address, and the engine behind it."""

    port: int
    engine: Engine

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def way_in(self) -> str:
        """A one-time address, asked for with the token."""
        request = urllib.request.Request(f"{self.address}/v1/page", method="POST", headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return self.address + str(json.load(answer)["path"])

    def enter(self, context: BrowserContext, part: str = "facts") -> Page:
        """A tab in which the page is open at one of its parts."""
        page = context.new_page()
        page.goto(self.way_in())
        if part != "facts":
            page.get_by_role("link", name=part, exact=True).click()
            page.wait_for_url(f"**/{part}")
        return page


@contextmanager
def site(root: Path, home: Path) -> Iterator[Site]:
    """The page of the vault at `root`, indexed and watched."""
    with Engine.open(root, Home(home), owner="page") as engine:
        engine.start_watching()
        index(engine)
        door = listen(0)
        port = int(door.getsockname()[1])
        settings = ServerSettings(port=port, vault=str(root), boot_id=BOOT, pid=1, token=TOKEN, lingering_time=0.1, shutdown_timeout=2.0)
        ready, loop = threading.Event(), asyncio.new_event_loop()
        done = asyncio.Event()

        async def serve() -> None:
            async with serving(engine, settings, door):
                ready.set()
                await done.wait()

        thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), name="site")
        thread.start()
        try:
            assert ready.wait(10), "the server did not start"
            yield Site(port, engine)
        finally:
            loop.call_soon_threadsafe(done.set)
            thread.join(20)
            loop.close()
