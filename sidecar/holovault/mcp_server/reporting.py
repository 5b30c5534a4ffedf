"""The tool `status`: what the index holds, what it lacks and why. Must not repair anything."""

from typing import Annotated

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult
from pydantic import Field

from holovault.errors import HolovaultError
from holovault.mcp_server import firstpass, rendering
from holovault.mcp_server.answers import Broken, State
from holovault.mcp_server.boundary import Boundary
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.failing import refusal
from holovault.mcp_server.results import result
from holovault.model import Status

_FAILURES = 20


class Reporting:
    """The tool that tells how the index is. `profile` is the person's profile note."""

    def __init__(self, daemon: Daemon, profile: str) -> None:
        self._daemon = daemon
        self._profile = profile

    async def status(
        self,
        context: Context,
        wait_s: Annotated[
            float, Field(ge=0, le=600, description="Seconds to wait until the words of every note are indexed; reports progress.")
        ] = 0.0,
    ) -> Annotated[CallToolResult, State]:
        """Say whether the index is whole: notes, passages, what is pending, which notes failed and why, and which note is the profile."""
        try:
            if wait_s:
                await firstpass.wait_for_words(self._daemon, context, wait_s)
            found = await self._daemon.ask(lambda client: client.status())
        except HolovaultError as error:
            raise refusal(error) from error
        reasons = [one.reason for one in found.failures[:_FAILURES]]
        boundary = Boundary(*reasons)
        value = _state(found, self._profile, boundary)
        return result(value, rendering.state(value, boundary, reasons))


def _state(found: Status, profile: str, boundary: Boundary) -> State:
    return State(
        boundary=boundary.mark,
        vault=found.vault,
        state=found.state,
        notes=found.files,
        passages=found.chunks,
        pending=found.pending,
        eta_s=found.eta_s,
        model=found.model.name or found.model.provider,
        model_state=found.model.state,
        profile=profile,
        failures=[Broken(path=one.path, stage=one.stage, reason=boundary.around(one.reason)) for one in found.failures[:_FAILURES]],
        more_failures=max(0, len(found.failures) - _FAILURES),
        version=found.version,
    )
