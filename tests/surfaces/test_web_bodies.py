"""Bodies: too large, too slow, of the wrong kind; each ends in one problem and never in a hanging connection."""

import asyncio

import msgspec
import pytest

from holovault.client.problems import Problem
from tests.support.fake_engine import FakeEngine
from tests.support.servers import TOKEN, Server, served


async def raw(server: Server, request: bytes) -> bytes:
    """Sends bytes as they are, keeps the connection open and returns all that comes until the server closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        writer.write(request)
        return await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()
        await writer.wait_closed()


def head(server: Server, *lines: str) -> bytes:
    """The head of a POST to /v1/search with the token."""
    return "\r\n".join(
        ["POST /v1/search HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Authorization: Bearer {TOKEN}", *lines, "", ""]
    ).encode("ascii")


@pytest.mark.parametrize("size", ["Content-Length: 1000", "Transfer-Encoding: chunked"])
def test_a_stalled_body_is_answered_with_408_and_closed(size: str) -> None:
    async def ask() -> bytes:
        async with served(FakeEngine(), body_timeout=0.2) as server:
            body = b"0123456789" if "Length" in size else b"a\r\n0123456789\r\n"
            return await raw(server, head(server, size) + body)

    answer = asyncio.run(ask())
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"Connection: close" in answer
    assert msgspec.json.decode(answer.partition(b"\r\n\r\n")[2], type=Problem).status == 408


def test_a_stalled_body_of_a_stranger_is_not_waited_for() -> None:
    async def ask() -> bytes:
        async with served(FakeEngine(), body_timeout=60.0) as server:
            return await raw(server, head(server, "Content-Length: 1000").replace(TOKEN.encode(), b"wrong") + b"0123456789")

    assert asyncio.run(ask()).startswith(b"HTTP/1.1 401")


def test_a_head_that_never_ends_is_cut_off() -> None:
    async def ask() -> bytes:
        async with served(FakeEngine(), keepalive_timeout=0.2) as server:
            return await raw(server, b"GET /v1/health HTTP/1.1\r\nHost:")

    assert asyncio.run(ask()) == b""


def test_a_declared_body_over_the_cap_is_refused_before_it_is_read() -> None:
    async def ask() -> bytes:
        async with served(FakeEngine(), body_limit=1000) as server:
            return await raw(server, head(server, "Content-Length: 1001"))

    answer = asyncio.run(ask())
    assert answer.startswith(b"HTTP/1.1 413")
    assert b'"code":"TOO_LARGE"' in answer


def test_a_chunked_body_over_the_cap_is_refused() -> None:
    async def ask() -> bytes:
        async with served(FakeEngine(), body_limit=1000) as server:
            return await raw(server, head(server, "Transfer-Encoding: chunked") + b"7d0\r\n" + b"x" * 2000 + b"\r\n0\r\n\r\n")

    assert asyncio.run(ask()).startswith(b"HTTP/1.1 413")


def test_a_compressed_body_is_refused() -> None:
    async def ask() -> int:
        async with served(FakeEngine()) as server:
            return (await server.ask("POST", "/v1/search", body=b"x", headers={"Content-Encoding": "x-unknown"})).status

    assert asyncio.run(ask()) == 415


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"query": 3}', b'{"limit": 3}', b'{"query": "a", "mode": "psychic"}', b'{"query": "a", "limit": 0}', b"\xff\xfe"],
)
def test_a_body_that_is_no_search_request_is_a_usage_problem(body: bytes) -> None:
    async def ask() -> Problem:
        async with served(FakeEngine()) as server:
            answer = await server.ask("POST", "/v1/search", body=body)
            assert answer.headers["Content-Type"] == "application/problem+json"
            return msgspec.json.decode(answer.body, type=Problem)

    problem = asyncio.run(ask())
    assert (problem.status, problem.code) == (400, "USAGE")


def test_an_unknown_field_of_a_later_client_is_ignored() -> None:
    async def ask() -> int:
        async with served(FakeEngine()) as server:
            return (await server.ask("POST", "/v1/search", body=b'{"query": "a", "later": 1}')).status

    assert asyncio.run(ask()) == 200
