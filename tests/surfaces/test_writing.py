"""Changing notes over HTTP, through the client and from the command line: one meaning, one refusal, nothing lost on the way."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from holovault.cli import writing
from holovault.cli.entry import make
from holovault.client import Client
from holovault.client.problems import Problem
from holovault.config import Home
from holovault.errors import AmbiguousError, DiskError, NotFoundError, StaleError, UsageError, UserError
from holovault.model import Append, NoteChange, TextEdit, WriteResult
from tests.support.fake_daemon import fake_daemon
from tests.support.fake_engine import FakeEngine, hash_of
from tests.support.servers import Answer, served
from tests.support.shell import Ended, Shell

NOTE = b"# Title\r\none\r\ntwo\r\n"
EDIT = NoteChange(edits=(TextEdit("one", "uno"),))
PATCH = msgspec.json.encode(EDIT)


def patched(engine: FakeEngine, body: bytes, **headers: str) -> Answer:
    async def inside() -> Answer:
        async with served(engine) as server:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return await server.ask("PATCH", "/v1/notes/a.md", body=body, headers=named)

    try:
        return asyncio.run(inside())
    finally:
        engine.close()


def test_a_patch_answers_with_the_new_hash_and_its_lines() -> None:
    for headers in ({}, {"If_Match": "*"}, {"If_Match": f'"{hash_of(NOTE).upper()}"'}):
        engine = FakeEngine({"a.md": NOTE})
        answer = patched(engine, PATCH, **headers)
        result = msgspec.json.decode(answer.body, type=WriteResult)
        assert engine.notes["a.md"] == NOTE.replace(b"one", b"uno")
        assert (answer.status, result.lines, answer.headers["ETag"]) == (200, ((2, 2),), f'"{result.hash}"')


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (PATCH, {"If_Match": f'"{"0" * 64}"'}, 412, "STALE"),
        (PATCH, {"If_Match": '"nonsense"'}, 428, "USAGE"),
        (PATCH, {"If_None_Match": "*"}, 428, "USAGE"),
        (b'{"edits": [{"old": "missing", "new": "x"}]}', {}, 404, "NOT_FOUND"),
        (b'{"edits": [{"old": "o", "new": "x"}]}', {}, 409, "AMBIGUOUS"),
        (b'{"append": {"text": "x", "heading": ["Nope"]}}', {}, 404, "NOT_FOUND"),
        (b"{}", {}, 400, "USAGE"),
        (b'{"edits": [{"old": "a"}]}', {}, 400, "USAGE"),
        (b'{"edits": [{"old": "one", "new": "\\ud800"}]}', {}, 400, "USAGE"),
    ],
)
def test_a_patch_that_is_refused_changes_nothing(body: bytes, headers: dict[str, str], status: int, code: str) -> None:
    engine = FakeEngine({"a.md": NOTE})
    answer = patched(engine, body, **headers)
    problem = msgspec.json.decode(answer.body, type=Problem)
    assert (answer.status, problem.code, engine.notes["a.md"]) == (status, code, NOTE)
    if code == "STALE":
        assert (problem.current_hash, problem.quoted) == (hash_of(NOTE), "-was\n+is")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / ".obsidian").mkdir(parents=True)
    return folder


@pytest.fixture
def shell(tmp_path: Path, vault: Path) -> Shell:
    return Shell(tmp_path / "home", vault)


@pytest.fixture
def engine(shell: Shell, vault: Path) -> Iterator[FakeEngine]:
    fake = FakeEngine({"a.md": NOTE})
    with fake_daemon(Home(shell.home), vault, fake):
        yield fake


def fed(shell: Shell, given: bytes, *arguments: str) -> Ended:
    """The command in a process of its own, with something on its standard input."""
    command = [sys.executable, "-m", "holovault.cli", *arguments]
    ended = subprocess.run(command, cwd=shell.folder, env=shell.environment(), input=given, capture_output=True, timeout=60, check=False)
    return Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def ran(shell: Shell, *arguments: str) -> Ended:
    """The command in this process: quicker, and the same but for its streams."""
    ended = CliRunner().invoke(make(), [*arguments, "--vault", str(shell.folder)], env=dict(shell.environment()))
    return Ended(ended.exit_code, ended.stdout, ended.stderr)


def test_the_client_changes_and_is_refused_as_by_the_engine(shell: Shell, vault: Path, engine: FakeEngine) -> None:
    client = Client.connect_or_none(Home(shell.home), vault)
    assert client is not None
    with client:
        first = client.change("a.md", EDIT, None)
        assert client.change("a.md", NoteChange(append=Append("три")), first.hash).lines == ((4, 4),)
        assert engine.notes["a.md"] == "# Title\r\nuno\r\ntwo\r\nтри\r\n".encode()
        refusals: list[tuple[NoteChange, str | None, type[UserError]]] = [
            (EDIT, first.hash, StaleError),
            (EDIT, "no\r\nhash", StaleError),
            (NoteChange(edits=(TextEdit("twö", "x"),)), None, NotFoundError),
            (NoteChange(edits=(TextEdit("t", "x"),)), None, AmbiguousError),
        ]
        for change, expected, kind in refusals:
            with pytest.raises(kind) as here:
                engine.change("a.md", change, expected)
            with pytest.raises(kind) as there:
                client.change("a.md", change, expected)
            assert (str(here.value), here.value.quoted) == (str(there.value), there.value.quoted)


def test_commands_write_edit_and_append(shell: Shell, engine: FakeEngine) -> None:
    made = fed(shell, b"\xff\x00new\r\n", "write", "новая.md", "--create", "--json")
    assert msgspec.json.decode(made.out, type=WriteResult).hash == hash_of(b"\xff\x00new\r\n")
    assert engine.notes["новая.md"] == b"\xff\x00new\r\n"
    text = shell.folder / "text.txt"
    text.write_bytes(b"whole")
    assert ran(shell, "write", "новая.md", "--file", str(text), "--expected-hash", hash_of(b"\xff\x00new\r\n")).code == 0
    assert engine.notes["новая.md"] == b"whole"
    changed = ran(shell, "edit", "a.md", "--old", "one", "--new", "-1", "--old", "two\n", "--new", "")
    assert (changed.code, changed.out.splitlines()[0]) == (0, "Changed a.md:2, 3 (13 bytes)")
    assert engine.notes["a.md"] == b"# Title\r\n-1\r\n"
    assert fed(shell, "\ufeffдва\n".encode(), "append", "a.md", "--heading", "Title").code == 0
    assert ran(shell, "append", "a.md", "three", "--heading", "More", "--create-heading", "--json").code == 0
    assert engine.notes["a.md"] == "# Title\r\n-1\r\nдва\r\n\r\n## More\r\n\r\nthree\r\n".encode()


def test_a_refused_command_says_why_and_shows_the_lines_of_the_note_apart(shell: Shell, engine: FakeEngine) -> None:
    engine.notes["a.md"] = b"the quick \x1b[31m brown fox\n"
    ended = shell.run("edit", "a.md", "--old", "the quick brown fox", "--new", "x")
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.splitlines() == [
        "NOT_FOUND: The old text does not stand in a.md. Nothing was changed; read the note again and copy the text as it is.",
        "  | 1: the quick ·[31m brown fox",
    ]
    assert engine.notes == {"a.md": b"the quick \x1b[31m brown fox\n"}


def test_a_command_that_cannot_be_understood_asks_nobody(vault: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "edits.json"
    wrong.write_text("{}", encoding="utf-8")
    calls: list[tuple[Callable[[], None], type[UserError], str]] = [
        (lambda: writing.write("a.md", vault=vault), UsageError, "either --create"),
        (lambda: writing.write("a.md", create=True, expected_hash="0" * 64, vault=vault), UsageError, "either --create"),
        (
            lambda: writing.write("a.md", file=tmp_path / "no.txt", create=True, vault=vault),
            DiskError,
            "no.txt cannot be read: No such file",
        ),
        (lambda: writing.edit("a.md", vault=vault), UsageError, "Give texts as"),
        (lambda: writing.edit("a.md", old=["x"], vault=vault), UsageError, "needs its --new"),
        (lambda: writing.edit("a.md", old=["x"], new=["y"], edits=str(wrong), vault=vault), UsageError, "Give texts as"),
        (lambda: writing.edit("a.md", edits=str(wrong), vault=vault), UsageError, "no JSON list"),
    ]
    for call, kind, words in calls:
        with pytest.raises(kind, match=words):
            call()
    wrong.write_text('[{"old": "one", "new": "two", "count": 3}]', encoding="utf-8")
    assert writing._listed(str(wrong)) == (TextEdit("one", "two", 3),)
    with pytest.raises(UsageError, match="not UTF-8"):
        writing._decoded(b"\xff", "standard input")


@pytest.mark.parametrize("command", ["write", "edit", "append"])
def test_every_command_has_help_and_json(command: str) -> None:
    ended = CliRunner().invoke(make(), [command, "--help"], env={"COLUMNS": "200"})
    assert ended.exit_code == 0 and "--json" in ended.output and "--expected-hash" in ended.output


def test_without_a_daemon_the_commands_do_the_same(shell: Shell, vault: Path) -> None:
    (vault / "knowledge.toml").write_text('[embedding]\nprovider = "none"\n', encoding="utf-8")
    (vault / "a.md").write_bytes(NOTE)
    hash_ = hash_of(NOTE)
    assert ran(shell, "edit", "a.md", "--old", "one", "--new", "elderberries", "--expected-hash", hash_, "--no-daemon").code == 0
    stale = ran(shell, "append", "a.md", "x", "--expected-hash", hash_, "--no-daemon")
    assert stale.code == 3 and stale.err.startswith("STALE: a.md has changed since it was read.")
    assert (vault / "a.md").read_bytes() == NOTE.replace(b"one", b"elderberries")
