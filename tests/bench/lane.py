"""What structure is worth in a search by words: known passages of a real vault, found with and without the hrr lane.

Owns the questions, drawn from the vault: a title, a link or a heading of a passage with two words of its text, or three words alone.
No model is asked. Asserts nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from holovault.config import Config, Rules
from holovault.hrr import Atoms
from holovault.lexemes import Analyzer
from holovault.model import Hit, SearchRequest
from holovault.searcher import Alone, Searcher
from holovault.store import ChunkId, ChunkRow, Store
from tests.support.searching import NoModel

HEADS = ("vault", "question", "questions", "without", "h = .1", "h = .2", "h = .3", "named by", "better / worse at .2")
WEIGHTS = (0.0, 0.1, 0.2, 0.3)
ASKED = 150
_WORD = re.compile(r"[^\W\d_]{5,}")
_NOW = datetime(2026, 6, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Known:
    """A question whose answer is known."""

    text: str
    path: str
    line: int


def rows(name: str, store: Store, atoms: Atoms) -> Iterator[list[str]]:
    """One line for each kind of question: MRR@10 at each weight."""
    config = Config()
    searchers = [_searcher(store, replace(config, search=replace(config.search, hrr_weight=weight)), atoms) for weight in WEIGHTS]
    for kind, questions in kinds(store).items():
        ranks = [[_reciprocal(searcher, one) for one in questions] for searcher in searchers]
        spoke = sum(any(hit.signals.hrr is not None for hit in _ask(searchers[2], one)) for one in questions)
        better = sum(after > before for before, after in zip(ranks[0], ranks[2], strict=True))
        worse = sum(after < before for before, after in zip(ranks[0], ranks[2], strict=True))
        means = [f"{np.mean(own):.3f}" for own in ranks]
        yield [name, kind, str(len(questions)), *means, f"{spoke / max(1, len(questions)):.2f}", f"{better} / {worse}"]


def _searcher(store: Store, config: Config, atoms: Atoms) -> Searcher:
    model = NoModel()
    return Searcher(store, Alone(store, model), Analyzer(config.search.languages), config, Rules(config), lambda: _NOW, lambda: 0.0, atoms)


def _ask(searcher: Searcher, one: Known) -> Sequence[Hit]:
    return searcher.search(SearchRequest(one.text, 10)).results


def _reciprocal(searcher: Searcher, one: Known) -> float:
    for place, hit in enumerate(searcher.search(SearchRequest(one.text, 10)).results, 1):
        if (hit.path, hit.start_line) == (one.path, one.line):
            return 1 / place
    return 0.0


def kinds(store: Store) -> dict[str, list[Known]]:
    """The questions by kind, the same ones at every run."""
    rng = np.random.default_rng(11)
    chunks = store.structure.matrix().chunks
    drawn = rng.permutation(chunks)[: 4 * ASKED].tolist()
    questions: dict[str, list[Known]] = {"title + 2 words": [], "link + 2 words": [], "heading + 2 words": [], "3 words": []}
    for row in store.notes.chunk_rows([ChunkId(chunk) for chunk in drawn]):
        words = sorted(set(_WORD.findall(row.text)))
        if len(words) < 8:
            continue
        for kind, text in _texts(store, row, rng.choice(words, 3, replace=False).tolist()).items():
            if text and len(questions[kind]) < ASKED:
                questions[kind].append(Known(text, row.path, row.start_line))
    return questions


def _texts(store: Store, row: ChunkRow, words: Sequence[str]) -> dict[str, str]:
    stated = store.structure.fillers_of([row.id]).get(row.id, ())
    links = [one.text for one in stated if one.role == "entity"]
    two = " ".join(words[:2])
    return {
        "title + 2 words": f"{row.title} {two}",
        "link + 2 words": f"{links[len(row.text) % len(links)]} {two}" if links else "",
        "heading + 2 words": f"{row.heading[-1]} {two}" if row.heading else "",
        "3 words": " ".join(words),
    }
