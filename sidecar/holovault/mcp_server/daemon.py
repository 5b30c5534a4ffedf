"""The way to the vault's daemon, for as long as a session lasts.

Owns the one client of this process: made with the first question, proven before every question, made anew where the daemon
was stopped, killed or replaced in between. What was lost on the way is asked again only where asking twice does no
harm. Must not decide what is asked.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from holovault.errors import IndexUnreadableError, VersionError

if TYPE_CHECKING:
    from holovault.client import AsyncClient, Patience
    from holovault.config import Home
    from holovault.model import Health

T = TypeVar("T")
Question = Callable[["AsyncClient"], Awaitable[T]]

log = logging.getLogger(__name__)


class Daemon:
    """The daemon of the vault at `root`, started where none runs. Close it at the end; the daemon stays."""

    def __init__(self, home: "Home", root: Path, patience: "Patience | None" = None) -> None:
        self.root = root
        self._home = home
        self._patience = patience
        self._client: AsyncClient | None = None
        self._connecting = asyncio.Lock()

    async def health(self) -> "Health":
        """The handshake with the daemon that answers now."""
        return (await self._proven())[1]

    async def ask(self, question: Question[T]) -> T:
        """The answer to a question that may be asked twice: once more, of the daemon that runs then, where the first one fell silent."""
        client, _ = await self._proven()
        try:
            return await question(client)
        except IndexUnreadableError as silent:
            log.warning("the daemon fell silent over a question: %s", silent)
        client, _ = await self._proven()
        return await question(client)

    async def order(self, order: Question[T], settle: Callable[[], Awaitable[T | None]]) -> T:
        """Gives an order that must not be carried out twice.

        Where the daemon falls silent over it, `settle` looks at what became of it: its result where it was carried out, null where
        it was not and may be given again, or an error.
        """
        client, _ = await self._proven()
        try:
            return await order(client)
        except IndexUnreadableError as silent:
            log.warning("the daemon fell silent over an order: %s", silent)
        settled = await settle()
        if settled is not None:
            return settled
        client, _ = await self._proven()
        return await order(client)

    async def close(self) -> None:
        """Closes the connections. Doing so twice is fine."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(IndexUnreadableError):
                await client.close()

    async def _proven(self) -> "tuple[AsyncClient, Health]":
        # The proof also tells whether the connection still leads to a daemon, before anything is asked that must not be lost.
        async with self._connecting:
            if self._client is not None:
                try:
                    return self._client, await self._client.health()
                except IndexUnreadableError:
                    await self.close()
            self._client = client = await self._connected()
            return client, await client.health()

    async def _connected(self) -> "AsyncClient":
        from holovault.client import start_daemon

        try:
            return await start_daemon(self._home, self.root, patience=self._patience)
        except VersionError as error:
            raise VersionError(f"{error} After that, let your client start this MCP server anew.") from error
