"""`holovault prune`: the index of a vault that is gone goes, and no other."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from holovault.config import Home, vault_key
from holovault.engine.folder import Identity
from holovault.engine.leftovers import Leftover, PrunedIndexes, leftovers, remove
from holovault.ownership import acquire
from tests.support.shell import Shell
from tests.support.vaults import VaultFolder, make_vault


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "home", tmp_path)


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    return make_vault(tmp_path / "Мои заметки", {"a.md": "a note\n"}, '[embedding]\nprovider = "none"\n')


def _indexed(shell: Shell, vault: VaultFolder) -> Path:
    """Its index folder."""
    ended = shell.run("index", "--vault", str(vault.root), "--no-daemon")
    assert ended.code == 0, ended.err
    return shell.home / "index" / vault_key(vault.root)


def _pruned(shell: Shell, *arguments: str) -> PrunedIndexes:
    ended = shell.run("prune", "--json", *arguments)
    assert ended.code == 0, ended.err
    return msgspec.json.decode(ended.out, type=PrunedIndexes)


def test_only_the_index_of_a_vault_that_is_gone_is_removed(shell: Shell, vault: VaultFolder, tmp_path: Path) -> None:
    other = make_vault(tmp_path / "other", {"b.md": "b\n"}, '[embedding]\nprovider = "none"\n')
    gone, kept = _indexed(shell, vault), _indexed(shell, other)
    assert _pruned(shell).indexes == ()
    vault.delete(f"../{vault.root.name}")
    dry = _pruned(shell, "--dry-run")
    (found,) = dry.indexes
    assert (dry.dry_run, found.folder, found.vault, found.away, found.removed) == (True, str(gone), str(vault.root), False, False)
    assert gone.exists()
    ended = shell.run("prune")
    assert ended.out.startswith(f"Removed the index of {vault.root} (")
    assert not gone.exists()
    assert (kept / "index.db").exists()
    assert shell.run("prune").out == "Nothing to remove: every index belongs to a vault that is there.\n"


def test_where_the_drive_may_be_away_nothing_goes_without_a_word_of_the_person(shell: Shell, vault: VaultFolder) -> None:
    folder = _indexed(shell, vault)
    noted = folder / "vault.json"
    before = msgspec.json.decode(noted.read_bytes(), type=Identity)
    noted.write_bytes(msgspec.json.encode(replace(before, device=before.device + 1)))
    vault.delete(f"../{vault.root.name}")
    assert [(one.away, one.removed) for one in _pruned(shell).indexes] == [(True, False)]
    assert "may not be connected now" in shell.run("prune").out
    assert folder.exists()
    assert [one.removed for one in _pruned(shell, "--yes").indexes] == [True]
    assert not folder.exists()


def test_a_vault_that_came_back_or_that_somebody_uses_keeps_its_index(shell: Shell, vault: VaultFolder, tmp_path: Path) -> None:
    folder, home = _indexed(shell, vault), Home(shell.home)
    with acquire(home, vault.root, "test"):
        away = vault.root.rename(tmp_path / "away")
        assert leftovers(home) == ()
    (found,) = leftovers(home)
    away.rename(vault.root)
    assert not remove(home, found).removed
    assert folder.exists()


def test_an_index_that_says_nothing_of_its_vault_is_left_alone(shell: Shell, vault: VaultFolder) -> None:
    folder = _indexed(shell, vault)
    (folder / "vault.json").write_text("{", encoding="utf-8")
    assert leftovers(Home(shell.home)) == ()
    assert not remove(Home(shell.home), Leftover(str(folder), str(vault.root), 0, away=False)).removed
    assert folder.exists()
