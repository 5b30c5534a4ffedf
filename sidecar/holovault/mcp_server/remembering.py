"""The tools `remember` and `feedback`: one line of what is known, and whether it helped. Must not decide what is true."""

from typing import Annotated, Literal

from mcp.types import CallToolResult
from pydantic import Field

from holovault.errors import HolovaultError
from holovault.mcp_server import rendering
from holovault.mcp_server.answers import Kept
from holovault.mcp_server.boundary import Boundary
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.failing import refusal, uncertain
from holovault.mcp_server.results import result
from holovault.model import Fact, FeedbackRequest, RememberRequest

Words = Annotated[str, Field(min_length=1, max_length=2000, description="One fact in one sentence that will be understood alone, later.")]
Category = Annotated[
    str | None, Field(max_length=100, description="What it is about, such as people or servers; a note of facts has that name.")
]
Tags = Annotated[list[str] | None, Field(max_length=10, description="Tags, without #.")]
Names = Annotated[list[str] | None, Field(max_length=20, description="People, projects and things in it, to be linked.")]
Trust = Annotated[float | None, Field(ge=0, le=1, description="How sure it is; .5 unless told.")]
FactId = Annotated[str, Field(min_length=1, max_length=100, description="The fact's id, as a hit or remember gives it.")]


class Remembering:
    """The tools about facts."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon

    async def remember(
        self, text: Words, category: Category = None, tags: Tags = None, entities: Names = None, trust: Trust = None
    ) -> Annotated[CallToolResult, Kept]:
        """Keep a fact that the person stated or confirmed, as a line in their notes of facts. A fact that is known is not written twice."""
        request = RememberRequest(text, category, tuple(tags or ()), tuple(entities or ()), trust)
        try:
            # A fact that was written before the daemon fell silent is known when it is asked again.
            kept = await self._daemon.ask(lambda client: client.facts.remember(request))
        except HolovaultError as error:
            raise refusal(error) from error
        return _kept(kept.fact, "known already" if kept.known else "remembered")

    async def feedback(
        self, id: FactId, vote: Annotated[Literal["helpful", "unhelpful"], Field(description="Whether the fact was of use and right.")]
    ) -> Annotated[CallToolResult, Kept]:
        """Say whether a fact that was found was of use. It counts towards the fact's trust; the fact itself is not changed."""

        async def settled() -> None:
            raise uncertain("the vote was counted")

        try:
            rated = await self._daemon.order(lambda client: client.facts.feedback(FeedbackRequest(id, vote)), settled)
        except HolovaultError as error:
            raise refusal(error) from error
        return _kept(rated.fact, f"counted as {vote}")


def _kept(fact: Fact, done: str) -> CallToolResult:
    boundary = Boundary(fact.text)
    value = Kept(
        boundary=boundary.mark,
        done=done,
        id=fact.id,
        path=fact.path,
        start_line=fact.start_line,
        end_line=fact.end_line,
        trust=round(fact.trust, 2),
        helpful=fact.helpful,
        unhelpful=fact.unhelpful,
        text=boundary.around(fact.text),
    )
    return result(value, rendering.kept(value, boundary, fact.text))
