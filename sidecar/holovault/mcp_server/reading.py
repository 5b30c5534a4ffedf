"""The tool `read`: numbered lines of one or several notes, with the hash that a write needs.

Owns where a long range is cut. Must not guess a path.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from holovault.errors import HolovaultError, IndexUnreadableError, TooLargeError
from holovault.mcp_server import rendering
from holovault.mcp_server.answers import Lines, Read, Unread
from holovault.mcp_server.boundary import Boundary
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.failing import refusal
from holovault.mcp_server.lines import split_lines
from holovault.mcp_server.origin import origin_of
from holovault.mcp_server.results import result
from holovault.mcp_server.tokens import tokens_of
from holovault.model import ReadResult

if TYPE_CHECKING:
    from holovault.client import AsyncClient

RANGES = 20
_LAST = 1_000_000_000

NotePath = Annotated[str, Field(min_length=1, max_length=1000, description="A note's path, as search prints it.")]
StartLine = Annotated[int, Field(ge=1, le=_LAST, description="First line, from 1.")]
EndLine = Annotated[int | None, Field(ge=1, le=_LAST, description="Last line, included; left out: to the end.")]


class Range(BaseModel):
    """Lines of a note."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: NotePath
    start_line: StartLine = 1
    end_line: EndLine = None


class Reading:
    """The tool that reads lines."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon

    async def read(
        self,
        path: Annotated[NotePath | None, Field(description="The note; or give ranges.")] = None,
        start_line: StartLine = 1,
        end_line: EndLine = None,
        ranges: Annotated[
            list[Range] | None, Field(min_length=1, max_length=RANGES, description="Several ranges in one call, instead of path.")
        ] = None,
        max_tokens: Annotated[int, Field(ge=200, le=50_000, description="Tokens that the answer may cost.")] = 6000,
    ) -> Annotated[CallToolResult, Read]:
        """Read lines of notes, numbered, with the headings above them and the note's hash. Read what search found before relying on it."""
        wanted = _wanted(path, start_line, end_line, ranges)
        found: list[Cut] = []
        errors: list[Unread] = []
        left = max_tokens
        for one in wanted:
            try:
                if left <= 0:
                    raise TooLargeError("max_tokens was spent on the ranges before: read this one in another call.")
                lines = await self._daemon.ask(partial(_lines, one))
            except HolovaultError as error:
                if len(wanted) == 1 or isinstance(error, IndexUnreadableError):
                    raise refusal(error) from error
                errors.append(Unread(path=one.path, error=str(refusal(error))))
                continue
            found.append(cut(lines, left))
            left = left - tokens_of(found[-1].lines.text) if found[-1].following is None else 0
        return _answer(found, errors)


@dataclass(frozen=True, slots=True)
class Cut:
    """Lines within a budget; `following` is the line to go on with, null where nothing was cut."""

    lines: ReadResult
    following: int | None = None


def cut(found: ReadResult, budget: int) -> Cut:
    """As many whole lines of `found` as cost at most `budget` tokens, at least one.

    Lines cannot be read in parts: a single one over the budget is shown as far as that goes, and says how long it is.
    """
    if tokens_of(found.text) <= budget:
        return Cut(found)
    rows = split_lines(found.text)
    kept, spent = 0, 0
    while kept < len(rows) and (spent := spent + tokens_of(rows[kept])) <= budget:
        kept += 1
    text = "".join(rows[:kept]) if kept else _shortened(rows[0], budget)
    last = found.start_line + max(kept, 1) - 1
    following = last + 1 if last < found.end_line else None
    return Cut(replace(found, text=text, end_line=last), following)


def _shortened(line: str, budget: int) -> str:
    end = budget
    return f"{line[:end]} … [this line has {len(line.rstrip()):,} characters; the first {end:,} are shown]"


async def _lines(wanted: Range, client: "AsyncClient") -> ReadResult:
    return await client.read(wanted.path, wanted.start_line, wanted.end_line)


def _wanted(path: str | None, start_line: int, end_line: int | None, ranges: list[Range] | None) -> list[Range]:
    if (path is None) == (ranges is None):
        raise ToolError("USAGE: give either path (with start_line and end_line) or ranges.")
    return ranges if ranges is not None else [Range(path=str(path), start_line=start_line, end_line=end_line)]


def _answer(found: list[Cut], errors: list[Unread]) -> CallToolResult:
    texts = [rendering.passage(one.lines) for one in found]
    boundary = Boundary(*texts)
    value = Read(
        boundary=boundary.mark, ranges=[_range(one, boundary.around(text)) for one, text in zip(found, texts, strict=True)], errors=errors
    )
    return result(value, rendering.read(value, boundary, texts))


def _range(one: Cut, text: str) -> Lines:
    lines = one.lines
    return Lines(
        path=lines.path,
        hash=lines.hash,
        start_line=lines.start_line,
        end_line=lines.end_line,
        total_lines=lines.total_lines,
        origin=origin_of(lines.tier, lines.source),
        tier=lines.tier,
        next_line=one.following,
        text=text,
    )
