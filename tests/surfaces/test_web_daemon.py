"""The life of a served engine in one process: idle exit, signals, the log file."""

import asyncio
import contextlib
import logging
import os
import signal
import stat
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from holovault.web import ServerSettings, listen, log_to, run
from tests.support.fake_engine import FakeEngine


@contextlib.contextmanager
def quiet(engine: FakeEngine) -> Iterator[FakeEngine]:
    try:
        yield engine
    finally:
        engine.close()


def life(engine: FakeEngine, idle_exit: float | None, sends: int | None = None) -> None:
    """Serves until the daemon leaves by itself, or by the signal that it gets once it answers."""
    door = listen(0)
    settings = ServerSettings(port=door.getsockname()[1], vault="/v", boot_id="b", pid=1, token="t", idle_exit=idle_exit)

    def published() -> None:
        if sends is not None:
            signal.raise_signal(sends)

    async def bounded() -> None:
        async with asyncio.timeout(20):
            await run(engine, settings, door, published)

    asyncio.run(bounded())


def test_a_daemon_that_nobody_asks_leaves() -> None:
    with quiet(FakeEngine()) as engine:
        life(engine, 0.05)


class BusyForAWhile(FakeEngine):
    """Is embedding the first three times that somebody looks."""

    def __init__(self) -> None:
        self.looks = 0
        super().__init__()

    @property
    def state(self) -> str:
        self.looks += 1
        return "embedding" if self.looks <= 3 else "ready"

    @state.setter
    def state(self, value: str) -> None: ...


def test_a_daemon_that_still_indexes_stays_until_it_has_finished() -> None:
    engine = BusyForAWhile()
    with quiet(engine):
        life(engine, 0.02)
    assert engine.looks == 4


@pytest.mark.skipif(os.name != "posix", reason="a Windows process cannot send itself these without its console")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_it_leave_in_order(number: int) -> None:
    before = signal.getsignal(number)
    with quiet(FakeEngine()) as engine:
        life(engine, None, sends=number)
    assert signal.getsignal(number) is before


def test_the_log_is_json_lines_without_queries_or_tokens(tmp_path: Path) -> None:
    before = logging.getLogger().level
    handler = log_to(tmp_path / "logs", "k")
    try:
        with quiet(FakeEngine({"secret name.md": b"x"})) as engine:
            door = listen(0)
            port = door.getsockname()[1]
            settings = ServerSettings(port=port, vault="/v", boot_id="b", pid=1, token="t0ken", idle_exit=None)
            wanted = [f"http://127.0.0.1:{port}/v1/{path}" for path in ("search?q=my-secret-query", "notes/secret%20name.md", "stop")]

            def ask() -> None:
                for url in wanted:
                    method = "POST" if url.endswith("stop") else "GET"
                    request = urllib.request.Request(url, method=method, headers={"Authorization": "Bearer t0ken"})
                    urllib.request.urlopen(request, timeout=10).close()

            asker = threading.Thread(target=ask)
            asyncio.run(run(engine, settings, door, asker.start))
            asker.join(10)
    finally:
        logging.getLogger().removeHandler(handler)
        logging.getLogger().setLevel(before)
        handler.close()
    written = (tmp_path / "logs" / "daemon-k.jsonl").read_text(encoding="utf-8")
    lines = [msgspec.json.decode(line) for line in written.splitlines()]
    assert any("GET /v1/search 200" in line["message"] for line in lines)
    assert any("GET /v1/notes/{path} 200" in line["message"] for line in lines)
    assert not any(word in written for word in ("my-secret-query", "secret name", "t0ken"))


def test_a_log_line_keeps_the_traceback_and_survives_any_name(tmp_path: Path) -> None:
    handler = log_to(tmp_path, "k", logging.WARNING)
    try:
        try:
            raise ValueError("broken \udce9")
        except ValueError:
            logging.getLogger("holovault.test").exception("could not read %s", "na\udcefme\n")
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    (line,) = (tmp_path / "daemon-k.jsonl").read_text(encoding="utf-8").splitlines()
    found = msgspec.json.decode(line)
    assert found["level"] == "error"
    assert "ValueError" in found["trace"]


@pytest.mark.skipif(os.name != "posix", reason="Windows inherits the profile folder's access list")
def test_the_log_folder_is_for_this_user_only(tmp_path: Path) -> None:
    handler = log_to(tmp_path / "logs", "k")
    logging.getLogger().removeHandler(handler)
    handler.close()
    assert stat.S_IMODE((tmp_path / "logs").stat().st_mode) == 0o700
