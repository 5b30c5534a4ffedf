"""The client against a served fake engine: the same answers and errors as the engine's own, and no token for strangers."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from aiohttp import web

from holovault.client import AsyncClient, Client, Timeouts, connect_or_none, stop_daemon
from holovault.client.problems import error_from
from holovault.config import Home, vault_key
from holovault.errors import (
    BusyError,
    ConfigError,
    IndexUnreadableError,
    NotFoundError,
    PathForbiddenError,
    StaleError,
    UsageError,
    UserError,
    VersionError,
)
from holovault.model import Health, IndexProgress, IndexReport, IndexRequest, RelatedRequest, SearchRequest
from holovault.ownership import acquire, find, is_held, prove
from holovault.web.problems import problem_of
from tests.support.fake_daemon import fake_daemon
from tests.support.fake_engine import FakeEngine, hash_of
from tests.support.servers import BOOT, TOKEN, run_file, served

T = TypeVar("T")
NOTES = {"a b/ёлка #1.md": "# Title\nsecond ёлка\n".encode(), "b.md": b"other"}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine(NOTES)


@pytest.fixture
def client(home: Home, vault: Path, engine: FakeEngine) -> Iterator[Client]:
    with fake_daemon(home, vault, engine):
        found = Client.connect_or_none(home, vault)
        assert found is not None
        with found:
            yield found


def test_the_client_answers_what_the_engine_answers(client: Client, engine: FakeEngine) -> None:
    search, related = SearchRequest("ёлка", explain=True, max_wait=None), RelatedRequest("b.md")
    assert client.search(search) == engine.search(search)
    assert client.related(related) == engine.related(related)
    assert client.read("a b/ёлка #1.md", 2) == engine.read("a b/ёлка #1.md", 2)
    assert client.read("a b/ёлка #1.md", 1, 1) == engine.read("a b/ёлка #1.md", 1, 1)
    assert client.status() == engine.status()
    assert client.explain("b.md") == engine.explain("b.md")
    assert client.index(IndexRequest(wait=False)) == engine.index(IndexRequest(wait=False))
    engine.tell("index", "b.md")
    assert client.events(1, 5.0) == engine.events(1, 5.0)
    assert client.health().state == "ready"


def test_writing_creates_replaces_and_refuses_what_is_stale(client: Client, engine: FakeEngine) -> None:
    created = client.write("new.md", b"\xff\x00one\r\n", None, True)
    assert created.hash == hash_of(b"\xff\x00one\r\n")
    replaced = client.write("new.md", b"two", created.hash, False)
    assert engine.notes["new.md"] == b"two"
    with pytest.raises(StaleError, match="Read it again") as caught:
        client.write("new.md", b"three", created.hash, False)
    assert caught.value.current_hash == replaced.hash


@pytest.mark.parametrize(
    ("ask", "kind"),
    [
        (lambda client: client.read("missing.md"), NotFoundError),
        (lambda client: client.read("a/../../b.md"), PathForbiddenError),
        (lambda client: client.related(RelatedRequest("missing.md")), NotFoundError),
        (lambda client: client.search(SearchRequest("a", limit=0)), UsageError),
        (lambda client: client.write("b.md", b"", None, False), UsageError),
    ],
)
def test_errors_come_back_as_the_classes_they_left_as(client: Client, ask: Callable[[Client], object], kind: type[UserError]) -> None:
    with pytest.raises(kind) as caught:
        ask(client)
    assert type(caught.value).code == kind.code


@pytest.mark.parametrize(
    "error",
    [ConfigError("knowledge.toml", ("line 3: no", "line 4: no")), StaleError("stale.", None), BusyError("busy."), VersionError("older.")],
)
def test_an_error_survives_the_wire(error: UserError) -> None:
    back = error_from(error.status, msgspec.json.encode(problem_of(error)))
    assert type(back) is type(error)
    assert str(back) == str(error)


def test_an_answer_that_is_no_problem_is_still_an_error() -> None:
    assert "HTTP 502" in str(error_from(502, b"<html>bad gateway"))


def test_progress_is_reported_while_the_daemon_indexes(client: Client, engine: FakeEngine) -> None:
    engine.gate.clear()
    steps: list[IndexProgress] = []

    def progress(step: IndexProgress) -> None:
        steps.append(step)
        engine.gate.set()

    assert client.index(IndexRequest(), progress).files == 2
    assert steps[0].total == 2


def test_a_daemon_that_leaves_while_it_indexes_is_an_error(home: Home, vault: Path) -> None:
    engine = FakeEngine(NOTES)
    engine.gate.clear()
    with fake_daemon(home, vault, engine, shutdown_timeout=0.1):
        client = Client.connect_or_none(home, vault)
        assert client is not None
        stopper = threading.Thread(target=lambda: stop_daemon(home, vault))

        def progress(_: IndexProgress) -> None:
            if stopper.ident is None:
                stopper.start()

        with client, pytest.raises(IndexUnreadableError, match="does not answer"):
            client.index(IndexRequest(), progress)
        engine.gate.set()
        stopper.join(10)
        assert not is_held(home, vault_key(vault))


def test_no_daemon_is_none(home: Home, vault: Path) -> None:
    assert Client.connect_or_none(home, vault) is None
    assert stop_daemon(home, vault) is None
    with acquire(home, vault, "holovault index"):
        assert Client.connect_or_none(home, vault) is None


def test_a_stopped_daemon_has_let_go_when_stop_returns(home: Home, vault: Path) -> None:
    with fake_daemon(home, vault, FakeEngine()) as lease:
        gone = stop_daemon(home, vault)
        assert gone == lease.run
        assert not is_held(home, vault_key(vault))
        assert find(home, vault) is None


def test_an_older_daemon_is_asked_to_leave(home: Home, vault: Path) -> None:
    with fake_daemon(home, vault, FakeEngine(), version="0.0.9"):
        assert Client.connect_or_none(home, vault) is None
        assert not is_held(home, vault_key(vault))


def test_a_daemon_with_an_older_protocol_is_asked_to_leave(home: Home, vault: Path) -> None:
    with fake_daemon(home, vault, FakeEngine(), protocol=0, version="99.0"):
        assert Client.connect_or_none(home, vault) is None
        assert not is_held(home, vault_key(vault))


def test_a_newer_daemon_with_our_protocol_is_asked(home: Home, vault: Path) -> None:
    with fake_daemon(home, vault, FakeEngine(), version="99.0"):
        client = Client.connect_or_none(home, vault)
        assert client is not None
        client.close()


def test_a_daemon_with_a_newer_protocol_is_refused_with_the_next_step_and_lives_on(home: Home, vault: Path) -> None:
    with fake_daemon(home, vault, FakeEngine(), protocol=2):
        with pytest.raises(VersionError, match="Update this installation"):
            Client.connect_or_none(home, vault)
        assert is_held(home, vault_key(vault))


def talk(run_port: Callable[[int], Awaitable[T]], handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> T:
    """Runs `run_port` with the port of a server whose every answer is `handler`'s."""

    async def inside() -> T:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", handler)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            return await run_port(site.port)
        finally:
            await runner.cleanup()

    return asyncio.run(inside())


