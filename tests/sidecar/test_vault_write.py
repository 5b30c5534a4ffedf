"""Writing: with the hash that was read or not at all, whole or not at all, and nothing left lying around."""

import os
import stat
import sys
from pathlib import Path

import pytest

from holovault.errors import DiskError, NotFoundError, PathForbiddenError, StaleError, UsageError
from holovault.vault import PlainSwap, system_swap
from holovault.vault.contents import opened
from holovault.vault.folders import open_folder
from holovault.vault.writer import conflict_name
from tests.support.vault_files import Meddling, child, everybodys_folder, hidden_files, open_vault, put, sha

posix = pytest.mark.skipif(os.name != "posix", reason="modes, links and limits of POSIX")


def test_a_new_note_makes_its_folders_and_is_as_it_was_given(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbfone\r\n\r\ntwo\x00\xff"
    result = open_vault(tmp_path).write("a/b/c.md", data, None, create=True)
    assert (result.path, result.hash, result.created, result.bytes) == ("a/b/c.md", sha(data), True, len(data))
    assert (tmp_path / "a/b/c.md").read_bytes() == data
    assert hidden_files(tmp_path) == []


def test_a_replacement_needs_the_hash_that_was_read(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"old")
    vault = open_vault(tmp_path)
    for expected, words in ((None, "read it first"), ("0" * 64, "has changed"), ("", "has changed"), ("nonsense", "has changed")):
        with pytest.raises(StaleError, match=words) as caught:
            vault.write("a.md", b"new", expected, create=False)
        assert caught.value.current_hash == sha(b"old")
    assert full.read_bytes() == b"old"
    result = vault.write("a.md", b"new", sha(b"old").upper(), create=False)
    assert (result.hash, result.created) == (sha(b"new"), False)
    assert full.read_bytes() == b"new"
    assert hidden_files(tmp_path) == []


def test_creating_never_replaces(tmp_path: Path) -> None:
    full = put(tmp_path, "a/b.md", b"old")
    vault = open_vault(tmp_path)
    with pytest.raises(StaleError, match="exists already") as caught:
        vault.write("a/b.md", b"new", None, create=True)
    assert caught.value.current_hash == sha(b"old")
    with pytest.raises(UsageError, match="not both"):
        vault.write("a/b.md", b"new", sha(b"old"), create=True)
    assert full.read_bytes() == b"old"
    assert hidden_files(tmp_path) == []


def test_replacing_what_is_not_there_writes_nothing(tmp_path: Path) -> None:
    vault = open_vault(tmp_path)
    with pytest.raises(NotFoundError):
        vault.write("a/b.md", b"new", None, create=False)
    for path in ("a/b.md", "b.md"):
        with pytest.raises(StaleError, match="does not exist any more") as caught:
            vault.write(path, b"new", sha(b"old"), create=False)
        assert caught.value.current_hash is None
    assert list(tmp_path.iterdir()) == []


def test_writing_what_is_there_already_changes_nothing(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"same")
    before = full.stat()
    open_vault(tmp_path).write("a.md", b"same", sha(b"same"), create=False)
    after = full.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


@pytest.mark.parametrize("path", [".obsidian/a.md", ".trash/a.md", "a/.hidden/b.md", ".a.md", "Archive/a.md"])
def test_excluded_places_are_not_written_to(tmp_path: Path, path: str) -> None:
    with pytest.raises(PathForbiddenError, match="excluded"):
        open_vault(tmp_path, "Archive/").write(path, b"x", None, create=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["knowledge.toml", "a.txt", "a.md/b", "md", "a.md~", "a/b.mdx"])
def test_only_notes_are_written(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError, match="no note"):
        open_vault(tmp_path).write(path, b"x", None, create=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["a\nb.md", "a\tb.md", "x\u202egnp.md", "a\u2028.md", "\x7f.md"])
def test_a_new_name_has_no_characters_that_cannot_be_seen(tmp_path: Path, path: str) -> None:
    with pytest.raises((UsageError, PathForbiddenError)):
        open_vault(tmp_path).write(path, b"x", None, create=True)
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_note_keeps_its_mode_and_attributes_and_a_new_one_follows_the_umask(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"old")
    full.chmod(0o640)
    tagged = sys.platform == "linux"
    if tagged:
        try:
            os.setxattr(full, "user.tag", b"red")
        except OSError:
            tagged = False
    vault = open_vault(tmp_path)
    vault.write("a.md", b"new", sha(b"old"), create=False)
    assert stat.S_IMODE(full.stat().st_mode) == 0o640
    if tagged and sys.platform == "linux":
        assert os.getxattr(full, "user.tag") == b"red"
    old = os.umask(0o077)
    try:
        vault.write("b.md", b"new", None, create=True)
    finally:
        os.umask(old)
    vault.write("c.md", b"new", None, create=True)
    assert stat.S_IMODE((tmp_path / "b.md").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "c.md").stat().st_mode) == 0o644 & ~old


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can write a file that belongs to somebody else")
def test_a_note_keeps_its_owner(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"old")
    os.chown(full, 12345, 23456)
    open_vault(tmp_path).write("a.md", b"new", sha(b"old"), create=False)
    assert (full.stat().st_uid, full.stat().st_gid) == (12345, 23456)


