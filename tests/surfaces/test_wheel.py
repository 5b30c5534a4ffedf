"""What an installed Holovault brings along: a wheel is built from a copy of the source, unpacked, and asked for its plugin."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from holovault.setup.plugin import FILES, NAME
from tests.surfaces.test_plugin_install import built

ROOT = Path(__file__).parents[2]
PLUGIN = "holovault/setup/obsidian/"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the source without what npm makes, on a machine without npm."""
    folder = tmp_path / "source"
    for package in ("sidecar", "importers"):
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "node_modules", "htmx.min.js", "obsidian")
        )
    for name in ("pyproject.toml", ".gitignore", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, folder / name)
    (tmp_path / "no npm").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "no npm"))
    return folder


def wheel(source: Path, goal: Path) -> list[str]:
    """Builds the wheel and unpacks it into `goal`, as an installer does; its names."""
    made = Path(next(iter(WheelBuilder(str(source)).build(directory=str(source / "dist"), versions=["standard"]))))
    with ZipFile(made) as archive:
        archive.extractall(goal)
        return archive.namelist()


def install(packages: Path, vault: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "holovault.cli", "plugin", "install", "--vault", str(vault)]
    env = {**os.environ, "PYTHONPATH": str(packages), "PYTHONUTF8": "1", "HOLOVAULT_HOME": str(vault.parent / "home")}
    return subprocess.run(command, env=env, cwd=vault.parent, capture_output=True, encoding="utf-8", timeout=120, check=False)


def test_a_wheel_brings_the_built_plugin_into_a_vault_and_nothing_of_its_making(source: Path, tmp_path: Path) -> None:
    plugin, vault = built(source / "obsidian-plugin", "7.8.9"), tmp_path / "vault"
    vault.mkdir()
    (source / "sidecar/holovault/web/page/static/htmx.min.js").write_text("// htmx\n", encoding="utf-8")
    names = wheel(source, tmp_path / "packages")
    assert sorted(name for name in names if name.startswith(PLUGIN)) == sorted(f"{PLUGIN}{name}" for name in FILES)
    assert "holovault/web/page/static/htmx.min.js" in names and "holovault_importers/__init__.py" in names
    assert [name for name in names if name.endswith(("build_hook.py", "package.json", "package-lock.json")) or "node_modules" in name] == []
    done = install(tmp_path / "packages", vault)
    assert done.returncode == 0, done.stderr
    assert "7.8.9" in done.stdout
    goal = vault / ".obsidian" / "plugins" / NAME
    assert [(goal / name).read_bytes() for name in FILES] == [(plugin / name).read_bytes() for name in FILES]


def test_a_wheel_that_was_built_without_npm_says_so_and_puts_nothing_into_the_vault(source: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    assert not any(name.startswith(PLUGIN) for name in wheel(source, tmp_path / "packages"))
    refused = install(tmp_path / "packages", vault)
    assert refused.returncode != 0 and "Install Node.js with npm, then reinstall Holovault" in " ".join(refused.stderr.split())
    assert not (vault / ".obsidian").exists()
