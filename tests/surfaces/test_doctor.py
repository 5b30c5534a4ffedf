"""`holovault doctor` as people run it: what it sees, what it repairs, and that it leaves everything else alone."""

import os
import socket
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from holovault.config import Config, EmbeddingConfig, Home
from holovault.doctor import inside, machine, places
from holovault.ownership import acquire, is_held
from holovault.ownership.runfile import load, save
from tests.support.practice import NOTES, SECRET_WORDS, Practice
from tests.support.processes import wait_until
from tests.support.shell import Shell
from tests.support.vaults import NO_MODEL, make_vault

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")
READ = os.R_OK | os.X_OK
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux's")


@pytest.fixture
def practice(tmp_path: Path) -> Iterator[Practice]:
    vault = make_vault(tmp_path / "Мой vault", NOTES)
    place = Practice(vault, Shell(tmp_path / "home", vault.root))
    yield place
    place.shell.here("stop", "--vault", str(vault.root))


@pytest.fixture
def indexed(practice: Practice) -> Practice:
    assert practice.shell.here("index", "--vault", str(practice.vault.root)).code == 0
    return practice


def _break_a_page(database: Path, index: str = "links_target") -> None:
    """Overwrites the page in which an index begins that no start reads."""
    with closing(sqlite3.connect(database)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (index,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xee" * size)


def _run(database: Path, *statements: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_a_healthy_vault_has_no_line_that_is_not_ok(practice: Practice) -> None:
    practice.up()
    files = {path: path.stat().st_mtime_ns for path in practice.vault.root.rglob("*")}
    visit = practice.visit()
    assert visit.troubles() == []
    names = {check.name for check in visit.report.checks}
    assert names >= {"python", "sqlite", "access", "settings", "vault", "watch limit", "run files", "daemon", "port", "watching"}
    assert names >= {"index", "notes", "vectors", "failures", "model", "clock", "disk", "old index"}
    run = load(practice.run_file)
    assert run is not None
    assert f"pid {run.pid}" in visit.one("daemon").text
    assert str(run.port) in visit.one("port").text
    assert visit.one("notes").text == "The index has the 3 notes of the vault."
    assert {path: path.stat().st_mtime_ns for path in practice.vault.root.rglob("*")} == files
    assert sorted(path.name for path in practice.shell.home.iterdir()) == ["index", "logs", "run"]


def test_the_report_for_people_has_a_line_for_each_check_and_its_next_step_below(practice: Practice) -> None:
    ended = practice.shell.run("doctor")
    assert ended.code == 0
    lines = ended.out.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("warning  index: There is no index of this vault yet."))
    assert lines[place + 1].startswith("    → holovault up --vault '")
    assert lines[-1].endswith("1 warning, 0 problem")
    assert not practice.database.parent.exists()


def test_a_folder_that_is_no_vault_is_status_3(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "home", tmp_path)
    assert shell.run("doctor").code == 3
    assert shell.run("doctor", "--vault", "nowhere").code == 3


def test_every_mistake_of_the_settings_is_a_line(indexed: Practice) -> None:
    indexed.vault.config('[search]\nlanguages = 7\nprofil = "rrf"\n')
    visit = indexed.visit()
    mistakes = visit.named("settings")
    assert [check.state for check in mistakes] == ["problem", "problem"]
    assert "line 2" in mistakes[0].text
    assert "profile" in mistakes[1].text
    assert "not looked at" in visit.one("index").text


def test_a_damaged_index_is_a_problem_that_only_fix_touches(indexed: Practice) -> None:
    _break_a_page(indexed.database)
    before = indexed.database.read_bytes()
    visit = indexed.visit()
    assert visit.one("index").state == "problem"
    assert "--fix" in (visit.one("index").next or "")
    assert indexed.database.read_bytes() == before

    visit = indexed.visit("--fix")
    assert visit.report.state != "problem"
    assert "built anew from 3 notes" in visit.one("repair").text
    assert visit.one("index").state == "ok"
    assert visit.one("damaged files").state == "warning"
    assert [path.name for path in indexed.database.parent.glob("*.corrupt-*")] == ["index.db.corrupt-1"]
    assert "a.md" in indexed.shell.run("search", "wheelbarrow", "--no-daemon").out


def test_the_index_of_a_running_daemon_is_built_anew_by_the_next_one(indexed: Practice) -> None:
    _break_a_page(indexed.database)
    indexed.up()
    before = load(indexed.run_file)
    assert indexed.visit().one("index").state == "problem"

    visit = indexed.visit("--fix")
    assert (visit.report.state, visit.one("index").state) == ("warning", "ok")
    assert "from 3 notes" in visit.one("repair").text
    after = load(indexed.run_file)
    assert before is not None
    assert after is not None
    assert after.pid != before.pid
    assert "a.md" in indexed.shell.run("search", "wheelbarrow").out


@pytest.mark.parametrize("running", [False, True], ids=["alone", "daemon"])
def test_rows_that_do_not_belong_together_are_put_right(indexed: Practice, running: bool) -> None:
    _run(
        indexed.database,
        "DELETE FROM backlog",
        "INSERT INTO links (file, target, embed, line, target_key) VALUES (999, 'x', 0, 1, 'x')",
        "DELETE FROM chunks_fts WHERE rowid = (SELECT min(rowid) FROM chunks_fts)",
    )
    if running:
        indexed.up()
    visit = indexed.visit()
    assert "1 passages have lost words or windows and 1 rows belong to nothing" in visit.one("index").text
    assert "and 3 are on no list" in visit.one("vectors").text

    visit = indexed.visit("--fix")
    repairs = " ".join(check.text for check in visit.named("repair"))
    for words in ("3 windows wait", "1 notes are read anew", "1 rows that belonged to nothing were removed"):
        assert words in repairs
    found = indexed.shell.run("search", "wheelbarrow", "kettle", "ladder", "--mode", "lexical", "--json").out
    assert all(f'"{path}"' in found for path in NOTES)
    visit = indexed.visit()
    assert (visit.one("index").state, visit.one("vectors").text) == ("ok", "0 of 3 windows have a vector, 3 wait, 0 failed.")


def test_notes_that_are_not_indexed_and_notes_that_are_gone_are_counted(indexed: Practice) -> None:
    indexed.vault.write("new.md", "new")
    indexed.vault.delete("b.md")
    check = indexed.visit().one("notes")
    assert check.state == "warning"
    assert "1 notes of the vault are not in the index, 1 notes of the index are no longer in the vault" in check.text


def test_an_index_whose_vault_is_gone_is_named_with_its_size(indexed: Practice, tmp_path: Path) -> None:
    other = make_vault(tmp_path / "other", {"x.md": "x"})
    assert indexed.shell.run("index", "--vault", str(other.root)).code == 0
    other.delete("../other")
    check = indexed.visit().one("old index")
    assert check.state == "warning"
    assert f"MB) is the index of {other.root}, which is gone" in check.text
    assert check.next == "To remove it: holovault prune"


def test_what_a_dead_owner_left_is_said_and_removed_by_fix(practice: Practice) -> None:
    with acquire(practice.home, practice.vault.root, "daemon") as lease:
        run = lease.run
    save(practice.run_file, replace(run, port=1))
    check = practice.visit().one("run files")
    assert (check.state, practice.run_file.name in check.text) == ("warning", True)
    assert practice.run_file.exists()
    assert "was removed" in practice.visit("--fix").one("run files").text
    assert not practice.run_file.exists()


@POSIX
def test_what_others_can_open_is_said_and_closed_by_fix(practice: Practice) -> None:
    practice.up()
    credentials = practice.home.credentials
    credentials.write_text("A_KEY = abc\n", encoding="utf-8")
    wide = {practice.shell.home: 0o755, practice.shell.home / "run": 0o755, practice.run_file: 0o644, credentials: 0o644}
    for path, mode in wide.items():
        path.chmod(mode)
    visit = practice.visit()
    states = {path: check.state for path in wide for check in visit.named("access") if check.text.startswith(f"{path} c")}
    assert list(states.values()) == ["warning", "warning", "problem", "problem"]
    visit = practice.visit("--fix")
    assert {check.state for check in visit.named("access")} == {"ok"}
    assert [path.stat().st_mode & 0o077 for path in wide] == [0, 0, 0, 0]
    assert "Only you" in practice.visit().one("access").text


def test_an_index_that_a_command_holds_is_left_alone(indexed: Practice) -> None:
    with acquire(indexed.home, indexed.vault.root, "holovault index"):
        visit = indexed.visit()
        assert "belongs to holovault index" in visit.one("daemon").text
        assert "belongs to another process" in visit.one("index").text
        assert is_held(indexed.home, indexed.run_file.stem)
    assert visit.report.state == "warning"


def test_without_asking_the_daemon_its_index_is_left_alone_and_the_model_is_tried_here(practice: Practice) -> None:
    practice.up()
    visit = practice.visit("--no-daemon")
    assert "it was not asked" in visit.one("daemon").text
    assert "not looked at" in visit.one("index").text
    assert visit.one("model").state == "ok"


def test_a_daemon_that_gives_no_answer_is_a_problem_with_its_pid(indexed: Practice) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    with acquire(indexed.home, indexed.vault.root, "daemon") as lease:
        run = lease.publish(port)
        check = indexed.visit().one("daemon")
        assert (check.state, f"End the process {run.pid}" in (check.next or "")) == ("problem", True)


def test_a_port_of_the_settings_that_is_taken_is_a_problem(practice: Practice) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        practice.vault.config(f"{NO_MODEL}[daemon]\nport = {port}\n")
        check = practice.visit().one("port")
        assert (check.state, str(port) in check.text) == ("problem", True)
    assert practice.visit().one("port").state == "ok"


def test_a_daemon_with_an_older_port_is_told_from_the_settings_and_takes_their_model_over(practice: Practice) -> None:
    practice.up()
    practice.vault.config('[embedding]\nprovider = "bundled"\n[daemon]\nport = 65123\n')
    assert "knowledge.toml says 65123" in practice.visit().one("port").text
    assert wait_until(lambda: "bundled use-multilingual-v3 answered" in practice.visit().named("model")[-1].text)
    assert len(practice.visit().named("model")) == 1


def test_a_daemon_that_has_not_seen_the_settings_yet_is_told_from_them(practice: Practice) -> None:
    """The route asks for the better model of `refine` where there is one."""
    bundled = Config(embedding=EmbeddingConfig(provider="bundled", refine="e5"))
    assert inside.other_model(bundled, "e5", practice.vault.root) == []
    (check,) = inside.other_model(bundled, "none", practice.vault.root)
    assert (check.state, check.text) == ("warning", "knowledge.toml says e5, the daemon still uses none.")


def test_the_clock_is_compared_with_the_disk(tmp_path: Path) -> None:
    assert machine.clock(tmp_path, time.time).state == "ok"
    late = machine.clock(tmp_path, lambda: time.time() - 60)
    assert (late.state, "ahead of" in late.text) == ("warning", True)
    assert machine.clock(tmp_path, lambda: time.time() + 60).state == "warning"
    assert machine.clock(tmp_path, lambda: 0.0).state == "problem"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("rights", "state", "step"), [(0, "problem", True), (READ, "warning", True), (READ | os.W_OK, "ok", False)])
def test_what_this_user_may_do_in_the_vault_is_said(tmp_path: Path, rights: int, state: str, step: bool) -> None:
    check = places.folder(tmp_path, lambda path, wanted: not wanted & ~rights)
    assert (check.state, "access" in (check.next or "")) == (state, step)
    assert check.text.startswith(f"{tmp_path} can")


@LINUX
@pytest.mark.parametrize(("limit", "state"), [("100", "ok"), ("5", "warning"), ("2", "problem"), ("nonsense", "warning")])
def test_folders_are_counted_against_the_limit_of_the_system(tmp_path: Path, limit: str, state: str) -> None:
    vault = make_vault(tmp_path / "vault", {"a/b/note.md": "x"})
    said = tmp_path / "max_user_watches"
    said.write_text(limit, encoding="ascii")
    assert places.watch_limit(vault.root, said).state == state


def test_no_report_holds_a_word_of_a_note_or_the_token(practice: Practice) -> None:
    practice.vault.write("bad.md", b"\x00\xff\xfe wheelbarrow")
    practice.vault.write("Folder/x.md", "---\nkettle: {ladder: [quincunx\n---\nkettle\n")
    practice.up()
    run = load(practice.run_file)
    assert run is not None
    for options in ((), ("--json",), ("--fix", "--json"), ("--no-daemon",)):
        ended = practice.shell.run("doctor", *options)
        assert ended.code == 0
        assert not [word for word in (*SECRET_WORDS, run.token) if word in ended.out + ended.err]


def test_the_home_may_not_lie_inside_the_vault(practice: Practice) -> None:
    ended = practice.shell.run("doctor", HOLOVAULT_HOME=str(practice.vault.at("home")))
    assert (ended.code, "inside the vault" in ended.err) == (2, True)
    assert not Home(practice.vault.at("home")).root.exists()
