"""`python -m tests.support.light_agent HOME VAULT NUMBER`: the part of an MCP server that talks to the daemon, without the SDK.

Writes one note through the daemon, which it starts where none runs, and says so in one line of JSON.
"""

import asyncio
import sys
from pathlib import Path

import msgspec

from holovault.config import Home
from holovault.mcp_server import Daemon
from holovault.model import WriteResult


async def _write(home: Path, vault: Path, number: str) -> WriteResult:
    daemon = Daemon(Home(home), vault)

    async def lost() -> None:
        raise AssertionError("the daemon fell silent")

    text = f"words of agent {number}\n".encode()
    done = await daemon.order(lambda client: client.write(f"from/{number}.md", text, None, True), lost)
    await daemon.close()
    return done


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(_write(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))))
