"""What can be asked of vectors alone, with planted answers: presence, reasoning, substitution, roles, analogies, near names."""

import numpy as np
import pytest

from holovault.hrr import (
    SIGMA,
    Atoms,
    NameBook,
    Phases,
    Structure,
    analogy,
    compose,
    effective,
    evidence,
    is_present,
    key,
    mixture,
    presence,
    roles_in,
    scan,
    similarities,
    similarity,
    soft,
    substituted,
)
from holovault.model import Filler

ATOMS = Atoms()


def _structure(*said: tuple[str, str]) -> Structure:
    return compose([Filler(role, name) for role, name in said], ATOMS)


def _noise(count: int, seed: int, each: int = 8) -> list[Structure]:
    rng = np.random.default_rng(seed)
    return [_structure(*(("entity", f"stranger {number}") for number in rng.choice(3_000, each, replace=False))) for _ in range(count)]


def _matrix(structures: list[Structure]) -> Phases:
    return np.stack([one.phases for one in structures])


def test_a_role_keeps_its_names_to_itself() -> None:
    one = _structure(("prop:lead", "anna"), ("prop:client", "boris"))
    assert similarity(one.phases, key(ATOMS, "prop:lead", "anna")) > 0.55
    assert abs(similarity(one.phases, key(ATOMS, "prop:client", "anna"))) < 6 * SIGMA
    assert abs(similarity(one.phases, key(ATOMS, "entity", "anna"))) < 6 * SIGMA


def test_a_filler_said_twice_counts_once_with_its_largest_weight() -> None:
    twice = compose([Filler("entity", "Anna"), Filler("entity", "АНЯ"), Filler("entity", "anna", 3)], ATOMS)
    assert (twice.count, twice.w2) == (2, 10)
    assert np.array_equal(twice.phases, compose([Filler("entity", "аня"), Filler("entity", "ANNA", 3)], ATOMS).phases)


def test_what_is_too_much_is_left_out_by_role_and_then_by_place() -> None:
    links = [Filler("entity", f"link {number}") for number in range(30)]
    folders, words = [Filler("in", f"folder {number}") for number in range(9)], [Filler("text", "word")]
    full = compose([*words, *folders, *links], ATOMS)
    kept = compose([*links, *folders[:6]], ATOMS)
    assert full.count == 36
    assert np.array_equal(full.phases, kept.phases)


def test_no_structure_is_like_nothing_and_holds_nothing() -> None:
    empty = compose([], ATOMS)
    assert (empty.count, empty.w2) == (0, 0)
    assert abs(similarity(empty.phases, key(ATOMS, "entity", "anna"))) < 6 * SIGMA


def test_presence_reads_one_for_what_is_there_and_nothing_for_what_is_not() -> None:
    for size in (1, 5, 15, 36):
        own = [("entity", f"name {number}") for number in range(size)]
        one = _structure(*own)
        there = similarities(np.stack([key(ATOMS, *said) for said in own]), one.phases)
        away = similarities(np.stack([key(ATOMS, "entity", f"away {number}") for number in range(200)]), one.phases)
        n = effective(one.w2)
        assert is_present(there, n).mean() > 0.95
        assert presence(there, n).mean() > 0.85
        assert is_present(away, n).sum() <= 1


def test_evidence_is_absolute_and_silent_below_two_deviations() -> None:
    assert evidence(np.array([-0.5, 0.0, 2 * SIGMA, 0.3])).tolist() == pytest.approx([0, 0, 0, 0.3 - 2 * SIGMA])


def test_reasoning_by_the_least_presence_finds_exactly_those_that_hold_all() -> None:
    names = ["anna", "boris", "клара"]
    both = [
        _structure(*(("entity", name) for name in names), *(("entity", f"x {row} {at}") for at in range(row % 12))) for row in range(10)
    ]
    some = [
        _structure(
            *(("entity", name) for name in names if name != names[row % 3]), *(("entity", f"y {row} {at}") for at in range(row % 12))
        )
        for row in range(90)
    ]
    everyone = [*both, *some, *_noise(400, 1)]
    matrix, n = _matrix(everyone), effective(np.array([one.w2 for one in everyone], dtype=np.float64))
    held = [is_present(similarities(matrix, key(ATOMS, "entity", name)), n) for name in names]
    assert np.nonzero(np.logical_and.reduce(held))[0].tolist() == list(range(10))
    mixed = similarities(matrix, mixture({("entity", name): 1.0 for name in names}, ATOMS))
    assert set(np.argsort(-mixed)[:10].tolist()) != set(range(10)), "one mixed key asks for any, not for all"


