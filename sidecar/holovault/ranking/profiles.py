"""Profiles: lane values and weights of each candidate, whose products are the parts of its relevance.

Owns normalising (BM25 by the best of the list, cosines by the absolute scale, ranks by K). Every lexical
contribution is multiplied by the candidate's idf-coverage: without it a question in another language than
the notes matches junk and wins (plain RRF loses .29 nDCG@10 on XQuAD en→ru).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from holovault.model import Lane, Part, Profile
from holovault.ranking.values import Candidate, Scoring
from holovault.ranking.weights import redistribute

K = 10
"""RRF's constant. At 60 a passage in both lists at rank 60 beats the first of one list; never better than 10 on any group of sets."""

LEXICAL: frozenset[Lane] = frozenset({"lexical", "jaccard"})
Values = Mapping[Lane, float]


def parts(candidates: Sequence[Candidate], scoring: Scoring) -> list[tuple[Part, ...]]:
    """The parts of every candidate, in the order given."""
    values, weights = PROFILES[scoring.profile](candidates, scoring)
    return [
        tuple(_part(lane, lanes.get(lane, 0.0), weight, candidate.coverage) for lane, weight in weights.items())
        for candidate, lanes in zip(candidates, values, strict=True)
    ]


def _part(lane: Lane, value: float, weight: float, coverage: float) -> Part:
    return Part(lane, value, weight, value * weight * (coverage if lane in LEXICAL else 1.0))


def _coverage(candidates: Sequence[Candidate], scoring: Scoring) -> tuple[list[Values], dict[Lane, float]]:
    """(1 − h)·[(1 − w)·coverage·bm25/max + w·semantic] + h·hrr; h stays what it is where words or meaning are missing."""
    w, h = scoring.semantic_weight, scoring.hrr_weight
    inner = redistribute({"lexical": 1 - w, "semantic": w}, scoring.lanes)
    if "hrr" not in scoring.lanes:
        return _values(candidates, scoring), inner
    mixed: dict[Lane, float] = {**{lane: (1 - h) * weight for lane, weight in inner.items()}, "hrr": h if inner else 1.0}
    return _values(candidates, scoring), mixed


def _weighted(candidates: Sequence[Candidate], scoring: Scoring) -> tuple[list[Values], dict[Lane, float]]:
    given = scoring.weights
    nominal: dict[Lane, float] = {"lexical": given.lexical, "jaccard": given.jaccard, "hrr": given.hrr, "semantic": given.semantic}
    return _values(candidates, scoring), redistribute(nominal, scoring.lanes)


def _rrf(candidates: Sequence[Candidate], scoring: Scoring) -> tuple[list[Values], dict[Lane, float]]:
    """Σ coverage / (K + rank), scaled so that the first of every list has 1."""
    lanes: list[Lane] = [lane for lane in ("lexical", "semantic", "hrr") if lane in scoring.lanes]
    places = {lane: _places(_raw(candidates, lane)) for lane in lanes}
    values: list[Values] = [
        {lane: (K + 1) / (K + places[lane][raw]) for lane in lanes if (raw := _lane(candidate, lane)) is not None}
        for candidate in candidates
    ]
    return values, redistribute(dict.fromkeys(lanes, 1.0), frozenset(lanes))


PROFILES: dict[Profile, Callable[[Sequence[Candidate], Scoring], tuple[list[Values], dict[Lane, float]]]] = {
    "coverage": _coverage,
    "rrf": _rrf,
    "weighted": _weighted,
}


def _values(candidates: Sequence[Candidate], scoring: Scoring) -> list[Values]:
    best = max(_raw(candidates, "lexical"), default=0.0) or 1.0
    return [_lanes(candidate, scoring, best) for candidate in candidates]


def _lanes(candidate: Candidate, scoring: Scoring, best: float) -> Values:
    values: dict[Lane, float] = {}
    if candidate.lexical is not None:
        values["lexical"] = max(0.0, candidate.lexical) / best
    if candidate.semantic is not None:
        values["semantic"] = scoring.scale.value(candidate.semantic)
    if candidate.jaccard is not None:
        values["jaccard"] = candidate.jaccard
    if candidate.hrr is not None:
        values["hrr"] = candidate.hrr
    return values


def _places(scores: Iterable[float]) -> dict[float, int]:
    """Rank of each score from 1; equal scores share the better rank, so that the order of input cannot matter."""
    places: dict[float, int] = {}
    for number, score in enumerate(sorted(scores, reverse=True), 1):
        places.setdefault(score, number)
    return places


def _raw(candidates: Sequence[Candidate], lane: Lane) -> list[float]:
    return [score for candidate in candidates if (score := _lane(candidate, lane)) is not None]


def _lane(candidate: Candidate, lane: Lane) -> float | None:
    return {"lexical": candidate.lexical, "semantic": candidate.semantic, "hrr": candidate.hrr}.get(lane)
