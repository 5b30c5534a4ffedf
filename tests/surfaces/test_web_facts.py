"""Facts over real HTTP, served by a real engine: every route, its validators and its problems."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from holovault.client import AsyncClient
from holovault.client.problems import Problem
from holovault.errors import AmbiguousError, NotFoundError, StaleError
from holovault.model import (
    Contradictions,
    Corrected,
    CorrectRequest,
    FactHistory,
    FactList,
    FactQuery,
    FeedbackRequest,
    ForgetRequest,
    Remembered,
    RememberRequest,
)
from tests.support.remembering import NOTE, PEOPLE, remembering
from tests.support.servers import Server, run_file, served
from tests.support.vaults import VaultFolder

T = TypeVar("T")
JSON = {"Content-Type": "application/json"}


def with_server(place: Path, ask: Callable[[Server, VaultFolder], Awaitable[T]], notes: dict[str, str | bytes] | None = None) -> T:
    """Runs `ask` against a server of a vault with facts."""

    async def inside() -> T:
        with remembering(place, notes) as (vault, engine):
            async with served(engine) as server:
                return await ask(server, vault)

    return asyncio.run(inside())


def problem(body: bytes) -> Problem:
    return msgspec.json.decode(body, type=Problem)


def test_a_fact_lives_its_life_over_http(tmp_path: Path) -> None:
    async def ask(server: Server, vault: VaultFolder) -> None:
        body = msgspec.json.encode(RememberRequest("Чай зелёный", "Кухня", ("tea",)))
        made = await server.ask("POST", "/v1/facts", body=body, headers=JSON)
        again = await server.ask("POST", "/v1/facts", body=body, headers=JSON)
        fact = msgspec.json.decode(made.body, type=Remembered).fact
        assert (made.status, again.status) == (201, 200)
        assert made.headers["ETag"] == f'"{fact.hash}"'
        assert msgspec.json.decode(again.body, type=Remembered).known
        rated = await server.ask("POST", f"/v1/facts/^{fact.id}/feedback", body=b'{"vote": "helpful"}', headers=JSON)
        assert rated.status == 200
        read = await server.ask("GET", f"/v1/facts/{fact.id}")
        history = msgspec.json.decode(read.body, type=FactHistory)
        assert (history.fact.trust, len(history.votes)) == (0.55, 1)
        match = {"If-Match": f'"{"0" * 64}", "{fact.item}"'}
        changed = await server.ask("PUT", f"/v1/facts/{fact.id}", body='{"text": "Чай чёрный"}'.encode(), headers=JSON | match)
        assert (changed.status, msgspec.json.decode(changed.body, type=Corrected).fact.text) == (200, "Чай чёрный #tea")
        stale = await server.ask("DELETE", f"/v1/facts/{fact.id}", headers=match)
        assert (stale.status, problem(stale.body).code) == (412, "STALE")
        assert problem(stale.body).quoted == "It says now:\nЧай чёрный #tea"
        gone = await server.ask("DELETE", f"/v1/facts/{fact.id}", headers={"If-Match": "*"})
        assert gone.status == 200
        assert (await server.ask("GET", f"/v1/facts/{fact.id}")).status == 404
        assert vault.at("Memory/Facts/Кухня.md").read_bytes() == b""

    with_server(tmp_path, ask)


def test_filters_are_parameters_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    async def ask(server: Server, _: VaultFolder) -> None:
        found = await server.ask("GET", "/v1/facts?q=leads&category=work&tag=team&entity=Atlas&min_trust=0.6&limit=5")
        assert [fact.id for fact in msgspec.json.decode(found.body, type=FactList).facts] == ["k3f9"]
        for query in ("limit=0", "limit=501", "min_trust=much", "offset=-1", "min_trust=nan"):
            refused = await server.ask("GET", f"/v1/facts?{query}")
            assert (refused.status, problem(refused.body).code) == (400, "USAGE"), query

    with_server(tmp_path, ask)


def test_a_change_says_which_version_it_means(tmp_path: Path) -> None:
    async def ask(server: Server, vault: VaultFolder) -> None:
        for match in ({}, {"If-Match": "abc"}, {"If-Match": '"short"'}, {"If-Match": ""}):
            for method, body in (("PUT", b'{"text": "x"}'), ("DELETE", None)):
                refused = await server.ask(method, "/v1/facts/k3f9", body=body, headers=JSON | match)
                assert refused.status == 428
        for body in (b'{"vote": "maybe"}', b"{}", b"[]"):
            assert (await server.ask("POST", "/v1/facts/k3f9/feedback", body=body, headers=JSON)).status == 400
        assert (await server.ask("DELETE", "/v1/facts/k3f9", headers={"If-Match": "*"}, token=None)).status == 401
        assert vault.at(NOTE).read_bytes() == PEOPLE.encode("utf-8")

    with_server(tmp_path, ask)


def test_the_client_and_the_engine_say_the_same(tmp_path: Path) -> None:
    async def ask(server: Server, vault: VaultFolder) -> None:
        async with AsyncClient(run_file(server.port)) as client:
            facts = client.facts
            first = (await facts.list(FactQuery("LEADS", category="Work", min_trust=0.5))).facts[0]
            assert (await facts.history(f"^{first.id}")).fact == first
            done = await facts.remember(RememberRequest("Атлас написан на Rust", trust=0.25))
            assert (await facts.remember(RememberRequest("атлас написан на rust"))).fact == done.fact
            await facts.remember(RememberRequest("Атлас написан на Python"))
            pairs: Contradictions = await facts.contradictions(5)
            assert [(pair.first, pair.second) for pair in pairs.pairs] == [("Rust", "Python")]
            rated = await facts.feedback(FeedbackRequest(done.fact.id, "unhelpful"))
            assert (rated.before, rated.fact.trust) == (0.25, 0.15)
            assert (await facts.activity()).days[-1].votes == 1
            assert [each.trust for each in (await facts.fold()).facts] == [0.15]
            current = (await facts.history(done.fact.id)).fact
            corrected = await facts.correct(CorrectRequest(done.fact.id, "Атлас написан на Go", (current.hash,)))
            try:
                await facts.forget(ForgetRequest(done.fact.id, (current.hash, current.item)))
            except StaleError as stale:
                assert (stale.current_hash, stale.quoted) == (corrected.fact.hash, "It says now:\nАтлас написан на Go")
            else:
                raise AssertionError("it was forgotten")
            assert (await facts.forget(ForgetRequest(done.fact.id))).text == "Атлас написан на Go"
            for name, error in (("nobody", NotFoundError), ("twin", AmbiguousError)):
                try:
                    await facts.forget(ForgetRequest(name))
                except error:
                    continue
                raise AssertionError(name)
            assert vault.at("Memory/Facts/Z.md").read_bytes() == b"- one ^twin\n- two ^twin\n"

    with_server(tmp_path, ask, {NOTE: PEOPLE, "Memory/Facts/Z.md": "- one ^twin\n- two ^twin\n"})