def test_a_note_like_this_one_but_with_boris_is_found_first() -> None:
    """Planted: of 600 chunks one has the same company as the example, under another lead."""
    shared = [("entity", f"company {number}") for number in range(6)]
    example, wanted = _structure(("prop:lead", "anna"), *shared), _structure(("prop:lead", "boris"), *shared, ("entity", "own"))
    twins = [_structure(("prop:lead", "anna"), *shared[:5], ("entity", f"twin {number}")) for number in range(5)]
    matrix = _matrix([*twins, wanted, *_noise(600, 2)])
    asked = substituted(example, [key(ATOMS, "prop:lead", "boris")], [key(ATOMS, "prop:lead", "anna")])
    found = scan(matrix, asked.phases, 3)
    assert found.rows[0] == len(twins)
    assert found.similarities[0] - found.similarities[1] > 3 * SIGMA


def test_a_mixture_prefers_what_is_wanted_and_avoids_what_is_not() -> None:
    matrix = _matrix([_structure(("entity", "x"), ("tag", "archive")), _structure(("entity", "x"), ("entity", "z")), *_noise(200, 3)])
    found = scan(matrix, mixture({("entity", "x"): 1.0, ("tag", "archive"): -0.5}, ATOMS), 2)
    assert found.rows.tolist() == [1, 0]


ROLES = ["entity", "tag", "title", "in", "prop:lead", "prop:client", "prop:status"]
PEOPLE = ["anna", "boris", "клара", *(f"person {number}" for number in range(500))]


def _project(number: int, lead: str, client: str, size: int) -> Structure:
    rest = [("entity", f"topic {number} {at}") for at in range(size - 5)]
    return _structure(
        ("prop:lead", lead), ("entity", lead), ("prop:client", client), ("entity", client), ("title", f"project {number}"), *rest
    )


def test_the_roles_of_a_name_are_found_by_clean_up() -> None:
    one = _project(1, "anna", "клара", 12)
    assert {found.name for found in roles_in(one.phases, "anna", ROLES, ATOMS)} == {"prop:lead", "entity"}
    assert {found.name for found in roles_in(one.phases, "project 1", ROLES, ATOMS)} == {"title"}
    assert roles_in(one.phases, "nobody", ROLES, ATOMS) == ()


@pytest.mark.parametrize("size", [6, 10, 14])
def test_anna_is_to_one_project_as_boris_is_to_the_other(size: int) -> None:
    a, b = _project(1, "anna", "клара", size), _project(2, "boris", "person 7", size)
    books = dict.fromkeys(ROLES, PEOPLE)
    lead, client = analogy(a.phases, "anna", b.phases, books, ATOMS), analogy(a.phases, "клара", b.phases, books, ATOMS)
    assert (lead.role, lead.name) == ("prop:lead", "boris")
    assert (client.role, client.name) == ("prop:client", "person 7")


def test_an_analogy_without_a_role_or_without_one_answer_abstains() -> None:
    a = _project(1, "anna", "клара", 10)
    two = _structure(("prop:lead", "boris"), ("prop:lead", "person 3"), ("title", "project 2"))
    books = dict.fromkeys(ROLES, PEOPLE)
    assert analogy(a.phases, "person 9", two.phases, books, ATOMS).name is None
    undecided = analogy(a.phases, "anna", two.phases, books, ATOMS)
    assert undecided.name is None
    assert {one.name for one in undecided.best[:2]} == {"boris", "person 3"}
    assert analogy(a.phases, "anna", _project(3, "x", "y", 8).phases, dict.fromkeys(ROLES, ()), ATOMS).name is None


NAMES = ["анна кузнецова", "борис орлов", "виктория ланге", "postgresql", "проект маяк", "иван", "иванов", "иванова", "ивановский"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Анны Кузнецовой", "анна кузнецова"),
        ("Викторией Ланге", "виктория ланге"),
        ("Postgresq", "postgresql"),
        ("проекта Маяк", "проект маяк"),
    ],
)
def test_an_inflected_or_misspelt_name_is_resolved(written: str, meant: str) -> None:
    assert NameBook(NAMES, ATOMS).resolve(written).name == meant


@pytest.mark.parametrize("written", ["Иванову", "Ивановых", "Наполеон", "", "я"])
def test_a_name_that_may_be_several_or_none_is_not_guessed(written: str) -> None:
    assert NameBook(NAMES, ATOMS).resolve(written).name is None


def test_a_doubtful_name_comes_with_its_candidates() -> None:
    found = NameBook(NAMES, ATOMS).resolve("Иванову")
    assert {"иванов", "иванова"} <= {name for name, _ in found.candidates}
    assert NameBook([], ATOMS).resolve("Иван").candidates == ()


def test_likeness_of_soft_atoms_follows_the_letters_that_names_share() -> None:
    assert similarity(soft("Кузнецова", ATOMS), soft("КУЗНЕЦОВА", ATOMS)) == 1.0
    near, far = (
        similarity(soft("кузнецова", ATOMS), soft("кузнецовой", ATOMS)),
        similarity(soft("кузнецова", ATOMS), soft("postgresql", ATOMS)),
    )
    assert near > 0.6 > 0.1 > far
