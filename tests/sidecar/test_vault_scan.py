"""What a scan sees, what it lists as a failure, and what it must never take for deleted."""

import json
import os
import socket
import stat
import sys
import unicodedata
from pathlib import Path

import pytest

from holovault.config import VaultConfig
from holovault.errors import NotFoundError, PathForbiddenError, UserError, VaultMissingError
from holovault.vault import Scan, Vault
from holovault.vault.names import printable
from holovault.vault.states import is_in_cloud, is_reparse_point, stood_for
from tests.support.vault_files import child, everybodys_folder, open_vault, put

posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and free names need POSIX")


def paths(scan: Scan) -> list[str]:
    return sorted(item.path for item in scan.seen)


def failed(scan: Scan) -> dict[str, str]:
    return {failure.path: failure.reason for failure in scan.failures}


def test_notes_are_md_files_outside_of_hidden_places(tmp_path: Path) -> None:
    for path in (
        "a.md",
        "B.MD",
        "deep/er/c.md",
        "d.txt",
        "e.md.txt",
        "md",
        ".md",
        ".f.md",
        ".git/g.md",
        ".obsidian/h.md",
        ".trash/i.md",
        "j/.k/l.md",
    ):
        put(tmp_path, path)
    (tmp_path / "folder.md").mkdir()
    put(tmp_path, "folder.md/m.md")
    scan = open_vault(tmp_path).scan()
    assert paths(scan) == ["B.MD", "a.md", "deep/er/c.md", "folder.md/m.md"]
    assert scan.failures == () and scan.complete


def test_a_scan_and_a_read_say_the_same_of_a_file(tmp_path: Path) -> None:
    put(tmp_path, "a/Ёж.md", b"\xef\xbb\xbfone\r\ntwo")
    vault = open_vault(tmp_path)
    (seen,) = vault.scan().seen
    note = vault.read("a/Ёж.md")
    assert note.data == b"\xef\xbb\xbfone\r\ntwo"
    state = note.state
    assert (seen.path, seen.disk_path, seen.size, seen.mtime_ns, seen.ctime_ns, seen.inode) == (
        state.path,
        state.disk_path,
        state.size,
        state.mtime_ns,
        state.ctime_ns,
        state.inode,
    )


@posix
def test_loops_end_and_links_add_nothing_twice(tmp_path: Path) -> None:
    put(tmp_path, "a/x.md")
    for link, target in (("loop", "."), ("a/up", ".."), ("again", "a"), ("y.md", "a/x.md")):
        (tmp_path / link).symlink_to(target)
    scan = open_vault(tmp_path).scan()
    assert paths(scan) == ["a/x.md"]
    assert failed(scan) == {}


