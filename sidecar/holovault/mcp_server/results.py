"""One answer in both of its shapes: words for a model, the same facts as JSON for a program. Clients show one of the two."""

from mcp.types import CallToolResult, TextContent

from holovault.mcp_server.answers import Answer


def result(value: Answer, words: str) -> CallToolResult:
    """`value` as structured content, without what is null; `words` as its text."""
    return CallToolResult(
        content=[TextContent(type="text", text=words)], structured_content=value.model_dump(mode="json", exclude_none=True)
    )
