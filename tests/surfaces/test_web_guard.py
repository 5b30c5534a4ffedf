"""Who may ask: tables of Host, Origin and Authorization values, and the same through real HTTP."""

import asyncio

import msgspec
import pytest

from holovault.web.guard import host_allowed, origin_allowed, token_allowed
from tests.support.fake_engine import FakeEngine
from tests.support.servers import TOKEN, served


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1:8000", True),
        ("localhost:8000", True),
        ("LOCALHOST:8000", True),
        ("[::1]:8000", True),
        ("notes.example.org", True),
        ("notes.example.org:443", True),
        ("tunnel.example.org:9000", True),
        ("10.8.0.1:9000", True),
        ("[fd00::1]:9000", True),
        ("[fd00::1]", True),
        ("[fd00::2]:9000", False),
        ("fd00::1", True),
        ("tunnel.example.org:9001", False),
        ("tunnel.example.org", False),
        ("127.0.0.1:8001", False),
        ("127.0.0.1", False),
        ("localhost", False),
        ("0.0.0.0:8000", False),
        ("evil.example:8000", False),
        ("localhost.evil.example:8000", False),
        ("127.0.0.1:8000.evil.example", False),
        ("evil.example", False),
        ("", False),
        (None, False),
    ],
)
def test_only_loopback_with_its_port_and_configured_hosts_are_answered(host: str | None, expected: bool) -> None:
    assert host_allowed(host, 8000, ("notes.example.org", "tunnel.example.org:9000", "10.8.0.1", "fd00::1")) is expected


@pytest.mark.parametrize(("host", "line"), [("Notes.example.org:8443", '["notes.example.org"]'), ("[fd00::1]:9", '["fd00::1"]')])
def test_a_host_that_is_not_allowed_is_named_with_the_line_that_would_allow_it(host: str, line: str) -> None:
    async def ask() -> str:
        async with served(FakeEngine()) as server:
            return str(msgspec.json.decode((await server.ask("GET", "/v1/health", headers={"Host": host})).body)["detail"])

    detail = asyncio.run(ask())
    assert f"“{host}”" in detail
    assert f"write allowed_hosts = {line} under [daemon]" in detail


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (None, True),
        ("app://obsidian.md", True),
        ("capacitor://localhost", True),
        ("http://localhost:8000", True),
        ("http://127.0.0.1:8000", True),
        ("http://localhost:8001", False),
        ("http://localhost", False),
        ("https://localhost:8000", False),
        ("https://evil.example", False),
        ("app://obsidian.md.evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_only_obsidian_and_the_own_page_are_answered(origin: str | None, expected: bool) -> None:
    assert origin_allowed(origin, 8000) is expected


@pytest.mark.parametrize(
    ("authorization", "expected"),
    [
        ("Bearer s3cret", True),
        ("bearer s3cret", True),
        ("Bearer  s3cret ", True),
        ("Basic s3cret", False),
        ("s3cret", False),
        ("Bearer s3cre", False),
        ("Bearer s3cret2", False),
        ("Bearer", False),
        ("Bearer ключ", False),
        ("", False),
        (None, False),
    ],
)
def test_only_the_bearer_token_opens(authorization: str | None, expected: bool) -> None:
    assert token_allowed(authorization, "s3cret") is expected


def test_an_empty_token_opens_nothing() -> None:
    assert not token_allowed("Bearer ", "")
    assert not token_allowed("Bearer ", "", "s3cret")
    assert not token_allowed("Bearer ")


@pytest.mark.parametrize("held", ["s3cret", "oth3r"])
def test_each_of_several_tokens_opens(held: str) -> None:
    assert token_allowed(f"Bearer {held}", "s3cret", "oth3r")
    assert not token_allowed(f"Basic {held}", "s3cret", "oth3r")
    assert not token_allowed(f"Bearer {held[:-1]}", "s3cret", "oth3r")


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
@pytest.mark.parametrize("target", ["/v1/health", "/v1/status", "/v1/openapi.json", "/elsewhere"])
def test_a_stranger_is_refused_on_every_route_even_with_the_token(headers: dict[str, str], target: str) -> None:
    async def ask() -> int:
        async with served(FakeEngine()) as server:
            return (await server.ask("GET", target, headers=headers)).status

    assert asyncio.run(ask()) == 403


@pytest.mark.parametrize("token", [None, "", TOKEN + "x"])
@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("GET", "/v1/status"),
        ("GET", "/v1/search?q=a"),
        ("POST", "/v1/search"),
        ("GET", "/v1/related?path=a.md"),
        ("POST", "/v1/related"),
        ("GET", "/v1/notes/a.md"),
        ("PUT", "/v1/notes/a.md"),
        ("POST", "/v1/index"),
        ("GET", "/v1/index"),
        ("GET", "/v1/events"),
        ("GET", "/v1/explain/a.md"),
        ("POST", "/v1/stop"),
        ("GET", "/v1/openapi.json"),
        ("GET", "/elsewhere"),
    ],
)
def test_nothing_but_health_is_told_without_the_token(method: str, target: str, token: str | None) -> None:
    async def ask() -> tuple[int, bytes]:
        async with served(FakeEngine({"a.md": b"secret"})) as server:
            answer = await server.ask(method, target, token=token)
            return answer.status, answer.body

    status, body = asyncio.run(ask())
    assert status == 401
    assert b"secret" not in body
    assert b'"code":"UNAUTHORISED"' in body


def test_a_request_without_host_is_refused() -> None:
    async def ask() -> bytes:
        async with served(FakeEngine()) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /v1/health HTTP/1.0\r\n\r\n")
            answer = await asyncio.wait_for(reader.read(), 10)
            writer.close()
            await writer.wait_closed()
            return answer

    assert asyncio.run(ask()).startswith(b"HTTP/1.0 403")


def test_obsidian_gets_its_preflight_and_may_read_the_answer() -> None:
    async def ask() -> None:
        async with served(FakeEngine()) as server:
            wanted = {"Origin": "app://obsidian.md", "Access-Control-Request-Method": "PUT"}
            preflight = await server.ask("OPTIONS", "/v1/notes/a.md", token=None, headers=wanted)
            assert preflight.status == 204
            assert preflight.headers["Access-Control-Allow-Origin"] == "app://obsidian.md"
            assert "PUT" in preflight.headers["Access-Control-Allow-Methods"]
            answer = await server.ask("GET", "/v1/status", headers={"Origin": "app://obsidian.md"})
            assert answer.headers["Access-Control-Allow-Origin"] == "app://obsidian.md"

    asyncio.run(ask())


@pytest.mark.parametrize("origin", ["capacitor://localhost", None])
def test_nobody_else_gets_a_preflight_or_shared_answers(origin: str | None) -> None:
    async def ask() -> None:
        async with served(FakeEngine()) as server:
            headers = {} if origin is None else {"Origin": origin}
            assert (await server.ask("OPTIONS", "/v1/status", headers=headers)).status == 403
            answer = await server.ask("GET", "/v1/status", headers=headers)
            assert answer.status == 200
            assert "Access-Control-Allow-Origin" not in answer.headers

    asyncio.run(ask())
