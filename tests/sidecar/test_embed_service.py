"""The embedding service in front of a worker that dies, hangs, eats memory and lies."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from holovault.embed import ModelUnavailable, ModelWarming, Vectors
from holovault.errors import WorkerError
from tests.support.fake_model import vector
from tests.support.processes import gone, wait_until
from tests.support.workshop import DIMENSION, Workshop

Make = Callable[..., Workshop]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Workshop] = []

    def workshop(**options: Any) -> Workshop:
        shop = Workshop(tmp_path, **options)
        made.append(shop)
        return shop

    yield workshop
    for shop in made:
        shop.embedding.close()


def expected(*texts: str) -> Vectors:
    return np.stack([vector(text, DIMENSION) for text in texts])


def in_background(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_vectors_come_back_in_the_order_of_the_texts_in_bounded_batches(make: Make) -> None:
    shop = make(batch=3)
    texts = [f"text {number}" for number in range(7)]
    outcome = shop.embedding.embed_passages(texts)
    assert np.array_equal(outcome.vectors, expected(*texts))
    assert outcome.failed == ()
    sizes = [line.count("|") + 1 for line in shop.journal() if line.startswith("passage")]
    assert sizes == [3, 3, 1]


def test_nothing_asked_is_nothing_loaded(make: Make) -> None:
    shop = make()
    outcome = shop.embedding.embed_passages([])
    assert outcome.vectors.shape == (0, DIMENSION)
    assert shop.child.pid is None


def test_a_query_is_embedded_as_a_query(make: Make) -> None:
    shop = make()
    answer = shop.embedding.embed_query("where?", None)
    assert np.array_equal(answer, expected("where?")[0])
    assert shop.journal() == ["load", "query where?"]


def test_a_very_long_query_is_read_from_its_beginning(make: Make) -> None:
    shop = make()
    shop.embedding.embed_query("a" * 20_000, None)
    assert shop.journal()[-1] == "query " + "a" * 8000


def test_half_a_surrogate_pair_is_a_question_mark_not_a_crash(make: Make) -> None:
    shop = make()
    shop.embedding.embed_query("half \ud83d", None)
    assert shop.embedding.embed_passages(["half \ud83d"]).failed == ()
    assert shop.journal()[1:] == ["query half ?", "passage half ?"]


def test_a_query_overtakes_a_backlog_of_passages(make: Make) -> None:
    shop = make(batch=1)
    shop.embedding.embed_query("warm up", None)

    def write(text: str) -> None:
        shop.embedding.embed_passages([text, text])

    writing = [in_background(partial(write, text)) for text in ("<gate> a", "b", "c")]
    shop.wait_for("passage <gate> a")
    shop.wait_for_jobs(3)
    asking = in_background(lambda: shop.embedding.embed_query("urgent", None))
    shop.wait_for_jobs(4)
    shop.open_gate()
    for thread in (*writing, asking):
        thread.join(10)
    order = shop.journal()
    assert order[:4] == ["load", "query warm up", "passage <gate> a", "query urgent"]
    assert sorted(order[4:]) == sorted(["passage <gate> a", "passage b", "passage b", "passage c", "passage c"])


def test_a_cold_query_gives_up_at_its_time_and_the_model_goes_on_loading(make: Make) -> None:
    shop = make(model="waits")
    assert shop.embedding.status().state == "cold"
    for _ in range(3):
        with pytest.raises(ModelWarming):
            shop.embedding.embed_query("nobody waits for this", 0)
    assert shop.embedding.status().state == "warming"
    shop.open_gate()
    assert np.array_equal(shop.embedding.embed_query("second try", None), expected("second try")[0])
    assert shop.embedding.status().state == "ready"
    assert shop.journal() == ["load", "query second try"]


def test_a_ready_model_answers_a_caller_who_would_not_wait_for_a_cold_one(make: Make) -> None:
    shop = make()
    shop.embedding.embed_query("warm up", None)
    assert np.array_equal(shop.embedding.embed_query("again", 0), expected("again")[0])


def test_warming_twice_loads_once(make: Make) -> None:
    shop = make()
    shop.embedding.warm()
    shop.embedding.warm()
    assert wait_until(lambda: shop.embedding.status().state == "ready")
    shop.embedding.warm()
    shop.embedding.embed_query("after", None)
    assert shop.loads() == 1


def test_the_one_text_that_kills_the_worker_is_found_by_halves(make: Make) -> None:
    shop = make(batch=8)
    texts = [f"text {number}" for number in range(8)]
    texts[5] = "text <dies>"
    outcome = shop.embedding.embed_passages(texts)
    assert outcome.failed == (5,)
    assert outcome.reasons == ("the embedding model ended with exit code 9",)
    good = [number for number in range(8) if number != 5]
    assert np.array_equal(outcome.vectors[good], expected(*(texts[number] for number in good)))
    assert not outcome.vectors[5].any()
    alone = [line for line in shop.journal() if line == "passage text <dies>"]
    assert len(alone) == 2
    # 8 → 4 → 2 → alone → alone again: five deaths, and the first load.
    assert shop.loads() == 6


def test_a_worker_that_dies_by_chance_costs_no_text(make: Make) -> None:
    shop = make(batch=2)
    outcome = shop.embedding.embed_passages(["one", "two <dies once>"])
    assert outcome.failed == ()
    assert np.array_equal(outcome.vectors, expected("one", "two <dies once>"))


@pytest.mark.parametrize(
    ("mark", "reason"),
    [
        ("<grows>", "over its memory cap of 250 MB"),
        ("<raises>", "failed: LookupError: nothing there"),
        ("<nan>", "not finite"),
        ("<long>", "not of length 1"),
        ("<narrow>", r"array of \(1, 7\), expected \(1, 8\)"),
    ],
)
def test_trouble_with_one_text_costs_that_text_only(make: Make, mark: str, reason: str) -> None:
    shop = make(batch=2)
    outcome = shop.embedding.embed_passages(["before", mark, "after"])
    assert outcome.failed == (1,)
    with pytest.raises(WorkerError, match=reason):
        raise WorkerError(outcome.reasons[0])
    assert np.array_equal(outcome.vectors[[0, 2]], expected("before", "after"))


def test_a_hung_worker_is_killed_and_the_rest_goes_on(make: Make) -> None:
    shop = make(batch=1, answer_s=0.5)
    outcome = shop.embedding.embed_passages(["before", "<hangs>", "after"])
    assert outcome.failed == (1,)
    assert outcome.reasons == ("the embedding model gave no answer within 0.5 s",)


def test_noise_on_stdout_does_not_reach_the_vectors(make: Make) -> None:
    shop = make()
    outcome = shop.embedding.embed_passages(["<prints>", "quiet"])
    assert np.array_equal(outcome.vectors, expected("<prints>", "quiet"))
    assert "noise noise" in (shop.folder / "embed-worker.log").read_text(encoding="utf-8")


def test_a_query_that_finds_a_dead_worker_gets_a_new_one(make: Make) -> None:
    shop = make()
    shop.embedding.embed_query("first", None)
    pid = shop.child.pid
    assert pid is not None
    psutil.Process(pid).kill()
    assert np.array_equal(shop.embedding.embed_query("second", None), expected("second")[0])


def test_a_query_that_kills_the_worker_twice_is_told_why(make: Make) -> None:
    shop = make()
    with pytest.raises(WorkerError, match="exit code 9"):
        shop.embedding.embed_query("<dies>", None)
    assert np.array_equal(shop.embedding.embed_query("harmless", None), expected("harmless")[0])


def test_a_model_that_crashes_at_start_is_tried_three_times_and_then_refused_quickly(make: Make) -> None:
    shop = make(model="crashes")
    with pytest.raises(ModelUnavailable, match="exit code 5"):
        shop.embedding.embed_query("anything", None)
    assert shop.loads() == 3
    status = shop.embedding.status()
    assert (status.state, status.reason) == ("failed", "the embedding model ended with exit code 5")
    for ask in (lambda: shop.embedding.embed_query("x", None), lambda: shop.embedding.embed_passages(["x"])):
        with pytest.raises(ModelUnavailable, match="exit code 5"):
            ask()
    shop.embedding.warm()
    assert shop.loads() == 3


def test_after_its_pause_a_broken_model_gets_one_attempt_and_may_have_recovered(make: Make) -> None:
    shop = make(model="crashes-until-gate")
    with pytest.raises(ModelUnavailable):
        shop.embedding.embed_passages(["x"])
    shop.clock.now += 31
    assert shop.embedding.status().state == "failed"
    with pytest.raises(ModelUnavailable):
        shop.embedding.embed_passages(["x"])
    assert shop.loads() == 4
    shop.clock.now += 31
    shop.open_gate()
    assert shop.embedding.embed_passages(["x"]).failed == ()
    assert shop.embedding.status().state == "ready"


def test_a_model_that_hangs_while_loading_is_not_waited_for_three_times(make: Make) -> None:
    shop = make(model="hangs", load_s=1.0)
    with pytest.raises(ModelUnavailable, match="no answer within 1 s"):
        shop.embedding.embed_query("anything", None)
    assert shop.loads() == 1


def test_a_model_whose_vectors_have_another_length_than_its_spec_is_not_used(make: Make) -> None:
    shop = make(model="lies")
    with pytest.raises(ModelUnavailable, match=r"array of \(1, 9\), expected \(1, 8\)"):
        shop.embedding.embed_passages(["x"])


def test_an_idle_model_goes_home_with_all_of_its_memory_and_comes_back(make: Make) -> None:
    shop = make()
    shop.embedding.embed_query("work", None)
    pid = shop.child.pid
    assert pid is not None
    assert shop.embedding.rss_mb() > 1
    shop.clock.now += 299
    assert not shop.embedding.unload_if_idle()
    shop.clock.now += 2
    assert shop.embedding.unload_if_idle()
    assert gone(pid)
    assert (shop.embedding.status().state, shop.embedding.rss_mb()) == ("cold", 0.0)
    assert not shop.embedding.unload_if_idle()
    assert np.array_equal(shop.embedding.embed_query("back", None), expected("back")[0])


def test_a_model_at_work_is_not_idle(make: Make) -> None:
    shop = make(batch=1)
    shop.embedding.embed_query("warm up", None)
    writing = in_background(lambda: shop.embedding.embed_passages(["<gate>"]))
    shop.wait_for("passage <gate>")
    shop.clock.now += 1000
    assert not shop.embedding.unload_if_idle()
    shop.open_gate()
    writing.join(10)
    assert not shop.embedding.unload_if_idle()


def test_probes_are_eight_vectors_of_both_kinds_and_always_the_same(make: Make) -> None:
    shop = make()
    first = shop.embedding.probes()
    assert first.shape == (8, DIMENSION)
    assert np.array_equal(first, shop.embedding.probes())
    kinds = [line.split()[0] for line in shop.journal() if line != "load" and not line.startswith("-")]
    assert kinds[:2] == ["query", "passage"]


def test_close_ends_the_process_and_the_callers_who_wait(make: Make) -> None:
    shop = make(batch=1)
    shop.embedding.embed_query("warm up", None)
    pid = shop.child.pid
    assert pid is not None
    failures: list[str] = []

    def write(text: str) -> None:
        try:
            shop.embedding.embed_passages([text])
        except ModelUnavailable as error:
            failures.append(str(error))

    writing = [in_background(lambda: write("<gate>"))]
    shop.wait_for("passage <gate>")
    writing.append(in_background(lambda: write("waits behind it")))
    shop.wait_for_jobs(2)
    shop.embedding.close()
    shop.embedding.close()
    for thread in writing:
        thread.join(10)
    assert gone(pid)
    assert failures == ["the embedding model was closed"] * 2
    with pytest.raises(ModelUnavailable, match="was closed"):
        shop.embedding.embed_query("too late", None)


def test_the_spec_is_known_before_anything_is_loaded(make: Make) -> None:
    shop = make()
    assert shop.embedding.spec.dimension == DIMENSION
    assert shop.embedding.status().fingerprint == "test/good dimension=8 window=128 query='ask: ' passage='tell: '"
    assert shop.child.pid is None
