"""Changing a note in place: on top of what others wrote meanwhile, or not at all."""

import os
import shutil
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from holovault.config import VaultConfig
from holovault.errors import BusyError, NotFoundError, PathForbiddenError, StaleError, TooLargeError, UsageError, VaultMissingError
from holovault.vault import Vault
from tests.support.vault_files import Meddling, child, hidden_files, open_vault, put, sha


def more(data: bytes) -> bytes:
    return data + b"more\n"


def test_a_change_without_a_hash_lands_on_top_of_what_others_wrote_meanwhile(tmp_path: Path) -> None:
    for times in (1, 3):
        full = put(tmp_path, "a.md", b"old\n")
        other = open_vault(tmp_path)

        def overtake(number: int, times: int = times, other: Vault = other, full: Path = full) -> None:
            if number < 2 * times and number % 2:
                os.replace(put(tmp_path, "draft", full.read_bytes() + b"theirs\n"), full)

        result = open_vault(tmp_path, swap=Meddling(before=overtake)).change("a.md", more, None)
        assert full.read_bytes() == b"old\n" + b"theirs\n" * times + b"more\n"
        assert result.hash == sha(full.read_bytes())
    assert hidden_files(tmp_path) == []


def test_a_change_that_somebody_overtakes_for_ever_gives_up_and_changes_nothing(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"0")

    def overtake(number: int) -> None:
        if number % 2:
            os.replace(put(tmp_path, "draft", b"%d" % number), full)

    with pytest.raises(StaleError, match="has changed"):
        open_vault(tmp_path, swap=Meddling(before=overtake)).change("a.md", more, None)
    assert full.read_bytes() == b"7"
    assert hidden_files(tmp_path) == []


def test_a_change_with_a_hash_is_for_that_version_only(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"old\n")
    vault = open_vault(tmp_path)
    asked: list[bytes] = []
    with pytest.raises(StaleError) as caught:
        vault.change("a.md", lambda data: (asked.append(data), data)[1], "0" * 64)  # type: ignore[func-returns-value]
    assert caught.value.current_hash == sha(b"old\n") and asked == []
    vault.change("a.md", more, sha(b"old\n").upper())
    assert full.read_bytes() == b"old\nmore\n"

    def overtake(number: int) -> None:
        if number == 1:
            full.write_bytes(b"theirs")

    with pytest.raises(StaleError) as caught:
        open_vault(tmp_path, swap=Meddling(before=overtake)).change("a.md", more, sha(b"old\nmore\n"))
    assert full.read_bytes() == b"theirs" and caught.value.current_hash == sha(b"theirs")


def test_a_change_that_fails_or_changes_nothing_leaves_the_file_alone(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"old\n")
    before = full.stat()
    vault = open_vault(tmp_path)

    def fail(data: bytes) -> bytes:
        raise UsageError("no")

    with pytest.raises(UsageError, match="no"):
        vault.change("a.md", fail, None)
    assert vault.change("a.md", lambda data: data, None).hash == sha(b"old\n")
    with pytest.raises(TooLargeError):
        Vault(tmp_path, VaultConfig(max_note_mb=1)).change("a.md", lambda data: data + b"x" * 2_000_000, None)
    after = full.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert hidden_files(tmp_path) == []


def test_only_notes_that_are_there_are_changed(tmp_path: Path) -> None:
    put(tmp_path, "Archive/a.md")
    vault = open_vault(tmp_path, "Archive/")
    for path, kind in (
        ("b.md", NotFoundError),
        ("Archive/a.md", PathForbiddenError),
        ("../a.md", PathForbiddenError),
        ("a.txt", UsageError),
    ):
        with pytest.raises(kind):
            vault.change(path, more, None)
    shutil.rmtree(tmp_path)
    with pytest.raises(VaultMissingError):
        vault.change("a.md", more, None)
    assert not tmp_path.exists()


def test_a_folder_that_vanishes_during_a_change_takes_nothing_else_with_it(tmp_path: Path) -> None:
    put(tmp_path, "a/b.md", b"old\n")
    put(tmp_path, "keep.md", b"keep")
    vault = open_vault(tmp_path, swap=Meddling(before=lambda _: shutil.rmtree(tmp_path / "a")))
    with pytest.raises(StaleError) as caught:
        vault.change("a/b.md", more, None)
    assert caught.value.current_hash is None
    assert [path.name for path in tmp_path.rglob("*")] == ["keep.md"]


def test_of_many_processes_that_change_one_note_none_loses_a_line(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"# Log\n")
    names = [f"writer {number}" for number in range(4)]
    with ExitStack() as stack:
        writers = [stack.enter_context(child("add_lines", str(tmp_path), "a.md", name, "6")) for name in names]
        for writer in writers:
            assert writer.stdout and writer.stdout.readline() == "ready\n"
        for writer in writers:
            assert writer.stdin
            writer.stdin.write("go\n")
            writer.stdin.flush()
        assert [writer.stdout.readline() for writer in writers if writer.stdout] == ["done\n"] * 4
    lines = full.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Log"
    assert sorted(lines[1:]) == sorted(f"{name} {number}" for name in names for number in range(6))
    for name in names:
        assert [line for line in lines if line.startswith(name)] == [f"{name} {number}" for number in range(6)]
    assert hidden_files(tmp_path) == []


def test_a_change_waits_for_a_writer_at_work_and_not_for_ever(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"old\n")
    entered, leave = threading.Event(), threading.Event()

    def hold(_: int) -> None:
        entered.set()
        leave.wait(10)

    slow = threading.Thread(target=lambda: open_vault(tmp_path, swap=Meddling(before=hold)).change("a.md", more, None))
    slow.start()
    assert entered.wait(10)
    with pytest.raises(BusyError):
        Vault(tmp_path, VaultConfig(), lock_wait_s=0.05).change("a.md", more, None)
    leave.set()
    slow.join(10)
    assert (tmp_path / "a.md").read_bytes() == b"old\nmore\n"
