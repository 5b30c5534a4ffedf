"""`holovault token`: made and shown once, listed without the secret, removed for good, with a daemon that runs all the while."""

import os
import re
import urllib.error
import urllib.request
from pathlib import Path

import msgspec
import pytest

from holovault.cli.token import TokenMade, TokensKnown
from holovault.config import Home, load_config, read_tokens
from holovault.ownership import find
from tests.support.practice import NOTES, Practice
from tests.support.shell import Ended, Shell
from tests.support.vaults import make_vault

WITHOUT_MODEL = '[embedding]\nprovider = "none"\n'


@pytest.fixture
def practice(tmp_path: Path) -> Practice:
    vault = make_vault(tmp_path / "Мой vault", NOTES, WITHOUT_MODEL)
    return Practice(vault, Shell(tmp_path / "home", vault.root))


def token(practice: Practice, *arguments: str) -> Ended:
    named = ("--vault", str(practice.vault.root)) if arguments[0] == "add" else ()
    return practice.shell.here("token", *arguments, *named)


def made(practice: Practice, name: str = "phone") -> TokenMade:
    ended = token(practice, "add", name, "--json")
    assert ended.code == 0, ended
    return msgspec.json.decode(ended.out, type=TokenMade)


def status_of(port: int, secret: str) -> int:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/status", headers={"Authorization": f"Bearer {secret}"})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize("command", ["add", "list", "remove"])
def test_every_command_has_help_and_json(practice: Practice, command: str) -> None:
    ended = practice.shell.here("token", command, "--help")
    assert (ended.code, "--json" in ended.out) == (0, True)


def test_a_token_is_shown_once_with_what_to_enter_and_what_to_set(practice: Practice) -> None:
    ended = token(practice, "add", "phone")
    (known,) = read_tokens(practice.home.credentials).tokens
    assert ended.code == 0
    assert ended.out.count(known.secret) == 1
    for part in (
        str(practice.vault.root),
        "http://127.0.0.1:8765",
        "port = 8765",
        'allowed_hosts = ["',
        "service install",
        "token remove phone",
    ):
        assert part in ended.out
    listed = token(practice, "list")
    assert listed.out == f"phone  {known.made}  {practice.vault.root}\n"
    report = msgspec.json.decode(token(practice, "list", "--json").out, type=TokensKnown)
    assert [(one.name, one.vault, one.made) for one in report.tokens] == [("phone", str(practice.vault.root), known.made)]


def test_what_is_set_already_is_not_asked_for_again(practice: Practice) -> None:
    first = made(practice)
    assert (first.url, load_config(first.settings, "").daemon.port) == ("http://127.0.0.1:8765", 8765)
    practice.vault.at("knowledge.toml").write_text(
        WITHOUT_MODEL + '[daemon]\nport = 4711\nallowed_hosts = ["notes.example.org"]\n', "utf-8"
    )
    ended = token(practice, "add", "tablet")
    assert "https://notes.example.org" in ended.out
    assert "port = " not in ended.out
    assert "allowed_hosts = " not in ended.out


@pytest.mark.parametrize(
    ("hosts", "url"),
    [
        ('["127.0.0.1", "localhost", "::1"]', "http://127.0.0.1:8765"),
        ('["127.0.0.1", "notes.example.org"]', "https://notes.example.org"),
        ('["10.8.0.1"]', "http://10.8.0.1:8765"),
        ('["fd00::1"]', "http://[fd00::1]:8765"),
    ],
)
def test_the_address_is_the_name_under_which_somebody_may_ask(practice: Practice, hosts: str, url: str) -> None:
    practice.vault.at("knowledge.toml").write_text(f"[daemon]\nallowed_hosts = {hosts}\n", "utf-8")
    assert made(practice).url == url


def test_refusals_say_why_and_make_nothing(practice: Practice) -> None:
    made(practice)
    before = practice.home.credentials.read_bytes()
    again = token(practice, "add", "phone")
    assert (again.code, again.err.startswith("USAGE: There is a token phone already")) == (2, True)
    gone = token(practice, "remove", "tablet")
    assert (gone.code, gone.err.startswith("NOT_FOUND: There is no token of this name")) == (3, True)
    practice.vault.at("knowledge.toml").write_text("[deamon]\n", "utf-8")
    assert token(practice, "add", "tablet").code == 2
    assert practice.home.credentials.read_bytes() == before
    with practice.home.credentials.open("ab") as file:
        file.write(b"token broken\n")
    listed = token(practice, "list")
    assert (listed.code, "Line 2: a token is written as" in listed.err) == (0, True)


def test_a_running_daemon_follows_and_the_token_is_said_nowhere_else(practice: Practice) -> None:
    practice.up()
    try:
        run = find(practice.home, practice.vault.root)
        assert run is not None
        assert run.port is not None
        phone = made(practice)
        assert (phone.url, phone.vault) == (f"http://127.0.0.1:{run.port}", run.vault)
        assert status_of(run.port, phone.token) == 200
        said = [practice.shell.here(*words, "--vault", str(practice.vault.root)).out for words in (("status",), ("doctor",))]
        assert "These tokens open this vault from elsewhere: phone." in said[1]
        assert token(practice, "remove", "phone").code == 0
        assert status_of(run.port, phone.token) == 401
        assert status_of(run.port, run.token) == 200
        files = [Path(folder, name) for folder, _, names in os.walk(practice.shell.home) for name in names]
        written = [path.read_bytes() for path in files if path.suffix != ".lock"]
        assert len(written) > 3
        assert not re.search(re.escape(phone.token).encode(), b"".join([*written, *(text.encode() for text in said)]))
    finally:
        practice.shell.here("stop", "--vault", str(practice.vault.root))


def test_the_doctor_names_lines_that_do_not_count_and_a_port_that_changes(practice: Practice) -> None:
    made(practice)
    home = Home(practice.shell.home)
    with home.credentials.open("ab") as file:
        file.write(b"token broken\n")
    lines = practice.visit("--no-daemon").named("tokens")
    assert [(line.state, part in line.text) for line, part in zip(lines, ("Line 2: ", "another port"), strict=True)] == [
        ("warning", True),
        ("warning", True),
    ]
