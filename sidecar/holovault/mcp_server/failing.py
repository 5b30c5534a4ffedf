"""How a tool says no: one code of the table first, then the sentence, then what the error carries besides.

Owns the translation of our errors into the SDK's. Whatever is not ours stays in the log of this process and reaches nobody
as text. Must not retry.
"""

import logging

from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from pydantic import ValidationError

from holovault.errors import HolovaultError, StaleError, UserError
from holovault.mcp_server.boundary import Boundary

log = logging.getLogger(__name__)

_INTERNAL = "INTERNAL: This is a mistake in Holovault, not in what you asked; the log of this MCP server says where. Try something else."

_TOO_LONG = frozenset({"string_too_long", "too_long"})
_UNKNOWN = "there is no such argument: correct its name or leave it out"


def refusal(error: HolovaultError) -> ToolError:
    """What a tool raises for an error of ours."""
    code = error.code if isinstance(error, UserError) else UserError.code
    return ToolError(f"{code}: {error}{_carried(error)}")


def uncertain(what: str) -> ToolError:
    """What a tool raises where the daemon ended over an order, and nothing tells whether it was carried out."""
    return ToolError(f"UNCERTAIN: the daemon ended while {what}, and it cannot be told whether that was done. Look before you do it again.")


def sentence(error: ToolError) -> str:
    """What the agent reads for an error that the SDK has wrapped in words of its own."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        problems = cause.errors(include_url=False, include_input=False)
        code = "TOO_LARGE" if all(problem["type"] in _TOO_LONG for problem in problems) else "USAGE"
        return f"{code}: {'; '.join(_problem(problem['loc'], problem['type'], problem['msg']) for problem in problems)}"
    if isinstance(error, UnexpectedToolError):
        return _INTERNAL
    if isinstance(cause, ToolError):
        return str(cause)
    return f"USAGE: {error}"


def _problem(place: tuple[int | str, ...], kind: str, message: str) -> str:
    return f"{'.'.join(map(str, place)) or 'the arguments'}: {_UNKNOWN if kind == 'extra_forbidden' else message}"


def _carried(error: HolovaultError) -> str:
    said = ""
    if isinstance(error, StaleError) and error.current_hash:
        said = f" Current hash: {error.current_hash}."
    if isinstance(error, UserError) and error.quoted:
        boundary = Boundary(error.quoted)
        said += f"\n{boundary.notice}\n{boundary.around(error.quoted)}"
    return said