def test_another_program_on_the_port_never_sees_the_token() -> None:
    seen: list[tuple[str, str | None]] = []

    async def impostor(request: web.Request) -> web.StreamResponse:
        seen.append((request.path, request.headers.get("Authorization")))
        fields = {"api": "v1", "protocol": 1, "version": "0.1.0", "vault": "v", "boot_id": "b00t", "generation": 1, "state": "ready"}
        return web.json_response({**fields, "pid": 1, "proof": "0" * 64})

    async def ask(port: int) -> None:
        async with AsyncClient(run_file(port)) as client:
            with pytest.raises(IndexUnreadableError, match="another program"):
                await client.search(SearchRequest("a"))

    talk(ask, impostor)
    assert seen == [("/v1/health", None)]


def test_a_daemon_that_stops_answering_while_it_indexes_is_given_up() -> None:
    async def deaf(request: web.Request) -> web.StreamResponse:
        if request.path == "/v1/health":
            proof = prove(TOKEN, request.query["nonce"])
            return web.Response(body=msgspec.json.encode(Health("v1", 1, "0.1.0", "v", BOOT, 1, "ready", 1, proof)))
        if request.method == "POST":
            await asyncio.Event().wait()
        return web.Response(status=500)

    async def ask(port: int) -> None:
        async with AsyncClient(run_file(port)) as client:
            with pytest.raises(UserError, match="HTTP 500"):
                await asyncio.wait_for(client.index(IndexRequest()), 15)

    talk(ask, deaf)


@pytest.mark.parametrize("body", [b"", b"hello", b"{}", b'{"api": 1}'])
def test_a_program_that_speaks_something_else_is_not_a_daemon(body: bytes) -> None:
    async def other(request: web.Request) -> web.StreamResponse:
        return web.Response(body=body)

    async def ask(port: int) -> None:
        async with AsyncClient(run_file(port)) as client:
            with pytest.raises(IndexUnreadableError):
                await client.status()

    talk(ask, other)


def test_a_daemon_of_another_start_is_not_ours() -> None:
    async def ask() -> None:
        async with served(FakeEngine()) as server, AsyncClient(run_file(server.port, boot_id="other")) as client:
            with pytest.raises(IndexUnreadableError):
                await client.status()

    asyncio.run(ask())


def test_an_answer_that_never_comes_ends_in_time() -> None:
    async def silent(request: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        raise AssertionError

    async def ask(port: int) -> None:
        async with AsyncClient(run_file(port), Timeouts(health=0.1)) as client:
            with pytest.raises(IndexUnreadableError, match="no answer in time"):
                await client.status()

    talk(ask, silent)


def test_an_answer_that_breaks_off_is_an_error() -> None:
    async def half(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b'{"api":')
        assert request.transport is not None
        request.transport.abort()
        return response

    async def ask(port: int) -> None:
        async with AsyncClient(run_file(port)) as client:
            with pytest.raises(IndexUnreadableError, match="does not answer"):
                await client.status()

    talk(ask, half)


def test_nobody_at_the_port_is_an_error_with_the_next_step() -> None:
    async def ask() -> None:
        async with served(FakeEngine()) as server:
            port = server.port
        async with AsyncClient(run_file(port)) as client:
            with pytest.raises(IndexUnreadableError, match="holovault up"):
                await client.status()

    asyncio.run(ask())


def test_a_proxy_of_the_environment_is_not_used(home: Home, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    with fake_daemon(home, vault, FakeEngine()):
        client = asyncio.run(_connected(home, vault))
        assert client


async def _connected(home: Home, vault: Path) -> bool:
    client = await connect_or_none(home, vault)
    assert client is not None
    async with client:
        return (await client.index(IndexRequest())) == IndexReport()
