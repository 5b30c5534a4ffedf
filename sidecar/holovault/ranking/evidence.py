"""Whether anything was found: nonsense and topics that the notes do not have give nothing, not ten bad hits.

Owns the bar that a whole answer must clear and the lower one for its tail. Must not change the order.
The numbers weigh real questions lost against absent topics found, over eleven sets, each also asked the
questions of the others and random letters: tests/bench/retrieval prints all of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from holovault.ranking.scale import Scale
from holovault.ranking.values import Candidate

WORDS = 0.6
"""What full coverage adds to a cosine, in shares of the scale's range: together they clear a bar that neither clears alone."""

STRANGE = 0.14
"""How far the bar falls, in shares of the scale's range, for a query in a language that the vault does not have and none of whose words
it knows: words cannot help there."""

ENOUGH = 0.5
"""Coverage that needs no meaning beside it: half of what was asked, in so many words."""

WORDS_ALONE = 0.25
"""Coverage that the best hit needs where meaning did not speak at all."""

TAIL = 0.7
"""Share of the bar that every further hit must reach."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What one query must clear. `noise`: its cosine to letter salad (a passage further away than salad says nothing, None: unknown);
    `foreign`: the share of its words that a vault of another language does not have; `meaning`: whether the semantic lane spoke."""

    scale: Scale
    meaning: bool
    noise: float | None = None
    foreign: float = 0.0

    @property
    def needed(self) -> float:
        """Evidence that the best candidate must reach."""
        return self.scale.floor - STRANGE * self.scale.range * self.foreign

    def evidence(self, candidate: Candidate) -> float:
        """Share of the bar that a candidate reaches; 1 clears it."""
        words = candidate.coverage / (ENOUGH if self.meaning and candidate.semantic is not None else WORDS_ALONE)
        return max(words, self._joint(candidate))

    def _joint(self, candidate: Candidate) -> float:
        cosine = candidate.semantic
        if cosine is None or (self.noise is not None and cosine < self.noise) or cosine <= self.scale.zero:
            return 0.0
        reached = cosine + WORDS * self.scale.range * candidate.coverage
        return (reached - self.scale.zero) / (self.needed - self.scale.zero)


def found(candidates: Sequence[Candidate], bar: Bar) -> tuple[Candidate, ...]:
    """The candidates worth showing, in the order given; none at all where not even the best one clears the bar."""
    evidence = [bar.evidence(candidate) for candidate in candidates]
    if max(evidence, default=0.0) < 1.0:
        return ()
    return tuple(candidate for candidate, own in zip(candidates, evidence, strict=True) if own >= TAIL)
