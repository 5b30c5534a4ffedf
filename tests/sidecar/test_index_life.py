"""The index through a vault's life: edits, renames, deletes and configuration, with the owner up or down."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holovault.engine import Engine
from holovault.engine.inbox import Work
from holovault.errors import VaultMissingError
from holovault.model import IndexProgress, IndexRequest
from tests.support.embeddings import WordEmbedding
from tests.support.engines import Child, ask, first, found, index, open_engine, run_as_a_person, wait_until
from tests.support.vaults import LONG_AGO_NS, NO_MODEL, VaultFolder, make_vault

FRUIT = ["apricot", "banana", "cherry", "damson", "elderberry"]
NOTES: dict[str, str | bytes] = {f"Fruit/{word}.md": f"# On {word}\n\nThis note speaks of {word} and nothing else.\n" for word in FRUIT}


def by_words(engine: Engine, query: str) -> list[str]:
    """Paths of what the words of a query find."""
    return found(engine, query, "lexical")


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    return make_vault(tmp_path / "vault", NOTES)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def embedding() -> Iterator[WordEmbedding]:
    yield WordEmbedding()


def test_a_first_index_takes_every_note_and_embeds_every_window(vault: VaultFolder, home: Path, embedding: WordEmbedding) -> None:
    with open_engine(vault.root, home, embedding=embedding) as engine:
        report = index(engine)
        assert (report.files, report.added, report.changed, report.renamed, report.removed, report.unchanged) == (5, 5, 0, 0, 0, 0)
        assert report.embedded == report.windows == 5
        assert sum("and nothing else" in text for text in embedding.texts) == 5
        assert report.failed == ()
        assert engine.state == "ready"


def test_a_second_pass_without_changes_does_nothing(vault: VaultFolder, home: Path, embedding: WordEmbedding) -> None:
    with open_engine(vault.root, home, embedding=embedding) as engine:
        index(engine)
        generation = engine.generation
        report = index(engine)
        assert (report.added, report.changed, report.renamed, report.removed, report.unchanged, report.embedded) == (0, 0, 0, 0, 5, 0)
        assert engine.generation == generation


def test_only_the_note_that_changed_is_cut_and_embedded_again(vault: VaultFolder, home: Path, embedding: WordEmbedding) -> None:
    with open_engine(vault.root, home, embedding=embedding) as engine:
        index(engine)
        vault.write("Fruit/cherry.md", "# On cherry\n\nNow it speaks of gooseberries.\n")
        report = index(engine)
        assert (report.added, report.changed, report.unchanged, report.embedded) == (0, 1, 4, 1)
        assert by_words(engine, "gooseberries") == ["Fruit/cherry.md"]
        assert "Fruit/cherry.md" not in by_words(engine, "nothing else")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no time of the last change of a file's status")
def test_an_edit_that_keeps_size_and_modification_time_is_seen(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
        old = vault.at("Fruit/cherry.md").read_bytes()
        vault.write("Fruit/cherry.md", old.replace(b"cherry", b"medlar"))
        vault.age("Fruit/cherry.md")
        assert index(engine).changed == 1
        assert by_words(engine, "medlar") == ["Fruit/cherry.md"]


def test_a_touched_note_is_reported_unchanged(vault: VaultFolder, home: Path, embedding: WordEmbedding) -> None:
    with open_engine(vault.root, home, embedding=embedding) as engine:
        index(engine)
        vault.touch_like_a_sync_tool("Fruit/banana.md", LONG_AGO_NS + 86_400_000_000_000)
        report = index(engine)
        assert (report.added, report.changed, report.renamed, report.removed, report.unchanged, report.embedded) == (0, 0, 0, 0, 5, 0)


def test_a_touched_note_has_the_date_of_its_touch_unless_it_states_its_own(vault: VaultFolder, home: Path) -> None:
    vault.write("Fruit/cherry.md", "---\nmodified: 2021-05-06T07:08:09Z\n---\nA dated cherry.\n")
    vault.age()
    with open_engine(vault.root, home) as engine:
        index(engine)
        for path in ("Fruit/banana.md", "Fruit/cherry.md"):
            vault.touch_like_a_sync_tool(path, LONG_AGO_NS + 86_400_000_000_000)
        assert index(engine).changed == 0
        assert first(engine, "banana").modified == "2023-11-15T22:13:20Z"
        assert first(engine, "dated cherry").modified == "2021-05-06T07:08:09Z"


def test_notes_deleted_while_the_owner_was_down_are_not_found_again(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
    vault.delete("Fruit/banana.md")
    with open_engine(vault.root, home) as engine:
        report = index(engine)
        assert (report.removed, report.files) == (1, 4)
        assert by_words(engine, "banana") == []


def test_an_emptied_vault_is_an_empty_index(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
        vault.delete("Fruit")
        report = index(engine)
        assert (report.removed, report.files, report.chunks) == (5, 0, 0)


def test_a_note_that_becomes_a_text_file_is_no_longer_found(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
        vault.rename("Fruit/damson.md", "Fruit/damson.txt")
        assert index(engine).removed == 1
        assert by_words(engine, "damson") == []


def test_a_renamed_note_keeps_its_vectors(vault: VaultFolder, home: Path, embedding: WordEmbedding) -> None:
    with open_engine(vault.root, home, embedding=embedding) as engine:
        index(engine)
        vault.rename("Fruit/damson.md", "Stone fruit/Blue.md")
        report = index(engine)
        assert (report.renamed, report.added, report.removed, report.embedded, report.unchanged) == (1, 0, 0, 0, 4)
        assert by_words(engine, "damson") == ["Stone fruit/Blue.md"]


def test_a_moved_folder_embeds_nothing_again(tmp_path: Path, home: Path, embedding: WordEmbedding) -> None:
    notes: dict[str, str | bytes] = {f"Old/n{number}.md": f"# Number {number}\n\nText of piece{number}.\n" for number in range(50)}
    vault = make_vault(tmp_path / "moved", {**notes, "Stays.md": "Stays where it is.\n"})
    with open_engine(vault.root, home, embedding=embedding) as engine:
        index(engine)
        vault.rename("Old", "Deeper/New")
        report = index(engine)
        assert (report.renamed, report.added, report.removed, report.embedded, report.unchanged) == (50, 0, 0, 0, 1)
        assert report.windows == engine.status().embedded
        assert by_words(engine, "piece17") == ["Deeper/New/n17.md"]


def test_a_vault_that_moved_keeps_its_index(vault: VaultFolder, home: Path, tmp_path: Path) -> None:
    with open_engine(vault.root, home, embedding=WordEmbedding()) as engine:
        index(engine)
    vault.root.rename(tmp_path / "elsewhere")
    with open_engine(tmp_path / "elsewhere", home, embedding=WordEmbedding()) as engine:
        report = index(engine)
        assert (report.unchanged, report.added, report.embedded) == (5, 0, 0)


def test_the_watcher_sees_the_atomic_save_of_an_editor(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home, watching=True) as engine:
        wait_until(engine, lambda: engine.state == "ready", "the first pass")
        vault.save_like_an_editor("Fruit/apricot.md", "# On apricot\n\nSaved with mirabelles.\n")
        wait_until(engine, lambda: by_words(engine, "mirabelles") == ["Fruit/apricot.md"], "the new text is found")
        assert engine.status().files == 5


def test_the_watcher_keeps_up_with_all_that_happens_to_files(vault: VaultFolder, home: Path, embedding: WordEmbedding) -> None:
    with open_engine(vault.root, home, watching=True, embedding=embedding) as engine:
        wait_until(engine, lambda: engine.state == "ready", "the first pass")
        vault.write("New/Fig.md", "A fig in a folder that is new.\n")
        vault.write("Fruit/banana.md", "Overwritten in place with grapes.\n")
        vault.delete("Fruit/cherry.md")
        vault.rename("Fruit/damson.md", "Fruit/Plum.md")
        wait_until(engine, lambda: by_words(engine, "fig") == ["New/Fig.md"], "the new note")
        wait_until(engine, lambda: by_words(engine, "grapes") == ["Fruit/banana.md"], "the overwritten note")
        wait_until(engine, lambda: by_words(engine, "cherry") == [], "the deleted note")
        wait_until(engine, lambda: by_words(engine, "damson") == ["Fruit/Plum.md"], "the renamed note")
        vault.rename("Fruit", "Basket")
        wait_until(engine, lambda: by_words(engine, "elderberry") == ["Basket/elderberry.md"], "the moved folder")
        wait_until(engine, lambda: engine.state == "ready", "all vectors are there")
        known = {path: engine.explain(path).hash for path in vault.notes()}
        assert None not in known.values()
        assert engine.status().files == len(known) == 5


def test_new_text_is_found_by_meaning_after_an_edit_from_outside(vault: VaultFolder, home: Path, embedding: WordEmbedding) -> None:
    with open_engine(vault.root, home, watching=True, embedding=embedding) as engine:
        wait_until(engine, lambda: engine.state == "ready", "the first pass")
        vault.write("Fruit/banana.md", "plantain plantain plantain\n")
        wait_until(engine, lambda: found(engine, "plantain", "semantic")[:1] == ["Fruit/banana.md"], "the new vector answers")


def test_a_write_is_found_by_the_very_next_search(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home, watching=True) as engine:
        made = engine.write("Notes/Fresh.md", b"A written tayberry.\n", None, True)
        assert by_words(engine, "tayberry") == ["Notes/Fresh.md"]
        engine.write("Notes/Fresh.md", b"Now a boysenberry.\n", made.hash, False)
        assert by_words(engine, "tayberry") == []
        assert by_words(engine, "boysenberry") == ["Notes/Fresh.md"]


def test_a_note_written_during_a_scan_survives_its_end(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:

        def write_once(step: IndexProgress) -> None:
            if step.phase == "scan" and not vault.at("Late.md").exists():
                engine.write("Late.md", b"A late cloudberry.\n", None, True)

        engine.index(IndexRequest(wait=True), write_once)
        assert vault.at("Late.md").exists()
        assert by_words(engine, "cloudberry") == ["Late.md"]
        assert engine.status().files == 6


def test_an_answer_during_the_first_pass_says_what_is_missing(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        assert ("index", "building") in [(missing.lane, missing.code) for missing in ask(engine, "cherry").degraded]
        index(engine)
        assert [missing for missing in ask(engine, "cherry").degraded if missing.lane == "index"] == []


def test_a_vault_that_vanishes_is_missing_and_loses_nothing(vault: VaultFolder, home: Path, tmp_path: Path) -> None:
    with open_engine(vault.root, home, embedding=WordEmbedding()) as engine:
        index(engine)
        vault.root.rename(tmp_path / "unplugged")
        assert engine.state == engine.status().state == "vault-missing"
        with pytest.raises(VaultMissingError):
            index(engine)
        assert first(engine, "cherry").path == "Fruit/cherry.md"
        (tmp_path / "unplugged").rename(vault.root)
        report = index(engine)
        assert (report.files, report.removed, report.added, report.embedded) == (5, 0, 0, 0)


def test_a_vault_that_vanishes_under_the_watcher_loses_nothing(vault: VaultFolder, home: Path, tmp_path: Path) -> None:
    with open_engine(vault.root, home, watching=True) as engine:
        wait_until(engine, lambda: engine.state == "ready", "the first pass")
        vault.root.rename(tmp_path / "unplugged")
        wait_until(engine, lambda: engine.state == "vault-missing", "the vault is missed")
        with pytest.raises(VaultMissingError):
            index(engine)
        assert engine.status().files == 5
        (tmp_path / "unplugged").rename(vault.root)
        assert index(engine).files == 5


def test_a_root_that_is_no_folder_any_more_is_a_missing_vault(vault: VaultFolder, home: Path, tmp_path: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
        vault.root.rename(tmp_path / "unplugged")
        vault.root.write_text("a file where the vault was\n", encoding="utf-8")
        assert engine.state == "vault-missing"
        with pytest.raises(VaultMissingError):
            index(engine)
        assert engine.status().files == 5


def test_an_unreadable_note_keeps_its_old_text_searchable(vault: VaultFolder, home: Path) -> None:
    person = run_as_a_person()
    if person is None or sys.platform == "win32":
        pytest.skip("file modes do not count here: root without setpriv, or Windows")
    with open_engine(vault.root, home) as engine:
        index(engine)
    vault.at("Fruit/cherry.md").chmod(0)
    child = Child(vault.root, home, prefix=person)
    report = child.until("end", 0)["report"]
    child.finish()
    assert isinstance(report, dict)
    assert [failure["path"] for failure in report["failed"]] == ["Fruit/cherry.md"]
    assert (report["files"], report["removed"]) == (5, 0)
    with open_engine(vault.root, home) as engine:
        assert by_words(engine, "cherry") == ["Fruit/cherry.md"]
        vault.at("Fruit/cherry.md").chmod(0o644)
        assert index(engine).failed == ()


def test_an_unreadable_folder_keeps_its_notes(vault: VaultFolder, home: Path) -> None:
    person = run_as_a_person()
    if person is None or sys.platform == "win32":
        pytest.skip("file modes do not count here: root without setpriv, or Windows")
    with open_engine(vault.root, home) as engine:
        index(engine)
    vault.at("Fruit").chmod(0)
    child = Child(vault.root, home, prefix=person)
    report = child.until("end", 0)["report"]
    child.finish()
    vault.at("Fruit").chmod(0o755)
    assert isinstance(report, dict)
    assert (report["files"], report["removed"]) == (5, 0)
    assert len(report["failed"]) == 1


def test_a_failure_goes_with_its_note(vault: VaultFolder, home: Path) -> None:
    broken = "---\nfamily: [[\n---\nA broken quince.\n"
    vault.write_all({"Moves.md": broken, "Goes.md": broken, "Stays.md": broken, "Mended.md": broken})
    with open_engine(vault.root, home) as engine:
        assert {failure.path for failure in index(engine).failed} == {"Moves.md", "Goes.md", "Stays.md", "Mended.md"}
        vault.rename("Moves.md", "Moved.md")
        vault.delete("Goes.md")
        vault.write("Mended.md", "A mended quince.\n")
        assert {failure.path for failure in index(engine).failed} == {"Moved.md", "Stays.md"}


def test_a_failure_stays_listed_while_its_note_is_in_the_index(vault: VaultFolder, home: Path) -> None:
    vault.write("Fruit/apricot.md", "---\nbroken: [[\n---\nApricot.\n")
    with open_engine(vault.root, home) as engine:
        listed = index(engine, wait=False).failed
    assert [failure.path for failure in listed] == ["Fruit/apricot.md"]
    vault.config(NO_MODEL + "[vault]\nexclude = ['Fruit/']\n")
    with open_engine(vault.root, home) as engine:
        engine.words(Work(frozenset({"Elsewhere.md"}), False, ()))
        vault.config(NO_MODEL)
        engine.words(Work(frozenset(), True, ()))
        assert engine.status().failures == listed


def test_an_exclusion_removes_its_notes_at_the_next_start(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home) as engine:
        index(engine)
    vault.config(NO_MODEL + '[vault]\nexclude = ["Fruit/b*"]\n')
    with open_engine(vault.root, home) as engine:
        assert index(engine).removed == 1
        assert by_words(engine, "banana") == []
        assert engine.explain("Fruit/banana.md").excluded_by


def test_an_exclusion_removes_its_notes_under_the_watcher_and_its_end_brings_them_back(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home, watching=True) as engine:
        wait_until(engine, lambda: engine.state == "ready", "the first pass")
        vault.config(NO_MODEL + '[vault]\nexclude = ["Fruit/b*"]\n')
        wait_until(engine, lambda: by_words(engine, "banana") == [], "the excluded note is gone")
        vault.config(NO_MODEL)
        wait_until(engine, lambda: by_words(engine, "banana") == ["Fruit/banana.md"], "the note is back")


def test_a_broken_configuration_is_listed_and_the_old_one_stays(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home, watching=True) as engine:
        wait_until(engine, lambda: engine.state == "ready", "the first pass")
        vault.config("[vault\nexclude = 7\n")
        wait_until(engine, lambda: "config" in [failure.stage for failure in engine.status().failures], "the problem is listed")
        assert by_words(engine, "banana") == ["Fruit/banana.md"]
        vault.config(NO_MODEL)
        wait_until(engine, lambda: engine.status().failures == (), "the problem is gone")


def test_a_backlog_outlives_the_owner(vault: VaultFolder, home: Path) -> None:
    with open_engine(vault.root, home, embedding=WordEmbedding()) as engine:
        report = index(engine, wait=False)
        assert (report.windows, report.embedded) == (5, 0)
        assert engine.state == "embedding"
    with open_engine(vault.root, home, embedding=WordEmbedding()) as engine:
        assert engine.status().pending == 5
        assert index(engine).embedded == 5
        assert engine.state == "ready"