@posix
def test_links_out_are_listed_and_never_followed(tmp_path: Path) -> None:
    put(tmp_path, "outside/secret.md")
    root = tmp_path / "vault"
    put(root, "a.md")
    (root / "out").symlink_to("/etc")
    (root / "near").symlink_to(tmp_path / "outside")
    (root / "one.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "nothing.md").symlink_to("missing.md")
    (root / "self.md").symlink_to("self.md")
    (root / "picture.png").symlink_to("/etc/hostname")
    scan = open_vault(root).scan()
    assert paths(scan) == ["a.md"]
    assert sorted(failed(scan)) == ["near", "nothing.md", "one.md", "out", "self.md"]


@posix
def test_pipes_sockets_and_devices_are_listed_and_block_nobody(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / "pipe")
    server = socket.socket(socket.AF_UNIX)
    with server:
        here = os.open(tmp_path, os.O_RDONLY)
        server.bind(f"/proc/self/fd/{here}/sock.md" if sys.platform == "linux" else str(tmp_path / "sock.md"))
        os.close(here)
        vault = open_vault(tmp_path)
        scan = vault.scan()
        assert paths(scan) == ["a.md"]
        assert failed(scan) == {"pipe.md": "is a pipe, not a file", "sock.md": "is a socket, not a file"}
        assert scan.gone(["pipe.md"]) == ("pipe.md",)
        for path in ("pipe.md", "sock.md"):
            with pytest.raises(NotFoundError, match="not a note"):
                vault.read(path)
            with pytest.raises(UserError):
                vault.write(path, b"x", "0" * 64, create=False)
            assert not vault.exists(path)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep one form, or only valid names")
def test_twins_and_names_that_are_no_text_are_listed(tmp_path: Path) -> None:
    composed, decomposed = "й.md", unicodedata.normalize("NFD", "й.md")
    put(tmp_path, composed, b"first")
    put(tmp_path, decomposed, b"second")
    put(tmp_path, unicodedata.normalize("NFD", "ё") + "/in.md")
    put(tmp_path, "ё/in.md", b"first")
    bad = os.fsdecode(b"caf\xe9.md")
    put(tmp_path, bad)
    put(tmp_path, os.fsdecode(b"\xff") + "/in.md")
    put(tmp_path, os.fsdecode(b"\xff.png"))
    scan = open_vault(tmp_path).scan()
    assert paths(scan) == ["й.md", "ё/in.md"]
    assert {item.disk_path for item in scan.seen} == {"ё/in.md", composed}
    assert set(failed(scan)) == {decomposed, unicodedata.normalize("NFD", "ё"), "caf\\xe9.md", "\\xff"}
    assert printable(bad) == "caf\\xe9.md"
    for failure in scan.failures:
        failure.path.encode("utf-8")


@posix
def test_what_no_path_can_name_is_listed_once(tmp_path: Path) -> None:
    put(tmp_path, "aux/a.md")
    put(tmp_path, "aux/b.md")
    put(tmp_path, "con.md")
    put(tmp_path, "back\\slash.md")
    scan = open_vault(tmp_path).scan()
    assert paths(scan) == []
    assert sorted(failed(scan)) == ["aux/", "back\\slash.md", "con.md"]


def test_a_stand_in_of_a_cloud_program_is_no_deletion(tmp_path: Path) -> None:
    put(tmp_path, "a/.Note.md.icloud")
    put(tmp_path, "b/Other.md.nextcloud")
    scan = open_vault(tmp_path).scan()
    assert sorted(failed(scan)) == ["a/Note.md", "b/Other.md"]
    assert scan.gone(["a/Note.md", "b/Other.md", "a/b.md"]) == ("a/b.md",)


def test_placeholders_are_known_by_their_flags_alone() -> None:
    class Found:
        st_mode = stat.S_IFREG
        st_file_attributes = 0
        st_flags = 0

        def __init__(self, attributes: int = 0, flags: int = 0) -> None:
            self.st_file_attributes, self.st_flags = attributes, flags

    for found, elsewhere in (
        (Found(), False),
        (Found(0x20), False),
        (Found(0x400000), True),
        (Found(0x1000), True),
        (Found(0, 0x40000000), True),
    ):
        assert is_in_cloud(found) is elsewhere  # type: ignore[arg-type]
    assert is_reparse_point(Found(0x400))  # type: ignore[arg-type]
    assert not is_in_cloud(os.stat(__file__))
    assert (stood_for(".N.md.icloud"), stood_for("N.md.NEXTCLOUD"), stood_for("N.md"), stood_for(".x.icloud")) == (
        "N.md",
        "N.md",
        None,
        None,
    )


def test_the_vaults_own_exclusions_hold_for_scans_reads_and_words(tmp_path: Path) -> None:
    for path in ("a.md", "Archive/b.md", "Archive/keep.md", "x/Archive/c.md", "d.tmp.md", "Deep/e/f.md"):
        put(tmp_path, path)
    vault = open_vault(tmp_path, "Archive/*", "!Archive/keep.md", "*.tmp.md", "/Deep/")
    assert paths(vault.scan()) == ["Archive/keep.md", "a.md", "x/Archive/c.md"]
    assert vault.excluded_by("Archive/b.md") == "knowledge.toml [vault] exclude: Archive/*"
    assert vault.excluded_by("d.tmp.md") == "knowledge.toml [vault] exclude: *.tmp.md"
    assert vault.excluded_by("a/.b/c.md") == "hidden: .b begins with a dot"
    assert vault.excluded_by("Archive/keep.md") is None
    with pytest.raises(PathForbiddenError, match="excluded"):
        vault.read("Deep/e/f.md")


def app(root: Path, filters: object) -> None:
    put(root, ".obsidian/app.json", json.dumps({"userIgnoreFilters": filters}).encode())


def test_obsidians_excluded_files_are_excluded_here_as_soon_as_they_are(tmp_path: Path) -> None:
    for path in ("a.md", "Templates/b.md", "Old 2020.md", "Old 2021/c.md", "Новое/d.md", "x/Templates/e.md"):
        put(tmp_path, path)
    vault = open_vault(tmp_path)
    assert len(vault.scan().seen) == 6
    app(tmp_path, ["Templates/", "/Old \\d+(?<rest>.*)/", "Нов", 7, ""])
    assert vault.rules_changed()
    assert paths(vault.scan()) == ["a.md", "x/Templates/e.md"]
    assert not vault.rules_changed()
    assert vault.excluded_by("Templates/b.md") == "Obsidian's excluded files: Templates/"
    (tmp_path / ".obsidian" / "app.json").unlink()
    assert len(vault.scan().seen) == 6


def test_half_written_settings_of_obsidian_reveal_nothing(tmp_path: Path) -> None:
    put(tmp_path, "Secret/a.md")
    put(tmp_path, "b.md")
    app(tmp_path, ["Secret/"])
    vault = open_vault(tmp_path)
    put(tmp_path, ".obsidian/app.json", b'{"userIgnoreFil')
    scan = vault.scan()
    assert paths(scan) == ["b.md"]
    assert "as they were before" in failed(scan)[".obsidian/app.json"]
    app(tmp_path, ["/(/", "b.md"])
    scan = vault.scan()
    assert paths(scan) == ["Secret/a.md"]
    assert "not understood" in failed(scan)[".obsidian/app.json"]


def test_a_missing_vault_is_missing_and_not_empty(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    put(root, "a.md")
    vault = open_vault(root)
    known = {"a.md": vault.read("a.md").state}
    root.rename(tmp_path / "away")
    assert not vault.present()
    for act in (
        lambda: vault.scan(known),
        lambda: vault.read("a.md"),
        lambda: vault.write("a.md", b"x", known["a.md"].hash, create=False),
        lambda: vault.write("b.md", b"x", None, create=True),
    ):
        with pytest.raises(VaultMissingError, match="is missing"):
            act()
    assert not root.exists()
    (tmp_path / "away").rename(root)
    assert vault.present() and paths(vault.scan(known)) == ["a.md"]


def test_an_empty_folder_in_the_vaults_place_is_an_unmounted_drive(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    put(root, "a.md")
    vault = open_vault(root)
    known = {"a.md": vault.read("a.md").state}
    root.rename(tmp_path / "away")
    root.mkdir()
    assert not vault.present()
    for seen in (vault, open_vault(root)):
        with pytest.raises(VaultMissingError):
            seen.scan(known)
    with pytest.raises(VaultMissingError):
        vault.read("a.md")
    with pytest.raises(VaultMissingError):
        vault.write("a.md", b"x", None, create=True)
    assert open_vault(root).scan().seen == ()


def test_a_vault_that_was_emptied_is_empty(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    vault = open_vault(tmp_path)
    known = {"a.md": vault.read("a.md").state}
    (tmp_path / "a.md").unlink()
    scan = vault.scan(known)
    assert scan.seen == () and scan.gone(known) == ("a.md",)


def test_a_vault_can_be_named_before_it_is_there(tmp_path: Path) -> None:
    vault = open_vault(tmp_path / "later")
    assert not vault.present()
    put(tmp_path / "later", "a.md")
    assert vault.present() and paths(vault.scan()) == ["a.md"]


@posix
def test_a_folder_that_cannot_be_listed_hides_its_notes_and_deletes_none() -> None:
    with everybodys_folder() as root:
        put(root, "Private/x.md", b"old")
        put(root, "ok/locked.md", b"old").chmod(0)
        put(root, "seen.md")
        (root / "Private").chmod(0)
        with child("refused", str(root), "ok/locked.md") as process:
            read, replaced, created, scanned, changed = process.communicate(timeout=30)[0].splitlines()
        (root / "Private").chmod(0o755)
    assert read.startswith("DiskError: ok/locked.md cannot be read: Permission denied")
    assert changed == read
    assert replaced.startswith("DiskError: ok/locked.md cannot be read: Permission denied")
    assert created == "done" if os.geteuid() else created.startswith("DiskError: ok/locked 2.md could not be written: Permission denied")
    assert scanned == repr((["ok/locked.md", "seen.md"], False, ("Private/",), ["Private/"]))


def test_an_unlisted_folder_covers_what_is_below_it_and_nothing_else() -> None:
    scan = Scan((), (), False, ("Private/",), frozenset({"cloud.md"}))
    assert scan.gone(["Private/x.md", "Private/y/z.md", "Private.md", "cloud.md", "b.md"]) == ("Private.md", "b.md")


def test_a_read_is_bounded(tmp_path: Path) -> None:
    put(tmp_path, "big.md", b"x" * 1_000_001)
    vault = Vault(tmp_path, VaultConfig(max_note_mb=1))
    with pytest.raises(UserError, match="larger than 1 MB"):
        vault.read("big.md")
    with pytest.raises(UserError, match="larger than 1 MB"):
        vault.write("new.md", b"x" * 1_000_001, None, create=True)
    assert [item.path for item in vault.scan().seen] == ["big.md"]


def test_reading_what_is_no_note_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "knowledge.toml")
    (tmp_path / "folder.md").mkdir()
    vault = open_vault(tmp_path)
    with pytest.raises(UserError, match="no note"):
        vault.read("knowledge.toml")
    with pytest.raises(NotFoundError, match="a folder"):
        vault.read("folder.md")
    for path in ("missing.md", "no/such/folder.md", "x" * 250 + ".md"):
        with pytest.raises(NotFoundError, match="There is no note"):
            vault.read(path)
