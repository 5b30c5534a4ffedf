"""Owning a vault's index among real processes: two at once, one killed, one that is busy."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holovault.config import Home, vault_key
from holovault.errors import BusyError
from holovault.ownership import acquire, find, is_held

ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@contextlib.contextmanager
def started(home: Home, vault: Path, port: str = "-") -> Iterator[subprocess.Popen[str]]:
    """A process that tries to own the vault once a line is sent to it."""
    command = [sys.executable, "-m", "tests.support.owner_process", str(home.root), str(vault), port]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    with process:
        try:
            yield process
        finally:
            process.kill()


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_of_processes_that_start_at_once_exactly_one_owns_and_the_others_name_it(home: Home, vault: Path) -> None:
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(started(home, vault)) for _ in range(4)]
        for process in processes:
            go(process)
        words = [said(process) for process in processes]
        owner = processes[words.index("owner")]
        others = [text for text in words if text != "owner"]
        assert len(others) == 3
        assert all(text.startswith("busy") and f"pid {owner.pid}" in text for text in others)


def test_an_owner_killed_at_once_leaves_the_vault_free_and_its_run_file_unheard(home: Home, vault: Path) -> None:
    with started(home, vault, "4711") as process:
        go(process)
        assert said(process) == "owner"
        assert is_held(home, vault_key(vault))
        with pytest.raises(BusyError, match=f"pid {process.pid}"):
            acquire(home, vault, "this test")
        process.kill()
        process.wait(10)
    assert home.run_file(vault_key(vault)).exists()
    assert find(home, vault) is None
    with acquire(home, vault, "this test", 5.0) as lease:
        assert find(home, vault) == lease.run


def test_waiting_for_an_owner_that_finishes_succeeds(home: Home, vault: Path) -> None:
    with started(home, vault) as process:
        go(process)
        assert said(process) == "owner"
        go(process)
        with acquire(home, vault, "this test", 10.0) as lease:
            assert lease.owner == "this test"
