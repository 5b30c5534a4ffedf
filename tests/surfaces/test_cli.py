"""The command line as a process, against a daemon with a fake engine: output, exit status, errors."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from holovault import __version__
from holovault.config import Home, vault_key
from holovault.model import IndexReport, IndexRequest, PruneReport, ReadResult, SearchResponse, Status
from holovault.ownership import acquire, is_held
from tests.support.fake_daemon import fake_daemon
from tests.support.fake_engine import FakeEngine, hash_of
from tests.support.shell import Shell

NOTE = "# Title\nsecond ёлка\nthird -dash\n".encode()
COMMANDS = ("up", "search", "read", "related", "index", "status", "explain", "serve", "stop", "version")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / ".obsidian").mkdir(parents=True)
    (folder / "deep" / "er").mkdir(parents=True)
    return folder


@pytest.fixture
def shell(tmp_path: Path, vault: Path) -> Shell:
    return Shell(tmp_path / "home", vault)


@pytest.fixture
def engine(shell: Shell, vault: Path) -> Iterator[FakeEngine]:
    fake = FakeEngine({"a.md": NOTE, "b.md": b"other"})
    with fake_daemon(Home(shell.home), vault, fake):
        yield fake


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(shell: Shell, command: str) -> None:
    ended = shell.run(command, "--help", COLUMNS="200")
    assert ended.code == 0
    assert "--json" in ended.out


def test_help_names_every_command_and_loads_nothing_heavy(shell: Shell) -> None:
    script = "import sys, holovault.cli.entry as e; e.make()(['--help'], standalone_mode=False); print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert all(command in ended.stdout for command in COMMANDS)
    loaded = set(ended.stdout.splitlines()[-1].split())
    assert not loaded & {"numpy", "aiohttp", "holovault.engine", "holovault.store", "asyncio", "sqlite3", "sentencepiece"}


def test_pruning_says_whose_vectors_went_and_what_that_frees(shell: Shell, engine: FakeEngine) -> None:
    assert (
        shell.run("model", "prune", "--vault", str(shell.folder)).out == "Removed 1,200 vectors of test/old: the index is 4.1 MB smaller.\n"
    )
    ended = shell.run("model", "prune", "--vault", str(shell.folder), "--json")
    assert msgspec.json.decode(ended.out, type=PruneReport) == engine.pruned
    engine.pruned = PruneReport()
    assert "Nothing to remove" in shell.run("model", "prune", "--vault", str(shell.folder)).out


def test_failed_work_is_tried_again_on_request_only(shell: Shell, engine: FakeEngine) -> None:
    assert shell.run("index", "--vault", str(shell.folder)).code == 0
    assert shell.run("index", "--vault", str(shell.folder), "--retry-failed", "--no-wait").code == 0
    assert engine.orders == [IndexRequest(), IndexRequest(wait=False, retry_failed=True)]


def test_version_is_printed(shell: Shell) -> None:
    assert __version__ in shell.run("version").out
    assert msgspec.json.decode(shell.run("version", "--json").out)["version"] == __version__


def test_a_search_prints_addresses_to_a_pipe_without_colour(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.run("search", "ёлка")
    assert ended.code == 0
    assert ended.out.splitlines() == ["a.md:1-3  Top  0.500", "    # Title second ёлка third -dash"]
    assert "note: semantic: no model here" in ended.err
    assert "\x1b" not in ended.out + ended.err


def test_a_search_as_json_is_the_daemons_answer(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.run(
        "search", "second", "ёлка", "--json", "--limit", "3", "--mode", "lexical", "--profile", "rrf", "--explain", "--max-wait", "2"
    )
    found = msgspec.json.decode(ended.out, type=SearchResponse)
    asked = engine.asked[-1]
    assert (asked.query, asked.limit, asked.mode, asked.profile, asked.explain, asked.max_wait) == (
        "second ёлка",
        3,
        "lexical",
        "rrf",
        True,
        2,
    )
    assert found == engine.search(asked)
    assert list(msgspec.json.decode(ended.out))[:4] == ["query", "took_ms", "degraded", "results"]


def test_a_search_waits_for_the_model_unless_told_otherwise(shell: Shell, engine: FakeEngine) -> None:
    shell.run("search", "ёлка")
    assert engine.asked[-1].max_wait is None


def test_a_query_may_begin_with_a_dash(shell: Shell, engine: FakeEngine) -> None:
    assert shell.run("search", "--json", "--", "-dash").code == 0
    assert engine.asked[-1].query == "-dash"


def test_nothing_found_is_status_1(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.run("search", "absent")
    assert (ended.code, ended.out) == (1, "")
    assert "Nothing found" in ended.err


@pytest.mark.parametrize(
    "arguments", [("search",), ("search", "a", "--limit", "0"), ("search", "a", "--mode", "psychic"), ("dance",), ("search", "-x")]
)
def test_what_cannot_be_understood_is_status_2(shell: Shell, arguments: tuple[str, ...]) -> None:
    ended = shell.run(*arguments)
    assert ended.code == 2
    assert "Traceback" not in ended.err


def test_lines_are_read_with_numbers_and_as_json_with_the_hash(shell: Shell, engine: FakeEngine) -> None:
    assert shell.run("read", "a.md:2-3").out.splitlines() == ["2  second ёлка", "3  third -dash"]
    found = msgspec.json.decode(shell.run("read", "a.md", "--json").out, type=ReadResult)
    assert (found.hash, found.text) == (hash_of(NOTE), NOTE.decode())


def test_a_note_that_is_missing_is_a_sentence_with_its_code_and_status_3(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.run("read", "missing.md")
    assert (ended.code, ended.out) == (3, "")
    assert ended.err == "NOT_FOUND: There is no note missing.md. Check the spelling.\n"


def test_the_vault_around_the_folder_is_asked(shell: Shell, engine: FakeEngine, vault: Path) -> None:
    inside = Shell(shell.home, vault / "deep" / "er")
    assert msgspec.json.decode(inside.run("status", "--json").out, type=Status) == engine.status()


def test_a_folder_without_vault_is_told_what_to_name(shell: Shell, tmp_path: Path) -> None:
    ended = Shell(shell.home, tmp_path).run("search", "a")
    assert ended.code == 3
    assert ended.err.startswith("NOT_FOUND: ")
    assert "--vault PATH" in ended.err


def test_a_vault_that_is_not_there_is_told(shell: Shell, tmp_path: Path) -> None:
    ended = shell.run("status", "--vault", str(tmp_path / "nowhere"))
    assert ended.code == 3
    assert "There is no folder" in ended.err


def test_indexing_reports_exactly_the_model(shell: Shell, engine: FakeEngine) -> None:
    assert msgspec.json.decode(shell.run("index", "--json").out, type=IndexReport) == IndexReport(files=2, unchanged=2)
    assert "2 files" in shell.run("index", "--no-wait").out


def test_related_status_and_explain_answer(shell: Shell, engine: FakeEngine) -> None:
    assert "b.md:1-3" in shell.run("related", "a.md").out
    assert "ready" in shell.run("status").out
    assert shell.run("explain", "a.md").code == 0
    assert shell.run("explain", "other.md").code == 1


def test_up_finds_the_daemon_that_runs_and_says_where(shell: Shell, engine: FakeEngine, vault: Path) -> None:
    ended = shell.run("up", str(vault))
    assert ended.code == 0
    for part in ("http://127.0.0.1:", "was running", "2 files", "holovault stop --vault", "holovault search"):
        assert part in ended.out
    found = msgspec.json.decode(shell.run("up", "--json").out)
    assert (found["started"], found["pid"], found["status"]["files"]) == (False, os.getpid(), 2)


def test_stop_stops_and_says_when_there_is_nothing_to_stop(shell: Shell, engine: FakeEngine, vault: Path) -> None:
    assert "Stopped the daemon" in shell.run("stop").out
    assert not is_held(Home(shell.home), vault_key(vault))
    ended = shell.run("stop", "--json")
    assert ended.code == 0
    assert msgspec.json.decode(ended.out) == {"vault": str(vault.resolve()), "stopped": False, "pid": None}


def test_no_daemon_beside_a_daemon_is_told_who_owns_the_index(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.run("search", "a", "--no-daemon")
    assert ended.code == 3
    assert ended.err.startswith("BUSY: ")
    assert f"pid {os.getpid()}" in ended.err


def test_an_index_that_another_command_keeps_is_waited_for_and_then_named(shell: Shell, vault: Path) -> None:
    with acquire(Home(shell.home), vault, "holovault index"):
        ended = shell.run("search", "a")
    assert ended.code == 3
    assert "holovault index" in ended.err
    assert "Wait until it has finished" in ended.err


def test_nobody_reading_on_is_no_error(shell: Shell, engine: FakeEngine) -> None:
    engine.notes["big.md"] = b"line\n" * 200_000
    command = [sys.executable, "-m", "holovault.cli", "read", "big.md"]
    with subprocess.Popen(
        command, cwd=shell.folder, env=dict(shell.environment()), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().strip() == "1  line"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(20) == 0


def test_output_is_utf8_whatever_the_locale(shell: Shell, engine: FakeEngine) -> None:
    ended = shell.run("search", "ёлка", PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert "ёлка" in ended.out


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C reaches a Windows process by its console only")
def test_an_interrupt_ends_quietly_with_130(shell: Shell, engine: FakeEngine) -> None:
    import signal

    engine.gate.clear()
    command = [sys.executable, "-m", "holovault.cli", "index"]
    with subprocess.Popen(
        command, cwd=shell.folder, env=dict(shell.environment()), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert engine.entered.wait(20)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "")
