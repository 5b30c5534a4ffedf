"""A model for the embed worker whose way of pooling stands in a file, as a library's does: read at each load.

Owns honest vectors, the mean or the first of a text's words. The file is named by HOLOVAULT_TEST_POOLING.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from holovault.children import Child
from holovault.embed import Embedding
from holovault.embed.breaker import Breaker
from holovault.embed.embedding import Limits
from holovault.embed.host import Host, Timeouts
from holovault.embed.line import Line
from holovault.embed.spec import Kind, ModelSpec, Vectors
from tests.support.embeddings import DIMENSION, direction
from tests.support.processes import ENVIRONMENT

VARIABLE = "HOLOVAULT_TEST_POOLING"
SPEC = ModelSpec("test", "pools", DIMENSION, 128)


def load(spec: ModelSpec) -> "PoolingModel":
    """The model as the library would be installed just now."""
    return PoolingModel(spec, Path(os.environ[VARIABLE]).read_text(encoding="utf-8"))


class PoolingModel:
    """Unit vectors of texts."""

    def __init__(self, spec: ModelSpec, pooling: str) -> None:
        self.spec = spec
        self._pooling = pooling

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Rows (n, dimension)."""
        return np.stack([self._pooled(text.casefold().split() or [""]) for text in texts])

    def _pooled(self, words: list[str]) -> Vectors:
        rows = np.stack([direction(word) for word in words])
        # turned round as well, so that no text has the same vector either way
        pooled = rows.mean(axis=0) if self._pooling == "mean" else np.roll(rows[0] + 0.5 * rows.mean(axis=0), 1)
        return np.asarray(pooled / np.linalg.norm(pooled), dtype=np.float32)


def pooling_embedding(file: Path, clock: Callable[[], float]) -> Embedding:
    """A service in front of a worker process with this model; `file` says how it pools; idle after 300 s of `clock`."""
    child = Child("holovault.embed.worker", name="the embedding model", memory_mb=250, env={**ENVIRONMENT, VARIABLE: str(file)})
    host = Host(SPEC, "tests.support.pooling_model", child, Breaker(clock), Timeouts())
    return Embedding(SPEC, host, Line("embedding"), Limits(32, 4096, 300.0), clock)
