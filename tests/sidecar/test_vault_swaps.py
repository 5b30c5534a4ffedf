"""The ways to put a file in place: the same outcome from each, and each falls back on the next."""

import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holovault.errors import StaleError
from holovault.vault import PlainSwap, Swap, WindowsSwap, system_swap
from holovault.vault.folders import CAN_HOLD, Folder, HandleFolder, PathFolder, open_folder
from holovault.vault.swaps import NativeSwap
from tests.support.vault_files import hidden_files, open_vault, put, sha


def unknown_call(folder: int, name: bytes, new: bytes, how: str) -> None:
    raise OSError(errno.EINVAL, "the file system does not know it")


def like_replace_file(target: str, replacement: str, backup: str) -> None:
    """ReplaceFileW in what it does to names."""
    os.rename(target, backup)
    os.rename(replacement, target)


def breaks_half_way(target: str, replacement: str, backup: str) -> None:
    os.rename(target, backup)
    raise OSError(errno.EIO, "1177: unable to move the replacement")


class NoLinks(PathFolder):
    """A folder of a file system without hard links."""

    def link(self, name: str, new: str) -> None:
        raise OSError(errno.EPERM, "no hard links here")


SWAPS: dict[str, Callable[[], Swap]] = {
    "system": system_swap,
    "plain": PlainSwap,
    "fallback": lambda: NativeSwap(unknown_call, PlainSwap()),
    "windows": lambda: WindowsSwap(like_replace_file),
}
FOLDERS: dict[str, Callable[[str], Folder]] = {"path": PathFolder.at, **({"handle": HandleFolder.at} if CAN_HOLD else {})}


@pytest.fixture(params=sorted(SWAPS))
def swap(request: pytest.FixtureRequest) -> Swap:
    return SWAPS[request.param]()


@pytest.fixture(params=sorted(FOLDERS))
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Folder]:
    with FOLDERS[request.param](os.path.realpath(tmp_path)) as opened:
        yield opened


def names(tmp_path: Path) -> dict[str, bytes]:
    return {item.name: item.read_bytes() for item in tmp_path.iterdir()}


def test_an_exchange_leaves_the_displaced_file_under_the_drafts_name(tmp_path: Path, swap: Swap, folder: Folder) -> None:
    put(tmp_path, "a.md", b"old")
    put(tmp_path, "draft", b"new")
    assert swap.exchange(folder, "draft", "a.md", "aside")
    assert names(tmp_path) == {"a.md": b"new", "draft": b"old"}


def test_an_exchange_with_nothing_makes_nothing(tmp_path: Path, swap: Swap, folder: Folder) -> None:
    put(tmp_path, "draft", b"new")
    with pytest.raises(FileNotFoundError):
        swap.exchange(folder, "draft", "a.md", "aside")
    assert names(tmp_path) == {"draft": b"new"}


def test_placing_never_replaces(tmp_path: Path, swap: Swap, folder: Folder) -> None:
    put(tmp_path, "a.md", b"old")
    put(tmp_path, "draft", b"new")
    with pytest.raises(FileExistsError):
        swap.place(folder, "draft", "a.md")
    assert names(tmp_path) == {"a.md": b"old", "draft": b"new"}
    swap.place(folder, "draft", "b.md")
    assert names(tmp_path) == {"a.md": b"old", "b.md": b"new"}


def test_without_hard_links_a_plain_replace_says_that_it_saw_nothing(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"old")
    put(tmp_path, "draft", b"new")
    with NoLinks.at(os.path.realpath(tmp_path)) as folder:
        assert not PlainSwap().exchange(folder, "draft", "a.md", "aside")
        assert names(tmp_path) == {"a.md": b"new"}
        put(tmp_path, "draft", b"newer")
        with pytest.raises(FileExistsError):
            PlainSwap().place(folder, "draft", "a.md")
        PlainSwap().place(folder, "draft", "b.md")
        assert names(tmp_path) == {"a.md": b"new", "b.md": b"newer"}
        put(tmp_path, "draft", b"x")
        with pytest.raises(FileNotFoundError):
            PlainSwap().exchange(folder, "draft", "gone.md", "aside")


def test_a_note_that_windows_moved_away_and_did_not_replace_comes_back(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"old")
    put(tmp_path, "draft", b"new")
    with PathFolder.at(os.path.realpath(tmp_path)) as folder, pytest.raises(OSError, match="1177"):
        WindowsSwap(breaks_half_way).exchange(folder, "draft", "a.md", "aside")
    assert names(tmp_path) == {"a.md": b"old", "draft": b"new"}


def test_every_way_writes_creates_and_refuses_alike(tmp_path: Path, swap: Swap) -> None:
    vault = open_vault(tmp_path, swap=swap)
    vault.write("a/b.md", b"one", None, create=True)
    vault.write("a/b.md", b"two", sha(b"one"), create=False)
    for expected, create in ((sha(b"one"), False), (None, True)):
        with pytest.raises(StaleError) as caught:
            vault.write("a/b.md", b"three", expected, create=create)
        assert caught.value.current_hash == sha(b"two")
    assert vault.read("a/b.md").data == b"two"
    assert hidden_files(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege on Windows")
def test_both_kinds_of_folder_refuse_links(tmp_path: Path, folder: Folder) -> None:
    put(tmp_path, "outside/a.md")
    (tmp_path / "link").symlink_to("outside")
    (tmp_path / "a.md").symlink_to("outside/a.md")
    with pytest.raises(OSError):
        folder.open("a.md", os.O_RDONLY)
    with pytest.raises(OSError), folder.step("link", False) as inside:
        inside.open("a.md", os.O_RDONLY)


def test_made_folders_are_told(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    made: list[str] = []
    with open_folder(os.path.realpath(tmp_path), ["a", "b", "c"], make=True, made=made):
        assert made == ["a/b", "a/b/c"]
    assert (tmp_path / "a/b/c").is_dir()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="renameat2 is a call of Linux")
def test_linux_exchanges_natively_here(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"old")
    put(tmp_path, "draft", b"new")

    class Never(PlainSwap):
        def exchange(self, folder: Folder, draft: str, target: str, aside: str) -> bool:
            raise AssertionError("the native call was not used")

    native = system_swap()
    assert isinstance(native, NativeSwap)
    with HandleFolder.at(os.path.realpath(tmp_path)) as folder:
        assert NativeSwap(native._rename, Never()).exchange(folder, "draft", "a.md", "aside")
