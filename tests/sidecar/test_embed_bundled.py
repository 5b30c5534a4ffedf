"""The real bundled model in its real worker."""

from collections.abc import Iterator

import numpy as np
import pytest

from holovault.config import EmbeddingConfig
from holovault.embed import EmbeddingService, Vectors, make_embedding

PARAPHRASES = [
    ("How do I cancel my subscription?", "Ending your paid plan", "The glacier lost three metres this summer"),
    ("Как перенести заметки на другой компьютер?", "Переезд с одной машины на другую вместе с файлами", "Рецепт борща с чесноком"),
    ("The meeting was moved to Friday", "Встречу перенесли на пятницу", "Собака спит на диване"),
    ("Wie sichere ich meine Daten?", "How to make a backup", "A poem about the autumn sea"),
]


@pytest.fixture(scope="module")
def model() -> Iterator[EmbeddingService]:
    embedding = make_embedding(EmbeddingConfig(), None)
    yield embedding
    embedding.close()


def passage(model: EmbeddingService, text: str) -> Vectors:
    outcome = model.embed_passages([text])
    assert outcome.failed == ()
    return np.array(outcome.vectors[0])


def test_vectors_are_512_numbers_of_length_one(model: EmbeddingService) -> None:
    outcome = model.embed_passages([text for row in PARAPHRASES for text in row])
    assert outcome.vectors.shape == (12, 512)
    assert outcome.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(outcome.vectors, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(("question", "answer", "stranger"), PARAPHRASES)
def test_a_paraphrase_is_nearer_than_a_stranger(model: EmbeddingService, question: str, answer: str, stranger: str) -> None:
    asked = model.embed_query(question, None)
    assert asked @ passage(model, answer) > asked @ passage(model, stranger) + 0.1


def test_a_vector_depends_on_its_text_and_not_on_its_neighbours(model: EmbeddingService) -> None:
    texts = [f"{row[1]} {number}" for row in PARAPHRASES for number in range(4)]
    together = model.embed_passages(texts).vectors
    alone = np.stack([passage(model, text) for text in texts])
    assert np.einsum("ij,ij->i", together, alone).min() > 0.99999


def test_the_same_text_has_the_same_vector_after_the_model_was_loaded_anew(model: EmbeddingService) -> None:
    again = make_embedding(EmbeddingConfig(), None)
    try:
        assert np.array_equal(again.probes(), model.probes())
    finally:
        again.close()


@pytest.mark.parametrize("nothing", ["", " ", "\n\n\t", "\u200b", "\u3000"])
def test_a_text_without_a_word_has_a_finite_vector_and_is_no_failure(model: EmbeddingService, nothing: str) -> None:
    assert np.array_equal(passage(model, nothing), passage(model, ""))
    assert np.allclose(model.embed_query(nothing, None), passage(model, ""), atol=1e-6)


def test_a_text_of_many_thousand_tokens_is_embedded_within_the_memory_cap(model: EmbeddingService) -> None:
    assert np.isfinite(passage(model, "одно слово и другое " * 2_000)).all()
    assert model.rss_mb() < 800
