"""When a vault is measured: at once, seldom while it fills, and again when it is complete."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from holovault.embed import EmbedOutcome, ModelSpec, Vectors
from holovault.indexer import Meaning
from holovault.searcher import calibrate
from holovault.searcher.calibration import noise_of
from tests.support.embeddings import direction
from tests.support.searching import DIMENSION, NOW, SynonymEmbedding, desk

NOTES = {f"{number}.md": f"# Log {number}\n\nEntry {number} says that lamp {number} stood in room {number}.\n" for number in range(300)}


class Counting(SynonymEmbedding):
    """Knows how often a vault was measured: that asks for letter salad."""

    def __init__(self) -> None:
        super().__init__()
        self.measured = 0

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        self.measured += "qzxv wrtplk" in texts
        return super().embed_passages(texts)


def test_a_scale_is_there_before_everything_is_embedded_and_measured_again_after(tmp_path: Path) -> None:
    model = Counting()
    measured: list[tuple[int, int]] = []
    with desk(tmp_path, NOTES, model, embedded=False) as opened:
        meaning = Meaning(opened.store, model, lambda: NOW)
        while meaning.step():
            calibrate(opened.store, model)
            measured.append((opened.store.vectors.pending(), model.measured))
        assert opened.store.vectors.scale() is not None
        calibrate(opened.store, model)
    assert measured == [(172, 1), (44, 1), (0, 2)]
    assert model.measured == 2


class AskedOtherwise(SynonymEmbedding):
    """Puts questions and passages in places of their own, as models with prefixes do."""

    def __init__(self) -> None:
        super().__init__(ModelSpec("test", "asked-otherwise", DIMENSION, 128, query_prefix="query: ", passage_prefix="passage: "))

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        return _moved(super().embed_query(text, max_wait), "questions")

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        return EmbedOutcome(np.stack([_moved(row, "passages") for row in super().embed_passages(texts).vectors]))


def _moved(vector: Vectors, place: str) -> Vectors:
    total = vector + 0.8 * direction(place)
    return np.asarray(total / np.linalg.norm(total), np.float32)


def test_letter_salad_is_known_also_to_a_model_that_reads_questions_otherwise(tmp_path: Path) -> None:
    with desk(tmp_path, {"Cat.md": "# Cat\n\nThe kitten sees the vet.\n"}, AskedOtherwise()) as opened:
        serving = opened.store.vectors.serving
        noise = None if serving is None else noise_of(opened.store, serving)
        assert noise is not None
        assert noise.of(opened.embedding.embed_query("qwzxv plrtk", None)) is not None
        assert noise.of(opened.embedding.embed_query("kitten vet", None)) is None
