"""What the watcher reports of real files being changed."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holovault.watcher import Watcher


class Ears:
    """Keeps what it hears; `until` waits for it, bounded."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.rescans = 0
        self._news = threading.Condition()

    def changed(self, path: str) -> None:
        with self._news:
            self.paths.add(path)
            self._news.notify_all()

    def rescan(self) -> None:
        with self._news:
            self.rescans += 1
            self._news.notify_all()

    def until(self, condition: Callable[[], bool]) -> bool:
        with self._news:
            return self._news.wait_for(condition, timeout=10)


@contextmanager
def _watching(root: Path, polling: bool = False) -> Iterator[Ears]:
    ears = Ears()

    def note_path(raw: str) -> str | None:
        path = Path(raw).relative_to(root).as_posix()
        return None if path.startswith(".git/") else path

    watcher = Watcher(root, note_path, ears, polling)
    watcher.start()
    try:
        assert watcher.state == ("polling" if polling else "native")
        assert watcher.alive
        yield ears
    finally:
        watcher.stop()
    assert watcher.state == "off"


@pytest.mark.parametrize("polling", [False, True])
def test_a_saved_note_is_reported(tmp_path: Path, polling: bool) -> None:
    with _watching(tmp_path, polling) as ears:
        (tmp_path / "a.md").write_text("new", encoding="utf-8")
        assert ears.until(lambda: "a.md" in ears.paths)


def test_an_editor_that_replaces_the_file_is_noticed(tmp_path: Path) -> None:
    note = tmp_path / "a.md"
    note.write_text("old", encoding="utf-8")
    with _watching(tmp_path) as ears:
        draft = tmp_path / ".a.md.tmp"
        draft.write_text("new", encoding="utf-8")
        os.replace(draft, note)
        assert ears.until(lambda: "a.md" in ears.paths)


def test_a_rename_reports_both_names_and_a_deletion_the_one(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    (tmp_path / "gone.md").write_text("x", encoding="utf-8")
    with _watching(tmp_path) as ears:
        (tmp_path / "a.md").rename(tmp_path / "b.txt")
        (tmp_path / "gone.md").unlink()
        assert ears.until(lambda: {"a.md", "gone.md"} <= ears.paths)


def test_a_moved_folder_asks_for_everything_to_be_looked_at(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.md").write_text("x", encoding="utf-8")
    with _watching(tmp_path) as ears:
        (tmp_path / "one").rename(tmp_path / "two")
        assert ears.until(lambda: ears.rescans > 0)


def test_changed_rules_ask_for_everything_to_be_looked_at(tmp_path: Path) -> None:
    with _watching(tmp_path) as ears:
        (tmp_path / "knowledge.toml").write_text("[vault]\n", encoding="utf-8")
        assert ears.until(lambda: ears.rescans > 0)


def test_other_files_and_ignored_folders_are_no_news(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with _watching(tmp_path) as ears:
        (tmp_path / ".git" / "x.md").write_text("x", encoding="utf-8")
        (tmp_path / "picture.png").write_bytes(b"x")
        (tmp_path / "last.md").write_text("x", encoding="utf-8")
        assert ears.until(lambda: "last.md" in ears.paths)
        assert ears.paths == {"last.md"}
        assert ears.rescans == 0
