"""API keys: where they come from, when they are refused, and that no message repeats one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from holovault.config import Home, Key, read_key
from holovault.errors import DiskError, NotFoundError, UsageError, UserError

SECRET = "sk-0123456789abcdefghij"
posix_only = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")


@pytest.fixture
def credentials(tmp_path: Path) -> Path:
    return Home(tmp_path / "home").credentials


def write(path: Path, text: str, mode: int = 0o600) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def test_the_environment_goes_before_the_file(credentials: Path) -> None:
    write(credentials, "A_KEY = from-the-file\n")
    assert read_key("A_KEY", credentials, {"A_KEY": f" {SECRET}\n"}) == Key("A_KEY", "environment", SECRET)


def test_an_empty_variable_is_as_good_as_none(credentials: Path) -> None:
    write(credentials, f"A_KEY={SECRET}")
    assert read_key("A_KEY", credentials, {"A_KEY": " "}) == Key("A_KEY", "credentials", SECRET)


def test_the_environment_is_this_processes_own_unless_another_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", SECRET)
    assert read_key("A_KEY", None).source == "environment"


@pytest.mark.parametrize(
    "line",
    [
        f"A_KEY={SECRET}",
        f"  A_KEY  =  {SECRET}  ",
        f'A_KEY = "{SECRET}"',
        f"A_KEY='{SECRET}'",
        f"export A_KEY={SECRET}",
        f"\ufeffA_KEY={SECRET}",
    ],
)
def test_a_line_is_read_however_it_is_written(credentials: Path, line: str) -> None:
    write(credentials, f"{line}\r\n# A_KEY=commented\nANOTHER_KEY=x\nnonsense\n")
    assert read_key("A_KEY", credentials, {}).secret == SECRET


def test_a_key_that_is_nowhere_is_named_with_both_places(credentials: Path) -> None:
    for content in (None, "# A_KEY=commented\nB_KEY=x\nA_KEY=\n"):
        if content is not None:
            write(credentials, content)
        with pytest.raises(NotFoundError, match=r"variable A_KEY is not set in this process, and .*credentials has no line A_KEY"):
            read_key("A_KEY", credentials, {})
    with pytest.raises(NotFoundError, match="A_KEY is not set in this process: set it"):
        read_key("A_KEY", None, {})


@posix_only
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_can_read_is_refused_with_what_to_do(credentials: Path, mode: int) -> None:
    write(credentials, f"A_KEY={SECRET}\n", mode)
    with pytest.raises(DiskError, match=rf"\(mode {mode:04o}\), so no key is read from it: run chmod 600") as caught:
        read_key("A_KEY", credentials, {})
    assert SECRET not in str(caught.value)


@posix_only
def test_a_pipe_in_place_of_the_file_does_not_hang(credentials: Path) -> None:
    os.mkfifo(credentials, 0o600)
    with pytest.raises(DiskError, match="no ordinary file"):
        read_key("A_KEY", credentials, {})


def test_a_folder_in_place_of_the_file_is_named(credentials: Path) -> None:
    credentials.mkdir(0o700)
    with pytest.raises(DiskError, match="credentials"):
        read_key("A_KEY", credentials, {})


@pytest.mark.parametrize("bad", ["sk-1 2", "sk-1\nX-Header: 2", "sk-ключ", "sk-\x00"])
def test_a_key_that_no_request_could_carry_is_refused_without_being_shown(bad: str) -> None:
    with pytest.raises(UsageError, match="the environment variable A_KEY holds characters that no key has") as caught:
        read_key("A_KEY", None, {"A_KEY": bad})
    assert "sk-" not in str(caught.value)


def test_a_key_does_not_show_itself() -> None:
    assert SECRET not in repr(Key("A_KEY", "environment", SECRET))
    assert SECRET not in str(Key("A_KEY", "environment", SECRET))


def test_no_traceback_of_a_refusal_holds_the_key(credentials: Path) -> None:
    write(credentials, f"A_KEY={SECRET} {SECRET}\n")
    program = f"from pathlib import Path; from holovault.config import read_key; read_key('A_KEY', Path({str(credentials)!r}), {{}})"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)
    assert "UsageError" in ended.stderr
    assert SECRET not in ended.stderr
    assert issubclass(UsageError, UserError)
