"""The folder outside the vault: private, found by the environment, never inside a vault."""

import os
import stat
from pathlib import Path

import pytest

from holovault.config import Home, find_vault, private_folder, vault_key, write_private
from holovault.errors import DiskError, UsageError

posix = pytest.mark.skipif(os.name != "posix", reason="Windows inherits the profile folder's access lists")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_environment_says_where_it_is(tmp_path: Path) -> None:
    assert Home.from_environment({"HOLOVAULT_HOME": str(tmp_path / "x")}).root == tmp_path / "x"
    assert Home.from_environment({}).root == Path.home() / ".holovault"
    assert Home.from_environment({"HOLOVAULT_HOME": " "}).root == Path.home() / ".holovault"
    assert Home.from_environment({"HOLOVAULT_HOME": "~/hv"}).root == Path.home() / "hv"
    assert Home.from_environment({"HOLOVAULT_HOME": "relative"}).root == Path.cwd() / "relative"


@posix
def test_only_the_user_can_open_what_is_kept(tmp_path: Path) -> None:
    home = Home(tmp_path / "deep" / "home")
    for folder in (
        home.index("0123456789abcdef"),
        home.models,
        home.logs,
        home.run_file("0123456789abcdef").parent,
        home.index_root,
        home.root,
    ):
        assert mode(folder) == 0o700
    write_private(home.credentials, b"key")
    assert mode(home.credentials) == 0o600
    assert home.credentials.read_bytes() == b"key"
    assert [path.name for path in home.root.iterdir() if path.name.startswith(".")] == []


@posix
def test_an_open_folder_of_ours_is_closed_but_the_chosen_root_is_left_alone(tmp_path: Path) -> None:
    root = tmp_path / "home"
    (root / "index").mkdir(parents=True)
    root.chmod(0o755)
    (root / "index").chmod(0o755)
    assert mode(Home(root).index_root) == 0o700
    assert mode(root) == 0o755


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DiskError, match="HOLOVAULT_HOME"):
        private_folder(tmp_path / "file" / "x")
    with pytest.raises(DiskError, match="untouched"):
        write_private(tmp_path / "file" / "x", b"")


def test_a_key_cannot_leave_the_home(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no vault key"):
        Home(tmp_path).index("../x")


def test_a_home_inside_the_vault_is_refused(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    with pytest.raises(UsageError, match="inside the vault"):
        Home(tmp_path / "vault" / ".holovault").check_outside(tmp_path / "vault")
    Home(tmp_path / "vault2").check_outside(tmp_path / "vault")


def test_one_vault_has_one_key_by_whatever_name(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "vault")
    key = vault_key(tmp_path / "vault")
    assert len(key) == 16 and int(key, 16) >= 0
    assert vault_key(tmp_path / "link") == vault_key(tmp_path / "other" / ".." / "vault") == key
    assert vault_key(tmp_path / "other") != key


def test_the_nearest_vault_upwards_is_found(tmp_path: Path) -> None:
    (tmp_path / "a" / ".obsidian").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    assert find_vault(tmp_path / "a" / "b" / "c") == tmp_path / "a"
    (tmp_path / "a" / "b" / "knowledge.toml").write_text("", encoding="utf-8")
    assert find_vault(tmp_path / "a" / "b" / "c") == tmp_path / "a" / "b"
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / ".obsidian").write_text("no folder", encoding="utf-8")
    assert find_vault(tmp_path / "d") is None
