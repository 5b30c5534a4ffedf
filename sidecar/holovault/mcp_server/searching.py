"""The tools `search` and `related`: hits within a budget of tokens, the passages themselves where they were asked for and fit.

Owns how the budget is spent: an address and an excerpt for every hit that fits, then whole passages from the best one on.
Must not rank.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult
from pydantic import Field

from holovault.errors import HolovaultError
from holovault.mcp_server import firstpass, rendering
from holovault.mcp_server.answers import Found, Gap, Passage
from holovault.mcp_server.boundary import Boundary, name
from holovault.mcp_server.conditions import composed
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.failing import refusal
from holovault.mcp_server.origin import origin_of
from holovault.mcp_server.paging import Cursor, cursor_from, digest_of
from holovault.mcp_server.results import result
from holovault.mcp_server.tokens import tokens_of
from holovault.model import Hit, RelatedRequest, SearchRequest, SearchResponse

MOST = 200
"""Hits of one search that can be paged through: as many as the daemon gives."""

_FRAME = 60
"""Tokens of what stands around the hits."""

_LONG_ONES = 3
"""Hits of which the whole excerpt is shown: the answer is seldom further down, and a place to look is enough there."""

_SHORT = 140
"""Code points of an excerpt further down."""

Query = Annotated[
    str,
    Field(
        max_length=2000,
        description='What to look for, in the words of the notes or as a question. "exact phrase" and -word work; filters are parameters.',
    ),
]
Limit = Annotated[int, Field(ge=1, le=50, description="Hits at most.")]
Way = Annotated[
    Literal["hybrid", "lexical", "semantic"],
    Field(description="hybrid: words and meaning. lexical: words, for names, codes, errors. semantic: meaning alone."),
]
PathPart = Annotated[str | None, Field(max_length=400, description="Only notes with this in their path, such as a folder.")]
Project = Annotated[str | None, Field(max_length=200, description="Only notes of this project.")]
Tier = Annotated[int | None, Field(ge=1, le=2, description="1: the person's own notes. 2: imported chats and other raw material.")]
Tags = Annotated[list[str] | None, Field(max_length=10, description="Only notes with all of these tags.")]
After = Annotated[str | None, Field(max_length=40, description="Changed on or after this day, as 2026-05-24.")]
Before = Annotated[str | None, Field(max_length=40, description="Changed before this day.")]
Budget = Annotated[int, Field(ge=200, le=20_000, description="Tokens that the answer may cost.")]
FullText = Annotated[bool, Field(description="Whole passages instead of excerpts, as far as the budget goes.")]
CursorText = Annotated[str | None, Field(max_length=200, description="Where the answer before stopped; repeat everything else.")]


@dataclass(frozen=True, slots=True)
class Shown:
    """One hit as it will be shown: whole passages have their lines instead of an excerpt."""

    hit: Hit
    text: str
    full: bool = False

    @property
    def cost(self) -> int:
        return tokens_of(rendering.address(self.hit)) + tokens_of(self.text) + 5


class Searching:
    """The tools that find passages."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon

    async def search(
        self,
        context: Context,
        query: Query,
        limit: Limit = 8,
        mode: Way = "hybrid",
        path: PathPart = None,
        project: Project = None,
        tier: Tier = None,
        tags: Tags = None,
        after: After = None,
        before: Before = None,
        max_tokens: Budget = 2000,
        full_text: FullText = False,
        cursor: CursorText = None,
    ) -> Annotated[CallToolResult, Found]:
        """Find passages of the person's notes by words and by meaning. Returns addresses (path:lines) with excerpts, best first."""
        try:
            asked = composed(query, path=path, project=project, tier=tier, tags=tags or (), after=after, before=before)
            digest = digest_of(asked, mode)
            place = cursor_from(cursor, digest)
            start = place.offset if place else 0
            request = SearchRequest(asked, min(start + limit + 1, MOST), mode)
            answer = await self._answered(request, context)
            generation = (await self._daemon.health()).generation
            if mode == "semantic" and not answer.results:
                _refuse_deaf(answer)
            page, more = answer.results[start : start + limit], len(answer.results) > start + limit
            shown, left = within(page, max_tokens)
            shown = await self._unfolded(shown, left) if full_text else shown
        except HolovaultError as error:
            raise refusal(error) from error
        more = more or len(shown) < len(page)
        following = Cursor(generation, start + len(shown), digest).text() if more and shown else None
        moved = place is not None and place.generation != generation
        return _answer(
            answer, shown, following, "The index changed since the page before: hits may repeat or be missing." if moved else None
        )

    async def related(
        self,
        context: Context,
        path: Annotated[str, Field(min_length=1, max_length=1000, description="A note, as search prints it.")],
        limit: Limit = 8,
        max_tokens: Budget = 2000,
    ) -> Annotated[CallToolResult, Found]:
        """Find passages of other notes that are near a note: what to read next, what to link to."""
        try:
            answer = await firstpass.patiently(self._daemon, context, lambda client: client.related(RelatedRequest(path, limit)))
        except HolovaultError as error:
            raise refusal(error) from error
        return _answer(answer, within(answer.results, max_tokens)[0], None, None)

    async def _answered(self, request: SearchRequest, context: Context) -> SearchResponse:
        answer = await self._daemon.ask(lambda client: client.search(request))
        if firstpass.is_first(answer) and await firstpass.wait_for_words(self._daemon, context):
            answer = await self._daemon.ask(lambda client: client.search(request))
        return answer

    async def _unfolded(self, shown: list[Shown], budget: int) -> list[Shown]:
        for number, one in enumerate(shown):
            hit = one.hit
            lines = await self._daemon.ask(lambda client, hit=hit: client.read(hit.path, hit.start_line, hit.end_line))  # type: ignore[misc]
            whole = replace(one, text=rendering.passage(lines), full=True)
            if whole.cost - one.cost > budget:
                break
            shown[number] = whole
            budget -= whole.cost - one.cost
        return shown


