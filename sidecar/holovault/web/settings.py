"""What the HTTP surface is told at its start, and what it asks of an engine. Must not read a file, a clock or the environment."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar

from holovault import __version__
from holovault.client import Facade
from holovault.ownership import PROTOCOL
from holovault.vault import NoteBytes

P = ParamSpec("P")
T = TypeVar("T")

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """One daemon's identity and limits. Sizes are bytes, times seconds; `port` is the one that is bound.

    `allowed_hosts` are Host values of reverse proxies and tunnels: with a port they match exactly, without
    one on any port. `idle_exit` null means that the daemon stays. `credentials` is the file with the long-lived tokens of
    clients elsewhere; null: there are none.
    """

    port: int
    vault: str
    boot_id: str
    pid: int
    token: str = field(repr=False)
    allowed_hosts: tuple[str, ...] = ()
    version: str = __version__
    protocol: int = PROTOCOL
    body_limit: int = 64 * MIB
    body_timeout: float = 30.0
    lingering_time: float = 1.0
    keepalive_timeout: float = 75.0
    shutdown_timeout: float = 20.0
    poll_limit: float = 25.0
    pollers: int = 48
    idle_exit: float | None = None
    credentials: Path | None = None


class Served(Facade, Protocol):
    """The engine's facade with its two doors from the event loop to threads."""

    @property
    def generation(self) -> int: ...

    @property
    def state(self) -> str: ...

    def raw(self, path: str, /) -> NoteBytes: ...

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T: ...

    async def linger(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T: ...

    def release_waiters(self) -> None: ...
