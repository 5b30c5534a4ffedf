"""Long-lived tokens in the file `credentials`: beside API keys, by hand or by command, and never at the cost of another line."""

import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holovault.config import Home, add_token, read_key, read_tokens, remove_token, write_private
from holovault.config.tokenlines import MOST
from holovault.errors import DiskError, NotFoundError, UsageError

SECRET = "0123456789abcdefghijABCDEFGHIJ-_"
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
VAULT = os.path.abspath("/vaults/Мои заметки")
# A comment, a BOM, two ways to end a line, a tab, bytes that are no text, and a last line without its end.
BY_HAND = b"\xef\xbb\xbf# mine\r\nA_KEY = sk-1\r\n\r\n\ttoken = sk-of-the-variable-token\r\n\xff\xfe\nexport B_KEY='sk-2'"
posix_only = pytest.mark.skipif(os.name != "posix", reason="modes and odd names of files are POSIX")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def write(home: Home, text: str | bytes, mode: int = 0o600) -> None:
    home.credentials.write_bytes(text if isinstance(text, bytes) else text.encode())
    home.credentials.chmod(mode)


def test_a_token_is_made_strong_and_in_a_file_of_this_user_alone(home: Home) -> None:
    one, other = add_token(home, "phone", VAULT, NOW), add_token(home, "Планшет", VAULT, NOW)
    assert read_tokens(home.credentials).tokens == (one, other)
    assert (one.name, one.vault, one.made) == ("phone", VAULT, "2026-12-01T09:30:00Z")
    assert len(one.secret) >= 43
    assert one.secret != other.secret
    assert one.secret not in repr(one)
    if os.name == "posix":
        assert home.credentials.stat().st_mode & 0o777 == 0o600


def test_every_other_byte_of_the_file_stays_when_a_token_comes_and_goes(home: Home) -> None:
    write(home, BY_HAND)
    token = add_token(home, "phone", VAULT, NOW)
    added = f"\r\ntoken phone = {token.secret} 2026-12-01T09:30:00Z {VAULT}\r\n".encode()
    assert home.credentials.read_bytes() == BY_HAND + added
    add_token(home, "tablet", VAULT, NOW)
    remove_token(home, "phone")
    assert home.credentials.read_bytes().startswith(BY_HAND + b"\r\ntoken tablet = ")
    remove_token(home, "tablet")
    assert home.credentials.read_bytes() == BY_HAND + b"\r\n"


def test_tokens_and_api_keys_cannot_be_taken_for_each_other(home: Home) -> None:
    write(home, "token = sk-1\ntokenA = sk-2\n")
    token = add_token(home, "A_KEY", VAULT, NOW)
    assert read_key("token", home.credentials, {}).secret == "sk-1"
    with pytest.raises(NotFoundError):
        read_key("A_KEY", home.credentials, {})
    assert read_tokens(home.credentials).tokens == (token,)
    assert read_tokens(home.credentials).problems == ()
    for name in ("token", "tokenA"):
        with pytest.raises(NotFoundError):
            remove_token(home, name)


@pytest.mark.parametrize("line", ["token phone={} 2026-12-01 {}", "\ttoken  phone  =  {}  2026-12-01T09:30:00+03:00  {} \r"])
def test_a_line_by_hand_is_read_however_it_is_spaced(home: Home, line: str) -> None:
    write(home, "# token other = x\n" + line.format(SECRET, VAULT) + "\n")
    (token,) = read_tokens(home.credentials).tokens
    assert (token.name, token.secret, token.vault) == ("phone", SECRET, VAULT)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("token phone", "is written as token NAME = SECRET WHEN VAULT"),
        ("token {secret}", "is written as token NAME = SECRET WHEN VAULT"),
        ("token phone = {secret}", "is written as"),
        ("token phone = {secret} 2026-12-01", "is written as"),
        ("token phone = {secret} {vault}", "is written as"),
        ("token my phone = {secret} 2026-12-01 {vault}", "is written as"),
        ("token phone = short 2026-12-01 {vault}", "the token phone is shorter than 32"),
        ('token phone = "{secret}" 2026-12-01 {vault}', "that no request carries"),
        ("token last = {secret} 2026-12-01 {vault}", "another line is the token last already"),
    ],
)
def test_a_line_that_is_no_token_opens_nothing_and_is_named_by_its_number(home: Home, line: str, reason: str) -> None:
    good = f"token last = {SECRET.lower()} 2026-12-01 {VAULT}"
    write(home, f"A_KEY = a\n{good}\n{line.format(secret=SECRET, vault=VAULT)}\n")
    found = read_tokens(home.credentials)
    assert [token.secret for token in found.tokens] == [SECRET.lower()]
    (problem,) = found.problems
    assert problem.startswith("Line 3: ")
    assert reason in problem
    assert SECRET not in problem


