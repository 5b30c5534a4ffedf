"""A searcher over a real index of a few notes, with an embedding whose idea of meaning is a list of synonyms.

Owns the vault's text and the synonyms; tests name both. No model, no files of notes: they are cut and stored directly.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import numpy as np

from holovault.chunking import VERSION as CHUNKER_VERSION
from holovault.config import Config, Rules
from holovault.embed import EmbedOutcome, ModelSpec, Vectors
from holovault.errors import WorkerError
from holovault.indexer import Meaning
from holovault.indexer.cutting import CutInput, CutSettings, Knife
from holovault.lexemes import Analyzer
from holovault.model import FileState, Hit, Mode, ModelStatus, RelatedRequest, SearchRequest, SearchResponse
from holovault.searcher import Alone, Searcher, calibrate
from holovault.store import Store, StoredNote
from tests.support.embeddings import direction

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
DIMENSION = 64
SYNONYMS: dict[str, str] = {
    word: group
    for group, words in {
        "garden": "garden tomatoes seedlings sow soil vegetables огород помидоры рассада",
        "cat": "cat kitten pet vet кот котёнок питомец ветеринар",
        "money": "money budget euros salary invoice деньги бюджет",
        "sleep": "sleep bed rest tired pillow сон подушка",
    }.items()
    for word in words.split()
}
"""Words of the same group have the same direction; the group is all that this model knows of them."""


class SynonymEmbedding:
    """An `EmbeddingService` in this process. `fault` is raised instead of answering a question; unknown words all point the same way."""

    def __init__(self, spec: ModelSpec | None = None) -> None:
        self._spec = spec or ModelSpec("test", "synonyms", DIMENSION, 128)
        self.fault: WorkerError | None = None

    @property
    def spec(self) -> ModelSpec | None:
        return self._spec

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        if self.fault is not None:
            raise self.fault
        return _vector(text)

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        return EmbedOutcome(np.stack([_vector(text) for text in texts]))

    def probes(self) -> Vectors:
        return np.stack([direction(f"probe {number}") for number in range(8)])

    def warm(self) -> None:
        """Always warm."""

    def unload_if_idle(self) -> bool:
        return False

    def status(self) -> ModelStatus:
        return ModelStatus("test", "synonyms", "synonyms", DIMENSION, "ready")

    def rss_mb(self) -> float:
        return 0.0

    def close(self) -> None:
        """Nothing is open."""


class NoModel(SynonymEmbedding):
    """Provider `none`."""

    @property
    def spec(self) -> ModelSpec | None:
        return None


def _vector(text: str) -> Vectors:
    """Groups count fully, other words a little and each its own way; text of unknown letters only is letter salad."""
    words = ["".join(filter(str.isalnum, word)) for word in text.casefold().split()]
    groups = [direction(f"group {SYNONYMS[word]}") for word in words if word in SYNONYMS]
    vowels = set("aeiouyаеиоуыэюяё")
    rest = [direction(word) if vowels & set(word) else direction("salad") * 3 for word in words if word and word not in SYNONYMS]
    total = np.sum([3 * group for group in groups] + [0.5 * one for one in rest] or [direction("")], axis=0, dtype=np.float64)
    return np.asarray(total / np.linalg.norm(total), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything a test of searching turns or looks at."""

    store: Store
    searcher: Searcher
    embedding: SynonymEmbedding

    def ask(self, query: str, mode: Mode = "hybrid", **how: object) -> SearchResponse:
        request: SearchRequest = replace(SearchRequest(query, mode=mode), **how)  # type: ignore[arg-type]
        return self.searcher.search(request)

    def paths(self, query: str, mode: Mode = "hybrid", **how: object) -> list[str]:
        return [hit.path for hit in self.ask(query, mode, **how).results]

    def first(self, query: str, mode: Mode = "hybrid", **how: object) -> Hit:
        results = self.ask(query, mode, **how).results
        assert results, query
        return results[0]

    def related(self, path: str, limit: int = 10) -> SearchResponse:
        return self.searcher.related(RelatedRequest(path, limit))


@contextmanager
def desk(
    folder: Path,
    notes: Mapping[str, str],
    embedding: SynonymEmbedding | None = None,
    *,
    config: Config = Config(),  # noqa: B008  (frozen)
    modified: Mapping[str, str] | None = None,
    embedded: bool = True,
) -> Iterator[Desk]:
    """An index of `notes` with its searcher until the block ends; `embedded` False leaves every window without a vector."""
    service = embedding or SynonymEmbedding()
    rules = Rules(config)
    knife = Knife(CutSettings(config.search.languages, 128))
    ticks = iter(range(1_000_000))
    with Store.open(folder, Analyzer.version, CHUNKER_VERSION) as store:
        store.notes.put(
            [_stored(knife, rules, path, text, (modified or {}).get(path, "2026-06-01T00:00:00Z")) for path, text in notes.items()]
        )
        meaning = Meaning(store, service, lambda: NOW)
        while embedded and meaning.step():
            pass
        if embedded and service.spec is not None:
            calibrate(store, service)
        searcher = Searcher(
            store, Alone(store, service), Analyzer(config.search.languages), config, rules, lambda: NOW, lambda: float(next(ticks))
        )
        yield Desk(store, searcher, service)


def _stored(knife: Knife, rules: Rules, path: str, text: str, modified: str) -> StoredNote:
    note = knife.cut(CutInput(path, text.encode("utf-8")))
    state = FileState(path, path, sha256(text.encode("utf-8")).hexdigest(), len(text), 0, 0, 0)
    project = rules.project_of(path)
    return StoredNote(state, note, rules.tier_of(path, note.front.source).value, None if project is None else project.value, modified)
