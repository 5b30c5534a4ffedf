"""Ranking as laws: whatever the candidates are, the parts add up, the order does not depend on how they came, better is not worse."""

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from holovault.model import Lane, Profile
from holovault.ranking import Candidate, LaneWeights, Scale, Scoring, rank, redistribute

SHARES = st.floats(0, 1, allow_subnormal=False)
LANES: list[Lane] = ["lexical", "semantic", "jaccard", "hrr"]
PROFILES: list[Profile] = ["coverage", "rrf", "weighted"]


@st.composite
def _candidates(draw: st.DrawFn, least: int = 0) -> list[Candidate]:
    keys = draw(st.lists(st.integers(0, 999), min_size=least, max_size=12, unique=True))
    return [
        Candidate(
            key,
            lexical=draw(st.none() | st.floats(0.01, 60)),
            semantic=draw(st.none() | st.floats(-1, 1)),
            jaccard=draw(st.none() | SHARES),
            hrr=draw(st.none() | SHARES),
            coverage=draw(SHARES),
            tier=draw(st.sampled_from([1, 2])),
            trust=draw(st.none() | SHARES),
            age_days=draw(st.floats(0, 9000)),
        )
        for key in keys
    ]


SCORINGS = st.builds(
    Scoring,
    profile=st.sampled_from(PROFILES),
    lanes=st.frozensets(st.sampled_from(LANES)),
    scale=st.builds(lambda floor, width: Scale(floor, floor + width), st.floats(-0.2, 0.8), st.floats(0.05, 0.8)),
    semantic_weight=SHARES,
    half_life_days=st.sampled_from([0.0, 30.0, 365.0]),
)


@given(_candidates(), SCORINGS)
def test_parts_sum_to_relevance_and_factors_make_the_score(candidates: list[Candidate], scoring: Scoring) -> None:
    for item in rank(candidates, scoring):
        told = item.explanation
        assert abs(sum(part.contribution for part in told.parts) - told.relevance) < 1e-12
        assert abs(told.relevance * told.tier * told.trust * told.decay - told.score) < 1e-12
        assert item.score == told.score
        assert -1e-12 <= told.relevance <= 1 + 1e-9