def within(hits: tuple[Hit, ...], budget: int) -> tuple[list[Shown], int]:
    """The hits of which the excerpts cost at most `budget` tokens, the first one always; and what is left of the budget."""
    shown: list[Shown] = []
    budget -= _FRAME
    for rank, hit in enumerate(hits):
        one = Shown(hit, rendering.excerpt(hit, None if rank < _LONG_ONES else _SHORT))
        if shown and one.cost > budget:
            break
        shown.append(one)
        budget -= one.cost
    return shown, budget


def found(
    answer: SearchResponse, shown: list[Shown], cursor: str | None, note: str | None, aside: str = ""
) -> tuple[Found, Boundary, list[tuple[str, str]]]:
    """An answer as a value, its mark, and its rows as addresses and texts; `aside` is more text of the vault that the mark is for."""
    boundary = Boundary(aside, *(one.text for one in shown), *(one.hit.path for one in shown))
    value = Found(
        boundary=boundary.mark,
        results=[_passage(one, boundary) for one in shown],
        cursor=cursor,
        suggestion=answer.suggestion,
        degraded=[Gap(lane=gap.lane, code=gap.code, reason=gap.reason) for gap in answer.degraded],
        note=note,
    )
    return value, boundary, [(rendering.address(one.hit), one.text) for one in shown]


def _answer(answer: SearchResponse, shown: list[Shown], cursor: str | None, note: str | None) -> CallToolResult:
    value, boundary, rows = found(answer, shown, cursor, note)
    return result(value, rendering.found(value, boundary, rows))


def _refuse_deaf(answer: SearchResponse) -> None:
    deaf = next((gap for gap in answer.degraded if gap.lane == "semantic"), None)
    if deaf is not None:
        raise ToolError(f"DEGRADED: meaning cannot be asked just now: {deaf.reason}. Ask again with mode=hybrid or mode=lexical.")


def _passage(one: Shown, boundary: Boundary) -> Passage:
    hit = one.hit
    return Passage(
        path=hit.path,
        start_line=hit.start_line,
        end_line=hit.end_line,
        score=round(hit.score, 3),
        verified=hit.verified,
        via=[name(one) for one in hit.via],
        links=list(hit.links),
        origin=origin_of(hit.tier, hit.source),
        tier=hit.tier,
        modified=hit.modified,
        project=hit.project,
        fact=hit.fact.id if hit.fact else None,
        trust=round(hit.fact.trust, 2) if hit.fact else None,
        full=one.full,
        text=boundary.around(one.text),
    )
