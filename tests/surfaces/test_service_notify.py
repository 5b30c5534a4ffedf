"""What a supervisor is told, and when: over a real socket, about an engine whose threads the test ends."""

import asyncio
import contextlib
import logging
import os
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from holovault.config import Supervisor
from holovault.model import ModelStatus, Status
from holovault.web import Notifier, ServerSettings, attend, listen, run
from holovault.web.attending import in_words
from tests.support.fake_engine import FakeEngine

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sd_notify needs Unix sockets")
P = ParamSpec("P")
T = TypeVar("T")

READY = Status("/v", "ready", 3, 3, 3, 3, 0, 1, ModelStatus("none", "", "", 0, "none"), 1.0, "daemon", 1, "0", "native")


class Attended:
    """An engine as a supervisor's friend sees it. `broken` makes its status fail."""

    def __init__(self, *, alive: bool = True, looked: bool = True) -> None:
        self.alive = alive
        self.looked = looked
        self.broken = False
        self.asked = 0

    def status(self) -> Status:
        self.asked += 1
        if self.broken:
            raise RuntimeError("a bug")
        return replace(READY, state="embedding", pending=self.asked, windows=100)

    async def linger(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return call(*args, **kwargs)


class Ear:
    """The supervisor's end of the socket."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self._socket.setblocking(False)

    async def hears(self, state: str) -> list[str]:
        """Everything up to the datagram that holds `state`."""
        loop, heard = asyncio.get_running_loop(), list[str]()
        async with asyncio.timeout(10):
            while not any(said.startswith(state) for said in heard):
                heard += (await loop.sock_recv(self._socket, 4096)).decode("utf-8").split("\n")
        return heard

    def rest(self) -> list[str]:
        """What was said so far and not yet heard."""
        heard: list[str] = []
        with contextlib.suppress(BlockingIOError):
            while True:
                heard += self._socket.recv(4096).decode("utf-8").split("\n")
        return heard

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def address() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="hv", dir="/tmp") as folder:
        yield str(Path(folder) / "notify")


@pytest.fixture
def ear(address: str) -> Iterator[Ear]:
    found = Ear(address)
    yield found
    found.close()


@contextlib.asynccontextmanager
async def attended(engine: Attended, address: str, watchdog_s: float | None = 0.1) -> AsyncIterator[None]:
    task = asyncio.create_task(attend(engine, Supervisor(address, watchdog_s), Notifier(address)))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def test_it_is_ready_once_the_vault_was_looked_at_and_says_that_it_leaves(ear: Ear, address: str) -> None:
    async def life() -> None:
        engine = Attended(looked=False)
        async with attended(engine, address):
            assert "READY=1" not in await ear.hears("EXTEND_TIMEOUT_USEC=")
            engine.looked = True
            assert "WATCHDOG=1" not in await ear.hears("READY=1")
            await ear.hears("WATCHDOG=1")
        assert "STOPPING=1" in ear.rest()

    asyncio.run(life())


def test_a_dead_thread_ends_the_heartbeat_but_not_the_words(ear: Ear, address: str, caplog: pytest.LogCaptureFixture) -> None:
    async def life() -> None:
        engine = Attended()
        async with attended(engine, address):
            await ear.hears("WATCHDOG=1")
            engine.alive = False
            async with asyncio.timeout(10):
                while "a thread of the engine has ended" not in caplog.text:
                    await asyncio.sleep(0.01)
            ear.rest()
            assert "WATCHDOG=1" not in await ear.hears("STATUS=")

    with caplog.at_level(logging.ERROR):
        asyncio.run(life())


def test_an_engine_that_died_before_it_was_ready_gets_no_more_time(ear: Ear, address: str) -> None:
    async def life() -> None:
        async with attended(Attended(alive=False, looked=False), address):
            heard = await ear.hears("STATUS=")
            heard += await ear.hears("STATUS=")
        assert not any(said.startswith(("EXTEND_TIMEOUT_USEC", "READY", "WATCHDOG")) for said in heard)

    asyncio.run(life())


def test_a_status_that_fails_does_not_stop_the_heartbeat(ear: Ear, address: str) -> None:
    async def life() -> None:
        engine = Attended()
        engine.broken = True
        async with attended(engine, address):
            await ear.hears("STATUS=Its status cannot be told")
            ear.rest()
            await ear.hears("WATCHDOG=1")

    asyncio.run(life())


def test_without_a_watchdog_there_is_no_heartbeat(ear: Ear, address: str) -> None:
    async def life() -> None:
        async with attended(Attended(), address, None):
            heard = await ear.hears("READY=1")
            heard += await ear.hears("STATUS=")
            heard += await ear.hears("STATUS=")
        assert "WATCHDOG=1" not in [*heard, *ear.rest()]

    asyncio.run(life())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="abstract sockets are Linux's")
def test_an_abstract_socket_hears_as_well() -> None:
    address = f"@holovault-test-{os.getpid()}"
    ear = Ear(address)
    try:
        assert Notifier(address)("READY=1", "STATUS=Ж")
        assert ear.rest() == ["READY=1", "STATUS=Ж"]
    finally:
        ear.close()


def test_a_supervisor_that_went_away_is_told_once_in_the_log(address: str, caplog: pytest.LogCaptureFixture) -> None:
    say = Notifier(address)
    assert [say("READY=1"), say("WATCHDOG=1")] == [False, False]
    assert [record.levelname for record in caplog.records if "cannot be told" in record.message] == ["WARNING"]


def test_without_a_supervisor_nothing_is_sent() -> None:
    assert Notifier(None)("READY=1") is False


def test_the_supervisor_is_read_from_the_environment() -> None:
    given = {"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "30000000"}
    assert Supervisor.from_environment(7, given) == Supervisor("/run/n", 30.0)
    assert Supervisor.from_environment(7, {**given, "WATCHDOG_PID": "7"}) == Supervisor("/run/n", 30.0)
    assert Supervisor.from_environment(7, {**given, "WATCHDOG_PID": "8"}) == Supervisor("/run/n", None)
    assert Supervisor.from_environment(7, {"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "soon"}) == Supervisor("/run/n", None)
    assert Supervisor.from_environment(7, {"WATCHDOG_USEC": "30000000"}) == Supervisor()


def test_the_words_say_what_it_does() -> None:
    assert in_words(READY) == "Answers; notes in the index: 3."
    assert in_words(replace(READY, state="indexing")) == "Reading the vault."
    assert in_words(replace(READY, state="indexing", done=2, total=9)) == "Reading the vault: 2 of 9 changed notes."
    assert in_words(replace(READY, state="vault-missing")) == "The vault's folder is away just now."


def test_a_companion_that_fails_costs_neither_the_answers_nor_the_end(caplog: pytest.LogCaptureFixture) -> None:
    engine, door = FakeEngine(), listen(0)
    settings = ServerSettings(port=door.getsockname()[1], vault="/v", boot_id="b", pid=1, token="t", idle_exit=0.1)

    async def fails() -> None:
        raise RuntimeError("a bug")

    async def bounded() -> None:
        async with asyncio.timeout(20):
            await run(engine, settings, door, lambda: None, fails)

    with contextlib.closing(engine), caplog.at_level(logging.ERROR):
        asyncio.run(bounded())
    assert [record.exc_info is not None for record in caplog.records] == [True]
