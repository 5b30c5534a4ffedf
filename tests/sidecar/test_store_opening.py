"""What an opening finds: nothing, ours, damage, a stranger, the future, another process."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from holovault.errors import IndexUnreadableError, VersionError
from holovault.store import Store
from holovault.store.migrations import MIGRATIONS
from tests.support.stored import opened, paths_found, put, stored

_OPEN_AND_PUT = """
import sys
from pathlib import Path
from tests.support.stored import opened, stored
sys.stdin.readline()
with opened(Path(sys.argv[1])) as store:
    for number in range(10):
        store.notes.put([stored(f"{sys.argv[2]}-{number}.md", "text")])
"""


def test_a_new_index_is_empty_and_private(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "index"
    with Store.open(folder, 1, 1) as store:
        put(store, stored("a.md", "text"))
        assert store.recovered is None
        assert store.cut_is_current
        if os.name == "posix":
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_an_index_keeps_its_notes(tmp_path: Path) -> None:
    note = stored("a.md", "some text", tags=("x",))
    with opened(tmp_path) as store:
        put(store, note)
        before = store.notes.known()
    with opened(tmp_path) as store:
        assert store.notes.known() == before == {"a.md": note.state}
        assert paths_found(store, "text") == ["a.md"]
        assert store.recovered is None


@pytest.mark.parametrize("damage", ["not sqlite at all, but long enough to be looked at", "\0" * 200])
def test_a_file_that_is_no_database_is_moved_aside(tmp_path: Path, damage: str) -> None:
    (tmp_path / "index.db").write_text(damage, encoding="utf-8")
    with opened(tmp_path) as store:
        assert store.recovered is not None
        assert "index.db.corrupt-1" in store.recovered
        assert store.notes.known() == {}
        put(store, stored("a.md", "text"))
    assert (tmp_path / "index.db.corrupt-1").read_text(encoding="utf-8") == damage
    with opened(tmp_path) as store:
        assert store.recovered is None
        assert list(store.notes.known()) == ["a.md"]


def test_the_database_of_another_program_is_moved_aside(tmp_path: Path) -> None:
    stranger = sqlite3.connect(tmp_path / "index.db")
    stranger.execute("CREATE TABLE chunks (mine)")
    stranger.commit()
    stranger.close()
    with opened(tmp_path) as store:
        assert "another program" in str(store.recovered)
    kept = sqlite3.connect(tmp_path / "index.db.corrupt-1")
    assert kept.execute("SELECT count(*) FROM chunks").fetchone() == (0,)
    kept.close()


def _filled(folder: Path) -> Path:
    with opened(folder) as store:
        put(store, *(stored(f"{n}.md", f"text {n} " * 400) for n in range(100)))
        store.clean_up(0)
    return folder / "index.db"


def _overwrite(path: Path, first_page: int) -> None:
    with path.open("r+b") as file:
        file.seek(first_page * 8192)
        file.write(b"\xff" * (path.stat().st_size - first_page * 8192))


def test_damage_found_by_a_check_is_moved_aside_at_the_next_opening(tmp_path: Path) -> None:
    path = _filled(tmp_path)
    _overwrite(path, path.stat().st_size // 8192 - 5)
    with Store.open(tmp_path, 1, 1) as store:
        assert store.recovered is None
        assert store.check() is not None
    with Store.open(tmp_path, 1, 1) as store:
        assert "damaged" in str(store.recovered)
        assert store.check() is None


def test_damage_met_in_use_is_said_and_moved_aside_at_the_next_opening(tmp_path: Path) -> None:
    path = _filled(tmp_path)
    _overwrite(path, path.stat().st_size // 8192 // 2)
    with pytest.raises(IndexUnreadableError, match="Restart holovault"), Store.open(tmp_path, 1, 1) as store:
        assert store.recovered is None
        for number in range(100):
            store.notes.chunks_of(f"{number}.md")
            paths_found(store, str(number))
    with Store.open(tmp_path, 1, 1) as store:
        assert "damaged" in str(store.recovered)
        put(store, stored("a.md", "text"))


def test_damage_met_while_opening_is_moved_aside_at_once(tmp_path: Path) -> None:
    _overwrite(_filled(tmp_path), 1)
    with Store.open(tmp_path, 1, 1) as store:
        assert "damaged" in str(store.recovered)
        put(store, stored("a.md", "text"))


def test_a_newer_index_is_refused_and_left_alone(tmp_path: Path) -> None:
    def m004_later(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE later (x)")

    with Store.open(tmp_path, 1, 1, migrations=(*MIGRATIONS, m004_later)) as store:
        put(store, stored("a.md", "text"))
    with pytest.raises(VersionError, match="newer holovault"):
        Store.open(tmp_path, 1, 1)
    assert not list(tmp_path.glob("*.corrupt-*"))
    with Store.open(tmp_path, 1, 1, migrations=(*MIGRATIONS, m004_later)) as store:
        assert list(store.notes.known()) == ["a.md"]


def test_an_older_index_is_migrated_with_its_notes(tmp_path: Path) -> None:
    def m004_colour(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE files ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'")

    with opened(tmp_path) as store:
        put(store, stored("a.md", "text"))
    for _ in range(2):
        with Store.open(tmp_path, 1, 1, migrations=(*MIGRATIONS, m004_colour)) as store:
            assert paths_found(store, "text") == ["a.md"]
            assert store._database.rows("SELECT colour FROM files") == [("red",)]
            assert store._database.rows("SELECT name FROM migrations ORDER BY number")[-1] == ("m004_colour",)


def test_a_failing_migration_changes_nothing(tmp_path: Path) -> None:
    def broken(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise KeyError("half way")

    with opened(tmp_path) as store:
        put(store, stored("a.md", "text"))
    with pytest.raises(KeyError):
        Store.open(tmp_path, 1, 1, migrations=(*MIGRATIONS, broken))
    with opened(tmp_path) as store:
        assert list(store.notes.known()) == ["a.md"]
        assert store._database.rows("SELECT count(*) FROM sqlite_master WHERE name = 'half'") == [(0,)]


def test_a_schema_that_the_missing_steps_do_not_fit_on_is_moved_aside_and_built_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "text"))
    half = sqlite3.connect(tmp_path / "index.db")
    half.execute(f"PRAGMA user_version = {len(MIGRATIONS) - 1}")
    half.close()
    with opened(tmp_path) as store:
        assert store.recovered is not None
        assert "cannot be brought up to date" in store.recovered
        assert "index.db.corrupt-1" in store.recovered
        assert store.notes.known() == {}
        put(store, stored("b.md", "text"))
    with opened(tmp_path) as store:
        assert store.recovered is None
        assert list(store.notes.known()) == ["b.md"]


def test_another_analyzer_makes_every_note_stale_until_it_is_put(tmp_path: Path) -> None:
    notes = [stored("a.md", "text"), stored("b.md", "text")]
    with Store.open(tmp_path, 1, 1) as store:
        store.notes.put(notes)
    for _ in range(2):
        with Store.open(tmp_path, 2, 1) as store:
            assert not store.cut_is_current
            assert store.notes.known()["b.md"].hash == ""
            assert store.notes.known()["b.md"].mtime_ns == -1
            store.notes.put(notes[:1])
            assert store.notes.known()["a.md"] == notes[0].state
    with Store.open(tmp_path, 2, 1) as store:
        store.notes.put(notes)
        assert store.cut_is_current
    with Store.open(tmp_path, 2, 2) as store:
        assert not store.cut_is_current


def test_stale_notes_get_new_full_text_rows_though_their_text_is_the_same(tmp_path: Path) -> None:
    with Store.open(tmp_path, 1, 1) as store:
        put(store, stored("a.md", "text"))
        (before,) = store.notes.chunks_of("a.md")
        put(store, stored("a.md", "text"))
        assert store.notes.chunks_of("a.md")[0].id == before.id
    with Store.open(tmp_path, 2, 1) as store:
        put(store, stored("a.md", "text"))
        assert store.notes.chunks_of("a.md")[0].id != before.id


def test_eight_processes_may_open_an_empty_folder_at_once(tmp_path: Path) -> None:
    children = [
        subprocess.Popen(
            [sys.executable, "-c", _OPEN_AND_PUT, str(tmp_path / "index"), str(number)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for number in range(8)
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    errors = [child.communicate(timeout=60)[1] for child in children]
    assert [error for error in errors if "Error" in error] == []
    with opened(tmp_path / "index") as store:
        assert store.recovered is None
        assert len(store.notes.known()) == 80


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        pass
    store.close()
    with pytest.raises(IndexUnreadableError, match="closed"):
        store.notes.known()
    with pytest.raises(IndexUnreadableError, match="closed"):
        put(store, stored("a.md", "text"))
