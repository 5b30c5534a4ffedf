"""The life of `holovault mcp`: one process for one client, from the first byte on standard input to its end.

Owns the order of things: standard output is claimed before anything can print, connections are closed at the end. Must not
start a daemon: the first question does.
"""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from holovault.mcp_server import sdk, wire
from holovault.mcp_server.daemon import Daemon

if TYPE_CHECKING:
    from mcp.server import MCPServer

_FORMAT = "%(levelname)s %(name)s: %(message)s"


def serve(daemon: Daemon, profile: str) -> None:
    """Speaks MCP on standard input and output for the vault behind `daemon`, until input ends; `profile` is the profile note's path."""
    line = wire.claim()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format=_FORMAT)

    @asynccontextmanager
    async def life(_: "MCPServer[None]") -> AsyncIterator[None]:
        line.hide()
        try:
            yield None
        finally:
            await daemon.close()

    with sdk.swiftly():
        from holovault.mcp_server.server import build

        server = build(daemon, profile, life)
    asyncio.run(server.run_stdio_async())
