"""The agents that are known: where each keeps its MCP servers, and in which words. Pure.

Sources: the manuals of Claude Code, Claude Desktop, Codex, Cursor, VS Code and opencode, read in 2026.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from holovault.config import AgentPlaces

Format = Literal["json", "toml"]
ClientName = Literal["claude-code", "claude-desktop", "codex", "cursor", "vscode", "opencode"]


@dataclass(frozen=True, slots=True)
class Launch:
    """How the server is started. `environment` is empty where nothing has to be said."""

    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Client:
    """One agent. `file` is null where it has no such file for the scope; `trace` is there where the agent is used on this machine."""

    name: ClientName
    title: str
    format: Format
    table: str
    file: Path | None
    trace: Path


def clients(places: AgentPlaces, project: Path | None) -> tuple[Client, ...]:
    """All of them, with their files for one project, or for all projects of this user where `project` is null."""
    person, code = places.person, places.settings / "Code"
    desktop = places.settings / "Claude"

    def file(inside: str, own: Path | None) -> Path | None:
        return project / inside if project is not None else own

    return (
        Client("claude-code", "Claude Code", "json", "mcpServers", file(".mcp.json", person / ".claude.json"), person / ".claude"),
        Client(
            "claude-desktop",
            "Claude Desktop",
            "json",
            "mcpServers",
            None if project is not None else desktop / "claude_desktop_config.json",
            desktop,
        ),
        Client("codex", "Codex", "toml", "mcp_servers", file(".codex/config.toml", places.codex / "config.toml"), places.codex),
        Client("cursor", "Cursor", "json", "mcpServers", file(".cursor/mcp.json", person / ".cursor" / "mcp.json"), person / ".cursor"),
        Client("vscode", "VS Code", "json", "servers", file(".vscode/mcp.json", code / "User" / "mcp.json"), code),
        Client("opencode", "opencode", "json", "mcp", file("opencode.json", places.opencode / "opencode.json"), places.opencode),
    )


def entry(client: Client, launch: Launch) -> dict[str, Any]:
    """The server in the words of the agent."""
    if client.name == "opencode":
        told = {"environment": dict(launch.environment)} if launch.environment else {}
        # Its own patience of five seconds is short for a busy machine that has not loaded Python yet.
        return {"type": "local", "command": [launch.command, *launch.arguments], **told, "enabled": True, "timeout": 20_000}
    plain = {"command": launch.command, "args": list(launch.arguments)}
    if launch.environment:
        plain["env"] = dict(launch.environment)  # type: ignore[assignment]
    if client.name == "codex":
        return {**plain, "startup_timeout_sec": 20}
    return {"type": "stdio", **plain} if client.name in {"claude-code", "vscode"} else plain


def vault_of(entry: object) -> str | None:
    """The vault of an entry that starts our server, null for any other."""
    if not isinstance(entry, Mapping):
        return None
    command, more = entry.get("command"), entry.get("args", [])
    words = [*(command if isinstance(command, list) else [command]), *(more if isinstance(more, list) else [])]
    if "holovault.cli" not in words or "mcp" not in words or "--vault" not in words[:-1]:
        return None
    return str(words[words.index("--vault") + 1])
