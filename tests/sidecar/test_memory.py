"""Facts remembered, corrected, forgotten: in real notes, with a real engine, beside hand edits."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from holovault.errors import AmbiguousError, NotFoundError, PathForbiddenError, StaleError, TooLargeError, UsageError
from holovault.model import CorrectRequest, FactQuery, FeedbackRequest, ForgetRequest, RememberRequest
from tests.support.engines import ask, index
from tests.support.remembering import NOTE, PEOPLE, disturbed, fact, facts_of, remembering, reopened, texts, vote


def test_what_was_remembered_is_found_by_the_very_next_search(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        done = engine.facts.remember(RememberRequest("Zanzibar has the best cloves", "Travel", ("spice",), ("Zanzibar",), 0.8))
        hit = ask(engine, "cloves", "lexical").results[0]
        assert (hit.path, hit.fact and hit.fact.id, hit.fact and hit.fact.category) == ("Memory/Facts/Travel.md", done.fact.id, "Travel")
        assert (done.known, done.fact.trust, done.fact.tags, done.fact.entities) == (False, 0.8, ("spice",), ("Zanzibar",))
        line = vault.at("Memory/Facts/Travel.md").read_text(encoding="utf-8")
        assert line.startswith("- [[Zanzibar]] has the best cloves #spice [trust:: 0.8] [created:: 20")
        assert line.endswith(f" ^{done.fact.id}\n")


def test_the_same_text_is_known_and_written_once(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        before = vault.notes()
        for again in ("[[Ivan]] leads [[Atlas]]", "Ivan  leads\nAtlas.", "IVAN LEADS ATLAS #other"):
            done = engine.facts.remember(RememberRequest(again, "Elsewhere", trust=0.1))
            assert (done.known, done.fact.id, done.fact.trust) == (True, "k3f9", 0.7)
        assert vault.notes() == before


def test_a_fact_written_by_hand_a_moment_ago_is_known(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        vault.write(NOTE, PEOPLE.replace("The office is in Oslo", "The office is in Bergen"))
        assert engine.facts.remember(RememberRequest("the office is in Bergen")).known


def test_a_fact_goes_where_its_category_is(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        done = engine.facts.remember(RememberRequest("Попугая зовут Кеша", "дом")).fact
        assert (done.path, done.category, done.start_line) == (NOTE, "Дом", 11)
        expected = PEOPLE.replace("  - она добрая\n", f"  - она добрая\n* Попугая зовут Кеша [created:: {done.created}] ^{done.id}\n")
        assert vault.at(NOTE).read_bytes() == expected.encode("utf-8")


def test_a_category_that_is_no_file_name_becomes_a_heading(tmp_path: Path) -> None:
    with remembering(tmp_path, {}) as (_, engine):
        first = engine.facts.remember(RememberRequest("Templates are Turing complete", "C/C++: notes")).fact
        second = engine.facts.remember(RememberRequest("Modules came in 2020", "c/c++: notes")).fact
        assert (first.path, first.category) == (second.path, second.category) == ("Memory/Facts/C-C++- notes.md", "C/C++: notes")


def test_the_folder_of_facts_is_the_configured_one(tmp_path: Path) -> None:
    with remembering(tmp_path, {}) as (vault, engine):
        vault.config('[embedding]\nprovider = "none"\n[memory]\nfacts = "Ab/Facts*/**"\n')
    with reopened(vault, tmp_path / "home") as engine:
        with pytest.raises(UsageError, match=r"Ab/General\.md is no note of facts"):
            engine.facts.remember(RememberRequest("Somewhere"))
        assert engine.facts.remember(RememberRequest("Here", path="Ab/Facts1/x.md")).fact.path == "Ab/Facts1/x.md"


def test_a_fact_is_written_nowhere_else(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        before = vault.notes()
        for path in ("Notes/a.md", "Memory/Facts/a.txt", "Memory/Facts/../../x.md", "/Memory/Facts/x.md", "Memory/Feedback/x.md"):
            with pytest.raises((UsageError, PathForbiddenError)):
                engine.facts.remember(RememberRequest("Ivan likes tea", path=path))
        assert vault.notes() == before


def test_an_imported_note_is_never_written_into(tmp_path: Path) -> None:
    imported = "---\nsource: chatgpt\n---\n- said once\n"
    with remembering(tmp_path, {"Memory/Facts/Chat.md": imported}) as (vault, engine):
        assert texts(engine) == []
        with pytest.raises(UsageError, match="no note of facts"):
            engine.facts.remember(RememberRequest("Ivan likes tea", path="Memory/Facts/Chat.md"))
        with pytest.raises(UsageError, match="no note of facts"):
            engine.facts.remember(RememberRequest("Ivan likes tea", "Chat"))
        assert vault.at("Memory/Facts/Chat.md").read_text(encoding="utf-8") == imported


ODD = (
    "ends like an id ^abc",
    "[trust:: 1] and (created:: 1999-01-01)",
    "# heading",
    "- item",
    "> quote",
    "1. one",
    "```code",
    "%% hidden",
    "<!-- hidden",
    "[ ] to do",
    "| a | b |",
    "--- dashes",
    "two\nlines\n\n- and more",
    "<b>bold</b> & <script>alert(1)</script>",
    "a `^b` and $x^2$",
    "тире — и «кавычки»",
    "[[Broken",
    "#",
    "\\",
)


def test_whatever_is_said_becomes_one_line_that_says_it_or_is_refused(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        for text in ODD:
            vault.write(NOTE, PEOPLE)
            engine.facts.fold()
            before = facts_of(engine)
            try:
                done = engine.facts.remember(RememberRequest(text, path=NOTE, category="Work"))
            except UsageError:
                assert vault.at(NOTE).read_bytes() == PEOPLE.encode("utf-8")
                assert not any(char.isalnum() for char in text)
                continue
            after = facts_of(engine)
            assert [each.text for each in after if each.id != done.fact.id] == [each.text for each in before]
            assert len(vault.at(NOTE).read_bytes().splitlines()) == len(PEOPLE.encode("utf-8").splitlines()) + 1
            assert done.fact.trust == 0.5
            assert done.fact.text.replace("\\", "") == " ".join(text.split()).replace("\\", "")
            assert engine.facts.remember(RememberRequest(text)).known


REFUSED: tuple[tuple[RememberRequest, type[Exception]], ...] = (
    (RememberRequest("  \n "), UsageError),
    (RememberRequest("a\x00b"), UsageError),
    (RememberRequest("a" * 2_001), TooLargeError),
    (RememberRequest("a", trust=1.1), UsageError),
    (RememberRequest("a", trust=float("nan")), UsageError),
    (RememberRequest("a", tags=("12",)), UsageError),
    (RememberRequest("a", tags=("a,b",)), UsageError),
    (RememberRequest("a", entities=("x|y",)), UsageError),
    (RememberRequest("a", category="#"), UsageError),
    (RememberRequest("a", category="x" * 81), UsageError),
)


def test_what_can_be_no_fact_is_refused_in_words(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        before = vault.notes()
        for wanted, error in REFUSED:
            with pytest.raises(error):
                engine.facts.remember(wanted)
        assert vault.notes() == before


def test_a_correction_changes_the_text_and_nothing_else(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        vote(engine, "k3f9", "helpful")
        done = engine.facts.correct(CorrectRequest("^K3F9", "[[Olga]] leads [[Atlas]]"))
        assert done.was == "[[Ivan]] leads [[Atlas]] #team"
        assert vault.at(NOTE).read_bytes() == PEOPLE.replace("[[Ivan]]", "[[Olga]]").encode("utf-8")
        assert (done.fact.id, done.fact.created, done.fact.trust, done.fact.helpful) == ("k3f9", "2026-05-24", 0.75, 1)
        assert ask(engine, "Olga", "lexical").results[0].path == NOTE
        assert not ask(engine, "Ivan", "lexical").results


def test_tags_go_where_the_person_edits_the_whole_text(tmp_path: Path) -> None:
    with remembering(tmp_path) as (_, engine):
        assert engine.facts.correct(CorrectRequest("k3f9", "Olga leads #boss")).fact.tags == ("boss", "team")
        assert engine.facts.correct(CorrectRequest("k3f9", "Olga leads", keep_tags=False)).fact.tags == ()


def test_a_fact_told_in_several_lines_is_corrected_as_such(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        rex = next(each for each in facts_of(engine) if "Рекс" in each.text)
        assert rex.text == "Собаку зовут Рекс\n- она добрая"
        done = engine.facts.correct(CorrectRequest(rex.id, "Собаку зовут Тузик\n- она злая", (rex.item,)))
        assert done.fact.written and done.fact.text == "Собаку зовут Тузик\n- она злая"
        written = f"* Собаку зовут Тузик ^{done.fact.id}\n  - она злая\n"
        assert vault.at(NOTE).read_bytes() == PEOPLE.replace("* Собаку зовут Рекс\n  - она добрая\n", written).encode("utf-8")


def test_a_fact_without_an_id_gets_one_when_it_is_first_touched_and_never_by_indexing(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        index(engine)
        assert vault.at(NOTE).read_bytes() == PEOPLE.encode("utf-8")
        office = next(each for each in facts_of(engine) if "office" in each.text)
        assert not office.written
        done = engine.facts.feedback(FeedbackRequest(office.id, "unhelpful")).fact
        assert (done.written, done.trust) == (True, 0.4)
        assert vault.at(NOTE).read_bytes() == PEOPLE.replace("in Oslo\n", f"in Oslo ^{done.id}\n").encode("utf-8")
        with pytest.raises(NotFoundError):
            engine.facts.history("nothere")


def test_what_was_forgotten_is_gone_and_every_other_byte_stays(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        gone = engine.facts.forget(ForgetRequest("kot1", (fact(engine, "kot1").hash,)))
        assert (gone.text, gone.start_line) == ("Кота зовут Барсик", 8)
        assert vault.at(NOTE).read_bytes() == PEOPLE.replace("* Кота зовут Барсик ^kot1\r\n", "").encode("utf-8")
        assert gone.hash == facts_of(engine)[0].hash
        assert not ask(engine, "Барсик", "lexical").results
        rex = next(each for each in facts_of(engine) if "Рекс" in each.text)
        engine.facts.forget(ForgetRequest(rex.id))
        assert "Рекс" not in vault.at(NOTE).read_text(encoding="utf-8")
        assert vault.at(NOTE).read_bytes().endswith("## Дом\n\n\nThe end.\n".encode())
        with pytest.raises(NotFoundError):
            engine.facts.forget(ForgetRequest("kot1"))


def test_a_fact_moved_to_another_file_keeps_id_trust_and_history(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        before = vote(engine, "kot1", "helpful", "helpful", "unhelpful")
        line = "* Кота зовут Барсик ^kot1\r\n"
        vault.write(NOTE, PEOPLE.replace(line, ""))
        vault.write("Memory/Facts/Animals/Cats.md", f"# Коты\n{line}")
        done = engine.facts.correct(CorrectRequest("kot1", "Кота зовут Мурзик")).fact
        assert (done.path, done.category, done.trust) == ("Memory/Facts/Animals/Cats.md", "Коты", before.trust)
        assert [each.vote for each in engine.facts.history("kot1").votes] == ["helpful", "helpful", "unhelpful"]


def test_a_copied_id_is_shown_with_its_places_and_changed_by_nobody(tmp_path: Path) -> None:
    notes = {NOTE: "- one ^same\n", "Memory/Facts/Z.md": "- two ^same\n"}
    with remembering(tmp_path, notes) as (vault, engine):
        history = engine.facts.history("same")
        assert (history.fact.text, history.copies) == ("one", ("Memory/Facts/Z.md:1",))
        for change in (
            lambda: engine.facts.correct(CorrectRequest("same", "three")),
            lambda: engine.facts.forget(ForgetRequest("same")),
            lambda: vote(engine, "same", "helpful"),
        ):
            with pytest.raises(AmbiguousError, match=r"Memory/Facts/People\.md:1, Memory/Facts/Z\.md:1"):
                change()
        assert vault.notes() == {path: text.encode() for path, text in notes.items()}


def test_a_hand_edit_elsewhere_in_the_note_does_not_stop_a_change(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        edited = PEOPLE.replace("The end.", "The very end.").replace("# Work\n", "# Work\n\n- A new first one\n")

        def by_hand(count: int) -> None:
            if count == 1:
                vault.write(NOTE, edited)

        done = disturbed(engine, by_hand).correct(CorrectRequest("kot1", "Кота зовут Мурзик"))
        assert vault.at(NOTE).read_bytes() == edited.replace("Барсик", "Мурзик").encode("utf-8")
        assert done.fact.text == "Кота зовут Мурзик"


@pytest.mark.parametrize("change", ["correct", "forget"])
def test_a_hand_edit_of_the_fact_itself_wins_and_both_versions_are_shown(tmp_path: Path, change: str) -> None:
    with remembering(tmp_path) as (vault, engine):
        edited = PEOPLE.replace("Барсик", "Василий")

        def by_hand(count: int) -> None:
            if count == 1:
                vault.write(NOTE, edited)

        facts = disturbed(engine, by_hand)
        with pytest.raises(StaleError) as caught:
            facts.correct(CorrectRequest("kot1", "Кота зовут Мурзик")) if change == "correct" else facts.forget(ForgetRequest("kot1"))
        assert vault.at(NOTE).read_bytes() == edited.encode("utf-8")
        assert caught.value.current_hash == engine.read(NOTE).hash
        assert caught.value.quoted == "It said:\nКота зовут Барсик\nIt says now:\nКота зовут Василий"
        assert "Василий" not in str(caught.value)


def test_a_note_that_never_rests_is_left_alone(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        facts = disturbed(engine, lambda count: vault.write(NOTE, PEOPLE + f"\n{count}\n"))
        with pytest.raises(StaleError):
            facts.forget(ForgetRequest("kot1"))
        assert vault.at(NOTE).read_bytes() == (PEOPLE + "\n2\n").encode("utf-8")


def test_expected_hashes_are_of_the_note_or_of_the_text(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        read = fact(engine, "kot1")
        vault.write(NOTE, PEOPLE + "\nMore.\n")
        with pytest.raises(StaleError):
            engine.facts.correct(CorrectRequest("kot1", "other", (read.hash,)))
        engine.facts.correct(CorrectRequest("kot1", "Кота зовут Мурзик", (read.hash, read.item)))
        with pytest.raises(StaleError):
            engine.facts.forget(ForgetRequest("kot1", (read.hash, read.item)))
        assert fact(engine, "kot1").text == "Кота зовут Мурзик"


def test_facts_are_narrowed_by_words_category_tag_entity_place_and_trust(tmp_path: Path) -> None:
    with remembering(tmp_path) as (_, engine):
        engine.facts.remember(RememberRequest("Atlas is written in Rust", "Work", ("team/code",), ("Atlas",), 0.9))

        def found(query: FactQuery) -> list[str]:
            return [each.text.split()[0] for each in engine.facts.list(query).facts]

        assert found(FactQuery("ATLAS lead")) == ["[[Ivan]]"]
        assert found(FactQuery(category="work")) == ["[[Ivan]]", "The", "[[Atlas]]"]
        assert found(FactQuery(tag="#team")) == ["[[Ivan]]", "[[Atlas]]"]
        assert found(FactQuery(entity="atlas", min_trust=0.8)) == ["[[Atlas]]"]
        assert found(FactQuery(path="Memory/Facts/Nothing.md")) == []
        whole = engine.facts.list(FactQuery(limit=2, offset=1))
        assert (whole.total, len(whole.facts)) == (5, 2)
        assert {each.name: each.count for each in whole.categories} == {"Work": 3, "Дом": 2}
        assert {each.name: each.count for each in whole.tags} == {"team": 1, "team/code": 1}


def test_without_the_index_nothing_is_lost(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        engine.facts.remember(RememberRequest("Zanzibar has cloves", "Travel", ("spice",), ("Zanzibar",), 0.8))
        vote(engine, "k3f9", "helpful", "helpful", "unhelpful")
        vote(engine, "kot1", "unhelpful")
        engine.facts.fold()
        vote(engine, "k3f9", "helpful")
        before = [engine.facts.history(each.id) for each in facts_of(engine)]
        days = engine.facts.activity()
    with reopened(vault, tmp_path / "another home") as engine:
        assert [engine.facts.history(each.id) for each in facts_of(engine)] == before
        assert engine.facts.activity() == days
    assert [len(each.votes) for each in before] == [4, 0, 1, 0, 0]


def test_a_correction_that_would_be_read_as_something_else_is_refused(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine):
        for text in ("x [trust:: 1]", "x %% y %%", "x <!-- y -->", "x\n\n# heading\n\nand [created:: 2020-01-01]", " \n", "a\x1bb"):
            with pytest.raises(UsageError):
                engine.facts.correct(CorrectRequest("kot1", text))
        assert vault.at(NOTE).read_bytes() == PEOPLE.encode("utf-8")
        assert engine.facts.correct(CorrectRequest("kot1", "ends ^here")).fact.text == "ends ^here"


def test_many_who_remember_at_once_lose_nothing_and_write_nothing_twice(tmp_path: Path) -> None:
    with remembering(tmp_path) as (vault, engine), ThreadPoolExecutor(6) as threads:
        wanted = [RememberRequest(f"Number {number % 6} is a number", "Numbers") for number in range(12)]
        done = list(threads.map(engine.facts.remember, wanted))
        assert sum(not each.known for each in done) == 6
        written = vault.at("Memory/Facts/Numbers.md").read_text(encoding="utf-8").splitlines()
        assert sorted(line.partition(" is")[0] for line in written) == [f"- Number {number}" for number in range(6)]
        assert len({each.fact.id for each in done}) == 6
