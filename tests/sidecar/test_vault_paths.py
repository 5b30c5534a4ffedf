"""The one way from a path to the disk: no form of a path leads out of the vault, and odd honest names work."""

import os
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.errors import NotFoundError, PathForbiddenError, UserError
from holovault.vault.names import fault_of
from holovault.vault.places import Places
from tests.support.vault_files import open_vault, put

posix = pytest.mark.skipif(os.name != "posix", reason="links need a privilege on Windows, and some names cannot exist there")

FORBIDDEN = [
    "",
    "..",
    ".",
    "../x.md",
    "a/../../x.md",
    "a/../x.md",
    "a/..",
    "./x.md",
    "a/./x.md",
    "a//x.md",
    "a/",
    "/x.md",
    "/etc/passwd",
    "//server/share/x.md",
    "\\\\server\\share\\x.md",
    "..\\x.md",
    "a\\x.md",
    "C:\\x.md",
    "C:x.md",
    "c:/x.md",
    "\\\\?\\C:\\x.md",
    "file:///etc/passwd",
    "%2e%2e/x.md",
    "%2E%2e/x.md",
    ".%2e/x.md",
    "%252e%252e/x.md",
    "%2525252e%2525252e/x.md",
    "a/%2e%2e%2fx.md",
    "%2fetc%2fpasswd.md",
    "a%5c..%5cx.md",
    "a%00.md",
    "x.md\0",
    "a\0/x.md",
    "x.md:ads",
    "x.md::$DATA",
    "a/x.MD:ads.md",
    "CON.md",
    "con.md",
    "a/Nul.md",
    "aux/x.md",
    "COM1.md",
    "lpt9.txt.md",
    "COM¹.md",
    "CON .md",
    ".../x.md",
    "a/\ud800.md",
    "x" * 256 + ".md",
    "a/" * 2100 + "x.md",
]


@pytest.mark.parametrize("path", FORBIDDEN, ids=lambda path: ascii(path)[:40])
def test_no_form_of_a_path_leads_out_by_resolving_reading_or_writing(tmp_path: Path, path: str) -> None:
    put(tmp_path, "x.md", b"outside")
    root = tmp_path / "vault"
    put(root, "a/y.md")
    vault = open_vault(root)
    for act in (
        lambda: vault.resolve(path),
        lambda: vault.read(path),
        lambda: vault.write(path, b"new", None, create=True),
        lambda: vault.write(path, b"new", "0" * 64, create=False),
    ):
        with pytest.raises(PathForbiddenError) as caught:
            act()
        assert caught.value.code == "PATH_FORBIDDEN"
        str(caught.value).encode("utf-8")
    assert not vault.is_note(path) and not vault.exists(path)
    assert (tmp_path / "x.md").read_bytes() == b"outside"
    assert sorted(str(item.relative_to(root)) for item in root.rglob("*")) == ["a", str(Path("a/y.md"))]


GOOD = [
    "note.md",
    "NOTE.MD",
    "a # b.md",
    "100%.md",
    "50%25.md",
    "a%20b.md",
    "  spaced  name .md",
    "Это заметка.md",
    "👩‍👩‍👧.md",
    "~/home.md",
    "$HOME.md",
    "console.md",
    "COM10.md",
    "a..b.md",
    "...a.md".replace("...", "x..."),
    "[x](y).md",
    "芯片/製品.md",
    "x" * 252 + ".md",
]


@pytest.mark.parametrize("path", GOOD, ids=lambda path: ascii(path)[:40])
def test_an_odd_but_honest_name_is_written_read_and_seen(tmp_path: Path, path: str) -> None:
    vault = open_vault(tmp_path)
    first = vault.write(path, b"one", None, create=True)
    vault.write(path, b"two", first.hash, create=False)
    assert vault.read(path).data == b"two"
    assert [item.path for item in vault.scan().seen] == [path]
    assert vault.note_path(vault.resolve(path)) == path
    assert vault.exists(path) and vault.is_note(path)


@posix
@pytest.mark.parametrize("path", ["a|b.md", "what?.md", 'a "b".md', "12:30 talk.md", "Acme Inc./a.md", "back to <b>.md"])
def test_names_that_only_windows_forbids_work_elsewhere(tmp_path: Path, path: str) -> None:
    vault = open_vault(tmp_path)
    vault.write(path, b"one", None, create=True)
    assert vault.read(path).data == b"one"
    assert [item.path for item in vault.scan().seen] == [path]


@pytest.mark.parametrize("path", ["a|b.md", "what?.md", "12:30.md", "dot./a.md", "space /a.md", "x\n.md"])
def test_names_that_windows_would_change_are_refused_there(path: str) -> None:
    assert fault_of(path, windows=True)
    assert fault_of(path, windows=False) is None


