"""What goes into ranking and what comes out.

Owns the frozen values only. Raw lane scores come as the lanes give them; None means that a lane did not speak for that chunk.
"""

from dataclasses import dataclass

from holovault.model import Explanation, Lane, Profile, Signals
from holovault.ranking.scale import DEFAULT_SCALE, Scale


@dataclass(frozen=True, slots=True)
class Candidate:
    """One chunk: BM25 (> 0), cosine of its best window (−1…1), the share of the query's idf mass in its body (`jaccard`), HRR
    presence (0…1), the same share over all its fields (`coverage`, 0…1), and what the factors need.

    `trust` is None where the chunk is no fact; `age_days` counts from its note's modification, of a fact from its own date.
    """

    key: int
    lexical: float | None = None
    semantic: float | None = None
    jaccard: float | None = None
    hrr: float | None = None
    coverage: float = 0.0
    tier: int = 1
    trust: float | None = None
    age_days: float = 0.0


@dataclass(frozen=True, slots=True)
class LaneWeights:
    """Weights of the profile `weighted`, before lanes that are missing give theirs away; any numbers ≥ 0."""

    lexical: float = 0.3
    jaccard: float = 0.2
    hrr: float = 0.2
    semantic: float = 0.3


@dataclass(frozen=True, slots=True)
class Scoring:
    """How to rank. `lanes` are those that could answer this query at all; `semantic_weight` is of the profile `coverage`."""

    profile: Profile = "coverage"
    lanes: frozenset[Lane] = frozenset({"lexical", "jaccard", "semantic"})
    scale: Scale = DEFAULT_SCALE
    semantic_weight: float = 0.55
    hrr_weight: float = 0.2
    weights: LaneWeights = LaneWeights()
    tier_boost: float = 1.2
    half_life_days: float = 0.0
    decay_floor: float = 0.6
    trust_range: tuple[float, float] = (0.7, 1.2)


@dataclass(frozen=True, slots=True)
class Ranked:
    """One chunk in its place, with everything that put it there."""

    key: int
    score: float
    signals: Signals
    explanation: Explanation
