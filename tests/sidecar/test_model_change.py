"""Another model never stops search: the old vectors answer until the new ones are complete, then one transaction changes them."""

from pathlib import Path

import pytest

from holovault.searcher import Lens
from holovault.searcher.meaning import MeaningLane
from tests.support.changing import NEW, NOTES, OLD, Works, asked, changing_vault, engine_of, finds, steps, text, want
from tests.support.engines import Child, index
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


def test_search_answers_at_every_moment_of_a_change(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        old = works.last("old")
        want(engine, vault.root, NEW)
        assert finds(engine, 7) == ()
        taken = 0
        for _ in steps(engine):
            assert finds(engine, 7) == finds(engine, NOTES - 1) == ()
            status = engine.status()
            assert status.pending == 0
            assert len(works.running) <= 2
            taken += status.filling is not None
            assert (status.filling is None) == (status.model.name == "new") == old.closed
        assert taken >= 3
        assert works.running == ["new"]
        assert sorted(works.embedded("new")) == sorted(works.embedded("old")) == sorted(text(number) for number in range(NOTES))
        assert [event.kind for event in engine.events(0, 0).events].count("model") == 1
        asked = len(works.last("new").asked)
        assert finds(engine, 7) == ()
        assert len(works.last("new").asked) == asked + 1


def test_an_answer_is_all_of_one_model_while_the_models_change_places(vault: VaultFolder, home: Path, works: Works) -> None:
    """A question that got its vector before the switch is compared with the vectors of that model after it."""

    class ChangingPlaces:
        def lenses(self) -> tuple[Lens, ...]:
            return engine._roles.lenses()

        def proven(self, lens: Lens) -> bool:
            proven = engine._roles.proven(lens)
            for _ in steps(engine):
                pass
            return proven

    with engine_of(vault.root, home, works) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        said = MeaningLane(engine._store, ChangingPlaces()).ask(text(11), None, 1, None, ())
        assert engine.status().model.name == "new"
        assert said.lens is not None
        assert said.lens.embedding is works.last("old")
        (match,) = said.matches.values()
        assert match.cosine > 0.99
        assert finds(engine, 11) == ()


def test_a_question_whose_model_is_closed_under_it_is_asked_again(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        old = works.last("old")
        want(engine, vault.root, NEW)

        def change_places() -> None:
            for _ in steps(engine):
                pass

        old.before_query = change_places
        assert finds(engine, 11) == ()
        assert old.closed


def test_going_back_to_kept_vectors_embeds_only_what_changed_since(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        assert sum(1 for _ in steps(engine)) > 3
        want(engine, vault.root, OLD)
        assert sum(1 for _ in steps(engine)) == 1
        assert engine.status().model.name == "old"
        assert works.last("old").texts == []
        assert finds(engine, 3) == ()
        want(engine, vault.root, NEW)
        vault.write("n003.md", "this note is about something else\n")
        vault.write("n400.md", f"{text(400)}\n")
        index(engine)
        before = len(works.embedded("old"))
        want(engine, vault.root, OLD)
        for _ in steps(engine):
            pass
        assert engine.status().model.name == "old"
        assert len(works.embedded("old")) == before
        assert finds(engine, 400) == ()


def test_edits_during_a_change_are_found_at_once_and_after_it(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        each = steps(engine)
        next(each)
        engine.write("n500.md", f"{text(500)}\n".encode(), None, create=True)
        vault.write("n005.md", f"{text(505)}\n")
        vault.at("n006.md").unlink()
        engine.catch_up(None)
        assert engine.status().filling is not None
        assert finds(engine, 500) == ()
        assert [hit.path for hit in asked(engine, 505).results[:1]] == ["n005.md"]
        for _ in each:
            pass
        assert engine.status().model.name == "new"
        assert finds(engine, 500) == ()
        assert [hit.path for hit in asked(engine, 505).results[:1]] == ["n005.md"]
        assert "n006.md" not in [hit.path for hit in asked(engine, 6).results]
        assert works.embedded("new").count(text(500)) == 1


def test_the_newest_notes_come_first(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        vault.write("n222.md", f"{text(222)}\nand it was saved today\n")
        index(engine)
        want(engine, vault.root, NEW)
        next(steps(engine))
        assert "saved today" in works.embedded("new")[0]


def test_an_interrupted_change_goes_on_where_it_stopped(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        next(steps(engine))
        done = len(works.embedded("new"))
        assert 0 < done < NOTES
    with engine_of(vault.root, home, works) as engine:
        assert finds(engine, 7) == ()
        assert engine.status().model.name == "old"
        for _ in steps(engine):
            assert finds(engine, 7) == ()
        assert engine.status().model.name == "new"
    assert len(works.embedded("new")) == NOTES


@pytest.mark.parametrize("done", [1, 128, 300])
def test_a_change_that_is_killed_goes_on_where_it_stopped(vault: VaultFolder, home: Path, works: Works, done: int) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
    vault.config(f"[embedding]\n{NEW}\n")
    child = Child(vault.root, home, "hold", "meaning", str(done), "changing")
    child.until("meaning", done)
    child.kill()
    with engine_of(vault.root, home, works) as engine:
        index(engine, wait=False)
        assert engine.status().model.name == "old"
        assert finds(engine, 7) == ()
        for _ in steps(engine):
            assert finds(engine, 7) == ()
        assert engine.status().model.name == "new"
        assert engine.status().embedded == NOTES
    left = len(works.embedded("new"))
    assert 0 < left <= NOTES - done


def test_a_change_of_mind_leaves_the_old_model_and_nothing_to_do(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        next(steps(engine))
        want(engine, vault.root, OLD)
        assert engine.status().filling is None
        assert engine._store.vectors.filling is None
        assert engine.status().state == "ready"
        assert list(steps(engine)) == []
        assert works.running == ["old"]
        assert finds(engine, 7) == ()


def test_a_third_model_takes_the_place_of_the_second(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        next(steps(engine))
        want(engine, vault.root, 'provider = "e5"')
        assert len(works.running) == 2
        for _ in steps(engine):
            assert finds(engine, 7) == ()
        assert works.running == ["finer"]
