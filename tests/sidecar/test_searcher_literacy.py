"""A model that reads one language is measured in that language: what it cannot read is noise to it, not a topic."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from holovault.embed import EmbedOutcome, Vectors
from holovault.searcher.calibration import noise_of
from holovault.searcher.literacy import readable
from tests.support.embeddings import direction
from tests.support.searching import DIMENSION, SynonymEmbedding, desk

ENGLISH = {
    f"En/{number}.md": f"# Log {number}\n\nThe {thing} stood beside the {place} for many weeks.\n"
    for number, (thing, place) in enumerate((thing, place) for thing in ("lamp", "ladder", "piano") for place in ("barn", "mill", "port"))
}
CAT = {"En/Cat.md": "# The pet\n\nKitten and vet.\n"}
RUSSIAN = {"Ru/Запись.md": "# Запись\n\nТут фонарь стоял возле сарая много недель.\n"}


class ReadsLatin(SynonymEmbedding):
    """Knows that a letter is Cyrillic and no more about it."""

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        return _seen(super().embed_query(text, max_wait), text)

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        rows = super().embed_passages(texts).vectors
        return EmbedOutcome(np.stack([_seen(row, text) for row, text in zip(rows, texts, strict=True)]))


def _seen(vector: Vectors, text: str) -> Vectors:
    total = vector + 4 * direction("some letter or other") if any("а" <= letter <= "я" for letter in text.casefold()) else vector
    return np.asarray(total / np.linalg.norm(total), np.float32)


def test_notes_in_another_language_do_not_raise_the_bar_for_those_that_the_model_reads(tmp_path: Path) -> None:
    with desk(tmp_path / "alone", ENGLISH | CAT, ReadsLatin()) as opened:
        alone = opened.store.vectors.scale()
    with desk(tmp_path / "both", ENGLISH | CAT | RUSSIAN, ReadsLatin()) as opened:
        both = opened.store.vectors.scale()
        assert alone is not None
        assert both is not None
        assert both.floor == pytest.approx(alone.floor, abs=0.02)
        assert opened.paths("cat", "semantic")[:1] == ["En/Cat.md"]
        assert opened.paths("volcanoes erupting yearly", "semantic") == []


def test_a_question_that_the_model_cannot_read_is_noise_to_it_and_finds_no_note_by_meaning(tmp_path: Path) -> None:
    with desk(tmp_path, ENGLISH | CAT, ReadsLatin()) as opened:
        serving = opened.store.vectors.serving
        noise = None if serving is None else noise_of(opened.store, serving)
        assert noise is not None
        assert noise.of(opened.embedding.embed_query("как обрезать яблони весной", None)) is not None
        assert noise.of(opened.embedding.embed_query("how to prune the apple trees", None)) is None
        assert opened.paths("осенние выборы мэра", "semantic") == []


def _language(common: float, seed: int, topics: int = 20) -> Vectors:
    """Topics that have so much of one direction in common."""
    rows = np.random.default_rng(seed).standard_normal((topics, DIMENSION)) / DIMENSION**0.5 + common * direction(f"language {seed}")
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


@pytest.mark.parametrize(
    ("common", "read"),
    [((0.0, 0.0), (0, 1)), ((1.8, 1.9), (0, 1)), ((0.0, 1.5), (0,)), ((1.5, 0.0), (1,)), ((0.0, 0.3, 2.0), (0, 1))],
)
def test_a_language_is_read_where_its_topics_lie_about_as_far_apart_as_those_of_any_other(
    common: tuple[float, ...], read: tuple[int, ...]
) -> None:
    topics = np.stack([_language(one, seed) for seed, one in enumerate(common)])
    assert np.array_equal(readable(topics), np.concatenate([topics[number] for number in read]))


def test_a_model_that_sees_no_difference_anywhere_reads_whatever_it_reads() -> None:
    assert len(readable(np.ones((2, 3, 1), np.float32))) == 6
