"""What cosines mean on this vault: measured once, measured again when the vault has changed much.

Owns the floor and ceiling of the scale and the two directions of noise, and where both are kept. Must not decide who is found.
Held against eleven sets with the bundled model: an answer for 97–100 % of questions in the notes' own language, none for random
letters.
"""

import base64
import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holovault.embed import EmbeddingService, Vectors
from holovault.errors import WorkerError
from holovault.ranking import DEFAULT_SCALE, Scale
from holovault.searcher.centring import Centring
from holovault.searcher.literacy import readable
from holovault.searcher.nearness import keep_centring, measure_centring, nearest
from holovault.searcher.probes import SALAD, TOPICS, VERSION
from holovault.store import Fingerprint, Store

MARGIN = 0.1
"""How far above the middle of absent topics the floor lies, in shares of the way from there to the ceiling: below it real questions are
lost for little, above it absent topics find something for little."""

SAME = 0.7
"""Where between absent topics and identity the same thing said otherwise lies: the middle of translated pairs, .76, for the bundled model.
Not measured with pairs, because a model may know one language only."""

HIGHEST = 0.95
"""Of the middle of absent topics, for models whose cosines differ in the second place only."""

GROWTH = 1.2
"""A vault is measured again when it has this many times more (or fewer) vectors than last time."""

FILLING = 2.0
"""The same while vectors are still being made: some models take hours, and without a scale every passage is as near as any other."""

_log = logging.getLogger(__name__)


BETWEEN = 0.6
"""Where between words and letter salad a query begins to count as salad: single rare words lie half way."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Where a model puts letter salad: float32 rows, one a script, (n, dimension), and the cosine (or likeness, where the model needs
    centring) from which a query is like it."""

    rows: Vectors
    level: float

    def of(self, vector: Vectors) -> float | None:
        """Cosine or likeness of a question, centred where the model needs it, to the nearest of them; None for what is like words."""
        cosine = float((self.rows @ vector).max())
        return cosine if cosine >= self.level else None


def calibrate(store: Store, embedding: EmbeddingService, of: Fingerprint | None = None) -> tuple[float, float]:
    """Measure floor and ceiling of a set of this model's vectors (the serving one unless told) with 60 short texts; keep and return them.

    What is kept is returned at once while the vault has about as many vectors as then. Raises WorkerError where the model cannot run.
    """
    spec, of = embedding.spec, of or store.vectors.serving
    if spec is None or of is None or not (covered := store.vectors.coverage(of)).embedded:
        return DEFAULT_SCALE.floor, DEFAULT_SCALE.ceiling
    kept, size = store.vectors.scale(of), covered.embedded
    if kept is not None and _still_fits(store.meta.get(_size_key(of)), size, GROWTH if covered.complete else FILLING):
        return kept.floor, kept.ceiling
    topics, salad, asked = _measure(embedding, spec.query_prefix != spec.passage_prefix)
    centring = measure_centring(store, spec, of, topics)
    noise = _noise(topics, salad, asked, centring)
    floor, ceiling = _scale([_best(store, of, centring, row) for row in topics])
    with store.atomic():
        keep_centring(store, spec, of, centring)
        store.vectors.set_scale(floor, ceiling, of)
        store.meta.set(_noise_key(of), f"{noise.level:.4f} {base64.b64encode(noise.rows.astype('<f4').tobytes()).decode('ascii')}")
        store.meta.set(_size_key(of), str(size))
    _log.info("measured the vault: floor %.3f, ceiling %.3f over %d vectors", floor, ceiling, size)
    return floor, ceiling


def scale_of(store: Store, of: Fingerprint | None) -> Scale:
    """The measured scale of a set of vectors, the default before."""
    kept = None if of is None else store.vectors.scale(of)
    return DEFAULT_SCALE if kept is None else Scale(kept.floor, kept.ceiling)


def noise_of(store: Store, of: Fingerprint) -> Noise | None:
    """The measured noise of the model that made a set of vectors, None before."""
    kept = store.meta.get(_noise_key(of))
    if kept is None:
        return None
    level, _, rows = kept.partition(" ")
    return Noise(np.frombuffer(base64.b64decode(rows), dtype="<f4").reshape(-1, of.dimension), float(level))


def _measure(embedding: EmbeddingService, asked_otherwise: bool) -> tuple[Vectors, Vectors, Vectors]:
    """Vectors of the topics as questions, (20 for each language that the model reads, dimension), and of the salad by script,
    (2, 10, dimension), as passages and as questions.

    A language that the model does not read is noise to it: as topics its texts would be like salad, and near every note in that script.
    """
    texts = [text for language in zip(*TOPICS, strict=True) for text in language]
    salad = [text for script in SALAD for text in script]
    passages = _passages(embedding, salad)
    topics, asked = (
        (_questions(embedding, texts), _questions(embedding, salad)) if asked_otherwise else (_passages(embedding, texts), passages)
    )
    by_script = (len(SALAD), -1, passages.shape[1])
    topics = readable(topics.reshape(len(TOPICS[0]), len(TOPICS), -1))
    return topics, passages.reshape(by_script), asked.reshape(by_script)


def _questions(embedding: EmbeddingService, texts: Sequence[str]) -> Vectors:
    return np.stack([embedding.embed_query(text, None) for text in texts])


def _passages(embedding: EmbeddingService, texts: Sequence[str]) -> Vectors:
    outcome = embedding.embed_passages(texts)
    if outcome.failed:
        raise WorkerError("the model cannot embed the texts that a vault is measured with")
    return outcome.vectors


def _noise(topics: Vectors, salad: Vectors, asked: Vectors, centring: Centring) -> Noise:
    """The middle of each script's salad; the level lies between what words reach and what other salad of that script does when `asked`."""
    rows = centring.passage(_unit(salad.mean(axis=1)))
    words = float(np.quantile((centring.question(topics) @ rows.T).max(axis=1), 0.95))
    others = centring.passage(_unit((salad.sum(axis=1, keepdims=True) - salad) / (salad.shape[1] - 1)))
    alike = float(np.quantile((centring.question(asked) * others).sum(axis=2), 0.05))
    return Noise(rows, words + BETWEEN * max(0.0, alike - words))


def _unit(rows: Vectors) -> Vectors:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9), dtype=np.float32)


def _scale(best: Sequence[float]) -> tuple[float, float]:
    """From what each topic reaches here. Its middle is that of an absent topic: hardly any vault is about most of them."""
    absent = min(float(np.median(best)), HIGHEST)
    ceiling = absent + SAME * (1 - absent)
    return absent + MARGIN * (ceiling - absent), ceiling


def _best(store: Store, of: Fingerprint, centring: Centring, vector: Vectors) -> float:
    found = nearest(store, of, centring, vector, 1, None)
    return found[0].cosine if found else 0.0


def _still_fits(then: str | None, size: int, growth: float) -> bool:
    return then is not None and 1 / growth <= size / max(1, int(then)) <= growth


def _size_key(of: Fingerprint) -> str:
    return f"calibrated {VERSION} {of.id}"


def _noise_key(of: Fingerprint) -> str:
    return f"noise {VERSION} {of.id}"
