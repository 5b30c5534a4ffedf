"""A served fake engine on a free port, for tests that speak real HTTP."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace

import aiohttp
from yarl import URL

from holovault.ownership import RunFile
from holovault.web import ServerSettings, listen, serving
from holovault.web.settings import Served

TOKEN = "token-of-this-test"
BOOT = "b00t"


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, read whole."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers, and the session to ask it with."""

    port: int
    stop: asyncio.Event
    session: aiohttp.ClientSession

    async def ask(
        self, method: str, target: str, *, body: bytes | None = None, token: str | None = TOKEN, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One request, its target sent as it stands; `token` None sends none."""
        sent = {**({"Authorization": f"Bearer {token}"} if token is not None else {}), **(headers or {})}
        url = URL(f"http://127.0.0.1:{self.port}{target}", encoded=True)
        async with self.session.request(method, url, data=body, headers=sent, timeout=aiohttp.ClientTimeout(total=20)) as response:
            return Answer(response.status, response.headers, await response.read())


@contextlib.asynccontextmanager
async def served(engine: Served, **changes: object) -> AsyncIterator[Server]:
    """Serves `engine` on a free port with test settings, some of them changed."""
    door = listen(0)
    port = door.getsockname()[1]
    settings = ServerSettings(port=port, vault="/home/someone/Notes", boot_id=BOOT, pid=1, token=TOKEN, lingering_time=0.1)
    async with serving(engine, replace(settings, **changes), door) as app, aiohttp.ClientSession() as session:  # type: ignore[arg-type]
        from holovault.web.keys import STOP

        yield Server(port, app[STOP], session)


def run_file(port: int, **changes: object) -> RunFile:
    """What a daemon at `port` would publish."""
    run = RunFile("k" * 16, port, 1, "0.1.0", 1, BOOT, "/home/someone/Notes", 1, 1, "daemon", "2026-01-01T00:00:00+00:00", TOKEN)
    return replace(run, **changes)  # type: ignore[arg-type]
