"""Writing through the engine: found at once, conflicts that say what they are about, and writes that a stale window saved over."""

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holovault.config import Home
from holovault.engine import Engine
from holovault.engine.overwrites import overwritten
from holovault.engine.writing import VERSION_BYTES, VERSIONS_BYTES, Versions
from holovault.engine.written import Written
from holovault.errors import NotFoundError, StaleError
from holovault.model import Append, Failure, NoteChange, TextEdit
from holovault.vault import Vault
from tests.support.engines import found, index, open_engine, wait_until
from tests.support.vault_files import open_vault, put, sha
from tests.support.vaults import NO_MODEL, VaultFolder, make_vault

OLD = b"# Plan\n\nWe use apricots.\n"
ADDED = NoteChange(append=Append("Bananas since May."))


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    made = make_vault(tmp_path / "vault", {"plan.md": OLD, "other.md": "# Other\n\nCherries.\n"})
    made.config(NO_MODEL)
    return made


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def losses(engine: Engine) -> list[Failure]:
    return [failure for failure in engine.status().failures if failure.stage == "overwritten"]


def copies(home: Path) -> list[str]:
    """Files that hold what was written lately."""
    return sorted(path.name for part in ("written", "overwritten") for path in home.glob(f"index/*/{part}/**/*") if path.is_file())