@given(_candidates(), SCORINGS, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(candidates: list[Candidate], scoring: Scoring, chance: random.Random) -> None:
    mixed = candidates.copy()
    chance.shuffle(mixed)
    assert rank(candidates, scoring) == rank(mixed, scoring)


@given(_candidates(), SCORINGS)
def test_nothing_is_lost_and_scores_fall(candidates: list[Candidate], scoring: Scoring) -> None:
    ranked = rank(candidates, scoring)
    assert sorted(item.key for item in ranked) == sorted(candidate.key for candidate in candidates)
    assert all(above.score >= below.score for above, below in pairwise(ranked))


@given(_candidates(least=1), SCORINGS, st.sampled_from(["semantic", "coverage", "jaccard", "hrr"]), SHARES)
def test_more_of_a_signal_never_scores_less(candidates: list[Candidate], scoring: Scoring, name: str, more: float) -> None:
    first = candidates[0]
    now = getattr(first, name)
    raised: dict[str, Any] = {name: max(now, more) if now is not None else more}
    better = replace(first, **raised)
    before = {item.key: item.score for item in rank(candidates, scoring)}
    after = {item.key: item.score for item in rank([better, *candidates[1:]], scoring)}
    assert after[first.key] >= before[first.key] - 1e-12


@given(st.dictionaries(st.sampled_from(LANES), st.floats(0, 5, allow_subnormal=False), min_size=4), st.frozensets(st.sampled_from(LANES)))
def test_weights_sum_to_one_whatever_is_missing(weights: dict[Lane, float], lanes: frozenset[Lane]) -> None:
    result = redistribute(weights, lanes)
    assert set(result) == lanes
    assert all(value >= 0 for value in result.values())
    assert not lanes or abs(sum(result.values()) - 1) < 1e-9


def test_missing_lanes_give_their_weight_away_as_the_table_says() -> None:
    given: dict[Lane, float] = {"lexical": 0.3, "jaccard": 0.2, "hrr": 0.2, "semantic": 0.3}
    assert _rounded(redistribute(given, set(LANES))) == {"lexical": 0.3, "jaccard": 0.2, "hrr": 0.2, "semantic": 0.3}
    assert _rounded(redistribute(given, {"lexical", "jaccard", "hrr"})) == {"lexical": 0.45, "jaccard": 0.3, "hrr": 0.25}
    assert _rounded(redistribute(given, {"lexical", "jaccard", "semantic"})) == {"lexical": 0.4, "jaccard": 0.2, "semantic": 0.4}
    assert _rounded(redistribute(given, {"lexical", "jaccard"})) == {"lexical": 0.6, "jaccard": 0.4}
    assert _rounded(redistribute(given, {"semantic"})) == {"semantic": 1.0}


def _rounded(weights: dict[Lane, float]) -> dict[Lane, float]:
    return {lane: round(value, 9) for lane, value in weights.items()}


def test_junk_words_of_another_language_lose_to_meaning() -> None:
    junk = Candidate(1, lexical=9.0, semantic=0.1, coverage=0.1)
    right = Candidate(2, semantic=0.45, coverage=0.0)
    assert rank([junk, right], Scoring())[0].key == 2
    assert rank([junk, right], Scoring(profile="weighted"))[0].key == 2


def test_half_the_words_outweigh_a_vague_meaning_when_meaning_is_near_the_floor() -> None:
    exact = Candidate(1, lexical=20.0, semantic=0.25, coverage=1.0, jaccard=1.0)
    vague = Candidate(2, lexical=2.0, semantic=0.35, coverage=0.2, jaccard=0.2)
    for profile in PROFILES:
        assert rank([vague, exact], Scoring(profile=profile))[0].key == 1


def test_tier_one_breaks_ties_and_does_not_make_policy() -> None:
    own, raw = Candidate(2, lexical=5.0, coverage=0.9, tier=1), Candidate(1, lexical=5.0, coverage=0.9, tier=2)
    assert rank([raw, own], Scoring())[0].key == 2
    assert rank([replace(raw, coverage=1.0, lexical=7.0), replace(own, coverage=0.5)], Scoring())[0].key == 1


def test_age_never_counts_for_tier_one_and_is_bounded_for_tier_two() -> None:
    scoring = Scoring(half_life_days=30)
    old = rank([Candidate(1, lexical=1.0, coverage=1.0, tier=1, age_days=4000)], scoring)[0]
    raw = rank([Candidate(1, lexical=1.0, coverage=1.0, tier=2, age_days=4000)], scoring)[0]
    half = rank([Candidate(1, lexical=1.0, coverage=1.0, tier=2, age_days=15)], scoring)[0]
    assert (old.signals.decay, raw.signals.decay, round(half.signals.decay, 4)) == (1.0, 0.6, 0.7071)


def test_a_fact_ages_in_any_tier_within_the_same_bound() -> None:
    scoring = Scoring(half_life_days=30.0)
    facts = [Candidate(1, lexical=1.0, coverage=1.0, tier=tier, trust=0.5, age_days=age) for tier in (1, 2) for age in (0.0, 15.0, 4000.0)]
    assert [round(rank([fact], scoring)[0].signals.decay, 4) for fact in facts] == [1.0, 0.7071, 0.6] * 2
    assert rank([replace(facts[2])], Scoring())[0].signals.decay == 1.0


def test_trust_counts_for_facts_only_and_within_its_range() -> None:
    factors = [rank([Candidate(1, lexical=1.0, trust=trust)], Scoring())[0].signals.trust for trust in (None, 0.0, 0.5, 1.0)]
    assert [round(factor, 9) for factor in factors] == [1.0, 0.7, 0.95, 1.2]


def test_rrf_counts_ranks_from_each_list_with_k_ten() -> None:
    first, second = Candidate(1, lexical=9.0, coverage=1.0, tier=2), Candidate(2, lexical=3.0, coverage=0.5, tier=2)
    ranked = rank([first, second], Scoring(profile="rrf", lanes=frozenset({"lexical"})))
    assert [round(item.score, 6) for item in ranked] == [1.0, round(11 / 12 * 0.5, 6)]


def test_custom_weights_of_the_weighted_profile_are_used() -> None:
    scoring = Scoring(profile="weighted", weights=LaneWeights(lexical=0, jaccard=0, hrr=0, semantic=1))
    ranked = rank([Candidate(1, lexical=9.0, coverage=1.0), Candidate(2, semantic=0.6)], scoring)
    assert [(item.key, item.score > 0) for item in ranked] == [(2, True), (1, False)]


def test_above_the_end_of_the_scale_the_nearer_passage_still_comes_first() -> None:
    scoring = Scoring(lanes=frozenset({"semantic"}), scale=Scale(0.2, 0.6))
    near, nearer = Candidate(1, semantic=0.7), Candidate(2, semantic=0.9)
    assert [item.key for item in rank([near, nearer], scoring)] == [2, 1]
