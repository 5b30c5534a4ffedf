"""Keeping a supervisor informed from inside the event loop: ready, alive, what it does, leaving.

Owns what counts as ready (the vault was looked at once) and as alive (the loop turns and the engine's threads run).
Must not restart anything: who is not heard of is replaced by the supervisor.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

from holovault.config import Supervisor
from holovault.model import Status
from holovault.web.notify import Notifier

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

GLANCE_S = 0.2
EXTENSION_S = 60.0
BUSY_S = 1.0
QUIET_S = 30.0
FEEDS = 4
"""How often a watchdog's time is announced before it is over."""


class Attended(Protocol):
    """What an engine shows of itself without doing any work."""

    @property
    def alive(self) -> bool: ...

    @property
    def looked(self) -> bool: ...

    def status(self) -> Status: ...

    async def linger(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T: ...


async def attend(engine: Attended, supervisor: Supervisor, say: Notifier) -> None:
    """Tells the supervisor how `engine` is until cancelled, then that it leaves."""
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_beat(engine, supervisor, say))
            group.create_task(_tell(engine, say))
    finally:
        say("STOPPING=1", "STATUS=Finishing the work in hand.")


async def _beat(engine: Attended, supervisor: Supervisor, say: Notifier) -> None:
    await _ready(engine, say)
    if supervisor.watchdog_s is None:
        return
    while engine.alive:
        say("WATCHDOG=1")
        await asyncio.sleep(supervisor.watchdog_s / FEEDS)
    log.error("a thread of the engine has ended: the supervisor is told no more that the daemon lives")


async def _ready(engine: Attended, say: Notifier) -> None:
    """Says READY once the first look at the vault is over; until then asks for more time, while the engine lives."""
    loop = asyncio.get_running_loop()
    asked = float("-inf")
    while not (engine.looked and say("READY=1")):
        if engine.alive and loop.time() - asked > EXTENSION_S / FEEDS:
            asked = loop.time()
            say(f"EXTEND_TIMEOUT_USEC={round(EXTENSION_S * 1e6)}")
        await asyncio.sleep(GLANCE_S)


async def _tell(engine: Attended, say: Notifier) -> None:
    said, calm = "", False
    while True:
        try:
            status = await engine.linger(engine.status)
            sentence, calm = in_words(status), status.state == "ready"
        except Exception:  # the edge of a task: a status that fails costs a line of words, not the heartbeat
            log.exception("the status for the supervisor failed")
            sentence = "Its status cannot be told; see its log."
        if sentence != said and say(f"STATUS={sentence}"):
            said = sentence
        await asyncio.sleep(QUIET_S if calm else BUSY_S)


def in_words(status: Status) -> str:
    """One line about what the daemon does, without the name of a note."""
    if status.state == "vault-missing":
        return "The vault's folder is away just now."
    if status.state == "indexing":
        return f"Reading the vault: {status.done} of {status.total} changed notes." if status.total else "Reading the vault."
    if status.pending:
        return f"Answers by words; {status.pending} of {status.windows} windows of meaning still to come."
    return f"Answers; notes in the index: {status.files}."
