"""The Obsidian plugin in a vault: copied, brought up to date, removed, and nothing else touched."""

import json
from pathlib import Path

import pytest

from holovault.errors import PathForbiddenError, UsageError
from holovault.setup.plugin import FILES, NAME, Plugin
from tests.support.vaults import NO_MODEL, make_vault


def built(folder: Path, version: str = "1.0.0") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main.js").write_text(f"// {version}\n", encoding="utf-8", newline="")
    (folder / "styles.css").write_text(".holovault {}\r\n", encoding="utf-8", newline="")
    (folder / "manifest.json").write_text(json.dumps({"id": NAME, "version": version}), encoding="utf-8")
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "My vault", {"A.md": "# A\n"}, NO_MODEL).root


def test_the_plugin_comes_byte_for_byte_once_and_follows_a_new_version(root: Path, tmp_path: Path) -> None:
    source, goal = built(tmp_path / "built"), root / ".obsidian" / "plugins" / NAME
    first = Plugin(root).install(source)
    assert (first.change, first.version, first.enabled) == ("written", "1.0.0", False)
    assert [(goal / name).read_bytes() for name in FILES] == [(source / name).read_bytes() for name in FILES]
    times = [(goal / name).stat().st_mtime_ns for name in FILES]
    assert Plugin(root).install(source).change == "same"
    assert [(goal / name).stat().st_mtime_ns for name in FILES] == times
    (root / ".obsidian" / "community-plugins.json").write_text(json.dumps(["other", NAME]), encoding="utf-8")
    newer = Plugin(root).install(built(source, "1.1.0"))
    assert (newer.change, newer.version, newer.enabled) == ("replaced", "1.1.0", True)
    assert (goal / "main.js").read_text(encoding="utf-8") == "// 1.1.0\n"


def test_removing_leaves_the_settings_and_then_nothing(root: Path, tmp_path: Path) -> None:
    goal = root / ".obsidian" / "plugins" / NAME
    Plugin(root).install(built(tmp_path / "built"))
    (goal / "data.json").write_text("{}", encoding="utf-8")
    gone = Plugin(root).uninstall()
    assert (gone.change, gone.version, gone.kept) == ("removed", "1.0.0", ("data.json",))
    assert [path.name for path in goal.iterdir()] == ["data.json"]
    (goal / "data.json").unlink()
    Plugin(root).install(built(tmp_path / "built"))
    Plugin(root).uninstall()
    assert not goal.exists() and Plugin(root).uninstall().change == "none"


def test_another_plugin_in_that_place_is_left_alone(root: Path, tmp_path: Path) -> None:
    goal = root / ".obsidian" / "plugins" / NAME
    goal.mkdir(parents=True)
    (goal / "manifest.json").write_text('{"id": "theirs"}', encoding="utf-8")
    with pytest.raises(UsageError, match="theirs"):
        Plugin(root).install(built(tmp_path / "built"))
    with pytest.raises(UsageError, match="theirs"):
        Plugin(root).uninstall()
    assert [path.name for path in goal.iterdir()] == ["manifest.json"]


def test_a_link_that_leads_out_of_the_vault_is_not_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    plugins = root / ".obsidian" / "plugins"
    plugins.mkdir(parents=True)
    try:
        (plugins / NAME).symlink_to(outside, target_is_directory=True)
    except OSError:
        pytest.skip("this system lets nobody make links")
    with pytest.raises(PathForbiddenError, match="out of the vault"):
        Plugin(root).install(built(tmp_path / "built"))
    assert list(outside.iterdir()) == []
