"""Names, what chunks state, and their vectors: spellings meet, notes claim names, nothing stale is kept and nothing forgotten stays."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest

from holovault.model import Filler
from holovault.store import Store
from tests.support.stored import opened, put
from tests.support.structures import bind_all, phases_of, stating, stating_notes


def test_spellings_of_one_name_meet(tmp_path: Path) -> None:
    spellings = ["Артём", "артём", "АРТЕМ", unicodedata.normalize("NFD", "Артём"), " Артём\u00a0"]
    with opened(tmp_path, model=False) as store:
        put(store, *(stating(f"{number}.md", [name]) for number, name in enumerate(spellings)))
        assert len(store.structure.chunks_with("артем")) == len(spellings)
        assert store.structure.counts() == {"артем": len(spellings)}


@pytest.mark.parametrize("name", ["100%", "snake_case", "%", "_", "🦊", "C++", "O'Brien"])
def test_every_sign_of_a_name_stands_for_itself(tmp_path: Path, name: str) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, stating("a.md", [name]), stating("b.md", ["snakeXcase", "100 and", "x"]))
        assert stating_notes(store, name) == ["a.md"]


def test_all_names_of_a_note_become_one(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(
            store,
            stating("People/ivan-petrov.md", [], title="Иван Петров", aliases=("Ваня", "I. Petrov")),
            stating("a.md", ["Ваня"]),
            stating("b.md", ["People/ivan-petrov", Filler("prop:lead", "Иван Петров")]),
            stating("c.md", ["ivan-petrov"]),
        )
        structure = store.structure
        assert stating_notes(store, "i. petrov") == ["a.md", "b.md", "c.md"]
        assert stating_notes(store, "Ваня", None) == ["a.md", "b.md", "c.md"]
        assert structure.counts() == {"ivan-petrov": 3}
        assert structure.counts("prop:lead") == {"ivan-petrov": 1}
        (entity,) = structure.entities(10)
        assert (entity.text, entity.chunks, entity.path) == ("Иван Петров", 3, "People/ivan-petrov.md")
        assert structure.spellings("Ваня") == ("I. Petrov", "People/ivan-petrov", "ivan-petrov", "Ваня", "Иван Петров")


def test_two_notes_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(
            store,
            stating("x/Index.md", []),
            stating("y/Index.md", []),
            stating("a.md", ["x/Index"], ["Index"]),
            stating("b.md", ["y/Index"]),
        )
        assert stating_notes(store, "x/index") == ["a.md"]
        assert len(store.structure.chunks_with("Index")) == 1
        assert store.structure.note_of("y/Index") == "y/Index.md"
        assert store.structure.note_of("Index") is None
        store.notes.remove(["y/Index.md"])
        assert len(store.structure.chunks_with("Index")) == 2
        assert store.structure.canonical("x/Index") == "index"
        assert store.structure.canonical("y/Index") == "y/index"


def test_a_note_at_the_root_is_meant_by_its_name_alone(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, stating("Index.md", []), stating("deep/er/Index.md", []))
        assert store.structure.note_of("index") == "Index.md"
        assert store.structure.note_of("er/index") == "deep/er/Index.md"


def test_an_alias_of_two_notes_means_neither(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, stating("a.md", [], aliases=("Boss",)), stating("b.md", [], aliases=("boss",)), stating("c.md", ["Boss"]))
        assert store.structure.canonical("Boss") == "boss"
        store.notes.put([stating("b.md", [])])
        assert store.structure.canonical("Boss") == "a"
        assert stating_notes(store, "a") == ["c.md"]


def test_a_tag_is_no_name_of_a_note(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, stating("work/Plan.md", [], aliases=("idea",)), stating("b.md", [Filler("tag", "work/plan"), Filler("tag", "idea")]))
        assert store.structure.counts("tag") == {"idea": 1, "work/plan": 1}


def test_words_that_a_link_shows_lead_to_its_note_and_name_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, stating("Ivan.md", []), stating("b.md", ["Ivan"], shown=(("Ivan", "the Boss"),)), stating("c.md", ["the boss"]))
        assert store.structure.shown_as("The  boss") == ("ivan",)
        assert store.structure.canonical("the boss") == "the boss"


def test_a_renamed_note_takes_its_name_along(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, stating("Old.md", [], aliases=("Nick",)), stating("b.md", ["Nick"]))
        bind_all(store)
        with store.atomic():
            store.notes.remove(["Old.md"])
            store.notes.put([stating("New.md", [], aliases=("Nick",))])
        assert store.structure.canonical("Nick") == "new"
        (waiting,) = store.structure.pending(10)
        assert waiting.fillers == (Filler("entity", "new"),)


def test_chunks_wait_again_exactly_when_what_they_state_changes(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        one = stating("a.md", ["X"], ["Y", Filler("prop:status", "open")], [])
        put(store, one, stating("b.md", ["Z"]))
        assert bind_all(store, 2) == 3
        put(store, one)
        assert store.structure.waiting() == 0
        put(store, stating("a.md", ["X"], ["Y", Filler("prop:status", "done")], []))
        (waiting,) = store.structure.pending(10)
        assert waiting.fillers == (Filler("entity", "y"), Filler("prop:status", "done"))
        assert len(store.structure.matrix()) == 2
        put(store, stating("Yes.md", [], aliases=("Y",)))
        assert [[filler.name for filler in one.fillers] for one in store.structure.pending(10)] == [["yes", "done"]]
        bind_all(store)
        put(store, stating("a.md", ["X"], [], []))
        assert (store.structure.waiting(), len(store.structure.matrix())) == (0, 2)


def test_the_chunks_of_the_newest_note_come_first(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, *(stating(f"{day}.md", [f"day {day}"], modified=f"2026-01-0{day}T00:00:00Z") for day in (2, 9, 5)))
        assert [one.fillers[0].name for one in store.structure.pending(2)] == ["day 9", "day 5"]


def test_the_matrix_follows_every_commit_and_no_rollback(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, *(stating(f"{number}.md", [f"name {number}"]) for number in range(5)))
        bind_all(store)
        before = store.structure.matrix()
        assert store.structure.matrix() is before
        with pytest.raises(RuntimeError), store.atomic():
            store.notes.remove(["1.md"])
            raise RuntimeError
        assert np.array_equal(store.structure.matrix().phases, before.phases)
        store.notes.remove(["1.md", "3.md"])
        put(store, stating("0.md", ["name 0", "more"]), stating("9.md", ["name 9"]))
        bind_all(store)
        kept = store.structure.matrix()
        store.structure.release()
        fresh = store.structure.matrix()
        assert (len(before), len(kept)) == (5, 4)
        assert np.array_equal(kept.chunks, fresh.chunks)
        assert np.array_equal(kept.phases, fresh.phases)
        assert np.array_equal(kept.counts, fresh.counts)
        stated = store.structure.composed_of(kept.chunks.tolist())
        assert all(np.array_equal(row, phases_of(stated[chunk])) for chunk, row in zip(kept.chunks.tolist(), kept.phases, strict=True))


def test_another_scheme_composes_everything_anew(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        store.structure.adopt(1)
        put(store, stating("a.md", ["X"], []), stating("b.md", ["Y"]))
        bind_all(store)
        store.structure.adopt(1)
        assert store.structure.waiting() == 0
        store.structure.adopt(2)
        assert (store.structure.waiting(), len(store.structure.matrix())) == (2, 0)


def test_neighbours_that_are_everywhere_count_less(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(
            store,
            stating("a.md", ["Anna", "Everywhere", "Boat"]),
            stating("b.md", ["anna", "Everywhere", "Boat"]),
            *(stating(f"{number}.md", ["Everywhere"]) for number in range(9)),
        )
        found = store.structure.neighbours("ANNA", 5)
        assert [(one.name, one.together, one.chunks) for one in found] == [("boat", 2, 2), ("everywhere", 2, 11)]
        assert found[1].score == 0.0


def test_forgotten_names_leave_every_file(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        secret = stating(
            "secretpath.md",
            ["Secretname", Filler("prop:secretkey", "secretvalue")],
            aliases=("secretalias",),
            shown=(("x", "secretwords"),),
        )
        put(store, secret, stating("a.md", ["secretalias is kept", "Kept"]))
        bind_all(store)
        store.notes.remove(["secretpath.md"])
        put(store, stating("a.md", ["Kept"]))
        store.clean_up(2_000.0)
        left = b"\0".join(path.read_bytes() for path in sorted(tmp_path.iterdir()) if path.is_file())
        assert b"secret" not in left.lower()
        assert store.structure.counts() == {"kept": 1}


def test_lost_vectors_and_rows_without_owner_are_counted_and_mended(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, stating("a.md", ["X"]), stating("b.md", ["Y"]))
        bind_all(store)
        assert (store.soundness.figures().shapeless, store.soundness.figures().orphans) == (0, 0)
        _spoil(store)
        figures = store.soundness.figures()
        assert (figures.shapeless, figures.orphans) == (1, 2)
        done = store.soundness.mend()
        assert (done.shaped, done.removed) == (1, 2)
        assert store.structure.waiting() == 1


def _spoil(store: Store) -> None:
    with store._database.atomic() as connection:
        connection.execute("DELETE FROM hrr WHERE chunk = 1")
        connection.execute("INSERT INTO fillers VALUES (99, 0, 1, 1)")
        connection.execute("INSERT INTO claims VALUES ('x', 1, 99, 'x')")
