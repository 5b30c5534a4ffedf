"""Indexed synthetic vaults, kept between runs, and questions to ask of them.

Owns the vectors of big vaults: embedding half a million windows would take hours, so a thousand windows are embedded by the bundled
model and every window gets one of those vectors plus noise (cosine about .8 to it), put straight into the store.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holovault.chunking import VERSION, window_string
from holovault.config import EmbeddingConfig, Home
from holovault.embed import make_embedding
from holovault.engine import Engine
from holovault.lexemes import Analyzer
from holovault.model import IndexRequest
from holovault.store import ScanLimits, Store
from tests.bench.synthetic import Plan, make

BASE = 1_000
NEAR, NOISE = 0.8, 0.6
BATCH = 4_096


@dataclass(frozen=True, slots=True)
class Prepared:
    """A vault, the home of its index, and the vectors that its windows were drawn around, (n, dimension)."""

    root: Path
    home: Path
    base: NDArray[np.float32]

    @contextmanager
    def engine(self, watching: bool = False) -> Iterator[Engine]:
        with Engine.open(self.root, Home(self.home), owner="bench") as engine:
            if watching:
                engine.start_watching()
            yield engine

    @contextmanager
    def store(self, scan: ScanLimits | None = None) -> Iterator[Store]:
        (file,) = (self.home / "index").glob("*/index.db")
        with Store.open(file.parent, Analyzer.version, VERSION, scan=scan or ScanLimits()) as store:
            yield store


def prepare(work: Path, plan: Plan) -> Prepared:
    """Make, index and fill a vault unless an earlier run did."""
    root = make(work, plan)
    home = root.with_suffix(f".home-{VERSION}")
    kept = home / "base.npy"
    if kept.exists():
        return Prepared(root, home, np.load(kept))
    with Engine.open(root, Home(home), owner="bench") as engine:
        engine.index(IndexRequest(wait=False))
    base = _fill(Prepared(root, home, np.zeros((0, 0), np.float32)))
    np.save(kept, base)
    with Engine.open(root, Home(home), owner="bench") as engine:
        (root / "Measured.md").write_text(
            "# Measured\n\nThe last window, embedded by the model, so that the scale is measured.\n", encoding="utf-8"
        )
        engine.index(IndexRequest(wait=True))
    return Prepared(root, home, base)


def questions(prepared: Prepared, count: int, seed: int = 3) -> list[str]:
    """Two to four neighbouring words out of random notes."""
    dice = random.Random(seed)
    paths = sorted(prepared.root.rglob("note *.md"))
    found: list[str] = []
    while len(found) < count:
        words = [word for word in dice.choice(paths).read_text(encoding="utf-8").split() if word.isalpha() and len(word) > 3]
        start = dice.randrange(max(1, len(words) - 4))
        found.append(" ".join(words[start : start + dice.randrange(2, 5)]))
    return found


def near(base: NDArray[np.float32], rng: np.random.Generator, picks: NDArray[np.int64], share: float = NEAR) -> NDArray[np.float32]:
    """Unit vectors whose cosine to the picked rows is about `share`."""
    noise = rng.standard_normal((len(picks), base.shape[1])).astype(np.float32)
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    rows = share * base[picks] + np.float32((1 - share**2) ** 0.5) * noise
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def _fill(prepared: Prepared) -> NDArray[np.float32]:
    embedding = make_embedding(EmbeddingConfig(), None)
    try:
        assert embedding.spec is not None
        with prepared.store() as store:
            store.vectors.adopt(embedding.spec.identity, embedding.spec.dimension, embedding.probes())
            sample = store.vectors.backlog(BASE)
            base = embedding.embed_passages([window_string(item.window, item.text) for item in sample]).vectors
            rng = np.random.default_rng(7)
            while batch := store.vectors.backlog(BATCH):
                vectors = near(base, rng, rng.integers(0, len(base), len(batch)))
                store.vectors.put([(item.window.key, vector) for item, vector in zip(batch, vectors, strict=True)])
        return base
    finally:
        embedding.close()
