"""The algebra against its analytic values, and against two published ways of comparing that measure noise."""

import hashlib
from itertools import permutations

import numpy as np
import pytest

from holovault.hrr import (
    CAPACITY,
    DIMENSION,
    SIGMA,
    Atoms,
    Phases,
    above,
    bind,
    bundle,
    compose,
    effective,
    estimates,
    key,
    member_mean,
    scan,
    similarities,
    similarity,
    substituted,
    threshold,
    unbind,
)
from holovault.hrr.statistics import Floats
from holovault.model import Filler


def _random(seed: int, *shape: int) -> Phases:
    return np.random.default_rng(seed).integers(0, 256, (*shape, DIMENSION), dtype=np.uint8)


def test_unbinding_gives_back_exactly_what_was_bound() -> None:
    a, b = _random(1, 2)
    assert np.array_equal(unbind(bind(a, b), a), b)
    assert np.array_equal(unbind(bind(a, b), b), a)
    assert similarity(a, a) == 1.0


def test_binding_hides_both_and_keeps_likeness() -> None:
    a, b, c = _random(2, 3)
    assert abs(similarity(bind(a, b), a)) < 6 * SIGMA
    assert similarity(bind(a, c), bind(b, c)) == similarity(a, b)


GOLDEN_BUNDLE = "431f4a30f7384b21"
MEANS = {1: 1.0, 2: 0.63662, 3: 0.52487, 4: 0.44977, 5: 0.40163, 6: 0.36564, 8: 0.31583, 10: 0.28204, 20: 0.19879, 50: 0.1255, 100: 0.0887}
SPREAD = {1: 0.0, 2: 0.308, 3: 0.578, 4: 0.61, 5: 0.626, 10: 0.667}


@pytest.mark.parametrize("n", sorted(MEANS))
def test_a_member_is_as_like_its_bundle_as_a_random_walk_says(n: int) -> None:
    assert float(member_mean(n)) == pytest.approx(MEANS[n], abs=6e-5)
    bundles = 12 if n < 50 else 4
    found = np.concatenate([similarities(members, bundle(members)) for members in _random(n, bundles, n)])
    error = SPREAD.get(n, 0.7) / np.sqrt(DIMENSION * len(found))
    # Quantising takes 25 parts in a million, whole-number cosines a few more.
    assert found.mean() == pytest.approx(MEANS[n], abs=4 * error + 3e-4)


def test_the_likenesses_of_all_members_add_up_to_the_length_of_the_walk() -> None:
    members = _random(7, 9)
    length = np.abs(np.exp(members * (2j * np.pi / 256)).sum(axis=0)).mean()
    assert similarities(members, bundle(members)).sum() == pytest.approx(length, abs=2e-3 * 9)


def test_a_weight_counts_as_that_many_equal_members() -> None:
    weights = [3, 2, 1, 1, 1]
    found = np.mean([similarities(members, bundle(members, weights)) for members in _random(8, 30, 5)], axis=0)
    # Few unequal steps are not quite a walk of equal ones.
    assert found == pytest.approx(member_mean(effective(16.0, 1.0)) * np.array([3.2, 2, 1, 1, 1]), rel=0.2)
    assert found[0] > 1.3 * found[1] > 1.3 * found[2]


def test_a_bundle_does_not_know_the_order_of_its_members() -> None:
    members = _random(9, 5)
    assert len({bundle(members[list(order)]).tobytes() for order in permutations(range(5))}) == 1


def test_where_nothing_is_left_of_a_sum_its_phase_is_fixed() -> None:
    a = _random(10)
    opposite = a + np.uint8(128)
    assert np.array_equal(bundle([a, opposite]), bundle([opposite, a]))
    assert np.array_equal(bundle([a, opposite]), bundle([]))
    assert abs(similarity(bundle([a, opposite]), a)) < 6 * SIGMA


def test_a_golden_bundle_stays_what_it_is() -> None:
    fillers = [Filler("entity", f"Link {number}") for number in range(9)]
    assert hashlib.sha256(compose(fillers, Atoms()).phases.tobytes()).hexdigest()[:16] == GOLDEN_BUNDLE


def test_the_edges_between_steps_are_far_from_every_angle_that_few_members_have() -> None:
    """What makes bundles the same on every machine: no arctangent comes near a half step."""
    steps = np.arange(256, dtype=np.uint8)
    real = np.rint(127 * np.cos(steps * (2 * np.pi / 256)))
    imaginary = np.rint(127 * np.sin(steps * (2 * np.pi / 256)))
    x, y = real[:, None] + real[None, :], imaginary[:, None] + imaginary[None, :]
    angles = np.arctan2(y, x)[(x != 0) | (y != 0)] * (128 / np.pi)
    assert np.abs(np.abs(angles - np.floor(angles)) - 0.5).min() > 1e-9


def test_chance_has_the_tails_of_the_normal_distribution() -> None:
    found = similarities(_random(11, 20_000), _random(12))
    for deviations, share in ((2, 0.02275), (3, 0.00135)):
        error = np.sqrt(share / len(found))
        assert (found > deviations * SIGMA).mean() == pytest.approx(share, abs=4 * error)
    rough = estimates(_random(11, 20_000), _random(12))
    assert rough.std() * np.sqrt(3 * DIMENSION) == pytest.approx(1.0, abs=0.02)


def test_thresholds_grow_with_the_rows_that_are_searched() -> None:
    for rows, z in ((1_000, 3.89), (12_000, 4.456), (100_000, 4.892), (1_000_000, 5.33)):
        assert threshold(rows) / SIGMA == pytest.approx(z, abs=0.005)


