"""Names on every surface: routes, both clients, the command line, against an engine that knows one name."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from holovault.client import Client
from holovault.config import Home
from holovault.errors import NotFoundError
from holovault.model import (
    AnalogyAnswer,
    AnalogyRequest,
    EntityAnswer,
    EntityList,
    EntityQuery,
    LikeRequest,
    NeighbourRequest,
    ProbeRequest,
    ReasonRequest,
)
from tests.support.fake_daemon import fake_daemon
from tests.support.fake_engine import FakeEngine
from tests.support.fake_entities import ANNA, SURE
from tests.support.servers import served
from tests.support.shell import Shell

ODD = "a/b?c=%41&d «ё» #"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / ".obsidian").mkdir(parents=True)
    return folder


@pytest.fixture
def shell(tmp_path: Path, vault: Path) -> Shell:
    return Shell(tmp_path / "home", vault)


@pytest.fixture
def engine(shell: Shell, vault: Path) -> Iterator[FakeEngine]:
    fake = FakeEngine({"a.md": b"with Anna", "b.md": b"other"})
    with fake_daemon(Home(shell.home), vault, fake):
        yield fake


def test_the_client_answers_what_the_engine_answers(shell: Shell, vault: Path, engine: FakeEngine) -> None:
    direct = engine.entities
    with _client(shell, vault) as client:
        through = client.entities
        assert through.list(EntityQuery("an", "name", 5, 0)) == direct.list(EntityQuery("an", "name", 5, 0))
        assert through.resolve("ANNA") == ANNA
        assert through.roles("Anna") == direct.roles("Anna")
        assert through.probe(ProbeRequest("Anna", "lead", 3, True)) == direct.probe(ProbeRequest("Anna"))
        assert through.related(NeighbourRequest("Anna")) == direct.related(NeighbourRequest("Anna"))
        assert through.reason(ReasonRequest(("Anna", "anna"))) == direct.reason(ReasonRequest(("Anna", "anna")))
        assert through.like(LikeRequest("a.md:1", ("x",), ("y",))) == direct.like(LikeRequest("a.md:1"))
        assert through.analogy(AnalogyRequest("a", "x", "b")) == direct.analogy(AnalogyRequest("a", "x", "b"))
        with pytest.raises(NotFoundError, match="states the name"):
            through.resolve(ODD)
    assert {ProbeRequest("Anna", "lead", 3, True), LikeRequest("a.md:1", ("x",), ("y",)), ODD} <= set(direct.asked)


def _client(shell: Shell, vault: Path) -> Client:
    found = Client.connect_or_none(Home(shell.home), vault)
    assert found is not None
    return found


def test_entities_are_listed_with_what_they_are(shell: Shell, engine: FakeEngine) -> None:
    assert shell.here("entities", "--vault", str(shell.folder)).out == "     2  Anna  name\n"
    ended = shell.here("entities", "an", "--kind", "name", "--json", "--vault", str(shell.folder))
    assert msgspec.json.decode(ended.out, type=EntityList).entities == (ANNA,)
    assert engine.entities.asked[-1] == EntityQuery("an", "name", 50)
    none = shell.here("entities", "zz", "--kind", "tag", "--vault", str(shell.folder))
    assert (none.code, none.out) == (1, "")
    assert "No tag that begins with «zz»" in none.err


def test_a_probe_says_how_much_of_a_passage_is_about_the_name(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.here("probe", "anna", "--role", "lead", "--limit", "4", "--vault", str(shell.folder))
    assert ended.code == 0
    assert ended.out.splitlines()[0].startswith("a.md:1-3  Top")
    assert "presence 0.75, via Anna" in ended.out
    assert "understood as: Anna" in ended.err
    assert engine.entities.asked[-2] == ProbeRequest("anna", "lead", 4)
    assert msgspec.json.decode(shell.run("probe", "Anna", "--json", "--vault", str(shell.folder)).out, type=EntityAnswer).results == (SURE,)


def test_reason_says_that_an_answer_is_a_bridge(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.here("reason", "Anna", "anna", "--vault", str(shell.folder))
    assert (ended.code, "these lie between them" in ended.err) == (0, True)


def test_an_empty_answer_says_what_was_understood_and_what_to_try(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.here("reason", "Anna", "heading", "--vault", str(shell.folder))
    assert (ended.code, ended.out) == (1, "")
    assert "No passage states «Anna» and «Heading» together" in ended.err
    assert "«Heading» is only a heading of 3 passages: ask with --role head." in ended.err
    assert "holovault search Anna Heading" in ended.err


def test_like_and_analogy_answer(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.here("like", "a.md:1", "--plus", "lead:Boris", "--minus", "Anna", "--json", "--vault", str(shell.folder))
    assert msgspec.json.decode(ended.out, type=EntityAnswer).results == (SURE,)
    assert engine.entities.asked[-1] == LikeRequest("a.md:1", ("lead:Boris",), ("Anna",))
    ended = shell.here("analogy", "a", "x", "b", "--vault", str(shell.folder))
    assert "Answer    Anna" in ended.out
    nothing = shell.here("analogy", "a", "nobody", "b", "--vault", str(shell.folder))
    assert (nothing.code, "nothing stands out (Anna 18.0σ)" in nothing.out) == (1, True)
    ended = shell.here("analogy", "a", "x", "b", "--json", "--vault", str(shell.folder))
    assert msgspec.json.decode(ended.out, type=AnalogyAnswer).answer == ANNA


def test_related_takes_a_note_for_a_note_and_else_a_name(shell: Shell, engine: FakeEngine) -> None:
    assert "b.md:1-3" in shell.here("related", "a.md", "--vault", str(shell.folder)).out
    assert "presence 0.75" in shell.here("related", "anna", "--vault", str(shell.folder)).out
    assert engine.entities.asked[-1] == "anna"
    unknown = shell.here("related", "Nobody", "--vault", str(shell.folder))
    assert (unknown.code, "states the name" in unknown.err) == (3, True)


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/v1/entities?limit=0", 400),
        ("GET", "/v1/entities?kind=person", 400),
        ("GET", "/v1/entities?offset=-1", 400),
        ("GET", "/v1/entities/resolve", 400),
        ("GET", "/v1/entities/resolve?entity=nobody", 404),
        ("GET", "/v1/entities/probe?entity=anna&limit=500", 400),
        ("GET", "/v1/entities/probe", 400),
        ("POST", "/v1/entities/reason", 400),
    ],
)
def test_what_cannot_be_answered_is_a_problem(method: str, target: str, status: int) -> None:
    async def ask(engine: FakeEngine) -> int:
        sent = {"Content-Type": "application/json"}
        async with served(engine) as server:
            return (await server.ask(method, target, body=b"{}" if method == "POST" else None, headers=sent)).status

    engine = FakeEngine()
    try:
        assert asyncio.run(ask(engine)) == status
    finally:
        engine.close()


def test_every_name_reaches_the_engine_as_it_was_written(shell: Shell, vault: Path, engine: FakeEngine) -> None:
    with _client(shell, vault) as client, pytest.raises(NotFoundError):
        client.entities.roles(ODD)
    assert engine.entities.asked[-1] == ODD
