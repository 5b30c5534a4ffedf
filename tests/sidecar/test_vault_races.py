"""Many writers, one note: for each hash exactly one of them wins, in threads and in processes."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import pytest

from holovault.config import VaultConfig
from holovault.errors import BusyError, StaleError
from holovault.vault import Vault
from holovault.vault.locks import WriteLock
from tests.support.vault_files import child, hidden_files, open_vault, put, sha

WON = "won\n"


def outcome(vault: Vault, data: bytes, expected: str | None, start: Barrier) -> bool:
    start.wait(10)
    try:
        vault.write("a/b.md", data, expected, create=expected is None)
    except StaleError:
        return False
    return True


@pytest.mark.parametrize("shared", [True, False], ids=["one door", "a door each"])
def test_of_many_threads_one_wins(tmp_path: Path, shared: bool) -> None:
    put(tmp_path, "a/b.md", b"old")
    one = open_vault(tmp_path)
    for round_ in range(5):
        expected = one.read("a/b.md").state.hash
        start = Barrier(8)
        with ThreadPoolExecutor(8) as pool:
            doors = [one if shared else open_vault(tmp_path) for _ in range(8)]
            texts = [f"{round_} {number}".encode() for number in range(8)]
            won = list(pool.map(outcome, doors, texts, [expected] * 8, [start] * 8))
        assert sum(won) == 1
        assert one.read("a/b.md").data == texts[won.index(True)]
    assert hidden_files(tmp_path) == []


def test_of_many_creators_one_wins(tmp_path: Path) -> None:
    for round_ in range(5):
        root = tmp_path / str(round_)
        root.mkdir()
        vault = open_vault(root)
        start = Barrier(8)
        texts = [str(number).encode() for number in range(8)]
        with ThreadPoolExecutor(8) as pool:
            won = list(pool.map(outcome, [vault] * 8, texts, [None] * 8, [start] * 8))
        assert sum(won) == 1
        assert vault.read("a/b.md").data == texts[won.index(True)]
        assert hidden_files(root) == []


def test_of_many_processes_one_wins(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"old")
    vault = open_vault(tmp_path)
    with ExitStack() as stack:
        writers = [stack.enter_context(child("compete", str(tmp_path), "a.md", f"writer {number}")) for number in range(4)]
        for writer in writers:
            assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
        for _ in range(25):
            expected = vault.read("a.md").state.hash
            for writer in writers:
                assert writer.stdin is not None
                writer.stdin.write(expected + "\n")
                writer.stdin.flush()
            said = [writer.stdout.readline() for writer in writers if writer.stdout]
            assert sorted(said) == ["stale\n", "stale\n", "stale\n", "won\n"]
            assert vault.read("a.md").data == f"writer {said.index(WON)} after {expected}\n".encode()
        for writer in writers:
            if writer.stdin:
                writer.stdin.close()
    assert hidden_files(tmp_path) == []


def test_readers_see_one_whole_text_or_another(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"A" * 200_000)
    vault = open_vault(tmp_path)
    wholes = {b"A" * 200_000, b"B" * 200_000}
    with child("alternate", str(tmp_path), "a.md", "200000") as writer:
        assert writer.stdout is not None
        try:
            for _ in range(30):
                assert vault.read("a.md").data in wholes
                assert writer.stdout.readline() in ("A\n", "B\n")
        finally:
            writer.kill()


def test_a_writer_that_never_finishes_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"old")
    patient = Vault(tmp_path, VaultConfig(), lock_wait_s=0.05)
    with WriteLock(os.path.realpath(tmp_path)).held(), pytest.raises(BusyError, match="try again"):
        patient.write("a.md", b"new", sha(b"old"), create=False)
    patient.write("a.md", b"new", sha(b"old"), create=False)
    assert hidden_files(tmp_path) == []
