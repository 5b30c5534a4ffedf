"""A model that cannot answer, is not here, or is not what it was: what is complete serves, and what is missing is said."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from holovault.config import Home
from holovault.engine import Engine
from tests.support.changing import NEW, NOTES, OLD, Works, asked, changing_vault, engine_of, finds, steps, text, unsaid, want, word
from tests.support.engines import ask, index
from tests.support.vaults import VaultFolder


@pytest.fixture
def works() -> Works:
    return Works()


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    return changing_vault(tmp_path / "vault")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_where_the_old_model_is_gone_the_new_vectors_serve_as_far_as_they_reach(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
    works.absent.add("bundled")
    vault.config(f"[embedding]\n{NEW}\n")
    with engine_of(vault.root, home, works) as engine:
        each = steps(engine)
        next(each)
        reached = [number for number in range(NOTES) if text(number) in works.embedded("new")]
        (said,) = finds(engine, reached[0])
        assert (said.lane, said.code) == ("semantic", "partial")
        assert said.reason == f"{len(reached)} of {NOTES} windows embedded with new so far"
        missing = next(number for number in range(NOTES) if number not in reached)
        assert [hit.path for hit in ask(engine, word(missing)).results[:1]] == [f"n{missing:03}.md"]
        for _ in each:
            pass
        assert finds(engine, missing) == ()


def test_an_old_model_that_stops_answering_is_stood_in_for(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        each = steps(engine)
        next(each)
        works.last("old").broken = "it died"
        engine.write("n500.md", f"{text(500)}\n".encode(), None, create=True)
        next(each)
        assert [said.code for said in unsaid(asked(engine, 500))] == ["partial"]
        for _ in each:
            pass
        assert finds(engine, 500) == ()


def test_a_model_that_is_not_on_this_machine_leaves_the_old_one_serving_and_says_so(vault: VaultFolder, home: Path, works: Works) -> None:
    works.absent.add("fastembed")
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        assert list(steps(engine)) == []
        assert finds(engine, 7) == ()
        assert [failure.reason for failure in engine.status().failures] == ["new is not on this machine: fetch it first"]
        works.absent.clear()
        want(engine, vault.root, NEW)
        for _ in steps(engine):
            pass
        assert engine.status().failures == ()
        assert engine.status().model.name == "new"


def test_a_model_that_came_to_this_machine_is_taken_up_by_an_idle_engine(vault: VaultFolder, home: Path, works: Works) -> None:
    works.absent.add("fastembed")
    seconds = count()

    def now() -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(seconds))

    with Engine.open(vault.root, Home(home), owner="test", models=works, now=now) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        first, again = engine.status().failures, engine.status().failures
        assert (first[0].reason, first) == ("new is not on this machine: fetch it first", again)
        engine.idle()
        assert list(steps(engine)) == []
        works.absent.clear()
        engine.idle()
        for _ in steps(engine):
            pass
        assert (engine.status().failures, engine.status().model.name) == ((), "new")


def test_another_window_size_is_cut_behind_the_old_one(vault: VaultFolder, home: Path, works: Works) -> None:
    long = " ".join(f"sentence {number} of this long note says {word(number)}." for number in range(60))
    vault.write("long.md", long)
    works.windows["new"] = 32
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        before = engine.status().windows
        want(engine, vault.root, NEW)
        for _ in steps(engine):
            assert finds(engine, 7) == ()
        assert engine.status().model.name == "new"
        assert engine.status().windows > before
        assert engine.explain("long.md").chunks[0].windows == engine.explain("long.md").chunks[0].embedded > 4
        hit = ask(engine, f"sentence 42 of this long note says {word(42)}.", "semantic").results[0]
        assert (hit.path, word(42) in hit.excerpt) == ("long.md", True)
        vault.write("long.md", long + "\n\nOne more paragraph of this note.\n")
        index(engine)
        assert engine.status().pending == 0
        want(engine, vault.root, OLD)
        for _ in steps(engine):
            pass
        assert engine.status().windows == before


def test_no_model_at_all_is_taken_over_at_once_and_so_is_the_way_back(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        want(engine, vault.root, 'provider = "none"')
        assert [said.code for said in unsaid(asked(engine, 7))] == ["disabled"]
        assert works.running == []
        want(engine, vault.root, OLD)
        assert list(steps(engine)) == []
        assert finds(engine, 7) == ()


def test_a_library_that_pools_otherwise_begins_a_set_of_its_own(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
    works.editions["old"] = "pooled otherwise"
    with engine_of(vault.root, home, works) as engine:
        assert asked(engine, 7).results == ()
        each = steps(engine)
        next(each)
        (said,) = unsaid(asked(engine, 7))
        assert said.code == "partial"
        next(each)
    with engine_of(vault.root, home, works) as engine:
        for _ in steps(engine):
            pass
        assert finds(engine, 7) == ()
        assert engine.status().filling is None
    assert len(works.embedded("old")) == 2 * NOTES
    works.editions.clear()
    with engine_of(vault.root, home, works) as engine:
        assert asked(engine, 7).results == ()
        for _ in steps(engine):
            pass
        assert finds(engine, 7) == ()
    assert len(works.embedded("old")) == 2 * NOTES


def test_a_library_that_is_updated_while_the_model_is_unloaded_is_noticed(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        finds(engine, 7)
        engine.idle()
        works.last("old").edition = "pooled otherwise"
        assert asked(engine, 7).results == ()
        for _ in steps(engine):
            pass
        assert finds(engine, 7) == ()
