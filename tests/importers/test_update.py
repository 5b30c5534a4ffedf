"""Importing again: a person's edits win, always, and what nobody touched is brought up to date."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.engines import index
from tests.support.exports import at, chat, imported, only_note, talk, tree, turn, uid, write_json
from tests.support.remembering import GOOD, fact, facts_of, remembering, vote

OLD = talk(1, "Which river?", "The Volga.")
NEWER = [*OLD, *talk(1, "Which river?", "The Volga.", "And the longest?", "The Nile.")[2:]]
RETOLD = talk(1, "Which river?", "The Ob.", "And the longest?", "The Nile.")
MINE = "\nMy own words.\n"


@dataclass(frozen=True, slots=True)
class Shop:
    """A vault with one imported chat."""

    folder: Path

    @property
    def vault(self) -> Path:
        return self.folder / "vault"

    @property
    def note(self) -> Path:
        (found,) = (self.vault / "Chats").rglob("*00001).md")
        return found

    def export(self, messages: list[dict[str, object]], updated: str = at(59), **more: object) -> Path:
        return write_json(self.folder / "conversations.json", [chat(1, "Rivers", messages, updated, **more)])


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path)
    imported(shop.vault, shop.export(OLD))
    return shop


def _stamps(vault: Path) -> dict[Path, tuple[int, bytes]]:
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in vault.rglob("*") if path.is_file()}


def _add_words(note: Path) -> None:
    note.write_bytes(note.read_bytes() + MINE.encode())


def _edit_answer(note: Path) -> None:
    note.write_text(note.read_text("utf-8").replace("The Volga.", "The Volga, I think."), "utf-8", newline="\n")


def _edit_everything_away(note: Path) -> None:
    note.write_text("Only my own text is left.\n", "utf-8", newline="\n")


def _windows_line_ends_and_words(note: Path) -> None:
    note.write_bytes(note.read_bytes().replace(b"\n", b"\r\n") + b"My own words.\r\n")


EDITS: list[Callable[[Path], None]] = [_add_words, _edit_answer, _windows_line_ends_and_words]


def test_the_same_export_again_writes_nothing(shop: Shop) -> None:
    before = _stamps(shop.vault)
    report = imported(shop.vault, shop.export(OLD))
    assert (report.unchanged, report.lists) == (1, 0)
    assert _stamps(shop.vault) == before


@pytest.mark.parametrize("edit", EDITS)
def test_the_same_export_after_an_edit_writes_nothing(shop: Shop, edit: Callable[[Path], None]) -> None:
    edit(shop.note)
    before = _stamps(shop.vault)
    assert imported(shop.vault, shop.export(OLD)).unchanged == 1
    assert _stamps(shop.vault) == before


def test_a_newer_export_brings_an_untouched_note_up_to_date(shop: Shop) -> None:
    lines = shop.note.read_text("utf-8").splitlines()
    report = imported(shop.vault, shop.export(NEWER))
    assert report.updated == 1
    after = shop.note.read_text("utf-8").splitlines()
    body = lines.index("# Rivers")
    assert after[body : len(lines)] == lines[body:], "the lines above keep their numbers"
    assert "The Nile." in after


@pytest.mark.parametrize("edit", EDITS)
def test_a_newer_export_appends_to_an_edited_note(shop: Shop, edit: Callable[[Path], None]) -> None:
    edit(shop.note)
    before = shop.note.read_bytes()
    report = imported(shop.vault, shop.export(NEWER))
    after = shop.note.read_bytes()
    assert report.appended == 1
    body = before.split(b"---", 2)[2].rstrip()
    assert body in after and after.index(b"The Nile.") > after.index(body) + len(body) - 1
    assert b"messages: 4" in after and b"## 2 \xc2\xb7 And the longest?" in after
    assert (b"\r\n" in before) == (b"\r\n" in after)
    assert b"\n" not in after.replace(b"\r\n", b"") or b"\r\n" not in before
    assert imported(shop.vault, shop.export(NEWER)).unchanged == 1


def test_an_edited_note_of_which_the_export_tells_otherwise_stays_and_the_new_text_lies_beside_it(shop: Shop) -> None:
    _edit_answer(shop.note)
    before = shop.note.read_bytes()
    report = imported(shop.vault, shop.export(RETOLD))
    (conflict,) = report.conflicts
    assert report.conflicted == 1
    assert shop.vault / conflict.path == shop.note and shop.note.read_bytes() == before
    assert conflict.kept.endswith("(00000001) (new version).md")
    assert "The Ob." in (shop.vault / conflict.kept).read_text("utf-8")
    stamps = _stamps(shop.vault)
    assert imported(shop.vault, shop.export(RETOLD)).unchanged == 1
    assert _stamps(shop.vault) == stamps


def test_after_a_conflict_newer_text_goes_to_the_note_beside(shop: Shop) -> None:
    _edit_answer(shop.note)
    imported(shop.vault, shop.export(RETOLD))
    before = shop.note.read_bytes()
    report = imported(shop.vault, shop.export([*RETOLD, turn(1900, "human", "Thanks", 9, RETOLD[-1]["uuid"])]))
    assert (report.updated, report.conflicted) == (1, 0)
    assert shop.note.read_bytes() == before
    assert [path for path, text in tree(shop.vault).items() if "Thanks" in text] == [f"Chats/2026/{shop.note.stem} (new version).md"]


def test_when_the_newer_text_was_merged_and_deleted_the_chat_goes_on_in_the_note(shop: Shop) -> None:
    _edit_answer(shop.note)
    (conflict,) = imported(shop.vault, shop.export(RETOLD)).conflicts
    (shop.vault / conflict.kept).unlink()
    before = shop.note.read_bytes()
    assert imported(shop.vault, shop.export(RETOLD)).unchanged == 1
    assert shop.note.read_bytes() == before
    report = imported(shop.vault, shop.export([*RETOLD, turn(1900, "human", "Thanks", 9, RETOLD[-1]["uuid"])]))
    assert report.appended == 1
    after = shop.note.read_text("utf-8")
    assert "The Volga, I think." in after and after.rstrip().endswith("Thanks") and "The Ob." not in after


def test_a_text_that_replaced_the_whole_note_is_never_written_to(shop: Shop) -> None:
    _edit_everything_away(shop.note)
    report = imported(shop.vault, shop.export(NEWER))
    assert shop.note.read_text("utf-8") == "Only my own text is left.\n"
    assert report.conflicted == 1


def test_a_persons_properties_stay_when_the_body_is_brought_up_to_date(shop: Shop) -> None:
    text = shop.note.read_text("utf-8")
    mine = text.replace('title: "Rivers"\n', 'title: My rivers\nrating: 5\nproject: "[[Atlas]]"\naliases:\n  - streams\n', 1)
    shop.note.write_text(mine, "utf-8", newline="\n")
    assert imported(shop.vault, shop.export(NEWER)).updated == 1
    after = shop.note.read_text("utf-8")
    assert 'title: My rivers\nrating: 5\nproject: "[[Atlas]]"\naliases:\n  - streams\n' in after
    assert "messages: 4" in after and "The Nile." in after
    assert imported(shop.vault, shop.export([*NEWER, turn(1900, "human", "Thanks", 9, NEWER[-1]["uuid"])])).updated == 1
    assert "rating: 5" in shop.note.read_text("utf-8")


def test_a_note_that_was_moved_is_found_and_brought_up_to_date_there(shop: Shop) -> None:
    place = shop.vault / "Geography/My rivers.md"
    place.parent.mkdir()
    shop.note.rename(place)
    assert imported(shop.vault, shop.export(NEWER)).updated == 1
    assert "The Nile." in place.read_text("utf-8")
    assert not list((shop.vault / "Chats").rglob("*.md"))


def test_a_note_split_in_two_goes_on_where_its_properties_are(shop: Shop) -> None:
    imported(shop.vault, shop.export(NEWER))
    text = shop.note.read_text("utf-8")
    at_second = text.index("## 2 ·")
    other = shop.vault / "Nile.md"
    other.write_text(text[at_second:], "utf-8", newline="\n")
    shop.note.write_text(text[:at_second], "utf-8", newline="\n")
    longer = [*NEWER, turn(1900, "human", "Thanks", 9, NEWER[-1]["uuid"])]
    assert imported(shop.vault, shop.export(longer)).appended == 1
    assert other.read_text("utf-8") == text[at_second:]
    assert "Thanks" in shop.note.read_text("utf-8") and "The Nile." not in shop.note.read_text("utf-8")


def test_a_deleted_note_stays_deleted(shop: Shop) -> None:
    shop.note.unlink()
    report = imported(shop.vault, shop.export(NEWER))
    assert [(tally.name, tally.count) for tally in report.skipped] == [("deleted by you", 1)]
    assert not list((shop.vault / "Chats").rglob("*.md"))


def test_a_deleted_note_that_was_put_back_goes_on(shop: Shop) -> None:
    data = shop.note.read_bytes()
    place = shop.note
    place.unlink()
    imported(shop.vault, shop.export(OLD))
    place.write_bytes(data)
    assert imported(shop.vault, shop.export(NEWER)).updated == 1
    assert "The Nile." in place.read_text("utf-8")


def test_a_lost_state_is_made_anew_from_the_notes_and_said_so(shop: Shop) -> None:
    _add_words(shop.note)
    (shop.vault / "_import/state.json").unlink()
    before = shop.note.read_bytes()
    report = imported(shop.vault, shop.export(OLD))
    assert (report.unchanged, report.new) == (1, 0)
    assert "Which notes you had deleted is not known any more" in report.remarks[0]
    assert imported(shop.vault, shop.export(NEWER)).appended == 1
    assert before.split(b"---", 2)[2].rstrip() in shop.note.read_bytes()


def test_a_note_that_was_appended_to_is_known_without_the_state(shop: Shop) -> None:
    _add_words(shop.note)
    assert imported(shop.vault, shop.export(NEWER)).appended == 1
    (shop.vault / "_import/state.json").unlink()
    before = shop.note.read_bytes()
    report = imported(shop.vault, shop.export(NEWER))
    assert (report.unchanged, report.new, report.conflicted) == (1, 0, 0)
    assert shop.note.read_bytes() == before
    longer = [*NEWER, turn(1900, "human", "And the deepest?", 9, NEWER[-1]["uuid"])]
    assert imported(shop.vault, shop.export(longer)).appended == 1
    assert "And the deepest?" in shop.note.read_text("utf-8") and MINE.strip() in shop.note.read_text("utf-8")


@pytest.mark.parametrize("edit", [lambda note: None, _add_words, _edit_answer], ids=["untouched", "added", "edited"])
def test_an_export_that_tells_one_chat_twice_writes_nothing_the_second_time(shop: Shop, edit: Callable[[Path], None]) -> None:
    edit(shop.note)
    both = write_json(shop.folder / "both.json", [chat(1, "Rivers", said, at(70)) for said in (NEWER, RETOLD, NEWER)])
    imported(shop.vault, both)
    before = _stamps(shop.vault)
    report = imported(shop.vault, both)
    assert _stamps(shop.vault) == before
    assert report.examined == report.unchanged + sum(tally.count for tally in report.skipped) == 3
    assert {tally.name for tally in report.skipped} == {"twice in the export"}


@pytest.mark.parametrize("damage", [b"", b"{", b'{"version": 99}'], ids=["empty", "cut", "of another version"])
def test_a_damaged_state_is_a_lost_one(shop: Shop, damage: bytes) -> None:
    (shop.vault / "_import/state.json").write_bytes(damage)
    report = imported(shop.vault, shop.export(OLD))
    assert (report.unchanged, len(report.remarks)) == (1, 1)
    assert imported(shop.vault, shop.export(OLD)).remarks == ()


def test_a_deleted_note_comes_back_only_where_the_state_was_lost(shop: Shop) -> None:
    imported(shop.vault, write_json(shop.folder / "two.json", [chat(1, "Rivers", OLD), chat(2, "Bread", talk(2, "Flour?", "Rye."))]))
    shop.note.unlink()
    (shop.vault / "_import/state.json").unlink()
    assert imported(shop.vault, shop.export(OLD)).new == 1


def test_an_older_export_is_ignored(shop: Shop) -> None:
    imported(shop.vault, shop.export(NEWER, at(50, day=9)))
    before = _stamps(shop.vault)
    report = imported(shop.vault, shop.export(OLD))
    assert [tally.name for tally in report.skipped] == ["older than the note"]
    assert _stamps(shop.vault) == before


def test_a_chat_that_is_gone_from_a_newer_export_is_marked_and_kept(shop: Shop) -> None:
    both = [chat(1, "Rivers", OLD), chat(2, "Bread", talk(2, "Flour?", "Rye."))]
    imported(shop.vault, write_json(shop.folder / "both.json", both))
    report = imported(shop.vault, write_json(shop.folder / "one.json", both[1:]))
    assert report.archived == 1
    assert "archived: true\n" in shop.note.read_text("utf-8") and "The Volga." in shop.note.read_text("utf-8")
    assert imported(shop.vault, shop.folder / "one.json").archived == 0
    assert imported(shop.vault, shop.folder / "both.json").updated == 1
    assert "archived" not in shop.note.read_text("utf-8")


def test_one_part_of_an_export_archives_nothing(shop: Shop) -> None:
    many = [chat(n, f"Chat {n}", talk(n, "a", "b")) for n in range(1, 6)]
    imported(shop.vault, write_json(shop.folder / "many.json", many))
    assert imported(shop.vault, write_json(shop.folder / "part.json", many[:2])).archived == 0
    assert imported(shop.vault, shop.folder / "many.json", since="2027-01-01").archived == 0


def test_a_new_branch_is_added_to_an_edited_note(shop: Shop) -> None:
    _add_words(shop.note)
    branch = turn(1700, "assistant", "The Lena, no.", 0, OLD[0]["uuid"])
    assert imported(shop.vault, shop.export([*OLD, branch])).appended == 1
    text = shop.note.read_text("utf-8")
    assert "Left behind" in text and "The Lena, no." in text and MINE.strip() in text


def test_a_dry_run_tells_the_same_and_writes_nothing(shop: Shop) -> None:
    both = write_json(
        shop.folder / "both.json",
        [chat(1, "Rivers", NEWER), chat(2, "Bread", talk(2, "Flour?", "Rye.")), chat(2, "Bread", talk(2, "Oats?"))],
    )
    before = _stamps(shop.vault)
    said = imported(shop.vault, both, dry_run=True)
    assert _stamps(shop.vault) == before
    done = imported(shop.vault, both)
    assert (said.new, said.updated, said.examined) == (done.new, done.updated, done.examined) == (1, 2, 3)


def test_a_stop_between_conversations_keeps_what_was_done_and_the_next_run_goes_on(tmp_path: Path) -> None:
    many = write_json(tmp_path / "many.json", [chat(n, f"Chat {n}", talk(n, "a", "b")) for n in range(1, 9)])
    answers = iter([False, False, False, True])
    report = imported(tmp_path / "vault", many, stopped=lambda: next(answers))
    assert report.stopped and report.new == 3
    again = imported(tmp_path / "vault", many)
    assert (again.unchanged, again.new, again.stopped) == (3, 5, False)


def test_a_note_of_a_person_at_the_wanted_path_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "vault/Chats/2026/2026-03-01 Rivers (00000001).md"
    mine.parent.mkdir(parents=True)
    mine.write_text("My own note.\n", "utf-8")
    imported(tmp_path / "vault", write_json(tmp_path / "c.json", [chat(1, "Rivers", OLD)]))
    assert mine.read_text("utf-8") == "My own note.\n"
    assert len(list(mine.parent.iterdir())) == 2


def test_excluded_folders_are_counted_and_not_written(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "knowledge.toml").write_text('[vault]\nexclude = ["/Chats/"]\n', "utf-8")
    report = imported(vault, write_json(tmp_path / "c.json", [chat(1, "Rivers", OLD)]))
    assert [tally.name for tally in report.skipped] == ["excluded in this vault"]
    assert not (vault / "Chats").exists()


def test_the_order_of_two_exports_does_not_matter_to_a_lost_row(shop: Shop) -> None:
    """A crash after the note was written and before the state was: the note is recognised, not written a second time."""
    kept = (shop.vault / "_import/state.json").read_bytes()
    imported(shop.vault, write_json(shop.folder / "two.json", [chat(1, "Rivers", OLD), chat(2, "Bread", talk(2, "Flour?", "Rye."))]))
    (shop.vault / "_import/state.json").write_bytes(kept)
    assert imported(shop.vault, shop.folder / "two.json").unchanged == 2
    assert len(list((shop.vault / "Chats").rglob("*.md"))) == 2


def test_times_of_files_are_not_looked_at(shop: Shop) -> None:
    os.utime(shop.note, ns=(1, 1))
    assert imported(shop.vault, shop.export(NEWER)).updated == 1
    assert uid(1) in only_note(shop.vault)


def test_a_fact_that_was_rated_between_two_exports_keeps_its_trust_and_is_joined_by_none(shop: Shop) -> None:
    said = [*OLD, *talk(1, "", "", "Remember:\n- The Volga is long [trust:: 0.9] ^k3f9", "- noted ^n0te")[2:]]
    memory = write_json(shop.folder / "m.json", {"account_uuid": "acc", "conversations_memory": "- Likes rivers [trust:: 1] ^m1ne"})
    with remembering(shop.folder) as (vault, engine):
        imported(vault.root, shop.export(OLD), memory)
        index(engine)
        known = facts_of(engine)
        rated = vote(engine, "k3f9", GOOD)
        report = imported(vault.root, shop.export(said), memory)
        index(engine)
        assert (report.updated, report.unchanged) == (1, 1)
        assert rated.trust > next(fact for fact in known if fact.id == "k3f9").trust
        assert fact(engine, "k3f9") == rated
        assert [each.text for each in facts_of(engine)] == [each.text for each in known]


def test_facts_and_feedback_are_not_touched_by_any_import(shop: Shop) -> None:
    fact, vote = shop.vault / "Memory/Facts/maps.md", shop.vault / "Memory/Feedback/dev1.md"
    for file, words in ((fact, "- The map has three levels. [trust:: 0.65] ^k3f9\n"), (vote, "- ^k3f9 helpful 2026-03-02\n")):
        file.parent.mkdir(parents=True)
        file.write_text(words, "utf-8", newline="\n")
    before = {file: (file.stat().st_mtime_ns, file.read_bytes()) for file in (fact, vote)}
    files = [{"path": f"/{folder}/maps.md", "content": "- imported"} for folder in ("Facts", "facts", "Feedback", "feedback")]
    memory = write_json(shop.folder / "m.json", {"account_uuid": "acc", "memory_files": files})
    report = imported(shop.vault, shop.export(NEWER), memory)
    assert (report.new, report.updated) == (4, 1)
    assert {file: (file.stat().st_mtime_ns, file.read_bytes()) for file in (fact, vote)} == before
    assert {path.name for path in (shop.vault / "Memory").iterdir()} == {"Facts", "Feedback", "files"}
