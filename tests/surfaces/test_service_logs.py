"""The daemon's log: bounded by rotation, readable across it, and without a word of a note or a secret."""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from holovault.client import Client, stop_daemon
from holovault.config import Home, vault_key
from holovault.model import IndexRequest, RelatedRequest, SearchRequest
from holovault.setup import LogLine, follow, last_lines
from holovault.web import log_to
from tests.support.shell import Shell
from tests.support.vaults import make_vault

KEY = "0123456789abcdef"


@pytest.fixture
def logger(tmp_path: Path) -> Iterator[logging.Logger]:
    """A logger of its own, whose records go to the daemon's log and nowhere else."""
    root = logging.getLogger()
    level = root.level
    handler = log_to(tmp_path / "logs", KEY)
    root.removeHandler(handler)
    root.setLevel(level)
    own = logging.getLogger("holovault.tests.logs")
    own.addHandler(handler)
    own.setLevel(logging.INFO)
    own.propagate = False
    yield own
    own.removeHandler(handler)
    own.propagate = True
    handler.close()


def test_the_log_never_has_more_than_five_files_of_five_megabytes(tmp_path: Path, logger: logging.Logger) -> None:
    for number in range(360):
        logger.info("%d %s", number, "x" * 100_000)
    files = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert files == [f"daemon-{KEY}.jsonl", *(f"daemon-{KEY}.jsonl.{number}" for number in range(1, 5))]
    assert all(path.stat().st_size <= 5_000_000 for path in (tmp_path / "logs").iterdir())
    # The newest are kept, and are read across the files in their order.
    found = [line.message.split()[0] for line in last_lines(tmp_path / "logs" / f"daemon-{KEY}.jsonl", 120)]
    assert found == [str(number) for number in range(240, 360)]


def test_a_log_that_is_missing_or_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    log = tmp_path / "daemon.jsonl"
    assert last_lines(log, 5) == ()
    log.write_bytes(b'{"time":"t","level":"info","logger":"l","message":"whole","trace":null}\n{"time":"2026-0\xff')
    assert last_lines(log, 5) == (LogLine("whole", "t", "info", "l"), LogLine('{"time":"2026-0\ufffd'))
    assert last_lines(log, 1) == (LogLine('{"time":"2026-0\ufffd'),)


def test_following_shows_what_comes_also_when_the_log_is_rotated(tmp_path: Path) -> None:
    log = tmp_path / "daemon.jsonl"
    log.write_text("before\n", encoding="utf-8")
    happens: list[str] = ["add", "half", "rest", "rotate", "end"]

    def pause(seconds: float) -> None:
        """What others do while the follower waits."""
        happened = happens.pop(0)
        with log.open("a", encoding="utf-8") as file:
            file.write({"add": "one\ntwo\n", "half": "thr", "rest": "ee\n", "rotate": "last of the old file\n"}.get(happened, ""))
        if happened == "rotate":
            log.rename(tmp_path / "daemon.jsonl.1")
            log.write_text("first of the new file\n", encoding="utf-8")
        if happened == "end":
            raise KeyboardInterrupt

    seen: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        for entries in follow(log, pause):
            seen += [entry.message for entry in entries]
    assert seen == ["one", "two", "three", "last of the old file", "first of the new file"]


def test_following_a_log_that_is_not_there_yet_begins_with_it(tmp_path: Path) -> None:
    log = tmp_path / "daemon.jsonl"

    def pause(seconds: float) -> None:
        log.write_text("hello\n", encoding="utf-8")

    assert [entry.message for entry in next(follow(log, pause))] == ["hello"]


@pytest.mark.timeout(300)
def test_no_word_of_a_note_no_question_and_no_token_is_in_any_log(tmp_path: Path) -> None:
    secrets = {
        "text": "xylotext",
        "title": "xylotitle",
        "tag": "xylotag",
        "query": "xyloquery",
        "broken": "xylobroken",
        "written": "xylowritten",
    }
    vault = make_vault(
        tmp_path / "vault",
        {
            "note.md": f"---\ntags: [{secrets['tag']}]\n---\n# {secrets['title']}\n\n{secrets['text']} crossed the river.\n",
            "broken.md": f"---\na: [unclosed {secrets['broken']}\n---\n\x00 {secrets['broken']} \udce9".encode("utf-8", "surrogateescape"),
            "other.md": f"# Other\n\n[[note]] {secrets['text']}\n",
        },
        config="",
    ).root
    home = Home(tmp_path / "home")
    try:
        with Client.start_daemon(home, vault) as client:
            client.index(IndexRequest())
            for query in (secrets["query"], f'"{secrets["text"]}', f"-{secrets['query']}", secrets["query"] * 500):
                client.search(SearchRequest(query, explain=True, max_wait=30))
            client.related(RelatedRequest("other.md"))
            client.write("new.md", f"# New\n\n{secrets['written']}\n".encode(), None, True)
            client.read("new.md")
            client.status()
    finally:
        run = stop_daemon(home, vault)
    assert run is not None
    logged = {path: path.read_bytes().decode("utf-8", "replace") for path in home.logs.rglob("*") if path.is_file()}
    assert any("POST /v1/search 200" in text for text in logged.values())
    for word in (*secrets.values(), run.token):
        assert [path.name for path, text in logged.items() if word in text] == [], word


def line(message: str, level: str = "info") -> bytes:
    return (
        msgspec.json.encode(
            LogLine(message, "2026-01-02T03:04:05+00:00", level, "holovault.test", "Traceback\n  deep" if level == "error" else None)
        )
        + b"\n"
    )


def test_the_command_line_shows_the_end_of_the_log(tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault", {}).root
    shell = Shell(tmp_path / "home", vault)
    empty = shell.run("service", "logs")
    assert (empty.code, empty.out) == (1, "")
    assert "Nothing has been logged yet" in empty.err
    log = Home(shell.home).log_file(vault_key(vault))
    log.write_bytes(line("first") + line("second \x1b[31m", "error"))
    ended = shell.run("service", "logs", "-n", "1")
    assert ended.code == 0
    assert re.fullmatch(r"2026-01-02T03:04:05\+00:00 error   second ·\[31m\n    Traceback\n    deep\n", ended.out)
    assert [entry["message"] for entry in msgspec.json.decode(shell.run("service", "logs", "--json").out)] == ["first", "second \x1b[31m"]


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C reaches a Windows process by its console only")
def test_the_command_line_follows_the_log_until_it_is_interrupted(tmp_path: Path) -> None:
    import signal
    import subprocess
    import sys

    vault = make_vault(tmp_path / "vault", {}).root
    shell = Shell(tmp_path / "home", vault)
    log = Home(shell.home).log_file(vault_key(vault))
    log.write_bytes(line("first"))
    command = [sys.executable, "-m", "holovault.cli", "service", "logs", "--follow", "--json"]
    with subprocess.Popen(
        command, cwd=vault, env=dict(shell.environment()), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        assert "first" in process.stdout.readline()
        with log.open("ab") as file:
            file.write(line("second"))
        assert "second" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "")
