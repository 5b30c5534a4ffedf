"""A remote model behind the whole embedding service: nothing is lost, nobody waits for nothing, and a worker process does the asking."""

import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from holovault.config import EmbeddingConfig, write_private
from holovault.embed import ModelUnavailable, Vectors, make_embedding
from holovault.embed.patience import pause_after
from holovault.embed.trouble import Trouble, TroubleKind
from holovault.errors import WorkerError
from tests.support.fake_model import vector
from tests.support.openai_server import (
    DIMENSION,
    Asked,
    Behaviour,
    at_the_gate,
    cut_in_half,
    openai_server,
    silent,
    spoilt,
    stalls,
    status,
    with_numbers,
)
from tests.support.processes import wait_until
from tests.support.remote_shop import RemoteShop, config_for, remote_shop

TEXTS = [f"text number {number}" for number in range(10)]


def expected(*texts: str) -> Vectors:
    return np.stack([vector(text, DIMENSION) for text in texts])


def assert_all_there(shop: RemoteShop, texts: list[str] = TEXTS) -> None:
    outcome = shop.embedding.embed_passages(texts)
    assert outcome.failed == ()
    assert np.allclose(outcome.vectors, expected(*texts), atol=1e-6)


def test_passages_travel_in_batches_and_a_question_by_itself(tmp_path: Path) -> None:
    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        assert shop.embedding.status().state == "cold"
        assert_all_there(shop)
        assert [len(texts) for texts in server.texts()] == [4, 4, 2]
        assert np.allclose(shop.embedding.embed_query("where?", None), expected("where?")[0], atol=1e-6)
        assert shop.embedding.status().state == "ready"
        assert shop.embedding.probes().shape == (8, DIMENSION)


def test_a_request_has_a_bounded_size_as_well_as_a_bounded_count(tmp_path: Path) -> None:
    with openai_server() as server:
        config = replace(config_for(server.base_url, batch_size=100), batch_tokens=64)
        with remote_shop(config, tmp_path) as shop:
            texts = [f"{number} " + "word " * 40 for number in range(6)]
            assert_all_there(shop, texts)
            assert [len(asked) for asked in server.texts()] == [1] * 6


PASSING: list[tuple[str, list[Behaviour], list[float]]] = [
    ("500 twice", [status(500), status(500)], [0.5, 1.0]),
    ("503", [status(503)], [0.5]),
    ("429 in 7 s", [status(429, {"Retry-After": "7"})], [7.0]),
    ("429 in an hour", [status(429, {"Retry-After": "3600"})], [60.0]),
    ("429 without a time", [status(429), status(429)], [0.5, 1.0]),
    ("429 five times", [status(429, {"Retry-After": "2"})] * 5, [2.0] * 5),
    ("cut in half", [cut_in_half], [0.5]),
    ("wrong count", [spoilt(lambda rows: rows[:1])], [0.5]),
    ("NaN", [with_numbers([float("nan")] * DIMENSION)], [0.5]),
]


@pytest.mark.parametrize(("script", "pauses"), [(script, pauses) for _, script, pauses in PASSING], ids=[name for name, _, _ in PASSING])
def test_trouble_that_passes_costs_a_pause_and_no_text(tmp_path: Path, script: list[Behaviour], pauses: list[float]) -> None:
    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        shop.embedding.embed_query("warm up", None)
        server.script.extend(script)
        assert_all_there(shop)
        assert shop.pause.asked == pauses
        assert shop.embedding.status().state == "ready"


def test_trouble_while_the_model_is_loaded_passes_as_well(tmp_path: Path) -> None:
    script = [status(429, {"Retry-After": "5"}), status(500)]
    with openai_server(*script) as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        assert_all_there(shop)
        assert shop.pause.asked == [5.0, 1.0]


def test_a_stall_costs_one_try(tmp_path: Path) -> None:
    with openai_server() as server, remote_shop(config_for(server.base_url, timeout_s=1.0), tmp_path) as shop:
        shop.embedding.embed_query("warm up", None)
        server.script.extend([stalls, silent])
        assert_all_there(shop)


@pytest.mark.parametrize(
    "poison",
    [status(500), status(400), with_numbers([float("nan")] * DIMENSION), spoilt(lambda rows: rows[1:])],
    ids=["500", "400", "NaN", "count"],
)
def test_one_text_that_the_service_cannot_read_is_found_and_costs_nobody_else(tmp_path: Path, poison: Behaviour) -> None:
    def judge(asked: Asked) -> Behaviour | None:
        return poison if "poison" in asked.texts else None

    texts = [*TEXTS[:5], "poison", *TEXTS[5:]]
    with openai_server(judge=judge) as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        outcome = shop.embedding.embed_passages(texts)
        assert outcome.failed == (5,)
        assert outcome.reasons[0].startswith(f"{server.base_url}/embeddings ")
        others = [number for number in range(11) if number != 5]
        assert np.allclose(outcome.vectors[others], expected(*TEXTS), atol=1e-6)
        assert shop.embedding.status().state == "ready"