def test_a_read_only_note_is_left_alone(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"old")
    full.chmod(0o444)
    with pytest.raises(DiskError, match="read-only"):
        open_vault(tmp_path).write("a.md", b"new", sha(b"old"), create=False)
    assert full.read_bytes() == b"old"
    full.chmod(0o644)


@posix
def test_a_linked_note_is_written_through_its_link(tmp_path: Path) -> None:
    put(tmp_path, "real/note.md", b"old")
    (tmp_path / "alias.md").symlink_to("real/note.md")
    (tmp_path / "way").symlink_to("real")
    vault = open_vault(tmp_path)
    assert vault.write("alias.md", b"new", sha(b"old"), create=False).path == "real/note.md"
    assert vault.write("way/note.md", b"newer", sha(b"new"), create=False).path == "real/note.md"
    assert vault.write("way/other.md", b"x", None, create=True).path == "real/other.md"
    assert (tmp_path / "alias.md").is_symlink() and (tmp_path / "way").is_symlink()
    assert (tmp_path / "real/note.md").read_bytes() == b"newer" == vault.read("alias.md").data
    assert hidden_files(tmp_path) == []


def test_the_longest_name_can_be_replaced(tmp_path: Path) -> None:
    path = "й" * 126 + ".md" if os.name == "posix" else "x" * 200 + ".md"
    put(tmp_path, path, b"old")
    open_vault(tmp_path).write(path, b"new", sha(b"old"), create=False)
    assert (tmp_path / path).read_bytes() == b"new"


def test_a_folder_made_for_a_note_that_failed_is_gone_again(tmp_path: Path) -> None:
    put(tmp_path, "a/keep.md")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(DiskError, match="No space left on device"):
        open_vault(tmp_path, swap=Meddling(before=fail)).write("a/b/c/d.md", b"x", None, create=True)
    assert sorted(str(item.relative_to(tmp_path)) for item in tmp_path.rglob("*")) == ["a", str(Path("a/keep.md"))]


def test_a_file_where_a_folder_should_be_is_a_sentence(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"old")
    with pytest.raises(DiskError, match=r"a\.md/b\.md could not be written"):
        open_vault(tmp_path).write("a.md/b.md", b"x", None, create=True)
    assert (tmp_path / "a.md").read_bytes() == b"old"


@posix
def test_a_full_disk_leaves_the_old_note_and_nothing_else(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"old")
    with child("fill", str(tmp_path), "a.md", "100000") as process:
        replaced, created, changed = process.communicate(timeout=30)[0].splitlines()
    assert replaced.startswith("DiskError: a.md could not be written: File too large")
    assert created.startswith("DiskError: new/folder/note.md could not be written: File too large")
    assert changed == replaced
    assert [item.name for item in tmp_path.rglob("*")] == ["a.md"]
    assert (tmp_path / "a.md").read_bytes() == b"old"


@posix
def test_a_folder_that_cannot_be_written_to_leaves_the_note_as_it_was() -> None:
    with everybodys_folder() as root:
        full = put(root, "locked/a.md", b"old")
        full.chmod(0o666)
        (root / "locked").chmod(0o555)
        with child("refused", str(root), "locked/a.md") as process:
            read, replaced, created, _, changed = process.communicate(timeout=30)[0].splitlines()
        assert (read, full.read_bytes()) == ("done", b"old")
        assert replaced == "DiskError: locked/a.md could not be written: Permission denied. The note is as it was before."
        assert created.startswith("DiskError: locked/a 2.md could not be written: Permission denied")
        assert changed == replaced
        assert hidden_files(root) == []
        (root / "locked").chmod(0o755)


