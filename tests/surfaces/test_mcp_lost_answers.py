"""A daemon that falls silent in the middle of a call: what may be asked again is, what may not is looked into first."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from mcp.client.client import Client

from holovault.client import AsyncClient
from holovault.config import Home
from holovault.errors import IndexUnreadableError
from holovault.mcp_server.daemon import Daemon
from holovault.mcp_server.server import build
from holovault.model import Health, NoteChange, ReadResult, WriteResult
from tests.support.fake_daemon import fake_daemon
from tests.support.fake_engine import FakeEngine, hash_of
from tests.support.mcp_desk import words

OLD, NEW = b"old words\n", b"new words\n"


class _Falling:
    """A client whose daemon falls silent once: before the order is carried out, after it, or after somebody else's."""

    def __init__(self, falls: str) -> None:
        self.engine = FakeEngine({"a.md": OLD})
        self.orders = 0
        self._falls = falls

    async def read(self, path: str, start: int = 1, end: int | None = None) -> ReadResult:
        return self.engine.read(path, start, end)

    async def write(self, path: str, content: bytes, expected_hash: str | None, create: bool) -> WriteResult:
        return self._ordered(lambda: self.engine.write(path, content, expected_hash, create))

    async def change(self, path: str, change: NoteChange, expected_hash: str | None) -> WriteResult:
        return self._ordered(lambda: self.engine.write(path, NEW, expected_hash or hash_of(self.engine.notes[path]), False))

    def _ordered(self, work: Callable[[], WriteResult]) -> WriteResult:
        falls, self._falls = self._falls, "no more"
        if falls == "before":
            raise IndexUnreadableError("the daemon does not answer")
        if falls == "elsewhere":
            self.engine.notes["a.md"] = b"somebody else's words\n"
            raise IndexUnreadableError("the daemon does not answer")
        self.orders += 1
        done = work()
        if falls == "after":
            raise IndexUnreadableError("the daemon does not answer")
        return done


class _Way(Daemon):
    """A way that leads to the client at hand."""

    def __init__(self, tmp_path: Path, client: _Falling) -> None:
        super().__init__(Home(tmp_path), tmp_path)
        self._one = client

    async def _proven(self) -> tuple[AsyncClient, Health]:
        return cast("AsyncClient", self._one), Health("v1", 1, "0", "v", "b", 1, "ready", 1)


def _call(tmp_path: Path, client: _Falling, **arguments: Any) -> str:
    async def session() -> str:
        async with Client(build(_Way(tmp_path, client), "p.md")) as agent:
            return words(await agent.call_tool("write", {"path": "a.md", **arguments}))

    return asyncio.run(session())


@pytest.mark.parametrize("falls", ["before", "after"])
def test_a_write_whose_answer_is_lost_is_carried_out_exactly_once(tmp_path: Path, falls: str) -> None:
    client = _Falling(falls)
    told = _call(tmp_path, client, content=NEW.decode(), expected_hash=hash_of(OLD))
    assert told.startswith("Wrote a.md") and hash_of(NEW) in told
    assert (client.orders, client.engine.notes["a.md"]) == (1, NEW)


def test_a_write_that_was_lost_never_covers_what_came_in_between(tmp_path: Path) -> None:
    client = _Falling("elsewhere")
    told = _call(tmp_path, client, content=NEW.decode(), expected_hash=hash_of(OLD))
    assert told.startswith("STALE: ") and hash_of(b"somebody else's words\n") in told
    assert client.engine.notes["a.md"] == b"somebody else's words\n"


@pytest.mark.parametrize(
    ("falls", "known", "code"), [("before", True, "Wrote"), ("after", True, "UNCERTAIN: "), ("before", False, "UNCERTAIN: ")]
)
def test_a_change_that_cannot_be_told_from_a_lost_one_is_not_given_twice(tmp_path: Path, falls: str, known: bool, code: str) -> None:
    client = _Falling(falls)
    hashes = {"expected_hash": hash_of(OLD)} if known else {}
    assert _call(tmp_path, client, append={"text": "x"}, **hashes).startswith(code)
    assert client.orders == (0 if not known else 1)


def test_a_daemon_that_is_updated_in_a_session_is_asked_next(tmp_path: Path) -> None:
    home, root = Home(tmp_path / "home"), tmp_path / "vault"
    root.mkdir()

    async def session() -> list[str]:
        loop, told = asyncio.get_running_loop(), []
        daemon = Daemon(home, root)
        async with Client(build(daemon, "p.md")) as agent:
            for version, text in (("0.1.0", b"first"), ("9.0.0", b"second")):
                life = contextlib.ExitStack()
                await loop.run_in_executor(None, life.enter_context, fake_daemon(home, root, FakeEngine({"a.md": text}), version=version))
                told.append(words(await agent.call_tool("read", {"path": "a.md"})))
                await loop.run_in_executor(None, life.close)
            await daemon.close()
        return told

    first, second = asyncio.run(session())
    assert "1\tfirst" in first and "1\tsecond" in second
