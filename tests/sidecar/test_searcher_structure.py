"""The hrr lane: it speaks only where a query names something, by an absolute scale, and moves what is about that name up."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from holovault.hrr import Atoms
from holovault.indexer import StructurePass
from holovault.lexemes import Analyzer
from holovault.searcher.structure import StructureLane
from tests.support.searching import Desk, NoModel, desk

NOTES = {
    "Анна Кузнецова.md": "---\naliases: [Аня]\n---\nЖивёт в Берлине.\n",
    "about.md": "Про [[Анна Кузнецова|Аню]]: планы маяка на лето.\n",
    "list.md": "Аня, планы маяка. " + " ".join(f"[[Person {number}]]" for number in range(20)) + "\n",
    "Lighthouse Plan.md": "# Stages\nFirst the lamp, then the tower.\n",
    "other.md": "The lamp of the desk, a lighthouse far away, a plan for the tower.\n",
}


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, NOTES, NoModel()) as place:
        yield place


def _composed(place: Desk) -> Desk:
    StructurePass(place.store, Atoms()).all(lambda _: None, lambda: False)
    return place


def _lane(place: Desk) -> StructureLane:
    return StructureLane(place.store, Atoms(), Analyzer(("en", "ru")))


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("планы: Аня?", {("entity", "анна кузнецова"), ("title", "анна кузнецова")}),
        ("АННА  КУЗНЕЦОВА планы", {("entity", "анна кузнецова"), ("title", "анна кузнецова")}),
        ("stages of the lighthouse plan", {("head", "stages"), ("title", "lighthouse plan")}),
        ("the lamp in the tower", set()),
        ("", set()),
        ("plan " * 200, set()),
    ],
)
def test_a_query_names_what_stands_in_it_under_any_name(made: Desk, query: str, names: set[tuple[str, str]]) -> None:
    named = _lane(made).named(query)
    assert (set() if named is None else set(named.weights)) == names


def test_what_a_query_names_moves_up_and_the_explanation_says_by_how_much(made: Desk) -> None:
    before = made.ask("Аня планы маяка", explain=True).results
    after = _composed(made).ask("Аня планы маяка", explain=True).results
    assert all(hit.signals.hrr is None for hit in before)
    values = {hit.path: hit.signals.hrr or 0.0 for hit in after}
    assert after[0].path == "about.md"
    assert values["about.md"] > 0.2 > 0.15 > values.get("list.md", 0.0)
    explanation = after[0].explanation
    assert explanation is not None
    assert {part.lane: part.weight for part in explanation.parts}["hrr"] == pytest.approx(0.2)
    assert sum(part.contribution for part in explanation.parts) == pytest.approx(explanation.relevance)


def test_a_query_that_names_nothing_has_no_such_lane_and_the_same_scores(made: Desk) -> None:
    before = made.ask("lamp tower").results
    after = _composed(made).ask("lamp tower").results
    assert [(hit.path, hit.score, hit.signals.hrr) for hit in after] == [(hit.path, hit.score, None) for hit in before]


@pytest.mark.parametrize("mode", ["lexical", "semantic"])
def test_who_asks_for_one_lane_gets_that_lane(made: Desk, mode: str) -> None:
    found = _composed(made).ask("Аня планы маяка", mode)  # type: ignore[arg-type]
    assert all(hit.signals.hrr is None for hit in found.results)


def test_a_passage_without_a_vector_is_found_all_the_same(made: Desk) -> None:
    assert "about.md" in made.paths("Аня планы маяка")


def test_a_name_that_is_a_small_part_of_the_question_has_a_small_part_of_the_weight(made: Desk) -> None:
    _composed(made)
    weights = []
    for more in ("", " desk lamp far", " desk lamp far away first then berlin"):
        explanation = made.ask(f"Аня{more}", explain=True).results[0].explanation
        assert explanation is not None
        weights.append({part.lane: part.weight for part in explanation.parts}["hrr"])
    assert weights[0] == pytest.approx(0.2)
    assert 0.0 < weights[2] < weights[1] < 0.2