@pytest.mark.skipif(sys.platform == "darwin", reason="the file system there takes both forms for one name")
@posix
def test_a_decomposed_name_on_disk_answers_to_the_composed_path(tmp_path: Path) -> None:
    composed = "Папка й/Мой ёж.md"
    decomposed = unicodedata.normalize("NFD", composed)
    put(tmp_path, decomposed, b"one")
    vault = open_vault(tmp_path)
    for asked in (composed, decomposed):
        found = vault.read(asked)
        assert (found.data, found.state.path, found.state.disk_path) == (b"one", composed, decomposed)
    result = vault.write(composed, b"two", found.state.hash, create=False)
    assert result.path == composed
    assert (tmp_path / decomposed).read_bytes() == b"two"
    assert len(list(tmp_path.rglob("*.md"))) == 1
    with pytest.raises(UserError, match="exists already"):
        vault.write(composed, b"three", None, create=True)


@posix
def test_a_mixed_form_is_found_where_neither_whole_form_is_on_disk(tmp_path: Path) -> None:
    disk = "й" + unicodedata.normalize("NFD", "й") + ".md"
    put(tmp_path, disk, b"one")
    assert open_vault(tmp_path).read("йй.md").state.disk_path == disk


def test_where_case_does_not_count_a_path_gets_the_case_of_the_disk(tmp_path: Path) -> None:
    put(tmp_path, "Notes/Aa.md")
    places = Places(tmp_path, caseless=True)
    assert places.locate("Notes/Aa.md").disk == "Notes/Aa.md"
    assert places.locate("New/Aa.md").disk == "New/Aa.md"


@posix
@pytest.mark.parametrize("target", ["/etc", "..", "../outside", "/"])
def test_a_link_out_of_the_vault_is_refused_to_readers_and_writers(tmp_path: Path, target: str) -> None:
    put(tmp_path, "outside/x.md", b"outside")
    root = tmp_path / "vault"
    put(root, "a.md")
    (root / "out").symlink_to(target)
    (root / "file.md").symlink_to(tmp_path / "outside" / "x.md")
    vault = open_vault(root)
    for path in ("out/x.md", "out/new/x.md", "file.md"):
        for act in (lambda path=path: vault.read(path), lambda path=path: vault.write(path, b"new", None, create=True)):
            with pytest.raises(PathForbiddenError, match="leads out of the vault by a link"):
                act()
        assert not vault.exists(path)
    assert (tmp_path / "outside" / "x.md").read_bytes() == b"outside"
    assert os.listdir(tmp_path / "outside") == ["x.md"]


@posix
def test_links_that_lead_nowhere_or_to_themselves_are_no_notes(tmp_path: Path) -> None:
    (tmp_path / "gone.md").symlink_to(tmp_path / "nothing.md")
    (tmp_path / "self.md").symlink_to("self.md")
    vault = open_vault(tmp_path)
    for path in ("gone.md", "self.md"):
        with pytest.raises(NotFoundError):
            vault.read(path)
        with pytest.raises(UserError):
            vault.write(path, b"new", None, create=True)
    assert sorted(os.listdir(tmp_path)) == ["gone.md", "self.md"]


@posix
def test_a_link_into_what_is_excluded_opens_no_way_in(tmp_path: Path) -> None:
    put(tmp_path, ".obsidian/x.md", b"settings")
    put(tmp_path, "Archive/y.md")
    (tmp_path / "x.md").symlink_to(tmp_path / ".obsidian" / "x.md")
    (tmp_path / "way").symlink_to(tmp_path / "Archive")
    vault = open_vault(tmp_path, "Archive/")
    for path in ("x.md", "way/y.md", ".obsidian/x.md", "Archive/y.md"):
        with pytest.raises(PathForbiddenError, match="excluded"):
            vault.read(path)
        with pytest.raises(PathForbiddenError, match="excluded"):
            vault.write(path, b"new", None, create=True)
    assert (tmp_path / ".obsidian" / "x.md").read_bytes() == b"settings"


@posix
def test_disk_paths_become_vault_paths_under_both_names_of_the_root(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    put(root, "a/b.md")
    (tmp_path / "named").symlink_to(root)
    vault = open_vault(tmp_path / "named")
    assert vault.root == root.resolve()
    for disk in (root / "a/b.md", tmp_path / "named" / "a/b.md", "a/b.md", "./a//b.md"):
        assert vault.note_path(disk) == "a/b.md"
    assert vault.note_path(root) == vault.note_path(tmp_path / "named") == ""
    assert vault.note_path(root / unicodedata.normalize("NFD", "й.md")) == "й.md"
    for disk in (tmp_path / "x.md", "/etc/passwd", "../x.md", root / ".." / "x.md", str(root) + "2/x.md", os.fsdecode(b"\xff.md")):
        with pytest.raises(PathForbiddenError):
            vault.note_path(disk)


@given(
    st.lists(st.sampled_from(["..", ".", "/", "\\", "%2e", "%2f", "%25", "a", "b.md", "C:", "\0", " ", "é", "link", "~"]), max_size=8).map(
        "".join
    )
)
def test_whatever_is_asked_for_lies_inside_or_is_refused(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    root = tmp_path_factory.getbasetemp() / "any-path"
    if not root.exists():
        put(root, "a/b.md")
        if os.name == "posix":
            (root / "link").symlink_to("/")
    try:
        found = open_vault(root).resolve(path)
    except PathForbiddenError:
        return
    assert os.path.realpath(found).startswith(os.path.realpath(root) + os.sep)
