"""Clients elsewhere: their long-lived tokens through real HTTP, from the moment they are made to the moment they are removed."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from holovault.config import Home, add_token, remove_token
from holovault.model import Health
from holovault.ownership import prove
from holovault.web.remotes import Remotes
from tests.support.fake_engine import FakeEngine
from tests.support.servers import TOKEN, Answer, Server, served

VAULT = "/home/someone/Notes"
NOW = datetime(2026, 12, 1, tzinfo=UTC)
SECRET = "0123456789abcdefghijABCDEFGHIJ-_"
posix_only = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def with_server(home: Home, visit: Callable[[Server, FakeEngine], Coroutine[None, None, None]]) -> None:
    async def run() -> None:
        engine = FakeEngine({"a.md": b"secret"})
        with contextlib.closing(engine):
            async with asyncio.timeout(60), served(engine, credentials=home.credentials) as server:
                await visit(server, engine)

    asyncio.run(run())


async def greeted(server: Server, nonce: str = "abc", token: str | None = None) -> Health:
    return msgspec.json.decode((await server.ask("GET", f"/v1/health?nonce={nonce}", token=token)).body, type=Health)


def test_a_token_counts_from_when_it_is_made_until_it_is_removed_without_a_restart(home: Home) -> None:
    async def visit(server: Server, engine: FakeEngine) -> None:
        assert (await server.ask("GET", "/v1/status", token=SECRET)).status == 401
        phone, tablet = (add_token(home, name, VAULT, NOW).secret for name in ("phone", "tablet"))
        for token in (phone, tablet, TOKEN):
            assert (await server.ask("GET", "/v1/status", token=token)).status == 200
            assert (await greeted(server, token=token)).vault == VAULT
        remove_token(home, "phone")
        refused = await server.ask("GET", "/v1/status", token=phone)
        assert (refused.status, b'"code":"UNAUTHORISED"' in refused.body) == (401, True)
        assert (await greeted(server, token=phone)).vault == "Notes"
        assert (await server.ask("GET", "/v1/status", token=tablet)).status == 200
        home.credentials.unlink()
        assert (await server.ask("GET", "/v1/status", token=tablet)).status == 401

    with_server(home, visit)


def test_the_handshake_proves_every_token_of_this_vault_and_says_none(home: Home) -> None:
    async def visit(server: Server, engine: FakeEngine) -> None:
        assert (await greeted(server)).proofs == ()
        phone, other = (add_token(home, name, vault, NOW).secret for name, vault in (("phone", VAULT), ("other", "/home/someone/Other")))
        health = await greeted(server, "n0nce")
        assert (health.proof, health.proofs) == (prove(TOKEN, "n0nce"), (prove(phone, "n0nce"),))
        raw = await server.ask("GET", "/v1/health?nonce=n0nce", token=None)
        assert all(secret.encode() not in raw.body for secret in (phone, other, TOKEN))
        assert msgspec.json.decode((await server.ask("GET", "/v1/health", token=None)).body, type=Health).proofs == ()
        assert (await server.ask("GET", "/v1/status", token=other)).status == 401

    with_server(home, visit)


@pytest.mark.parametrize("target", ["/v1/stop", "/v1/%73top", "/v1/page"])
def test_a_token_opens_the_vault_and_not_the_daemon(home: Home, target: str) -> None:
    async def visit(server: Server, engine: FakeEngine) -> None:
        token = add_token(home, "phone", VAULT, NOW).secret
        refused = await server.ask("POST", target, token=token)
        assert (refused.status, b"on the daemon's own machine" in refused.body) == (403, True)
        assert not server.stop.is_set()
        assert (await server.ask("POST", target, token=TOKEN)).status in (200, 202)

    with_server(home, visit)


def test_what_was_asked_before_the_token_was_removed_is_not_answered_after_it(home: Home) -> None:
    async def visit(server: Server, engine: FakeEngine) -> None:
        token = add_token(home, "phone", VAULT, NOW).secret
        engine.gate.clear()
        asked = asyncio.create_task(server.ask("POST", "/v1/index", token=token))
        assert await asyncio.get_running_loop().run_in_executor(None, engine.entered.wait, 30)
        remove_token(home, "phone")
        engine.gate.set()
        assert (await asked).status == 401

    with_server(home, visit)


@posix_only
def test_tokens_that_others_can_read_open_nothing_and_the_log_says_so_once(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    async def visit(server: Server, engine: FakeEngine) -> None:
        token = add_token(home, "phone", VAULT, NOW).secret
        home.credentials.chmod(0o644)
        answers: Sequence[Answer] = [await server.ask("GET", "/v1/status", token=token) for _ in range(3)]
        assert [answer.status for answer in answers] == [401, 401, 401]
        assert all(b"credentials" not in answer.body for answer in answers)
        assert (await server.ask("GET", "/v1/status")).status == 200
        home.credentials.chmod(0o600)
        assert (await server.ask("GET", "/v1/status", token=token)).status == 200
        assert token not in caplog.text

    with caplog.at_level(logging.DEBUG):
        with_server(home, visit)
    assert caplog.text.count("run chmod 600") == 1


class Reads(Remotes):
    """Counts how often the file is read."""

    count = 0

    def _read(self, credentials: Path) -> tuple[str, ...]:
        self.count += 1
        return super()._read(credentials)


def test_a_file_that_stays_as_it_is_is_read_once(home: Home) -> None:
    token = add_token(home, "phone", VAULT, NOW)
    later = home.credentials.stat().st_ctime + 3600
    remotes = Reads(home.credentials, VAULT, lambda: later)
    assert [remotes.secrets() for _ in range(50)] == [(token.secret,)] * 50
    assert remotes.count == 1


def test_a_file_that_has_just_changed_is_read_until_its_dates_can_be_trusted(home: Home) -> None:
    add_token(home, "phone", VAULT, NOW)
    clock = [home.credentials.stat().st_ctime + 0.5]
    remotes = Reads(home.credentials, VAULT, lambda: clock[0])
    counts = []
    for later in (0.0, 0.0, 1.0, 3600.0, 3600.0, 3600.0):
        clock[0] += later
        assert remotes.secrets()
        counts.append(remotes.count)
    assert counts == [1, 2, 3, 4, 4, 4]


def test_without_a_file_or_without_a_home_there_is_no_token(home: Home) -> None:
    assert Remotes(None, VAULT).secrets() == ()
    assert Remotes(home.credentials, VAULT).secrets() == ()