def test_what_was_changed_is_found_by_the_very_next_search_and_nothing_else_is(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
        changed = engine.change("plan.md", NoteChange(edits=(TextEdit("apricots", "damsons"),)), None)
        assert changed.lines == ((3, 3),) and changed.hash == engine.read("plan.md").hash
        assert (found(engine, "damsons", "lexical"), found(engine, "apricots", "lexical")) == (["plan.md"], [])
        engine.change("plan.md", ADDED, changed.hash)
        assert found(engine, "bananas", "lexical") == ["plan.md"]
        engine.write("new.md", b"Elderberries\n", None, True)
        assert found(engine, "elderberries", "lexical") == ["new.md"]


def test_a_conflict_says_what_changed_since_the_note_was_read(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
        read = engine.read("plan.md")
        vault.write("plan.md", OLD.replace(b"apricots", b"figs"))
        now = sha(OLD.replace(b"apricots", b"figs"))
        acts: list[Callable[[], object]] = [
            lambda: engine.write("plan.md", b"mine", read.hash, False),
            lambda: engine.change("plan.md", ADDED, read.hash),
        ]
        for act in acts:
            with pytest.raises(StaleError) as caught:
                act()
            assert caught.value.current_hash == now
            assert caught.value.quoted == ("What changed since it was read:\n@@ -1,3 +1,3 @@\n # Plan\n \n-We use apricots.\n+We use figs.")
            assert "figs" not in str(caught.value)
        with pytest.raises(StaleError) as caught:
            engine.write("plan.md", OLD + b"more\n", "0" * 64, False)
        assert "-We use figs.\n+We use apricots.\n+more" in (caught.value.quoted or "")
        with pytest.raises(StaleError, match="exists already") as caught:
            engine.write("plan.md", b"mine", None, True)
        assert caught.value.current_hash == now and "+mine" in (caught.value.quoted or "")
        assert engine.raw("plan.md").data == OLD.replace(b"apricots", b"figs")
        (vault.root / "plan.md").unlink()
        with pytest.raises(StaleError) as caught:
            engine.write("plan.md", b"mine", now, False)
        assert (caught.value.current_hash, caught.value.quoted) == (None, None)


def test_versions_that_are_remembered_are_bounded() -> None:
    versions = Versions()
    big = b"x" * (VERSION_BYTES + 1)
    versions.remember(sha(big), big)
    assert versions.get(sha(big)) is None
    texts = [b"%d" % number + b"y" * 900_000 for number in range(10)]
    for text in texts:
        versions.remember(sha(text), text)
    kept = [text for text in texts if versions.get(sha(text)) is not None]
    assert kept == texts[-len(kept) :] and sum(map(len, kept)) <= VERSIONS_BYTES < sum(map(len, texts))


def test_a_written_text_that_a_stale_window_saves_over_is_listed_with_both_versions(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home, watching=True) as engine:
        wait_until(engine, lambda: engine.state == "ready", "the first pass")
        engine.change("plan.md", ADDED, None)
        written = engine.raw("plan.md").data
        stale = OLD.replace(b"We use", b"We still use")
        vault.save_like_an_editor("plan.md", stale.decode())
        wait_until(engine, lambda: bool(losses(engine)), "the loss is listed")
        (loss,) = losses(engine)
    with open_engine(vault.root, home) as engine:
        assert losses(engine) == [loss]
    mine, theirs = (Path(named) for named in re.findall('"(.+?)"', loss.reason))
    assert loss.path == "plan.md" and vault.root not in mine.parents
    assert (mine.read_bytes(), theirs.read_bytes(), mine.parent) == (written, stale, theirs.parent)
    assert all(words in loss.reason for words in ("what was written", "Compare", "copy what is missing back into the note", "delete"))
    assert os.name != "posix" or (mine.parent.stat().st_mode | mine.stat().st_mode) & 0o077 == 0
    assert (vault.root / "plan.md").read_bytes() == stale
    assert sorted(path.name for path in vault.root.iterdir() if path.suffix == ".md") == ["other.md", "plan.md"]
    with open_engine(vault.root, home) as engine:
        vault.write("plan.md", written)
        engine.idle()
        assert losses(engine) == []
    assert copies(home) == []


def test_a_loss_while_nobody_watched_is_found_by_the_next_start(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
        engine.write("plan.md", b"# Plan\n\nWe use quinces.\n", sha(OLD), False)
    vault.write("plan.md", OLD)
    with open_engine(vault.root, home) as engine:
        index(engine)
        assert [loss.path for loss in losses(engine)] == ["plan.md"]


def test_who_goes_on_from_the_new_text_loses_nothing(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
        engine.change("plan.md", ADDED, None)
        vault.write("plan.md", OLD + b"Bananas since June, really.\nAnd more.\n")
        index(engine)
        engine.idle()
        assert losses(engine) == []


def written_at(vault: Vault, folder: Path, now: datetime) -> Written:
    return Written(folder, lambda: vault, lambda: now)


def test_after_ten_minutes_and_after_a_removal_no_copy_is_left(tmp_path: Path) -> None:
    root, folder, now = tmp_path / "vault", tmp_path / "index", datetime.now(UTC)
    full = put(root, "a.md", b"old\nnew\n")
    vault = open_vault(root)
    early, late = written_at(vault, folder, now), written_at(vault, folder, now + timedelta(seconds=601))
    early.keep("a.md", b"old\n", b"old\nnew\n")
    early.tidy()
    assert len(list(folder.rglob("*.kept"))) == 1
    late.tidy()
    assert list(folder.rglob("*.kept")) == []
    early.keep("a.md", b"old\n", b"old\nnew\n")
    full.write_bytes(b"old\n")
    os.utime(full, (now.timestamp() + 700, now.timestamp() + 700))
    late.look(["a.md"])
    assert list(folder.rglob("*.kept")) == [] and early.losses() == ()
    early.keep("a.md", b"old\n", b"old\nnew\n")
    os.utime(full, (now.timestamp(), now.timestamp()))
    late.look(["a.md"])
    assert len(early.losses()) == 1
    written_at(vault, folder, now + timedelta(days=8)).tidy()
    assert early.losses() == ()
    early.keep("a.md", b"old\n", b"old\nnew\n")
    early.look(["a.md"])
    early.keep("a.md", b"x", b"y")
    full.unlink()
    put(root, "b.md")
    early.tidy()
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_a_vault_that_is_away_is_no_reason_to_forget(tmp_path: Path) -> None:
    root, folder, now = tmp_path / "vault", tmp_path / "index", datetime.now(UTC)
    put(root, "a.md", b"old\nnew\n")
    vault = open_vault(root)
    written = written_at(vault, folder, now)
    written.keep("a.md", b"old\n", b"old\nnew\n")
    root.rename(tmp_path / "away")
    written_at(vault, folder, now + timedelta(hours=1)).tidy()
    (tmp_path / "away").rename(root)
    (root / "a.md").write_bytes(b"old\n")
    written.look(["a.md"])
    assert len(written.losses()) == 1


def test_copies_are_bounded_and_a_disk_that_takes_none_stops_no_write(tmp_path: Path) -> None:
    vault = open_vault(tmp_path)
    written = Written(tmp_path / "index", lambda: vault, lambda: datetime.now(UTC), most=3)
    for number in range(5):
        written.keep(f"{number}.md", b"", b"text")
    assert len(list((tmp_path / "index").rglob("*.kept"))) == 3
    put(tmp_path, "no folder")
    written_at(vault, tmp_path / "no folder", datetime.now(UTC)).keep("a.md", b"", b"text")


@pytest.mark.parametrize(
    ("before", "written", "now", "lost"),
    [
        (b"a\n", b"a\nb\n", b"a\n", True),
        (b"a\n", b"a\nb\n", b"a\nc\n", True),
        (b"a\n", b"a\nb\n", b"b\n", False),
        (b"a\n", b"a\nlong line\n", b"a\nlong lines\n", False),
        (b"a\nb\n", b"a\n", b"a\nb\nc\n", True),
        (b"a\nb\n", b"a\n", b"a\nc\n", False),
        (b"a\n", b"a\nb\nc\nd\n", b"a\nb\nc\n", False),
        (b"a\n", b"a\n\n", b"a\n", True),
        (b"", b"a\nb\n", b"quite another text\n", True),
        (b"---\n---\n", b"---\ntags: [one, two]\n---\n", b"---\ntags:\n  - one\n  - two\n---\n", False),
    ],
)
def test_a_text_is_lost_where_half_of_what_was_new_is_gone(before: bytes, written: bytes, now: bytes, lost: bool) -> None:
    assert overwritten(before, written, now) is lost
    assert not overwritten(before, written, written)


def test_a_note_that_is_not_there_is_not_changed_into_being(vault: VaultFolder, home: Path) -> None:
    with Engine.open(vault.root, Home(home), owner="test") as engine, pytest.raises(NotFoundError):
        engine.change("missing.md", ADDED, None)
    assert copies(home) == []