@pytest.mark.parametrize("always", [status(500), status(503), status(400), cut_in_half, with_numbers([0.0] * DIMENSION)])
def test_a_service_that_fails_with_everything_blames_no_text(tmp_path: Path, always: Behaviour) -> None:
    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        shop.embedding.embed_query("warm up", None)
        server.always = always
        with pytest.raises(ModelUnavailable):
            shop.embedding.embed_passages(TEXTS)
        assert len(server.texts()) <= 6
        server.always = None
        shop.clock.now += 31
        assert_all_there(shop)


def test_after_failures_in_a_row_nobody_waits_and_nothing_is_sent_until_the_pause_is_over(tmp_path: Path) -> None:
    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        shop.embedding.embed_query("warm up", None)
        server.always = status(503)
        with pytest.raises(ModelUnavailable, match=r"not available just now \(HTTP 503\)"):
            shop.embedding.embed_passages(TEXTS)
        sent = len(server.asked)
        for _ in range(3):
            with pytest.raises(ModelUnavailable, match="HTTP 503"):
                shop.embedding.embed_query("anybody?", None)
        state = shop.embedding.status()
        assert state.state == "failed"
        assert state.reason is not None
        assert "HTTP 503" in state.reason
        assert len(server.asked) == sent
        server.always = None
        shop.clock.now += 31
        assert np.allclose(shop.embedding.embed_query("anybody?", None), expected("anybody?")[0], atol=1e-6)
        assert shop.embedding.status().state == "ready"


def test_a_question_is_not_kept_waiting_by_tries(tmp_path: Path) -> None:
    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        shop.embedding.embed_query("warm up", None)
        server.script.append(status(429, {"Retry-After": "60"}))
        with pytest.raises(WorkerError, match="the next one in 60 s"):
            shop.embedding.embed_query("now", None)
        assert shop.pause.asked == []
        assert np.allclose(shop.embedding.embed_query("again", None), expected("again")[0], atol=1e-6)


def test_a_question_overtakes_the_backlog_also_while_the_backlog_waits_for_its_next_try(tmp_path: Path) -> None:
    answers: list[Vectors] = []

    def ask() -> None:
        answers.append(shop.embedding.embed_query("urgent", None))

    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path, ask) as shop:
        shop.embedding.embed_query("warm up", None)
        server.script.append(status(429, {"Retry-After": "30"}))
        assert_all_there(shop)
        assert [texts[0] for texts in server.texts()] == ["warm up", TEXTS[0], "urgent", TEXTS[0], TEXTS[4], TEXTS[8]]
        assert np.allclose(answers, expected("urgent"), atol=1e-6)


def test_a_question_overtakes_batches_that_wait_in_line(tmp_path: Path) -> None:
    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        shop.embedding.embed_query("warm up", None)
        server.script.append(at_the_gate())
        answers: list[Vectors] = []
        writing = [threading.Thread(target=shop.embedding.embed_passages, args=(TEXTS[:4],)) for _ in range(2)]
        writing[0].start()
        assert wait_until(lambda: len(server.texts()) == 2)
        writing[1].start()
        assert wait_until(lambda: shop.line.unfinished() == 2)
        asking = threading.Thread(target=lambda: answers.append(shop.embedding.embed_query("urgent", None)))
        asking.start()
        assert wait_until(lambda: shop.line.unfinished() == 3)
        server.open_gate()
        for thread in (*writing, asking):
            thread.join(10)
        assert [texts[0] for texts in server.texts()] == ["warm up", TEXTS[0], "urgent", TEXTS[0]]
        assert np.allclose(answers, expected("urgent"), atol=1e-6)


def test_closing_ends_a_pause_and_blames_no_text(tmp_path: Path) -> None:
    ends: list[str] = []

    def write() -> None:
        try:
            shop.embedding.embed_passages(TEXTS)
        except ModelUnavailable as error:
            ends.append(str(error))

    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        shop.pause.real = True
        server.always = status(429, {"Retry-After": "60"})
        writing = threading.Thread(target=write)
        writing.start()
        assert wait_until(lambda: shop.pause.asked == [60.0])
        shop.embedding.close()
        writing.join(10)
        assert not writing.is_alive()
        assert len(ends) == 1
        assert shop.pause.asked == [60.0]


def test_failures_that_are_not_in_a_row_close_nothing(tmp_path: Path) -> None:
    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        for number in range(4):
            shop.embedding.embed_query(f"good {number}", None)
            server.script.append(status(503))
            with pytest.raises(ModelUnavailable, match="HTTP 503"):
                shop.embedding.embed_query(f"bad {number}", None)
        assert shop.embedding.status().state == "ready"


