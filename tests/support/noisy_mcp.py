"""`python -m tests.support.noisy_mcp FOLDER`: an MCP server whose way to the daemon prints in every way there is, and then breaks.

That happens twice; from the third question on it is silent instead, and never answers.
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from holovault.config import Home
from holovault.mcp_server import Daemon, serve

CRASHES = 2


class Noisy(Daemon):
    """Prints instead of asking."""

    asked = 0

    async def ask(self, question: object) -> NoReturn:
        self.asked += 1
        if self.asked > CRASHES:
            await asyncio.Event().wait()
        print("printed and not flushed")  # noqa: T201
        print("printed", flush=True)  # noqa: T201
        print("printed to the first stdout", file=sys.__stdout__)
        os.write(1, b"written to descriptor 1\n")
        subprocess.run([sys.executable, "-c", "import sys; print('printed by a child that read ' + repr(sys.stdin.read()))"], check=True)
        raise RuntimeError("crashed")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    serve(Noisy(Home(folder), folder), "Memory/profile.md")
