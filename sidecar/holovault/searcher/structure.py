"""The hrr lane: how much of a chunk's structure is what the query names.

Owns which names, titles and headings a query has in it, and the likeness of candidates to them. It proposes no candidates, and where a
query names nothing it does not speak at all. Must not find names in notes or compose vectors.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from holovault.hrr import Atoms, Phases, evidence, mixture, similarities
from holovault.lexemes import Analyzer, normal_name
from holovault.searcher.words import Words, idf
from holovault.store import ChunkId, Store

WORDS = 24
"""Words of a query that are looked at; what is longer is text, not names."""

LONGEST = 6
"""Words of a name at most."""

HEARD = 0.5
"""Share of a question's idf mass at which its names have the lane's whole weight. Less speaks less: in a question of another language than
the notes a name is the only known word, and says little of what is asked (docs/benchmarks.md)."""

ROLES = ("entity", "title", "head")

_WORD = re.compile(r"[^\s,;:!?()\[\]{}«»“”\"<>|]+")


@dataclass(frozen=True, slots=True)
class Named:
    """What a query names: canonical names with the roles they have and their idf there."""

    weights: Mapping[tuple[str, str], float]

    @property
    def mass(self) -> float:
        """The idf of all names together, each in its rarest role."""
        best: dict[str, float] = {}
        for (_, name), weight in self.weights.items():
            best[name] = max(weight, best.get(name, 0.0))
        return sum(best.values())

    def say(self, words: Words) -> float:
        """How much of its weight the lane has in this question, 0…1."""
        return min(1.0, self.mass / (HEARD * words.mass)) if words.mass else 1.0


@dataclass(frozen=True, slots=True)
class Structure:
    """What the lane said: likeness 0…1 by chunk, and how much of its weight it has."""

    scores: Mapping[ChunkId, float] = field(default_factory=dict)
    say: float = 1.0


class StructureLane:
    """Scores candidates of one store."""

    def __init__(self, store: Store, atoms: Atoms, analyzer: Analyzer) -> None:
        self._store = store
        self._atoms = atoms
        self._analyzer = analyzer

    def named(self, words: str) -> Named | None:
        """The names in a query, the longest first and none inside another; None where there is none. A few milliseconds."""
        spans = self._spans(words)
        canonical = self._store.structure.canonicals({span for _, _, span in spans})
        names = sorted(set(canonical.values()))
        counts = {role: self._store.structure.frequency(names, role) for role in ROLES} if names else {}
        taken: set[int] = set()
        weights: dict[tuple[str, str], float] = {}
        total = self._store.lexical.total()
        for first, last, span in spans:
            name = canonical[span]
            found = {(role, name): idf(min(counts[role][name], total), total) for role in ROLES if name in counts[role]}
            if found and not taken & set(range(first, last)):
                taken |= set(range(first, last))
                weights |= found
        return Named(weights) if weights else None

    def scores(self, named: Named, chunks: Sequence[ChunkId]) -> dict[ChunkId, float]:
        """What structure says for each chunk that has a vector: its likeness above chance, 0…1, absolute."""
        matrix = self._store.structure.vectors_of(chunks)
        if not len(matrix):
            return {}
        found = evidence(similarities(matrix.phases, self._key(named)))
        return {ChunkId(int(chunk)): float(score) for chunk, score in zip(matrix.chunks, found, strict=True)}

    def _key(self, named: Named) -> Phases:
        return mixture(named.weights, self._atoms)

    def _spans(self, words: str) -> list[tuple[int, int, str]]:
        """Runs of words [first, last) in normal form, the longest first; a function word alone names nothing."""
        found = [match.span() for match in _WORD.finditer(words)][:WORDS]
        spans = []
        for size in range(min(LONGEST, len(found)), 0, -1):
            for first in range(len(found) - size + 1):
                text = words[found[first][0] : found[first + size - 1][1]]
                norm = normal_name(text.strip(".'’"))
                if norm and not (size == 1 and self._analyzer.is_stop_word(norm)):
                    spans.append((first, first + size, norm))
        return spans
