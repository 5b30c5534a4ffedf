"""What multiplies relevance: tier, trust, age.

Each is bounded, so that a perfect match is never buried by one of them.
"""

from dataclasses import dataclass

from holovault.ranking.values import Candidate, Scoring


@dataclass(frozen=True, slots=True)
class Factors:
    """The three factors of one candidate, all > 0."""

    tier: float
    trust: float
    decay: float

    @property
    def product(self) -> float:
        """What relevance is multiplied by."""
        return self.tier * self.trust * self.decay


def factors(candidate: Candidate, scoring: Scoring) -> Factors:
    """Tier 1 gets `tier_boost`; trust counts for facts only, linear over `trust_range`.

    Notes of tier 1 never age. A fact does in any tier: facts notes are people's own words, and a fact says when it was true.
    """
    own = candidate.tier == 1
    lasting = own and candidate.trust is None
    return Factors(
        tier=scoring.tier_boost if own else 1.0,
        trust=_trust(candidate.trust, scoring),
        decay=1.0 if lasting else _decay(candidate.age_days, scoring),
    )


def _trust(trust: float | None, scoring: Scoring) -> float:
    if trust is None:
        return 1.0
    low, high = scoring.trust_range
    return low + (high - low) * min(1.0, max(0.0, trust))


def _decay(age_days: float, scoring: Scoring) -> float:
    if scoring.half_life_days <= 0 or age_days <= 0:
        return 1.0
    return float(max(scoring.decay_floor, 0.5 ** (age_days / scoring.half_life_days)))