def test_a_full_vector_is_told_from_chance_among_a_hundred_thousand() -> None:
    """Capacity: 95 % of the members of a bundle of CAPACITY lie above the threshold of 100,000 rows."""
    found = np.concatenate([similarities(members, bundle(members)) for members in _random(13, 40, CAPACITY)])
    assert (found > threshold(100_000)).mean() > 0.95
    crowded = np.concatenate([similarities(members, bundle(members)) for members in _random(14, 10, 120)])
    assert (crowded > threshold(100_000)).mean() < 0.4


def test_a_scan_finds_what_an_exact_look_at_every_row_finds() -> None:
    matrix, asked = _random(15, 3_000), _random(16)
    for row in range(40):
        matrix[row] = bundle([asked, *_random(100 + row, row)])
    exact = similarities(matrix, asked)
    best = np.argsort(-exact, kind="stable")[:25]
    found = scan(matrix, asked, 25)
    assert found.rows.tolist() == best.tolist()
    assert found.similarities == pytest.approx(exact[best])
    assert set(above(matrix, asked, threshold(3_000)).rows.tolist()) == set(np.nonzero(exact > threshold(3_000))[0].tolist())
    assert len(scan(matrix[:0], asked, 5)) == len(above(matrix[:0], asked, 0.1)) == 0


def test_what_is_put_in_comes_and_what_is_taken_out_goes() -> None:
    atoms = Atoms()
    anna, boris = key(atoms, "prop:lead", "anna"), key(atoms, "prop:lead", "boris")
    base = compose([Filler("prop:lead", "anna"), *(Filler("entity", str(number)) for number in range(7))], atoms)
    wanted = compose([Filler("prop:lead", "boris"), *(Filler("entity", str(number)) for number in range(7))], atoms)
    other = substituted(base, [boris], [anna])
    assert similarity(other.phases, boris) > 0.25 > 4 * SIGMA > abs(similarity(other.phases, anna))
    assert similarity(other.phases, wanted.phases) > 0.8 > similarity(base.phases, wanted.phases)
    assert (other.count, other.w2) == (base.count, base.w2)


def _average_precision(scores: Floats, relevant: set[int]) -> float:
    ranks = [place for place, row in enumerate(np.argsort(-scores, kind="stable").tolist(), 1) if row in relevant]
    return float(np.mean([number / place for number, place in enumerate(ranks, 1)]))


def _corpus() -> tuple[Phases, Phases, Phases, list[list[int]]]:
    """1,000 facts as the articles encode them: content bound to a role, bundled with five entities bound to another."""
    rng = np.random.default_rng(17)
    content, entities, roles = _random(18, 1_000), _random(19, 200), _random(20, 2)
    said = [rng.choice(200, 5, replace=False).tolist() for _ in range(1_000)]
    facts = np.stack(
        [bundle([bind(c, roles[0]), *(bind(entities[one], roles[1]) for one in own)]) for c, own in zip(content, said, strict=True)]
    )
    return facts, content, entities, said


def test_the_right_key_finds_what_the_comparisons_of_the_articles_lose() -> None:
    """They unbind the entity and compare the rest with the content, which is still bound to its role: that is noise."""
    facts, content, entities, said = _corpus()
    roles = _random(20, 2)
    right, probing, reasoning = [], [], []
    for asked in range(20):
        relevant = {row for row, own in enumerate(said) if asked in own}
        key_ = bind(entities[asked], roles[1])
        right.append(_average_precision(similarities(facts, key_), relevant))
        rest = unbind(facts, key_)
        probing.append(_average_precision(similarities(unbind(rest, bind(content, roles[0])), np.zeros(DIMENSION, np.uint8)), relevant))
        reasoning.append(_average_precision(similarities(rest, roles[0]), relevant))
    assert np.mean(right) > 0.99
    assert np.mean(probing) < 0.1
    assert np.mean(reasoning) < 0.1


def test_thirty_two_phases_of_one_digest_cannot_tell_members_from_chance() -> None:
    facts, _, entities, said = _corpus()
    roles = _random(20, 2)
    honest = 4.456 / np.sqrt(2 * 32)
    found, missed = 0, 0
    for asked in range(20):
        short = similarities_of(facts[:, :32], bind(entities[asked], roles[1])[:32])
        members = np.array([asked in own for own in said])
        found += int((short[members] > honest).sum())
        missed += int((short[members] <= honest).sum())
    assert found / (found + missed) < 0.1


def test_binding_by_the_transform_of_phasors_does_not_come_apart_exactly() -> None:
    """Circular convolution of unit phasors: what comes out of one pair is .706 like what went in, not 1."""
    a, b = np.exp(_random(21, 2) * (2j * np.pi / 256))
    bound = np.fft.ifft(np.fft.fft(a) * np.fft.fft(b))
    phasors = bound / np.abs(bound)
    back = np.fft.ifft(np.fft.fft(phasors) * np.conj(np.fft.fft(a)))
    likeness = np.cos(np.angle(back) - np.angle(b)).mean()
    assert likeness < 0.85
    assert similarity(unbind(bind(*_random(21, 2)), _random(21, 2)[0]), _random(21, 2)[1]) == 1.0


def similarities_of(matrix: Phases, asked: Phases) -> Floats:
    """Mean cosine over as many phases as there are."""
    found: Floats = np.cos((matrix - asked) * (2 * np.pi / 256)).mean(axis=1)
    return found
