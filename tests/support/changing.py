"""Models that change: word embeddings under several names, and engines whose knowledge.toml says which of them is wanted.

Owns the stand-ins for providers. A model's directions depend on its name (and edition), so that two of them never agree.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from holovault.config import EmbeddingConfig, Home
from holovault.embed import EmbedOutcome, ModelSpec, ModelUnavailable, Vectors
from holovault.embed.nothing import NoEmbedding
from holovault.engine import Engine
from holovault.engine.inbox import Work
from holovault.model import Degraded, ModelStatus, SearchResponse
from tests.support.embeddings import DIMENSION, direction
from tests.support.engines import ask
from tests.support.vaults import VaultFolder, make_vault

NOTES = 400
"""Of a vault whose model changes."""

OLD, NEW = 'provider = "bundled"', 'provider = "fastembed"'
NAMES = {"bundled": "old", "fastembed": "new", "e5": "finer"}
"""Name of the stand-in of each provider."""


class NamedEmbedding:
    """An `EmbeddingService` in this process. `texts` were embedded as passages, `asked` as questions; `broken` says why it cannot."""

    def __init__(self, name: str, window: int = 128, edition: str = "") -> None:
        self.spec = ModelSpec(provider="test", name=name, dimension=DIMENSION, window=window)
        self.edition = edition
        self.texts: list[str] = []
        self.asked: list[str] = []
        self.refused: set[str] = set()
        self.broken: str | None = None
        self.closed = False
        self.loaded = False
        self.before_passages: Callable[[], None] = lambda: None
        self.before_query: Callable[[], None] = lambda: None

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        self.before_query()
        self._refuse()
        self.loaded = True
        self.asked.append(text)
        return self._vector(text)

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        self.before_passages()
        self._refuse()
        failed = tuple(place for place, text in enumerate(texts) if any(word in text for word in self.refused))
        self.texts.extend(text for place, text in enumerate(texts) if place not in failed)
        rows = np.stack([self._vector(text) * (place not in failed) for place, text in enumerate(texts)])
        return EmbedOutcome(np.asarray(rows, np.float32), failed, tuple("the test says so" for _ in failed))

    def probes(self) -> Vectors:
        self._refuse()
        self.loaded = True
        return np.stack([self._vector(f"probe {number}") for number in range(8)])

    def warm(self) -> None:
        """Always warm."""

    def unload_if_idle(self) -> bool:
        loaded, self.loaded = self.loaded, False
        return loaded

    def status(self) -> ModelStatus:
        return ModelStatus("test", self.spec.name, self.spec.identity, DIMENSION, "ready")

    def rss_mb(self) -> float:
        return 0.0

    def close(self) -> None:
        self.closed = True

    def _refuse(self) -> None:
        if self.closed:
            raise ModelUnavailable("closed")
        if self.broken:
            raise ModelUnavailable(self.broken)

    def _vector(self, text: str) -> Vectors:
        words = text.casefold().split() or [""]
        total = np.stack([direction(f"{self.spec.name} {self.edition} {word}") for word in words]).sum(axis=0)
        return np.asarray(total / np.linalg.norm(total), dtype=np.float32)


@dataclass
class Works:
    """Makes models as `make_embedding` does, and remembers them: `made` in order. `absent` providers have no model here."""

    made: list[NamedEmbedding] = field(default_factory=list)
    absent: set[str] = field(default_factory=set)
    editions: dict[str, str] = field(default_factory=dict)
    windows: dict[str, int] = field(default_factory=dict)
    prepare: Callable[[NamedEmbedding], None] = lambda model: None

    def __call__(self, config: EmbeddingConfig) -> NamedEmbedding | NoEmbedding:
        if config.provider == "none":
            return NoEmbedding()
        name = config.model or NAMES[config.provider]
        if config.provider in self.absent:
            return NoEmbedding(config.provider, name, f"{name} is not on this machine: fetch it first")
        made = NamedEmbedding(name, self.windows.get(name, config.window), self.editions.get(name, ""))
        self.prepare(made)
        self.made.append(made)
        return made

    @property
    def running(self) -> list[str]:
        """Names of those that were not closed, in order."""
        return [model.spec.name for model in self.made if not model.closed]

    def last(self, name: str) -> NamedEmbedding:
        """The newest model of that name."""
        return next(model for model in reversed(self.made) if model.spec.name == name)

    def embedded(self, name: str) -> list[str]:
        """What the models of that name embedded of the vault, in order; the texts it is measured with are left out."""
        return [text for model in self.made if model.spec.name == name for text in model.texts if "note" in text]


@contextmanager
def engine_of(root: Path, home: Path, works: Works) -> Iterator[Engine]:
    """An engine with these models until the block ends."""
    with Engine.open(root, Home(home), owner="test", models=works) as engine:
        yield engine


def want(engine: Engine, root: Path, embedding: str) -> None:
    """Write `[embedding]` lines into knowledge.toml and let the engine look at it, as the daemon does after a change."""
    (root / "knowledge.toml").write_text(f"[embedding]\n{embedding}\n", encoding="utf-8")
    engine.words(Work(frozenset(), True, ()))


def steps(engine: Engine) -> Iterator[int]:
    """One slice of embedding at a time until nothing is left to do; yields the number of each step."""
    number = 0
    while engine.meaning_step():
        number += 1
        yield number
        assert number < 1_000, engine.status()


def word(number: int) -> str:
    """One that only the note of this number has."""
    return "word" + "".join("bcdfghjklm"[int(digit)] for digit in f"{number:03}")


def text(number: int) -> str:
    """What the note of this number says."""
    return f"this note is about {word(number)} and the weather"


def changing_vault(folder: Path) -> VaultFolder:
    """`NOTES` notes, not written just now, with the old model."""
    made = make_vault(folder, {f"n{number:03}.md": f"{text(number)}\n" for number in range(NOTES)}, f"[embedding]\n{OLD}\n")
    made.age()
    return made


def asked(engine: Engine, number: int) -> SearchResponse:
    """The note's own words, asked by meaning."""
    return ask(engine, text(number), "semantic", 3)


def finds(engine: Engine, number: int) -> tuple[Degraded, ...]:
    """The note is the first hit by meaning; returns what was said to be missing of it."""
    found = asked(engine, number)
    assert [hit.path for hit in found.results[:1]] == [f"n{number:03}.md"], found
    return unsaid(found)


def unsaid(found: SearchResponse) -> tuple[Degraded, ...]:
    """What was missing of meaning; that the vault was not looked at yet is another matter."""
    return tuple(said for said in found.degraded if said.lane != "index")
