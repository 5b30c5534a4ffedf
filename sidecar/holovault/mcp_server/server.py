"""The server of one vault: which tools there are, what they promise, and how they fail.

Owns the list of tools with titles and annotations. A tool is there only where the daemon's facade can answer it. Must not
know how the process talks or ends.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, InputRequiredResult, ToolAnnotations

from holovault import __version__
from holovault.mcp_server import guidance
from holovault.mcp_server.arguments import tool_of
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.failing import sentence
from holovault.mcp_server.notes import URI, Notes
from holovault.mcp_server.reading import Reading
from holovault.mcp_server.reasoning import Reasoning
from holovault.mcp_server.remembering import Remembering
from holovault.mcp_server.reporting import Reporting
from holovault.mcp_server.searching import Searching
from holovault.mcp_server.writing import Writing

Lifespan = Callable[[MCPServer[None]], AbstractAsyncContextManager[None]]

LOOKS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)


class VaultServer(MCPServer[None]):
    """The SDK's server, with errors that begin with their code."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: "Context[None, Any] | None" = None
    ) -> CallToolResult | InputRequiredResult:
        """Calls a tool; the SDK puts words of its own before an error, which would hide the code."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            told = sentence(error)
            if told.startswith("INTERNAL"):
                # The SDK logs the traceback of this kind, and shows no more than the sentence.
                error.args = (told,)
                raise
            raise ToolError(told) from error.__cause__


def build(daemon: Daemon, profile: str, lifespan: Lifespan | None = None) -> VaultServer:
    """The server for the vault behind `daemon`; `profile` is the path of the person's profile note."""
    server = VaultServer(
        "holovault",
        title="Holovault: the person's notes",
        instructions=guidance.INSTRUCTIONS,
        version=__version__,
        tools=_tools(daemon, profile),
        lifespan=lifespan,
        log_level="WARNING",
        subscriptions=False,
    )
    notes = Notes(daemon)
    server.resource(URI, name="note", title="A note", description="A whole note by its path in the vault.", mime_type="text/plain")(
        notes.note
    )

    def knowledge_first(topic: str = "") -> str:
        """What the person's notes say about a topic, before anything else is said about it."""
        return guidance.knowledge_first(topic, profile)

    server.prompt("knowledge-first", title="Look into the notes first")(knowledge_first)
    return server


def _tools(daemon: Daemon, profile: str) -> list[Tool]:
    searching, remembering = Searching(daemon), Remembering(daemon)
    return [
        tool_of(searching.search, "Search the notes", LOOKS),
        tool_of(Reading(daemon).read, "Read lines of notes", LOOKS),
        tool_of(Writing(daemon).write, "Write a note", CHANGES),
        tool_of(searching.related, "Find what is near a note", LOOKS),
        tool_of(Reasoning(daemon).reason, "Ask about names", LOOKS),
        tool_of(remembering.remember, "Remember a fact", ADDS),
        tool_of(remembering.feedback, "Say whether a fact helped", ADDS),
        tool_of(Reporting(daemon, profile).status, "State of the index", LOOKS),
    ]


@asynccontextmanager
async def nothing_around(_: MCPServer[None]) -> AsyncIterator[None]:
    """A lifespan without a beginning and an end."""
    yield None
