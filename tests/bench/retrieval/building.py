"""One set as an index: every document a note, cut, analysed, stored, composed and embedded by the product's own code.

Owns the names of the notes. They say nothing, so that no document is found by its identifier; a group is a folder.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from holovault.chunking import VERSION as CHUNKER_VERSION
from holovault.config import Config, Rules
from holovault.embed import EmbeddingService
from holovault.hrr import Atoms
from holovault.indexer import Meaning, StructurePass
from holovault.indexer.cutting import CutInput, CutSettings, Knife
from holovault.lexemes import Analyzer
from holovault.model import FileState
from holovault.searcher import Alone, Searcher, calibrate
from holovault.store import Store, StoredNote
from tests.bench.retrieval.data import Doc, RetrievalSet

DAY = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Built:
    """An index with a searcher, the document of each note, and the measured scale."""

    store: Store
    searcher: Searcher
    documents: dict[str, str]
    scale: tuple[float, float]


def build(
    data: RetrievalSet, folder: Path, embedding: EmbeddingService, config: Config, clock: Callable[[], float] = time.perf_counter
) -> Built:
    """Index a set in `folder`. Tier boost and age are the same for every note and change nothing."""
    store = Store.open(folder, Analyzer.version, CHUNKER_VERSION)
    knife = Knife(CutSettings(config.search.languages, embedding.spec.window if embedding.spec else 128))
    documents = {note_path(number, doc): doc.id for number, doc in enumerate(data.docs)}
    with store.atomic():
        store.notes.put([_stored(knife, path, doc) for path, doc in zip(documents, data.docs, strict=True)])
    atoms = Atoms()
    scale = complete(store, embedding, atoms)
    return Built(store, searching(store, embedding, config, atoms, clock), documents, scale)


def complete(store: Store, embedding: EmbeddingService, atoms: Atoms) -> tuple[float, float]:
    """Compose and embed all that waits; the measured scale."""
    StructurePass(store, atoms).all(lambda _: None, lambda: False)
    meaning = Meaning(store, embedding, lambda: DAY)
    while meaning.step():
        pass
    return calibrate(store, embedding)


def searching(
    store: Store, embedding: EmbeddingService, config: Config, atoms: Atoms, clock: Callable[[], float] = time.perf_counter
) -> Searcher:
    """A searcher of an index that is complete."""
    return Searcher(store, Alone(store, embedding), Analyzer(config.search.languages), config, Rules(config), lambda: DAY, clock, atoms)


def note_path(number: int, doc: Doc) -> str:
    """`group/n00042.md`."""
    name = f"n{number:05}.md"
    return name if doc.group is None else f"{doc.group}/{name}"


def _stored(knife: Knife, path: str, doc: Doc) -> StoredNote:
    text = doc.text if doc.title is None else f"# {doc.title}\n\n{doc.text}"
    data = text.encode("utf-8", "surrogatepass")
    state = FileState(path, path, f"{hash(path) & (2**64 - 1):064x}", len(data), 0, 0, 0)
    return StoredNote(state, knife.cut(CutInput(path, data)), 1, None, "2026-01-01T00:00:00Z")