def test_who_waited_in_line_while_the_key_was_refused_sends_nothing(tmp_path: Path) -> None:
    def ask(text: str) -> None:
        try:
            shop.embedding.embed_query(text, None)
        except ModelUnavailable as error:
            refusals.append(str(error))

    def waiting(number: int) -> bool:
        return shop.line.unfinished() == number

    refusals: list[str] = []
    with openai_server() as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        shop.embedding.embed_query("warm up", None)
        server.script.append(at_the_gate(status(401)))
        asking = [threading.Thread(target=ask, args=(text,)) for text in ("first", "second")]
        for number, thread in enumerate(asking, 1):
            thread.start()
            assert wait_until(partial(waiting, number))
        server.open_gate()
        for thread in asking:
            thread.join(10)
        assert len(refusals) == 2
        assert server.texts() == [("warm up",), ("first",)]


def test_a_missing_key_sends_nothing_and_names_both_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    with openai_server() as server, remote_shop(config_for(server.base_url, key_name="A_KEY"), tmp_path) as shop:
        with pytest.raises(ModelUnavailable, match=r"A_KEY is not set in this process, and .*credentials has no line A_KEY"):
            shop.embedding.embed_passages(TEXTS)
        assert server.asked == []
        write_private(shop.home.credentials, b"A_KEY = sk-from-the-file\n")
        shop.clock.now += 31
        assert_all_there(shop)
        assert {asked.authorization for asked in server.asked} == {"Bearer sk-from-the-file"}


def test_an_expired_key_stops_at_once_and_a_new_one_works_without_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    with openai_server() as server, remote_shop(config_for(server.base_url, key_name="A_KEY"), tmp_path) as shop:
        write_private(shop.home.credentials, b"A_KEY=old\n")
        server.judge = lambda asked: None if asked.authorization == "Bearer new" else status(401)
        with pytest.raises(ModelUnavailable, match=r"key expired or refused: check the variable A_KEY$"):
            shop.embedding.embed_passages(TEXTS)
        with pytest.raises(ModelUnavailable, match="check the variable A_KEY"):
            shop.embedding.embed_query("x", None)
        assert len(server.asked) == 1
        assert shop.pause.asked == []
        write_private(shop.home.credentials, b"A_KEY=new\n")
        shop.clock.now += 31
        assert_all_there(shop)


def test_wrong_dimensions_stop_at_once(tmp_path: Path) -> None:
    with openai_server(dimension=16) as server:
        server.judge = lambda asked: status(400) if "dimensions" in asked.body else None
        with remote_shop(config_for(server.base_url), tmp_path) as shop:
            with pytest.raises(ModelUnavailable, match="gives vectors of 16 numbers instead of 8"):
                shop.embedding.embed_passages(TEXTS)
            assert shop.embedding.status().state == "failed"


def test_the_service_is_described_without_being_asked(tmp_path: Path) -> None:
    with openai_server() as server:
        config = EmbeddingConfig(provider="openai", base_url=server.base_url, model="nomic-embed-text:latest")
        embedding = make_embedding(config, tmp_path)
        assert embedding.spec is not None
        assert (embedding.spec.dimension, embedding.spec.query_prefix) == (768, "search_query: ")
        embedding.close()
        assert server.asked == []


def test_a_model_whose_length_nobody_knows_costs_vectors_and_says_what_to_write() -> None:
    embedding = make_embedding(EmbeddingConfig(provider="openai", base_url="http://localhost:1/v1", model="nobody/knows"), None)
    assert embedding.spec is None
    assert "write it into [embedding] as dimensions" in str(embedding.status().reason)
    embedding.close()


def test_prefixes_that_a_person_sets_go_before_those_of_the_table() -> None:
    config = EmbeddingConfig(
        provider="openai", base_url="http://localhost:1/v1", model="intfloat/multilingual-e5-small", query_prefix="", passage_prefix="p: "
    )
    embedding = make_embedding(config, None)
    assert embedding.spec is not None
    assert (embedding.spec.query_prefix, embedding.spec.passage_prefix, embedding.spec.dimension) == ("", "p: ", 384)
    embedding.close()


@pytest.mark.parametrize("kind", ["denied", "text"])
def test_what_is_useless_is_not_tried_again(kind: TroubleKind) -> None:
    assert pause_after(Trouble("x", kind, 1.0), 1, 0.0) is None


@pytest.mark.parametrize("tried", [1, 2, 5])
def test_pauses_grow_are_spread_and_are_bounded(tried: int) -> None:
    least, most = (pause_after(Trouble("x", "busy"), tried, chance) for chance in (0.0, 0.999))
    assert least is not None
    assert most is not None
    assert least == 0.5 * 2 ** (tried - 1)
    assert least < most <= 60
    asked = pause_after(Trouble("x", "busy", 7.0), tried, 0.999)
    assert asked is not None
    assert 7 <= asked < 8
    assert pause_after(Trouble("x", "busy", 1e6), tried, 0.5) == 60
    assert pause_after(Trouble("x", "busy", 1.0), 6, 0.5) is None
