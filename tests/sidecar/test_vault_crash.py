"""Killed at any point: the old text or the new one, never half of one, and no hand edit is lost."""

import os
import random
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holovault.config import VaultConfig
from holovault.vault import Vault
from tests.support.vault_files import child, hidden_files, open_vault, put, sha

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a signal of POSIX")

SIZE = 150_000


def later(root: Path, hours: float) -> Vault:
    """The vault as somebody sees it that much later."""
    return Vault(root, VaultConfig(), now=lambda: datetime.now(UTC) + timedelta(hours=hours))


def test_a_writer_killed_at_any_point_leaves_a_whole_text_that_it_acknowledged_or_was_writing(tmp_path: Path) -> None:
    chance = random.Random(7)
    for _ in range(8):
        put(tmp_path, "a.md", b"A" * SIZE)
        with child("alternate", str(tmp_path), "a.md", str(SIZE)) as writer:
            assert writer.stdout is not None
            acknowledged = [writer.stdout.readline()[0] for _ in range(chance.randint(1, 12))]
            writer.kill()
            acknowledged += [line[0] for line in writer.stdout.read().splitlines()]
        data = (tmp_path / "a.md").read_bytes()
        last = acknowledged[-1]
        assert data in (last.encode() * SIZE, ("A" if last == "B" else "B").encode() * SIZE)
        assert [item.path for item in open_vault(tmp_path).scan().seen] == ["a.md"]
    sweep = later(tmp_path, 2).sweep()
    assert sweep.rescued == ()
    assert hidden_files(tmp_path) == []


@pytest.mark.parametrize(("task", "text"), [("die_before", b"old"), ("die_after", b"new")])
def test_a_writer_killed_around_the_swap_leaves_one_of_both_and_something_to_sweep(tmp_path: Path, task: str, text: bytes) -> None:
    put(tmp_path, "a/b.md", b"old")
    with child(task, str(tmp_path), "a/b.md") as writer:
        assert writer.wait(30) == -9
    assert (tmp_path / "a/b.md").read_bytes() == text
    assert len(hidden_files(tmp_path)) == 1
    vault = open_vault(tmp_path)
    scan = vault.scan()
    assert [item.path for item in scan.seen] == ["a/b.md"] and scan.failures == ()
    sweep = vault.sweep(scan)
    assert (sweep.removed, sweep.rescued) == (1, ())
    assert hidden_files(tmp_path) == []
    assert (tmp_path / "a/b.md").read_bytes() == text
    vault.write("a/b.md", b"next", sha(text), create=False)


def test_a_hand_edit_that_a_killed_writer_displaced_becomes_a_note(tmp_path: Path) -> None:
    put(tmp_path, "a/b.md", b"old")
    with child("die_over_an_edit", str(tmp_path), "a/b.md") as writer:
        assert writer.wait(30) == -9
    sweep = open_vault(tmp_path).sweep()
    (rescued,) = sweep.rescued
    assert rescued.startswith("a/Recovered (conflict ")
    assert (tmp_path / rescued).read_bytes() == b"by hand"
    assert hidden_files(tmp_path) == []
    assert {item.path for item in open_vault(tmp_path).scan().seen} == {"a/b.md", rescued}


def test_an_unfinished_draft_is_left_to_its_writer_for_an_hour(tmp_path: Path) -> None:
    put(tmp_path, "z.md")
    with child("die_creating", str(tmp_path), "a/b.md") as writer:
        assert writer.wait(30) == -9
    assert not (tmp_path / "a/b.md").exists()
    (draft,) = hidden_files(tmp_path)
    assert open_vault(tmp_path).sweep().removed == 0
    assert hidden_files(tmp_path) == [draft]
    assert later(tmp_path, 1.1).sweep().removed == 1
    assert hidden_files(tmp_path) == []


def test_a_leftover_that_is_still_a_note_under_its_own_name_is_just_removed(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"text")
    os.link(full, tmp_path / f".holovault-{'0' * 16}-{'1' * 64}-{'2' * 64}.aside")
    assert open_vault(tmp_path).sweep().removed == 1
    assert full.read_bytes() == b"text"


def test_hidden_files_of_others_are_never_touched(tmp_path: Path) -> None:
    names = [".holovault-notes.md", ".holovault-", f".holovault-{'0' * 16}.part.md", ".syncthing.a.md.tmp"]
    for name in names:
        os.utime(put(tmp_path, name), (0, 0))
    assert open_vault(tmp_path).sweep().removed == 0
    assert sorted(os.listdir(tmp_path)) == sorted(names)
    shutil.rmtree(tmp_path)
