"""Structure vectors of a real vault: composed after words, without any model, and right after every change of names."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from holovault.engine import Engine
from holovault.hrr import Atoms, compose, key, similarity
from holovault.indexer.structure import SLICE
from holovault.store import Store
from tests.support.dumps import differences, dump, index_file
from tests.support.engines import ask, index, open_engine, wait_until
from tests.support.vaults import NO_MODEL, VaultFolder, make_vault

NOTES: dict[str, str | bytes] = {
    "People/Ivan Petrov.md": "---\naliases: [Ваня, Vanya]\n---\nlives in a small town\n",
    "trip.md": "We went with [[Ваня]] to the sea. #travel/sea\n",
    "plan.md": "---\nlead: '[[Ivan Petrov|the boss]]'\n---\n# Boat\n\nto be painted\n",
    "other.md": "nothing of that\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    return make_vault(tmp_path / "vault", NOTES, NO_MODEL)


def vectors_are_right(store: Store) -> bool:
    """Whether every chunk that states something has the vector of what it states, and no other has one."""
    matrix = store.structure.matrix()
    stated = store.structure.composed_of(matrix.chunks.tolist())
    atoms = Atoms()
    return len(stated) == len(matrix) == store.notes.counts().chunks and all(
        np.array_equal(compose(stated[chunk], atoms).phases, row) for chunk, row in zip(matrix.chunks.tolist(), matrix.phases, strict=True)
    )


def stating(engine: Engine, name: str) -> set[str]:
    """Paths of the notes whose vectors, alone, say that they state a name."""
    store = engine._store
    matrix, wanted = store.structure.matrix(), key(Atoms(), "entity", store.structure.canonical(name))
    near = [chunk for chunk, row in zip(matrix.chunks.tolist(), matrix.phases, strict=True) if similarity(row, wanted) > 0.15]
    return {row.path for row in store.notes.chunk_rows(near)}


def test_an_index_without_a_model_has_every_vector(vault: VaultFolder, tmp_path: Path) -> None:
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine)
        assert engine._store.structure.waiting() == 0
        assert vectors_are_right(engine._store)
        assert stating(engine, "vanya") == {"People/Ivan Petrov.md", "trip.md", "plan.md"}
        assert stating(engine, "sea") == {"trip.md"}
        assert ask(engine, "sea", "lexical").degraded == ()


def test_a_saved_note_has_its_vector_at_once(vault: VaultFolder, tmp_path: Path) -> None:
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine)
        engine.write("new.md", b"seen at [[Harbour]]", None, True)
        assert stating(engine, "harbour") == {"new.md"}


def test_an_answer_says_that_vectors_are_missing(vault: VaultFolder, tmp_path: Path) -> None:
    vault.write_all({f"many/{number}.md": f"[[Thing {number}]]" for number in range(SLICE + 1)})
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine, wait=False)
        (missing,) = ask(engine, "boat", "lexical").degraded
        assert (missing.lane, missing.code) == ("hrr", "building")
        while engine.structure_step():
            pass
        assert ask(engine, "boat", "lexical").degraded == ()


def test_a_pass_that_changed_nothing_composes_nothing(tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "many", {f"n{number}.md": f"# Note {number}\n" for number in range(SLICE + 9)}, NO_MODEL)
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine, wait=False)
        waiting = ask(engine, "note").degraded
        assert [one.reason for one in waiting if one.lane == "hrr"] == ["9 passages wait for their structure vector"]
        assert index(engine, wait=False).unchanged == SLICE + 9
        assert ask(engine, "note").degraded == waiting


def test_a_daemon_composes_in_the_background(vault: VaultFolder, tmp_path: Path) -> None:
    vault.write_all({f"many/{number}.md": f"[[Thing {number}]]" for number in range(3 * SLICE)})
    with open_engine(vault.root, tmp_path / "home", watching=True) as engine:
        wait_until(engine, lambda: len(engine._store.structure.matrix()) == 3 * SLICE + len(NOTES), "every chunk has its vector")


def test_an_entity_follows_its_note(vault: VaultFolder, tmp_path: Path) -> None:
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine)
        vault.rename("People/Ivan Petrov.md", "People/Ivan Sidorov.md")
        index(engine)
        assert engine._store.structure.canonical("Ваня") == "ivan sidorov"
        assert stating(engine, "Ваня") == {"People/Ivan Sidorov.md", "trip.md"}
        assert stating(engine, "Ivan Petrov") == {"plan.md"}
        assert vectors_are_right(engine._store)


def test_an_alias_that_comes_or_goes_composes_what_it_touches(vault: VaultFolder, tmp_path: Path) -> None:
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine)
        vault.write("other.md", "---\naliases: [Ваня]\n---\nnothing of that\n")
        index(engine)
        assert stating(engine, "Ivan Petrov") == {"People/Ivan Petrov.md", "plan.md"}
        vault.delete("People/Ivan Petrov.md")
        index(engine)
        assert stating(engine, "other") == {"trip.md"}
        assert vectors_are_right(engine._store)


def test_a_project_of_the_rules_is_stated(vault: VaultFolder, tmp_path: Path) -> None:
    vault.config(NO_MODEL + "[[projects.rules]]\npath = 'trip.md'\nname = 'Journeys'\n")
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine)
        assert stating(engine, "journeys") == {"trip.md"}


def test_vectors_that_another_version_composed_are_made_anew(vault: VaultFolder, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with open_engine(vault.root, home) as engine:
        index(engine)
    before = dump(home)
    with closing(sqlite3.connect(index_file(home))) as connection, connection:
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'user.hrr_scheme'")
        connection.execute("UPDATE hrr SET scheme = 0, phases = zeroblob(1024)")
    with open_engine(vault.root, home) as engine:
        index(engine)
    assert differences(before, dump(home)) == []
