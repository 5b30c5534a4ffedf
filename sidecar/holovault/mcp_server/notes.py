"""The resource `note://{+path}`: a whole note, between marks, as the person wrote it. Must not list the vault."""

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from holovault.errors import HolovaultError, NotFoundError, PathForbiddenError
from holovault.mcp_server.boundary import Boundary, name
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.failing import refusal
from holovault.mcp_server.origin import origin_of
from holovault.mcp_server.tokens import tokens_of

URI = "note://{+path}"
MOST = 50_000
"""Tokens of a note that is given whole; a longer one is read by lines."""


class Notes:
    """Whole notes by their address."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon

    async def note(self, path: str) -> str:
        """The note at `path` with its hash and origin; MCP's resource errors, each with our code first."""
        try:
            found = await self._daemon.ask(lambda client: client.read(path))
        except (NotFoundError, PathForbiddenError) as error:
            raise ResourceNotFoundError(str(refusal(error))) from error
        except HolovaultError as error:
            raise ResourceError(str(refusal(error))) from error
        if (cost := tokens_of(found.text)) > MOST:
            raise ResourceError(f"TOO_LARGE: {path} is about {cost:,} tokens, over {MOST:,}. Read its lines with the tool read.")
        boundary = Boundary(found.text)
        head = f"{name(found.path)}, {found.total_lines} lines, {origin_of(found.tier, found.source)}. hash {found.hash}"
        return f"{boundary.notice}\n{head}\n{boundary.around(found.text)}"
