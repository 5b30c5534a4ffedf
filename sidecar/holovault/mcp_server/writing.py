"""The tool `write`: a new note, another text for one that was read, exact edits, or lines added at the end of a section.

Owns what a call means. The daemon decides about conflicts. Must not write over what exists without its hash.
"""

import hashlib
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from holovault.errors import HolovaultError, NotFoundError, StaleError
from holovault.mcp_server import rendering
from holovault.mcp_server.answers import Place, Written
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.failing import refusal, uncertain
from holovault.mcp_server.lines import split_lines
from holovault.mcp_server.results import result
from holovault.model import Append, NoteChange, TextEdit, WriteResult

LONGEST = 2_000_000
_EDITS = 50

Text = Annotated[str, Field(max_length=LONGEST)]
NotePath = Annotated[str, Field(min_length=4, max_length=1000, description="A note's path in the vault, ending in .md.")]
ExpectedHash = Annotated[
    str | None,
    Field(
        pattern="^[0-9a-f]{64}$",
        description="The hash that read gave. Required with content for a note that exists; leave it out for a new one.",
    ),
]


class Edit(BaseModel):
    """An exact text of the note, and what becomes of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    old: Annotated[str, Field(min_length=1, max_length=LONGEST, description="Text exactly as it stands in the note, without line numbers.")]
    new: Text
    count: Annotated[int, Field(ge=1, le=10_000, description="How often it stands there; anything else is AMBIGUOUS.")] = 1


class Addition(BaseModel):
    """Lines that are added."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Text
    heading: Annotated[
        list[str],
        Field(default_factory=list, max_length=6, description="At the end of this section, outermost heading first; empty: of the note."),
    ]
    create_heading: Annotated[bool, Field(description="Make the headings that are missing.")] = False


Content = Annotated[Text | None, Field(description="The whole text: a new note, or a replacement with expected_hash.")]
Edits = Annotated[
    list[Edit] | None, Field(min_length=1, max_length=_EDITS, description="Exact replacements inside the note, all of them or none.")
]
Additional = Annotated[Addition | None, Field(description="Text to add at the end of the note or of a section.")]


class Writing:
    """The tool that writes."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon

    async def write(
        self, path: NotePath, content: Content = None, edit: Edits = None, append: Additional = None, expected_hash: ExpectedHash = None
    ) -> Annotated[CallToolResult, Written]:
        """Create a note, replace one that was read, edit exact texts, or append. Give exactly one of content, edit, append.

        A note that changed since it was read is not touched: STALE, with its current hash and what differs.
        """
        if sum(way is not None for way in (content, edit, append)) != 1:
            raise ToolError("USAGE: give exactly one of content, edit and append.")
        try:
            if content is not None:
                done = await self._whole(path, content.encode("utf-8", "surrogatepass"), expected_hash)
            else:
                done = await self._part(path, _change(edit, append), expected_hash)
        except HolovaultError as error:
            raise refusal(error) from error
        ranges = done.lines if content is None else _all_of(content)
        lines = [Place(start_line=first, end_line=last) for first, last in ranges]
        value = Written(path=done.path, hash=done.hash, created=done.created, bytes=done.bytes, lines=lines)
        return result(value, rendering.written(value))

    async def _whole(self, path: str, data: bytes, expected_hash: str | None) -> WriteResult:
        create = expected_hash is None

        async def settled() -> WriteResult | None:
            current = await self._hash(path)
            if current == hashlib.sha256(data).hexdigest():
                return WriteResult(path, current, create, len(data))
            if current == expected_hash:
                return None
            raise StaleError(f"{path} changed while its daemon was away, and nothing of this call was written. Read it again.", current)

        return await self._daemon.order(lambda client: client.write(path, data, expected_hash, create), settled)

    async def _part(self, path: str, change: NoteChange, expected_hash: str | None) -> WriteResult:
        async def settled() -> None:
            if expected_hash is None or await self._hash(path) != expected_hash:
                raise uncertain(f"{path} was written")

        return await self._daemon.order(lambda client: client.change(path, change, expected_hash), settled)

    async def _hash(self, path: str) -> str | None:
        try:
            return (await self._daemon.ask(lambda client: client.read(path, 1, 1))).hash
        except NotFoundError:
            return None


def _all_of(content: str) -> tuple[tuple[int, int], ...]:
    count = len(split_lines(content))
    return ((1, count),) if count else ()


def _change(edit: list[Edit] | None, append: Addition | None) -> NoteChange:
    edits = tuple(TextEdit(one.old, one.new, one.count) for one in edit or ())
    return NoteChange(edits, None if append is None else Append(append.text, tuple(append.heading), append.create_heading))
