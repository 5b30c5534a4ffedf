"""Atoms: the same on every machine, the same for every spelling of a name, independent of each other."""

import unicodedata

import numpy as np
import pytest

from holovault.hrr import DIMENSION, SIGMA, Atoms, key, similarity
from holovault.hrr.statistics import Floats

GOLDEN_ANNA = [193, 231, 202, 210, 8, 183, 92, 18]
GOLDEN_LEAD = [134, 235, 60, 20, 90, 27, 38, 94]


def _cosines(count: int) -> Floats:
    """Pairwise similarities of `count` atoms, as a matrix product of their unit vectors."""
    atoms = Atoms()
    angles = np.stack([atoms.atom("name", f"name {number}") for number in range(count)]) * (2 * np.pi / 256)
    found: Floats = (np.cos(angles) @ np.cos(angles).T + np.sin(angles) @ np.sin(angles).T) / DIMENSION
    return found[np.triu_indices(count, 1)]


def test_golden_atoms_stay_what_they_are() -> None:
    atoms = Atoms()
    assert atoms.atom("name", "anna")[:8].tolist() == GOLDEN_ANNA
    assert atoms.atom("role", "prop:lead")[:8].tolist() == GOLDEN_LEAD


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Иван", "иван"),
        ("Семён", "семен"),
        ("Андрей", unicodedata.normalize("NFD", "андрей")),
        ("café", unicodedata.normalize("NFD", "CAFÉ")),
        ("Project  A", " project a "),
        ("ﬁle", "FILE"),
    ],
)
def test_spellings_of_one_name_share_an_atom(one: str, other: str) -> None:
    atoms = Atoms()
    assert np.array_equal(atoms.atom("name", one), atoms.atom("name", other))


def test_letters_that_are_wildcards_elsewhere_are_letters() -> None:
    atoms = Atoms()
    for other in ("fooxbar", "foo%bar", "foo bar", "foobar"):
        assert abs(similarity(atoms.atom("name", "foo_bar"), atoms.atom("name", other))) < 6 * SIGMA


def test_no_name_can_pose_as_another_kind() -> None:
    atoms = Atoms()
    posing = [("name", "role"), ("role", "name"), ("namerole", ""), ("", "namerole"), ("name", "\x00\x00\x00\x04role"), ("tie", "")]
    vectors = {atoms.atom(kind, name).tobytes() for kind, name in posing}
    assert len(vectors) == len(posing)
    assert abs(similarity(atoms.atom("role", "entity"), atoms.atom("name", "entity"))) < 6 * SIGMA
    assert abs(similarity(key(atoms, "lead", "anna"), key(atoms, "anna", "lead"))) < 6 * SIGMA


def test_unrelated_atoms_have_the_noise_that_theory_says() -> None:
    found = _cosines(400)
    assert found.std() / SIGMA == pytest.approx(1.0, abs=0.02)
    assert abs(found.mean()) < 0.002
    assert abs(found).max() < 6 * SIGMA


def test_an_atom_that_left_the_cache_comes_back_the_same_and_cannot_be_changed() -> None:
    atoms = Atoms(capacity=2)
    first = atoms.atom("name", "anna").copy()
    for number in range(10):
        atoms.atom("name", str(number))
    again = atoms.atom("name", "anna")
    assert np.array_equal(first, again)
    with pytest.raises(ValueError, match="read-only"):
        again[0] = 0