@pytest.mark.parametrize("swap", [system_swap(), PlainSwap()], ids=["system", "plain"])
def test_a_hand_edit_between_check_and_swap_is_kept(tmp_path: Path, swap: object) -> None:
    full = put(tmp_path, "a.md", b"old")
    inode = full.stat().st_ino
    meddling = Meddling(before=lambda number: number == 1 and full.write_bytes(b"by hand"), inner=swap)  # type: ignore[arg-type]
    with pytest.raises(StaleError) as caught:
        open_vault(tmp_path, swap=meddling).write("a.md", b"new", sha(b"old"), create=False)
    assert caught.value.current_hash == sha(b"by hand")
    assert full.read_bytes() == b"by hand"
    assert full.stat().st_ino == inode
    assert meddling.exchanges == 2
    assert hidden_files(tmp_path) == []


def test_two_hand_edits_during_one_write_are_both_kept(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"old")

    def edit(number: int) -> None:
        if 1 <= number <= 2:
            replacement = put(tmp_path, "other", b"edit %d" % number)
            os.replace(replacement, full)

    with pytest.raises(StaleError, match="Both texts were kept") as caught:
        open_vault(tmp_path, swap=Meddling(before=edit)).write("a.md", b"new", sha(b"old"), create=False)
    assert caught.value.current_hash == sha(b"edit 2")
    assert full.read_bytes() == b"edit 2"
    (kept,) = [item for item in tmp_path.iterdir() if item != full]
    assert kept.name.startswith("a (conflict ") and kept.suffix == ".md"
    assert kept.read_bytes() == b"edit 1"


@posix
def test_an_edit_into_the_displaced_file_at_the_last_moment_becomes_a_note(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"new")
    displaced = put(tmp_path, "displaced", b"old")
    vault = open_vault(tmp_path)
    place = vault._places.locate("a.md")
    with open_folder(str(vault.root), ()) as folder, opened(folder, "displaced", "a.md") as (descriptor, before):
        vault._writer._look_again(folder, descriptor, before, place)
        assert len(list(tmp_path.iterdir())) == 2
        displaced.write_bytes(b"typed just now")
        displaced.unlink()
        vault._writer._look_again(folder, descriptor, before, place)
    (kept,) = [item for item in tmp_path.iterdir() if item.name != "a.md"]
    assert kept.name.startswith("a (conflict ")
    assert kept.read_bytes() == b"typed just now"


def test_a_note_removed_during_a_write_stays_removed(tmp_path: Path) -> None:
    full = put(tmp_path, "a.md", b"old")
    with pytest.raises(StaleError) as caught:
        open_vault(tmp_path, swap=Meddling(before=lambda _: full.unlink())).write("a.md", b"new", sha(b"old"), create=False)
    assert caught.value.current_hash is None
    assert not full.exists()
    assert hidden_files(tmp_path) == []


def test_a_note_that_appears_during_creation_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(StaleError) as caught:
        open_vault(tmp_path, swap=Meddling(before=lambda _: put(tmp_path, "a.md", b"theirs"))).write("a.md", b"x", None, create=True)
    assert caught.value.current_hash == sha(b"theirs")
    assert (tmp_path / "a.md").read_bytes() == b"theirs"


@posix
def test_a_folder_swapped_for_a_link_after_the_check_is_not_followed(tmp_path: Path) -> None:
    outside = put(tmp_path, "outside/a.md", b"old").parent
    root = tmp_path / "vault"
    put(root, "in/a.md", b"old")
    vault = open_vault(root)
    place = vault._places.locate("in/a.md")
    (root / "in").rename(root / "was")
    (root / "in").symlink_to(outside)
    with pytest.raises(StaleError):
        vault._writer.replace(place, b"new", sha(b"old"))
    with pytest.raises(DiskError):
        vault._writer.create(place, b"new")
    assert (outside / "a.md").read_bytes() == b"old"
    assert [item.name for item in outside.iterdir()] == ["a.md"]


@pytest.mark.parametrize("name", ["a.md", "й" * 126 + ".md", "x" * 252 + ".md", "👩" * 62 + ".md"])
def test_a_conflict_note_has_a_name_that_fits(name: str) -> None:
    made = conflict_name(name, "2026-01-02 030405 17")
    assert made.endswith(" (conflict 2026-01-02 030405 17).md")
    assert len(made.encode("utf-8")) <= 255