def test_a_token_in_the_first_line_of_a_file_from_a_windows_editor_is_found(home: Home) -> None:
    write(home, b"\xef\xbb\xbf" + f"token phone = {SECRET} 2026-12-01 {VAULT}\r\nA_KEY = a\r\n".encode())
    assert [token.name for token in read_tokens(home.credentials).tokens] == ["phone"]
    remove_token(home, "phone")
    assert home.credentials.read_bytes() == b"A_KEY = a\r\n"


def test_a_line_that_does_not_count_can_be_removed_and_its_name_is_taken(home: Home) -> None:
    write(home, "token phone = short\ntoken phone = shorter\nA_KEY = a\n")
    with pytest.raises(UsageError, match="a token phone already"):
        add_token(home, "phone", VAULT, NOW)
    remove_token(home, "phone")
    assert home.credentials.read_bytes() == b"A_KEY = a\n"


def test_a_name_is_the_same_however_its_accents_were_typed(home: Home) -> None:
    add_token(home, "Tele\u0301fono", VAULT, NOW)
    with pytest.raises(UsageError, match="already"):
        add_token(home, "Tel\u00e9fono", VAULT, NOW)
    remove_token(home, "Tele\u0301fono")
    assert read_tokens(home.credentials).tokens == ()


def test_there_are_as_many_tokens_as_a_handshake_can_answer(home: Home) -> None:
    for number in range(MOST):
        add_token(home, f"device{number}", VAULT, NOW)
    with pytest.raises(UsageError, match=f"There are {MOST} tokens"):
        add_token(home, "one-more", VAULT, NOW)
    write(home, home.credentials.read_bytes() + f"token by-hand = {SECRET} 2026-12-01 {VAULT}\n".encode())
    found = read_tokens(home.credentials)
    assert len(found.tokens) == MOST
    assert found.problems == (f"Line {MOST + 1}: {MOST} tokens count at most, so by-hand does not. Remove others.",)


@pytest.mark.parametrize("name", ["", "my phone", "a=b", "x" * 41, "a\nb", "../x", "'"])
def test_a_name_that_no_line_can_hold_is_refused(home: Home, name: str) -> None:
    with pytest.raises(UsageError, match="up to 40 letters"):
        add_token(home, name, VAULT, NOW)
    with pytest.raises(NotFoundError, match="no token of this name"):
        remove_token(home, name)
    assert not home.credentials.exists()


@pytest.mark.parametrize("vault", ["/vaults/a\nA_KEY = evil", "/vaults/blank ", "/vaults/a\r"])
def test_a_path_that_no_line_can_hold_is_refused(home: Home, vault: str) -> None:
    with pytest.raises(UsageError, match="Rename the folder"):
        add_token(home, "phone", vault, NOW)


def test_a_token_opens_the_vault_of_its_line_and_no_other(home: Home) -> None:
    token = add_token(home, "phone", VAULT, NOW)
    assert token.opens(VAULT)
    assert not token.opens(VAULT + "2")
    assert not token.opens(os.path.dirname(VAULT))


@posix_only
def test_a_vault_whose_path_is_no_text_has_a_token_as_well(home: Home) -> None:
    vault = os.fsdecode(b"/vaults/\xff\xfe")
    add_token(home, "phone", vault, NOW)
    assert read_tokens(home.credentials).tokens[0].opens(vault)


@posix_only
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_can_read_is_refused_and_left_as_it_is(home: Home, mode: int) -> None:
    content = f"token phone = {SECRET} 2026-12-01 {VAULT}\n".encode()
    write(home, content, mode)
    for attempt in (lambda: read_tokens(home.credentials), lambda: add_token(home, "b", VAULT, NOW), lambda: remove_token(home, "phone")):
        with pytest.raises(DiskError, match=rf"\(mode {mode:04o}\), so no token is read from it: run chmod 600") as caught:
            attempt()
        assert SECRET not in str(caught.value)
    assert home.credentials.read_bytes() == content


def test_a_file_beyond_all_measure_is_refused_and_never_cut(home: Home) -> None:
    content = b"#" * ((1 << 20) + 1)
    write(home, content)
    with pytest.raises(DiskError, match="larger than 1 MB"):
        add_token(home, "phone", VAULT, NOW)
    assert home.credentials.read_bytes() == content


@posix_only
def test_a_link_to_a_file_elsewhere_stays_a_link(home: Home, tmp_path: Path) -> None:
    real = tmp_path / "secrets"
    write_private(real, b"A_KEY = a\n")
    home.credentials.symlink_to(real)
    token = add_token(home, "phone", VAULT, NOW)
    assert home.credentials.is_symlink()
    assert token.secret.encode() in real.read_bytes()


def test_commands_at_the_same_time_lose_no_token(home: Home) -> None:
    names = [f"device{number}" for number in range(8)]
    threads = [threading.Thread(target=add_token, args=(home, name, VAULT, NOW)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(token.name for token in read_tokens(home.credentials).tokens) == names
