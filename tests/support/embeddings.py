"""A tiny embedding that needs no model: a text's vector is the sum of its words' hash directions.

Owns determinism and counting, for tests where the machinery around vectors matters and meaning does
not. Texts that share words are near each other, others are nearly orthogonal.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from holovault.embed import EmbedOutcome, ModelSpec, Vectors
from holovault.model import ModelStatus

DIMENSION = 64
SPEC = ModelSpec(provider="test", name="word-directions", dimension=DIMENSION, window=128)


@lru_cache(maxsize=20_000)
def direction(word: str) -> Vectors:
    """The unit direction of one word."""
    seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(DIMENSION)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


class WordEmbedding:
    """An `EmbeddingService` in this process. `texts` are those that were embedded as passages, in order."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    @property
    def spec(self) -> ModelSpec | None:
        return SPEC

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        return self._vector(text)

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        self.texts.extend(texts)
        return EmbedOutcome(np.stack([self._vector(text) for text in texts]))

    def probes(self) -> Vectors:
        return np.stack([direction(f"probe {number}") for number in range(8)])

    def warm(self) -> None:
        """Always warm."""

    def unload_if_idle(self) -> bool:
        """Nothing is loaded."""
        return False

    def status(self) -> ModelStatus:
        return ModelStatus(SPEC.provider, SPEC.name, SPEC.identity, DIMENSION, "ready")

    def rss_mb(self) -> float:
        return 0.0

    def close(self) -> None:
        """Nothing is open."""

    def _vector(self, text: str) -> Vectors:
        total = np.stack([direction(word) for word in text.casefold().split() or [""]]).sum(axis=0)
        return np.asarray(total / np.linalg.norm(total), dtype=np.float32)
