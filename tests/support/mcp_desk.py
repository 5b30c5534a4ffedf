"""An agent's desk: the SDK's own client before our server, which asks a daemon with a fake engine over real HTTP.

Owns putting them together in one process, and tidying up. Asserts nothing but that a call gave words.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from mcp.client.client import Client, ConnectMode
from mcp.server import MCPServer
from mcp.types import CallToolResult, TextContent

from holovault.config import Home
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.server import build
from tests.support.fake_daemon import fake_daemon
from tests.support.fake_engine import FakeEngine

T = TypeVar("T")
PROFILE = "Memory/profile.md"


@dataclass(frozen=True, slots=True)
class Desk:
    """A vault with a daemon, and agents that come and go."""

    home: Home
    root: Path
    engine: FakeEngine

    def talk(self, talk: Callable[[Client], Awaitable[T]], mode: ConnectMode = "auto") -> T:
        """One session from handshake to goodbye."""
        return asyncio.run(_session(self.home, self.root, talk, mode))

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """One call in a session of its own."""
        return self.talk(lambda client: client.call_tool(tool, arguments))

    def words(self, tool: str, **arguments: Any) -> str:
        """The text of one call's answer."""
        return words(self.call(tool, **arguments))


def words(result: CallToolResult) -> str:
    """What a model reads of a result."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


@contextlib.contextmanager
def desk(tmp_path: Path, engine: FakeEngine) -> Iterator[Desk]:
    """A desk before `engine` until the block ends."""
    root = tmp_path / "vault"
    root.mkdir()
    home = Home(tmp_path / "home")
    with fake_daemon(home, root, engine):
        yield Desk(home, root, engine)


async def _session(home: Home, root: Path, talk: Callable[[Client], Awaitable[T]], mode: ConnectMode) -> T:
    daemon = Daemon(home, root)

    @contextlib.asynccontextmanager
    async def life(_: MCPServer[None]) -> AsyncIterator[None]:
        try:
            yield None
        finally:
            await daemon.close()

    async with Client(build(daemon, PROFILE, life), mode=mode) as client:
        return await talk(client)
