"""The tool `reason`: questions about names and what passages state, which words cannot ask.

Owns which arguments belong to which question. Must not judge: whether the exact index agrees comes with each hit.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult
from pydantic import Field

from holovault.errors import HolovaultError
from holovault.mcp_server import rendering
from holovault.mcp_server.answers import Reasoned
from holovault.mcp_server.boundary import name
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.failing import refusal
from holovault.mcp_server.firstpass import patiently
from holovault.mcp_server.results import result
from holovault.mcp_server.searching import Budget, Limit, found, within
from holovault.mcp_server.tokens import tokens_of
from holovault.model import (
    AnalogyAnswer,
    AnalogyRequest,
    EntityAnswer,
    EntityInfo,
    LikeRequest,
    NeighbourRequest,
    ProbeRequest,
    ReasonRequest,
    SearchResponse,
)

if TYPE_CHECKING:
    from holovault.client import AsyncClient

How = Annotated[
    Literal["probe", "related", "reason", "like", "analogy"],
    Field(
        description="probe: passages that state one name. related: passages that share its company without naming it. "
        "reason: passages that state all of several names, or lie between them. "
        "like: passages built like the one at address, with plus and minus. "
        "analogy: names = [a, x, b] asks what is to b as x is to a."
    ),
]
Names = Annotated[
    list[str],
    Field(
        default_factory=list, max_length=8, description="People, projects, notes, tags or things, as written; one for probe and related."
    ),
]
Role = Annotated[
    str,
    Field(
        max_length=100,
        description="For probe and reason: the part the name plays: entity, tag, title, head, in (folder), src, or prop:<key>.",
    ),
]
Address = Annotated[str | None, Field(max_length=1000, description="For like: path:line, as search prints it.")]
Added = Annotated[list[str] | None, Field(max_length=8, description="For like: names to add, or role:name.")]
Removed = Annotated[list[str] | None, Field(max_length=8, description="For like: names to take out.")]

_NUMBERS = {"probe": (1, 1), "related": (1, 1), "reason": (2, 8), "like": (0, 0), "analogy": (3, 3)}


@dataclass(frozen=True, slots=True)
class _Asked:
    """What every question has in common."""

    how: str
    names: tuple[str, ...]
    role: str
    address: str
    plus: tuple[str, ...]
    minus: tuple[str, ...]
    limit: int


class Reasoning:
    """The tool about names."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon

    async def reason(
        self,
        context: Context,
        how: How,
        names: Names,
        role: Role = "entity",
        address: Address = None,
        plus: Added = None,
        minus: Removed = None,
        limit: Limit = 8,
        max_tokens: Budget = 2000,
    ) -> Annotated[CallToolResult, Reasoned]:
        """Ask about names instead of words: where one is stated, what several share, what is built alike, what is to b as x is to a."""
        low, high = _NUMBERS[how]
        if not low <= len(names) <= high or (how == "like") != (address is not None):
            raise ToolError(f"USAGE: {_NEEDS[how]}")
        asked = _Asked(how, tuple(names), role, address or "", tuple(plus or ()), tuple(minus or ()), limit)
        try:
            answer = await patiently(self._daemon, context, lambda client: _QUESTIONS[how](client, asked))
        except HolovaultError as error:
            raise refusal(error) from error
        return _told(how, answer, max_tokens)


_NEEDS = {
    "probe": "how=probe takes exactly one name.",
    "related": "how=related takes exactly one name.",
    "reason": "how=reason takes two to eight names.",
    "like": "how=like takes an address (path:line) and no names; plus and minus are optional.",
    "analogy": "how=analogy takes three names [a, x, b] and no address.",
}

_QUESTIONS: dict[str, Callable[["AsyncClient", _Asked], Awaitable[EntityAnswer | AnalogyAnswer]]] = {
    "probe": lambda client, asked: client.entities.probe(ProbeRequest(asked.names[0], asked.role, asked.limit)),
    "related": lambda client, asked: client.entities.related(NeighbourRequest(asked.names[0], asked.limit)),
    "reason": lambda client, asked: client.entities.reason(ReasonRequest(asked.names, asked.role, asked.limit)),
    "like": lambda client, asked: client.entities.like(LikeRequest(asked.address, asked.plus, asked.minus, asked.limit)),
    "analogy": lambda client, asked: client.entities.analogy(AnalogyRequest(asked.names[0], asked.names[1], asked.names[2], asked.limit)),
}


def _told(how: str, answer: EntityAnswer | AnalogyAnswer, budget: int) -> CallToolResult:
    understood = _understood(answer)
    shown, _ = within(answer.results, budget - tokens_of(understood))
    suggestion = answer.suggestion if isinstance(answer, EntityAnswer) else None
    plain = SearchResponse(answer.query, answer.took_ms, answer.degraded, answer.results, suggestion)
    value, boundary, rows = found(plain, shown, None, _note(answer), aside=understood)
    told = Reasoned(**value.model_dump(), how=how, understood=boundary.around(understood))
    return result(told, rendering.found(told, boundary, rows, aside=understood))


def _note(answer: EntityAnswer | AnalogyAnswer) -> str | None:
    """What to know of an answer that is not simply its hits."""
    if isinstance(answer, AnalogyAnswer):
        return "Nothing stands out as the answer; the nearest names are listed." if answer.answer is None else None
    if answer.mode == "bridges" and answer.results:
        return "No passage states all of these names: the hits lie between them, each with the names that it holds."
    if not answer.results and any(not one.chunks for one in answer.entities):
        return "A name of 0 passages is only a heading, a title, a tag or a folder: ask with that role, or search by words."
    if answer.mode == "bridges":
        return "No passage states all of these names, and none lies between them: ask for each alone, or search by words."
    return None


def _understood(answer: EntityAnswer | AnalogyAnswer) -> str:
    if isinstance(answer, EntityAnswer):
        return "\n".join(f"meant: {_info(one)}" for one in answer.entities)
    near = [f"near: {name(one.text)} ({one.similarity:.2f}, {one.z:.1f} sd)" for one in answer.candidates]
    said = [f"answer: {_info(answer.answer)}"] if answer.answer else []
    return "\n".join([f"role: {name(answer.role or 'none')}", *said, *near])


def _info(entity: EntityInfo) -> str:
    where = f" {name(entity.path)}" if entity.path else ""
    return f"{name(entity.text)} ({entity.kind}{where}, {entity.chunks} passage{'' if entity.chunks == 1 else 's'})"
