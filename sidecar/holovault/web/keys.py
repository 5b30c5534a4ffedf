"""The typed keys below which an application keeps what it was given. Must not hold state itself."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from holovault.web.remotes import Remotes
from holovault.web.settings import Served, ServerSettings

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class Activity:
    """What goes on in one server: requests being answered, long polls among them, and when the last one ended (loop time).

    `again`: whoever asked it to leave wants it started anew, by the version that is installed now.
    """

    running: int = 0
    polls: int = 0
    last: float = 0.0
    again: bool = False


ENGINE = web.AppKey("engine", Served)
SETTINGS = web.AppKey("settings", ServerSettings)
REMOTES = web.AppKey("remotes", Remotes)
ACTIVITY = web.AppKey("activity", Activity)
STOP = web.AppKey("stop", asyncio.Event)
