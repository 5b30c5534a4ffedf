"""Every route over real HTTP against the fake engine: answers, validators, problems, the long poll and the stop."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

import aiohttp
import msgspec
import pytest

from holovault.client.problems import Problem
from holovault.model import (
    Events,
    Health,
    IndexProgress,
    IndexReport,
    PathExplanation,
    ReadResult,
    SearchRequest,
    SearchResponse,
    Status,
    WriteResult,
)
from holovault.ownership import prove
from tests.support.fake_engine import FakeEngine, hash_of
from tests.support.servers import BOOT, TOKEN, Server, served

T = TypeVar("T")

NOTE = "# Title\nsecond line\nthird ёлка\n".encode()


def with_server(engine: FakeEngine, ask: Callable[[Server], Awaitable[T]], **changes: object) -> T:
    """Runs `ask` against a server of `engine`."""

    async def inside() -> T:
        async with served(engine, **changes) as server:
            return await ask(server)

    try:
        return asyncio.run(inside())
    finally:
        engine.close()


def test_health_proves_the_token_and_names_no_path_to_strangers() -> None:
    async def ask(server: Server) -> tuple[Health, Health]:
        stranger = await server.ask("GET", "/v1/health?nonce=n0nce", token=None)
        friend = await server.ask("GET", "/v1/health")
        return msgspec.json.decode(stranger.body, type=Health), msgspec.json.decode(friend.body, type=Health)

    stranger, friend = with_server(FakeEngine(), ask)
    assert stranger.proof == prove(TOKEN, "n0nce")
    assert (stranger.boot_id, stranger.state, stranger.generation, stranger.vault) == (BOOT, "ready", 1, "Notes")
    assert friend.vault == "/home/someone/Notes"
    assert friend.proof == ""


def test_a_search_is_the_same_by_query_and_by_body() -> None:
    engine = FakeEngine({"a.md": NOTE, "b.md": b"nothing"})

    async def ask(server: Server) -> tuple[bytes, bytes]:
        by_query = await server.ask("GET", "/v1/search?q=%D1%91%D0%BB%D0%BA%D0%B0&limit=5&mode=lexical&explain=true&max_wait=null")
        request = SearchRequest("ёлка", 5, "lexical", None, True, None)
        by_body = await server.ask("POST", "/v1/search", body=msgspec.json.encode(request))
        return by_query.body, by_body.body

    by_query, by_body = with_server(engine, ask)
    assert by_query == by_body
    assert engine.asked[0] == engine.asked[1] == SearchRequest("ёлка", 5, "lexical", None, True, None)
    assert [hit.path for hit in msgspec.json.decode(by_body, type=SearchResponse).results] == ["a.md"]


@pytest.mark.parametrize("query", ["", "q=a&limit=0", "q=a&limit=201", "q=a&limit=many", "q=a&mode=psychic", "q=a&explain=perhaps"])
def test_a_search_that_cannot_be_understood_is_a_usage_problem(query: str) -> None:
    async def ask(server: Server) -> Problem:
        return msgspec.json.decode((await server.ask("GET", f"/v1/search?{query}")).body, type=Problem)

    problem = with_server(FakeEngine(), ask)
    assert (problem.status, problem.code) == (400, "USAGE")


def test_related_notes_come_by_query_and_by_body() -> None:
    async def ask(server: Server) -> tuple[bytes, bytes]:
        by_query = await server.ask("GET", "/v1/related?path=a.md")
        return by_query.body, (await server.ask("POST", "/v1/related", body=b'{"path": "a.md"}')).body

    by_query, by_body = with_server(FakeEngine({"a.md": NOTE, "b.md": b"other"}), ask)
    assert by_query == by_body
    assert [hit.path for hit in msgspec.json.decode(by_body, type=SearchResponse).results] == ["b.md"]


def test_lines_of_a_note_come_with_its_hash_as_etag() -> None:
    async def ask(server: Server) -> None:
        answer = await server.ask("GET", "/v1/notes/a.md?start=2&end=2")
        found = msgspec.json.decode(answer.body, type=ReadResult)
        assert (found.text, found.start_line, found.total_lines) == ("second line\n", 2, 3)
        assert answer.headers["ETag"] == f'"{hash_of(NOTE)}"'
        assert (await server.ask("GET", "/v1/notes/a.md", headers={"If-None-Match": answer.headers["ETag"]})).status == 304

    with_server(FakeEngine({"a.md": NOTE}), ask)


def test_markdown_without_a_range_is_the_file_byte_for_byte() -> None:
    raw = b"\xef\xbb\xbfone\r\ntwo\r"

    async def ask(server: Server) -> None:
        whole = await server.ask("GET", "/v1/notes/a.md", headers={"Accept": "text/markdown"})
        assert whole.body == raw
        assert whole.headers["ETag"] == f'"{hash_of(raw)}"'

    with_server(FakeEngine({"a.md": raw}), ask)


def test_a_note_is_text_for_who_accepts_markdown() -> None:
    async def ask(server: Server) -> None:
        answer = await server.ask("GET", "/v1/notes/a.md", headers={"Accept": "text/markdown"})
        assert answer.body == NOTE
        assert answer.headers["Content-Type"].startswith("text/markdown")
        assert answer.headers["ETag"] == f'"{hash_of(NOTE)}"'

    with_server(FakeEngine({"a.md": NOTE}), ask)


@pytest.mark.parametrize("path", ["дом/ёлка №1.md", "a#b|c?d%20e.md", "100%.md", "a+b & c;d.md", "deep/er/note.md", "😀.md", "a%2Fb.md"])
def test_any_name_reaches_the_engine_as_it_is(path: str) -> None:
    from urllib.parse import quote

    async def ask(server: Server) -> str:
        answer = await server.ask("GET", f"/v1/notes/{quote(path)}")
        return msgspec.json.decode(answer.body, type=ReadResult).path

    assert with_server(FakeEngine({path: NOTE}), ask) == path


@pytest.mark.parametrize("target", ["../secret", "a/../../secret", "%2e%2e/secret", "%2e%2e%2fsecret", "/etc/passwd", "%2Fetc/passwd"])
def test_a_path_that_leaves_the_vault_is_never_answered(target: str) -> None:
    async def ask(server: Server) -> int:
        return (await server.ask("GET", f"/v1/notes/{target}")).status

    assert with_server(FakeEngine({"secret": b"x", "etc/passwd": b"x"}), ask) in {403, 404}


@pytest.mark.parametrize("lines", ["start=0", "start=-1", "start=x", "end=1.5", "start=1e400", "end=nan"])
def test_lines_that_are_no_lines_are_a_usage_problem(lines: str) -> None:
    async def ask(server: Server) -> int:
        return (await server.ask("GET", f"/v1/notes/a.md?{lines}")).status

    assert with_server(FakeEngine({"a.md": NOTE}), ask) == 400


def test_a_note_is_created_once_and_replaced_by_who_read_it() -> None:
    engine = FakeEngine()

    async def ask(server: Server) -> None:
        created = await server.ask("PUT", "/v1/notes/a.md", body=b"\xef\xbb\xbfone\r\n", headers={"If-None-Match": "*"})
        assert created.status == 201
        assert msgspec.json.decode(created.body, type=WriteResult).hash == hash_of(b"\xef\xbb\xbfone\r\n")
        again = await server.ask("PUT", "/v1/notes/a.md", body=b"two", headers={"If-None-Match": "*"})
        assert again.status == 412
        replaced = await server.ask("PUT", "/v1/notes/a.md", body=b"three", headers={"If-Match": created.headers["ETag"]})
        assert (replaced.status, replaced.headers["ETag"]) == (200, f'"{hash_of(b"three")}"')
        stale = await server.ask("PUT", "/v1/notes/a.md", body=b"four", headers={"If-Match": created.headers["ETag"]})
        problem = msgspec.json.decode(stale.body, type=Problem)
        assert (stale.status, problem.code, problem.current_hash) == (412, "STALE", hash_of(b"three"))

    with_server(engine, ask)
    assert engine.notes == {"a.md": b"three"}


@pytest.mark.parametrize(
    "headers",
    [{}, {"If-Match": "*"}, {"If-Match": "abc"}, {"If-Match": f'W/"{"0" * 64}"'}, {"If-Match": f'"{"0" * 64}"', "If-None-Match": "*"}],
)
def test_a_write_that_does_not_say_what_it_replaces_is_refused(headers: dict[str, str]) -> None:
    engine = FakeEngine({"a.md": NOTE})

    async def ask(server: Server) -> int:
        return (await server.ask("PUT", "/v1/notes/a.md", body=b"x", headers=headers)).status

    assert with_server(engine, ask) == 428
    assert engine.notes == {"a.md": NOTE}


def test_a_poll_without_news_returns_after_its_wait_and_with_news_at_once() -> None:
    engine = FakeEngine()

    async def ask(server: Server) -> tuple[Events, Events]:
        quiet = await server.ask("GET", "/v1/events?since=1&wait=0.05")
        poll = asyncio.create_task(server.ask("GET", "/v1/events?since=1&wait=25"))
        engine.tell("index", "a.md")
        return msgspec.json.decode(quiet.body, type=Events), msgspec.json.decode((await poll).body, type=Events)

    quiet, news = with_server(engine, ask)
    assert quiet == Events(1)
    assert [(event.number, event.paths) for event in news.events] == [(1, ("a.md",))]
    assert news.next == 2


def test_more_pollers_than_there_are_seats_are_answered_at_once() -> None:
    engine = FakeEngine()

    async def ask(server: Server) -> Events:
        return msgspec.json.decode((await server.ask("GET", "/v1/events?since=1&wait=3600")).body, type=Events)

    assert with_server(engine, ask, pollers=0, poll_limit=3600.0) == Events(1)


def test_indexing_reports_and_shows_how_far_it_is() -> None:
    engine = FakeEngine({"a.md": NOTE})

    async def ask(server: Server) -> tuple[IndexReport, IndexProgress]:
        bare = await server.ask("POST", "/v1/index")
        assert bare.status == 200
        report = await server.ask("POST", "/v1/index", body=b'{"wait": false}')
        progress = await server.ask("GET", "/v1/index")
        return msgspec.json.decode(report.body, type=IndexReport), msgspec.json.decode(progress.body, type=IndexProgress)

    report, progress = with_server(engine, ask)
    assert report == IndexReport(files=1, unchanged=1)
    assert progress == IndexProgress("idle", 1, 1)


def test_status_and_explanation_are_the_models() -> None:
    async def ask(server: Server) -> tuple[Status, PathExplanation]:
        status, explained = await server.ask("GET", "/v1/status"), await server.ask("GET", "/v1/explain/a%20b/c.md")
        return msgspec.json.decode(status.body, type=Status), msgspec.json.decode(explained.body, type=PathExplanation)

    status, explained = with_server(FakeEngine({"a b/c.md": NOTE}), ask)
    assert status.state == "ready"
    assert (explained.path, explained.indexed) == ("a b/c.md", True)


def test_a_bug_is_logged_with_its_traceback_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    engine = FakeEngine()
    engine.broken = True

    async def ask(server: Server) -> tuple[int, bytes]:
        answer = await server.ask("GET", "/v1/status")
        return answer.status, answer.body

    status, body = with_server(engine, ask)
    assert status == 500
    assert b"secret detail" not in body
    assert "Traceback" in caplog.text
    assert "secret detail" in caplog.text


@pytest.mark.parametrize(
    ("method", "target", "status", "code"),
    [
        ("GET", "/nowhere", 404, "NOT_FOUND"),
        ("DELETE", "/v1/notes/a.md", 405, "USAGE"),
        ("GET", "/v1/notes/missing.md", 404, "NOT_FOUND"),
    ],
)
def test_what_is_not_there_is_a_problem(method: str, target: str, status: int, code: str) -> None:
    async def ask(server: Server) -> None:
        answer = await server.ask(method, target)
        problem = msgspec.json.decode(answer.body, type=Problem)
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert (answer.status, problem.status, problem.code) == (status, status, code)

    with_server(FakeEngine({"a.md": NOTE}), ask)


def test_a_stop_lets_requests_in_flight_finish_and_pollers_go() -> None:
    engine = FakeEngine({"a.md": NOTE})
    engine.gate.clear()

    async def ask() -> tuple[int, int]:
        async with aiohttp.ClientSession() as session:
            async with served(engine) as server:
                lasting = replace(server, session=session)
                work = asyncio.create_task(lasting.ask("POST", "/v1/index"))
                poll = asyncio.create_task(lasting.ask("GET", "/v1/events?since=1&wait=25"))
                await asyncio.get_running_loop().run_in_executor(None, engine.entered.wait, 10)
                assert (await server.ask("POST", "/v1/stop")).status == 202
                await asyncio.wait_for(server.stop.wait(), 5)
                asyncio.get_running_loop().call_later(0.05, engine.gate.set)
            return (await work).status, (await poll).status

    try:
        assert asyncio.run(ask()) == (200, 200)
    finally:
        engine.close()


def test_a_poll_at_a_server_that_leaves_is_answered_at_once() -> None:
    async def ask(server: Server) -> Events:
        assert (await server.ask("POST", "/v1/stop")).status == 202
        return msgspec.json.decode((await server.ask("GET", "/v1/events?since=1&wait=3600")).body, type=Events)

    assert with_server(FakeEngine(), ask, poll_limit=3600.0) == Events(1)
