"""How much of a query's words a chunk has.

Owns the idf of each word asked and the coverage of candidates, counted on the stored analysed text. Must not know how words are
found or scored.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from holovault.store import ChunkTerms


@dataclass(frozen=True, slots=True)
class Word:
    """One thing asked for: any of `forms` counts (the stem, or what an unfinished word may become). `mass` is its idf."""

    forms: tuple[str, ...]
    mass: float
    known: bool
    _padded: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_padded", tuple(f" {form} " for form in self.forms))

    def stands_in(self, padded: str) -> bool:
        """Whether a text of terms, with a space around each, has any form."""
        return any(map(padded.__contains__, self._padded))


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares 0…1 of a query's idf mass: `coverage` in any field of a chunk, `containment` in its body alone."""

    coverage: float
    containment: float


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one query. A word that the vault does not have weighs as much as the rarest."""

    asked: tuple[Word, ...]

    @classmethod
    def weigh(cls, forms: Sequence[tuple[str, ...]], frequency: Mapping[str, int], total: int) -> Self:
        """Words from their forms, the number of chunks that hold each form, and the number of all chunks."""
        counts = [sum(frequency.get(form, 0) for form in group) for group in forms]
        return cls(tuple(Word(group, idf(min(count, total), total), count > 0) for group, count in zip(forms, counts, strict=True)))

    @property
    def mass(self) -> float:
        """The idf of all words together."""
        return sum(word.mass for word in self.asked)

    @property
    def unknown(self) -> float:
        """Share of the words that the vault does not have, 0…1; 0 without words."""
        return sum(not word.known for word in self.asked) / len(self.asked) if self.asked else 0.0

    def shares(self, chunk: ChunkTerms) -> Shares:
        """How much of the query's idf mass a chunk has, counted on its analysed text."""
        body, head = f" {chunk.body} ", f" {chunk.title} {chunk.headings} {chunk.tags} "
        whole = inside = beside = 0.0
        for word in self.asked:
            whole += word.mass
            if word.stands_in(body):
                inside += word.mass
            elif word.stands_in(head):
                beside += word.mass
        return Shares((inside + beside) / whole, inside / whole) if whole else Shares(0.0, 0.0)


def idf(count: int, total: int) -> float:
    """Inverse document frequency that never reaches 0, so that words of every chunk still count a little."""
    return math.log(1 + (total - count + 0.5) / (count + 0.5))
