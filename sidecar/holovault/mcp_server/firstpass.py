"""Waiting for the first index of a vault, with progress for whoever asked for it.

Owns how long that is at most. Must not wait for meaning: words answer as soon as they are there.
"""

import asyncio
import time
from typing import TYPE_CHECKING, TypeVar

from holovault.errors import NotFoundError
from holovault.mcp_server.daemon import Daemon, Question

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context

    from holovault.model import SearchResponse

T = TypeVar("T")

WAIT_S = 25.0
"""Less than clients give a call that shows no progress (about a minute)."""

_POLL = 0.25
_WORDS = frozenset({"scan", "words"})


def is_first(answer: "SearchResponse") -> bool:
    """Whether the answer was given while there was hardly an index to ask."""
    return any(gap.lane == "index" and gap.code in {"building", "empty"} for gap in answer.degraded)


async def patiently(daemon: Daemon, context: "Context", question: Question[T]) -> T:
    """The answer to a question about notes or names; where one is unknown to an index that is being made, it is asked again after."""
    try:
        return await daemon.ask(question)
    except NotFoundError:
        step = await daemon.ask(lambda client: client.index_progress())
        if step.phase not in _WORDS or not await wait_for_words(daemon, context):
            raise
    return await daemon.ask(question)


async def wait_for_words(daemon: Daemon, context: "Context", wait: float = WAIT_S) -> bool:
    """Reports progress until every note's words are indexed, at most `wait` seconds; whether they are."""
    deadline, told = time.monotonic() + wait, None
    while True:
        step = await daemon.ask(lambda client: client.index_progress())
        if step.phase not in _WORDS:
            return True
        if step != told:
            told = step
            await context.report_progress(step.done, step.total or None, f"indexing: {step.done} of {step.total} notes")
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(_POLL)
