"""Sets of documents, questions and judgements, and what nDCG@10 and recall@5 they had in earlier measurements. Must not index."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec


@dataclass(frozen=True, slots=True)
class Doc:
    """One line of corpus.jsonl."""

    id: str
    text: str
    title: str | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of queries.jsonl."""

    id: str
    text: str
    group: str | None = None
    category: str | None = None


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Everything of one folder; `grades` by query, then by document."""

    name: str
    docs: tuple[Doc, ...]
    queries: tuple[Asked, ...]
    grades: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Reference:
    """nDCG@10 and recall@5."""

    ndcg: float
    recall: float


REFERENCE: dict[str, Reference] = {
    "locomo-turn": Reference(0.459, 0.505),
    "locomo-session": Reference(0.798, 0.862),
    "xquad-ru-ru": Reference(0.970, 0.992),
    "xquad-en-ru": Reference(0.845, 0.927),
    "xquadr-ru": Reference(0.849, 0.919),
    "xquadr-en": Reference(0.872, 0.934),
    "xquad-bilingual": Reference(0.846, 0.931),
    "tldr-x-ru-en": Reference(0.802, 0.879),
    "obshelp-desc-en": Reference(0.762, 0.840),
    "obshelp-desc-ru": Reference(0.778, 0.830),
    "obshelp-x-ru-en": Reference(0.801, 0.856),
}
"""USE multilingual v3 over whole documents, .7 · coverage · bm25/max + .3 · min-max cosine over two lists of 100, no bar for what counts
as found: the column "USE coverage .3" of the retrieval study that the design rests on. The same files, hence comparable."""

E5_REFERENCE: dict[str, Reference] = {
    "locomo-turn": Reference(0.509, 0.567),
    "locomo-session": Reference(0.801, 0.860),
    "xquad-ru-ru": Reference(0.976, 0.995),
    "xquad-en-ru": Reference(0.904, 0.968),
    "xquadr-ru": Reference(0.874, 0.940),
    "xquadr-en": Reference(0.888, 0.948),
    "xquad-bilingual": Reference(0.706, 0.779),
    "tldr-x-ru-en": Reference(0.825, 0.901),
    "obshelp-desc-en": Reference(0.793, 0.820),
    "obshelp-desc-ru": Reference(0.809, 0.894),
    "obshelp-x-ru-en": Reference(0.774, 0.850),
}
"""The same study's column "E5 coverage .3": multilingual-e5-small, 4 bits, without language centring (with it, xquad-bilingual .905)."""


def load(folder: Path) -> RetrievalSet:
    """Read one set; msgspec and OS errors name the file."""
    docs = tuple(msgspec.json.decode(line, type=Doc) for line in _lines(folder / "corpus.jsonl"))
    queries = tuple(msgspec.json.decode(line, type=Asked) for line in _lines(folder / "queries.jsonl"))
    grades: dict[str, dict[str, float]] = {}
    for line in _lines(folder / "qrels.tsv"):
        query, document, grade = line.split("\t")
        grades.setdefault(query, {})[document] = float(grade)
    return RetrievalSet(folder.name, docs, queries, grades)


def sample(data: RetrievalSet, most: int | None) -> RetrievalSet:
    """The set with at most so many of its questions, evenly spread."""
    step = 1 if most is None else max(1, -(-len(data.queries) // most))
    return replace(data, queries=data.queries[::step])


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from (line.rstrip("\n") for line in file if line.strip())
