"""An owner that is killed with no chance to say goodbye loses no work, and the next one goes on where it stopped."""

from pathlib import Path

import psutil
import pytest

from tests.support.embeddings import WordEmbedding
from tests.support.engines import Child, found, index, open_engine
from tests.support.vaults import BUNDLED, NO_MODEL, VaultFolder, make_vault

NOTES = 300


def _word(number: int) -> str:
    """A word of its own for each note, without digits that another note might have too."""
    return "word" + "".join("bcdfghjklm"[int(digit)] for digit in f"{number:03}")


def _vault(place: Path, notes: int, config: str = NO_MODEL) -> VaultFolder:
    texts: dict[str, str | bytes] = {
        f"n{number:03}.md": f"# Number {number}\n\nThis is about {_word(number)} and the weather.\n" for number in range(notes)
    }
    return make_vault(place / "vault", texts, config)


def _all_there(vault: VaultFolder, home: Path, embedding: WordEmbedding | None = None) -> None:
    with open_engine(vault.root, home, embedding=embedding) as engine:
        report = index(engine)
        assert (report.added, report.changed, report.removed, report.embedded) == (0, 0, 0, 0)
        for number in (0, 63, 64, 65, 128, 200, len(vault.notes()) - 1):
            assert found(engine, _word(number), "lexical") == [f"n{number:03}.md"]


@pytest.mark.parametrize("done", [64, 128, 192])
def test_words_go_on_where_a_killed_owner_stopped(tmp_path: Path, done: int) -> None:
    vault, home = _vault(tmp_path, NOTES), tmp_path / "home"
    child = Child(vault.root, home, "hold", "words", str(done))
    child.until("words", done)
    child.kill()
    with open_engine(vault.root, home) as engine:
        report = index(engine)
        assert report.files == report.added + report.unchanged == NOTES
        assert report.unchanged >= done
        assert report.added > 0
        assert report.failed == ()
    _all_there(vault, home)


@pytest.mark.parametrize("done", [1, 64, 200])
def test_an_owner_killed_while_it_works_leaves_a_whole_index(tmp_path: Path, done: int) -> None:
    vault, home = _vault(tmp_path, NOTES), tmp_path / "home"
    child = Child(vault.root, home, "fake")
    child.until("words", done)
    child.kill()
    with open_engine(vault.root, home, embedding=WordEmbedding()) as engine:
        report = index(engine)
        assert report.files == NOTES
        assert engine.status().pending == 0
        assert engine.status().embedded == report.windows == NOTES
    _all_there(vault, home, WordEmbedding())


def test_embedding_goes_on_where_a_killed_owner_stopped(tmp_path: Path) -> None:
    vault, home = _vault(tmp_path, NOTES), tmp_path / "home"
    child = Child(vault.root, home, "hold", "meaning", "128", "fake")
    child.until("meaning", 128)
    child.kill()
    later = WordEmbedding()
    with open_engine(vault.root, home, embedding=later) as engine:
        pending = engine.status().pending
        assert 0 < pending <= NOTES - 128
        assert index(engine).embedded == sum("weather" in text for text in later.texts) == pending
        assert engine.status().embedded == NOTES
    _all_there(vault, home, WordEmbedding())


def test_a_killed_owner_leaves_no_child_behind_and_its_model_starts_again(tmp_path: Path) -> None:
    vault, home = _vault(tmp_path, 140, BUNDLED), tmp_path / "home"
    child = Child(vault.root, home)
    child.until("meaning", 128)
    family = psutil.Process(child.process.pid).children(recursive=True)
    assert family
    child.kill()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert alive == []
    with open_engine(vault.root, home) as engine:
        index(engine)
        assert engine.status().pending == 0
        assert found(engine, "weather", "semantic")
