"""The engine's facade over HTTP: find, prove, start and ask the daemon of a vault.

Owns everything a client must know; aiohttp is imported with the first request. Must not open an index.
"""

from holovault.client.connecting import Patience, connect_or_none, start_daemon
from holovault.client.entities import EntitiesFacade
from holovault.client.facade import Facade, ProgressCallback, silent
from holovault.client.facts import FactsFacade
from holovault.client.http import AsyncClient, Timeouts
from holovault.client.sync import Client, stop_daemon

__all__ = [
    "AsyncClient",
    "Client",
    "EntitiesFacade",
    "Facade",
    "FactsFacade",
    "Patience",
    "ProgressCallback",
    "Timeouts",
    "connect_or_none",
    "silent",
    "start_daemon",
    "stop_daemon",
]
