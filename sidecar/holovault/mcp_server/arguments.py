"""What a tool takes: nothing that it does not know, and text as it was given.

Owns the difference to the SDK, which leaves unknown arguments out in silence (a misspelt `expected_hash` would write without one) and
reads a text that happens to be JSON as what that JSON says (a note of two brackets would be a list). Must not call a tool.
"""

from collections.abc import Callable
from types import new_class
from typing import Any

from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp.types import ToolAnnotations


class Arguments(FuncMetadata):
    """The arguments of one tool; `texts` are those that may be text."""

    texts: frozenset[str]

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        """Unwraps the lists and objects that a client put into a string. What may be text stays what it is."""
        return {key: data[key] if key in self.texts else value for key, value in super().pre_parse_json(data).items()}


def tool_of(function: Callable[..., Any], title: str, annotations: ToolAnnotations) -> Tool:
    """The tool that `function` is, described by its docstring. An argument that it does not have is a ValidationError."""
    tool = Tool.from_function(function, title=title, description=" ".join((function.__doc__ or "").split()), annotations=annotations)
    found = tool.fn_metadata
    strict: type[ArgModelBase] = new_class(found.arg_model.__name__, (found.arg_model,), {"extra": "forbid"})
    tool.parameters = {**tool.parameters, "additionalProperties": False}
    tool.fn_metadata = Arguments(
        arg_model=strict,
        output_schema=found.output_schema,
        output_model=found.output_model,
        texts=frozenset(name for name, schema in tool.parameters["properties"].items() if _may_be_text(schema)),
    )
    return tool


def _may_be_text(schema: dict[str, Any]) -> bool:
    return any(one.get("type") == "string" for one in (schema, *schema.get("anyOf", ())))
