"""The proof that the algebra does it alone: full scans of vectors, without the index, against what the index holds."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from holovault.model import ProbeRequest, ReasonRequest
from holovault.searcher.algebra import Alone
from holovault.store import StoredNote
from tests.support.alone import Agreement, Found, agreement, generated
from tests.support.structured import Shop, note, shop

CHUNKS, NAMES = 1_000, 300


def _notes() -> Iterator[StoredNote]:
    said = [[f"{one.role}={one.name}" for one in fillers] for fillers in generated(CHUNKS, NAMES, 3)]
    for number in range(0, CHUNKS, 5):
        yield note(f"n{number}.md", *said[number : number + 5])


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with shop(tmp_path_factory.mktemp("true"), *_notes()) as made:
        yield made


def _probes(desk: Shop, role: str) -> Agreement:
    """Every name of the index, looked for by vectors alone."""
    alone = Alone(desk.store.structure.matrix(), desk.atoms)
    names = desk.store.structure.counts(role)
    return agreement((alone.probe(name, role).chunks, desk.store.structure.chunks_with(name, role)) for name in names)


def _reasons(desk: Shop) -> Agreement:
    """Pairs of the names that most passages state."""
    alone, structure = Alone(desk.store.structure.matrix(), desk.atoms), desk.store.structure
    often = [one.name for one in structure.entities(12)]
    both = {
        pair: set(structure.chunks_with(pair[0]).tolist()) & set(structure.chunks_with(pair[1]).tolist()) for pair in combinations(often, 2)
    }
    return agreement((alone.reason(pair).chunks, _array(true)) for pair, true in both.items())


def _array(chunks: set[int]) -> Found:
    return np.array(sorted(chunks), dtype=np.int64)


@pytest.mark.parametrize("role", ["entity", "prop:lead", "title"])
def test_a_scan_of_vectors_finds_the_passages_of_every_name(desk: Shop, role: str) -> None:
    found = _probes(desk, role)
    assert found.questions > 100
    assert found.recall > 0.99
    assert found.precision > 0.96
    assert found.alarmed / found.questions < 0.12, "chance may speak for one name in twenty, and a little more as passages share names"


def test_reason_by_vectors_alone_finds_the_passages_that_hold_both(desk: Shop) -> None:
    found = _reasons(desk)
    assert found.right > 200
    assert found.recall > 0.98
    assert found.precision > 0.98


def test_vectors_that_are_random_find_nothing(desk: Shop, tmp_path: Path) -> None:
    """What the tests above would see if the algebra did not work."""
    with shop(tmp_path, *_notes(), random=True) as broken:
        assert _probes(broken, "entity").recall < 0.01
        assert _reasons(broken).recall < 0.05


def test_fuzzy_answers_are_the_exact_ones_and_mark_what_only_chance_holds(desk: Shop) -> None:
    wrong = 0
    for entity in desk.store.structure.entities(300)[-30::2]:
        exact = desk.entities.probe(ProbeRequest(entity.name, limit=200))
        fuzzy = desk.entities.probe(ProbeRequest(entity.name, limit=200, fuzzy=True))
        confirmed = {(hit.path, hit.start_line) for hit in fuzzy.results if hit.verified}
        assert confirmed <= {(hit.path, hit.start_line) for hit in exact.results}
        assert len(confirmed) > 0.95 * len(exact.results)
        wrong += sum(not hit.verified for hit in fuzzy.results)
    assert wrong < 5
    first, second = desk.store.structure.entities(2)
    fuzzy = desk.entities.reason(ReasonRequest((first.name, second.name), limit=40, fuzzy=True))
    assert fuzzy.mode == "all"
    assert sum(bool(hit.verified) for hit in fuzzy.results) > 0.95 * len(fuzzy.results)
