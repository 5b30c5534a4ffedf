"""Parts of the page about agents that are made from the code: the tools and the codes of errors."""

import asyncio
from pathlib import Path
from typing import Any

from holovault.config import Home
from holovault.mcp_server.codes import CODES
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.server import build


def tools_table() -> str:
    """Every tool with what it does and what it takes."""
    server = build(Daemon(Home(Path("home")), Path("vault")), "Memory/profile.md")
    lines: list[str] = []
    for tool in asyncio.run(server.list_tools()):
        assert tool.annotations is not None
        kind = "reads only" if tool.annotations.read_only_hint else "changes notes"
        lines += [
            f"### `{tool.name}` – {tool.title} ({kind})",
            "",
            (tool.description or "").strip(),
            "",
            "| argument | what it is |",
            "|---|---|",
        ]
        lines += [
            f"| `{name}`{_default(schema)} | {_cell(schema['description'])} |" for name, schema in tool.input_schema["properties"].items()
        ]
        lines.append("")
    return "\n".join(lines)


def codes_table() -> str:
    """Every code with its next step."""
    return "\n".join(
        ["| code | what it means and what comes next |", "|---|---|", *(f"| `{code}` | {_cell(text)} |" for code, text in CODES.items())]
    )


def _default(schema: dict[str, Any]) -> str:
    default = schema.get("default")
    return "" if default is None else f" = `{str(default).lower() if isinstance(default, bool) else default}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
