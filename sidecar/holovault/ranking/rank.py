"""The order of candidates, each with its explanation."""

from collections.abc import Sequence

from holovault.model import Explanation, Part, Signals
from holovault.ranking.factors import Factors, factors
from holovault.ranking.profiles import parts
from holovault.ranking.values import Candidate, Ranked, Scoring


def rank(candidates: Sequence[Candidate], scoring: Scoring, limit: int | None = None) -> tuple[Ranked, ...]:
    """The `limit` best (None: all), best first; equal scores by cosine (the scale ends before it), coverage and key.

    See `found` for what should be given.
    """
    scored = [_Scored(*pair, scoring) for pair in zip(candidates, parts(candidates, scoring), strict=True)]
    scored.sort(key=lambda one: (-one.score, -(one.candidate.semantic or 0.0), -one.candidate.coverage, one.candidate.key))
    return tuple(one.ranked(scoring) for one in scored[:limit])


class _Scored:
    """A candidate with its score; what explains it is made for those that are shown."""

    __slots__ = ("by", "candidate", "parts", "relevance", "score")

    def __init__(self, candidate: Candidate, own: tuple[Part, ...], scoring: Scoring) -> None:
        self.candidate = candidate
        self.parts = own
        self.by = factors(candidate, scoring)
        self.relevance = sum(part.contribution for part in own)
        self.score = self.relevance * self.by.product

    def ranked(self, scoring: Scoring) -> Ranked:
        by = self.by
        explanation = Explanation(scoring.profile, self.relevance, self.parts, by.tier, by.trust, by.decay, self.score)
        return Ranked(self.candidate.key, self.score, _signals(self.candidate, self.parts, by, scoring), explanation)


def _signals(candidate: Candidate, own: tuple[Part, ...], by: Factors, scoring: Scoring) -> Signals:
    """Calibrated values of the lanes that spoke for this chunk."""
    value = {part.lane: part.value for part in own}
    return Signals(
        lexical=None if candidate.lexical is None else value.get("lexical"),
        semantic=None if candidate.semantic is None else scoring.scale.value(candidate.semantic),
        jaccard=candidate.jaccard,
        hrr=candidate.hrr,
        coverage=candidate.coverage,
        tier=by.tier,
        trust=by.trust,
        decay=by.decay,
    )
