"""Facts in the index: each its own passage with its own trust, picked up from hand edits, moved with its history, and never lost."""

import shutil
import sqlite3
from pathlib import Path

import msgspec
from hypothesis import given, settings

from holovault.chunking import LIMIT, chunk
from holovault.chunking.chunks import source_spans
from holovault.config import Config, SearchConfig
from holovault.engine import Engine
from holovault.facts import parse_facts
from holovault.indexer.cutting import CutInput, CutSettings, Knife
from holovault.markdown import parse
from holovault.store import FactFilter
from holovault.store.factkeys import keys_of
from holovault.store.migrations import MIGRATIONS, migrate
from tests.support.dumps import dump
from tests.support.embeddings import WordEmbedding
from tests.support.engines import ask, first, found, index, open_engine
from tests.support.markdown import NOTES
from tests.support.searching import NoModel, desk
from tests.support.vaults import VaultFolder, make_vault

PEOPLE = (
    "---\ntags: [private]\n---\n# Люди\n\nО тех, кого я знаю.\n\n## Семья\n\n"
    "- [[Иван]] живёт в Берлине #адреса [trust:: 0.65] [created:: 2026-05-24] ^k3f9\n"
    "- Мария пьёт чай\n  - зелёный, без сахара\n\n## Работа\n\n- Пётр отвечает за Atlas ^p1t2\n"
)
FEEDBACK = "^k3f9 helpful 2026-05-25T10:00:00Z\n^k3f9 unhelpful 2026-05-26T10:00:00Z\n"


def vault_of(root: Path, **more: str) -> VaultFolder:
    return make_vault(root, {"Memory/Facts/Люди.md": PEOPLE, "Notes/Чай.md": "# Чай\n\nПро чай вообще.\n", **more})


def told(engine: Engine) -> list[tuple[str, float, str, str | None]]:
    """What is known of every fact, apart from where it stands."""
    return sorted((row.id, row.trust, row.line.text, row.line.created) for row in engine._store.facts.all())


def test_each_fact_is_a_passage_with_its_own_lines_trust_and_nothing_of_its_fields(tmp_path: Path) -> None:
    with open_engine(vault_of(tmp_path / "vault").root, tmp_path / "home") as engine:
        index(engine)
        hit = first(engine, "кто живёт в Берлине", "lexical")
        assert (hit.start_line, hit.end_line, hit.excerpt) == (10, 10, "[[Иван]] живёт в Берлине #адреса")
        assert hit.fact is not None
        assert (hit.fact.id, hit.fact.trust, hit.fact.category) == ("k3f9", 0.65, "Семья")
        assert (hit.heading, hit.tags) == (("Люди", "Семья"), ("адреса", "private"))
        assert abs(hit.signals.trust - (0.7 + 0.5 * 0.65)) < 1e-9
        nested = first(engine, "зелёный сахар", "lexical")
        assert (nested.start_line, nested.end_line) == (11, 12)
        assert nested.fact is not None
        assert nested.fact.id.startswith("_")
        assert first(engine, "кого я знаю", "lexical").fact is None
        assert first(engine, "вообще", "lexical").signals.trust == 1.0
        assert found(engine, "trust created", "lexical") == []


def test_filters_choose_facts_by_id_category_trust_and_their_own_tags(tmp_path: Path) -> None:
    with open_engine(vault_of(tmp_path / "vault").root, tmp_path / "home") as engine:
        index(engine)

        def lines(query: str) -> list[int]:
            return sorted(hit.start_line for hit in ask(engine, query, "lexical").results)

        assert lines("fact:any") == [10, 11, 16]
        assert lines("fact:^K3F9") == lines("trust:>0.6") == lines("tag:адреса fact:any") == [10]
        assert lines("category:семья") == [10, 11]
        assert lines("trust:<0.6 -category:Работа") == [11]
        assert lines("чай -fact:any") == [1]
        assert lines("чай category:Семья") == [11]
        assert lines("tag:private fact:any") == [10, 11, 16]


def test_votes_of_all_devices_count_and_their_notes_are_not_searched(tmp_path: Path) -> None:
    votes = {
        "Memory/Feedback/a1b2c3.md": FEEDBACK,
        "Memory/Feedback/a1b2c3 (conflicted copy).md": FEEDBACK + "^k3f9 helpful 2026-05-27T10:00:00Z\n",
        "Memory/Feedback/d4e5f6.md": "^k3f9 helpful 2026-05-25T10:00:00Z\n^gone helpful 2026-05-25\n",
    }
    with open_engine(vault_of(tmp_path / "vault", **votes).root, tmp_path / "home") as engine:
        index(engine)
        (fact,) = engine._store.facts.by_id("^K3F9")
        assert (fact.helpful, fact.unhelpful, fact.own_trust, fact.trust) == (3, 1, 0.65, 0.7)
        assert [(vote.helpful, vote.path.rpartition("/")[2][:6]) for vote in engine._store.facts.votes("k3f9")] == [
            (True, "a1b2c3"),
            (True, "d4e5f6"),
            (False, "a1b2c3"),
            (True, "a1b2c3"),
        ]
        assert found(engine, "helpful", "lexical") == found(engine, "a1b2c3", "lexical") == []
        assert "gone" in engine._store.facts.ids()


def test_a_hand_edit_is_picked_up_and_a_moved_fact_keeps_id_trust_and_date(tmp_path: Path) -> None:
    vault = vault_of(tmp_path / "vault", **{"Memory/Feedback/a1b2c3.md": FEEDBACK})
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine)
        before = told(engine)
        line = PEOPLE.splitlines(keepends=True)[9]
        vault.write("Memory/Facts/Люди.md", PEOPLE.replace(line, ""))
        vault.write("Memory/Facts/Адреса.md", line)
        index(engine)
        assert told(engine) == before
        (moved,) = engine._store.facts.by_id("k3f9")
        assert (moved.path, moved.line.category, moved.trust) == ("Memory/Facts/Адреса.md", "Адреса", 0.6)
        vault.write("Memory/Facts/Адреса.md", line.replace("0.65", "0.9").replace("Берлине", "Риме"))
        index(engine)
        (edited,) = engine._store.facts.by_id("k3f9")
        assert (edited.line.text, edited.trust) == ("[[Иван]] живёт в Риме #адреса", 0.85)
        assert found(engine, "Берлине", "lexical") == []


def test_another_trust_alone_embeds_nothing_anew(tmp_path: Path) -> None:
    vault = vault_of(tmp_path / "vault")
    with open_engine(vault.root, tmp_path / "home", embedding=WordEmbedding()) as engine:
        assert index(engine).embedded > 0
        vault.write("Memory/Facts/Люди.md", PEOPLE.replace("0.65", "0.9").replace("Мария пьёт чай", "Мария пьёт чай [trust:: 1] ^m1"))
        assert index(engine).embedded == 0
        assert [row.trust for row in engine._store.facts.find(FactFilter(min_trust=0.8))] == [0.9, 1.0]


def test_a_copied_id_is_listed_and_both_places_are_told(tmp_path: Path) -> None:
    vault = vault_of(tmp_path / "vault", **{"Memory/Facts/Копия.md": "- копия ^K3f9\n- без номера\n- без номера\n"})
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine)
        assert {name: [row.path for row in rows] for name, rows in engine._store.facts.duplicates().items()} == {
            "k3f9": ["Memory/Facts/Копия.md", "Memory/Facts/Люди.md"]
        }
        copies = {row.path: row.duplicate_of for row in engine._store.facts.by_id("k3f9")}
        assert copies == {"Memory/Facts/Копия.md": None, "Memory/Facts/Люди.md": "Memory/Facts/Копия.md:1"}
        assert {row.duplicate_of for row in engine._store.facts.find(FactFilter(text="без номера"))} == {None}


def test_an_index_that_was_deleted_comes_back_with_the_same_facts_votes_and_rows(tmp_path: Path) -> None:
    vault = vault_of(tmp_path / "vault", **{"Memory/Feedback/a1b2c3.md": FEEDBACK})
    home = tmp_path / "home"
    with open_engine(vault.root, home) as engine:
        index(engine)
        vault.write("Memory/Facts/Люди.md", "\n" + PEOPLE.replace("## Работа", "## Дело"))
        vault.write("Memory/Feedback/a1b2c3.md", FEEDBACK * 2 + "^p1t2 helpful 2026-05-26\n")
        index(engine)
        before, votes = told(engine), engine._store.facts.votes()
    rows = dump(home)
    shutil.rmtree(home / "index")
    with open_engine(vault.root, home) as engine:
        index(engine)
        assert told(engine) == before
        assert engine._store.facts.votes() == votes
    assert {name: dump(home)[name] for name in ("facts", "votes", "chunks")} == {name: rows[name] for name in ("facts", "votes", "chunks")}
    assert len(before) == 3


def test_importers_notes_and_other_folders_hold_no_facts_and_the_rule_can_be_changed(tmp_path: Path) -> None:
    vault = vault_of(
        tmp_path / "vault", **{"Memory/Facts/Chat.md": "---\nsource: chatgpt\n---\n- said ^c1\n", "Wissen/A.md": "- weiß ^w1\n"}
    )
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine)
        assert sorted(engine._store.facts.ids()) == ["k3f9", "p1t2"]
    vault.config('[embedding]\nprovider = "none"\n[memory]\nfacts = "Wissen/**"\n')
    with open_engine(vault.root, tmp_path / "home") as engine:
        index(engine)
        assert engine._store.facts.ids() == {"w1"}
        assert first(engine, "Берлине", "lexical").fact is None


def test_a_fact_ages_from_its_own_date_and_never_from_its_notes(tmp_path: Path) -> None:
    lines = "- green tea one [created:: 2020-01-01]\n- green tea two\n- green tea three [created:: 2026-06-01 10:00 +03:00]\n"
    aged = Config(search=SearchConfig(half_life_days=30.0, decay_floor=0.25))
    with desk(tmp_path, {"Memory/Facts/Tea.md": lines}, NoModel(), config=aged, modified={"Memory/Facts/Tea.md": "2010-01-01"}) as vault:
        decays = {hit.start_line: hit.signals.decay for hit in vault.ask("green tea", "lexical").results}
        assert (decays[1], decays[2]) == (0.25, 1.0)
        assert 0.25 < decays[3] < 1.0
        best = vault.first("green tea", "lexical", explain=True)
        assert best.explanation is not None
        assert abs(best.explanation.relevance * best.explanation.tier * best.explanation.trust * best.explanation.decay - best.score) < 1e-9


def test_a_list_of_facts_shows_each_one_with_the_latest_dates_first(tmp_path: Path) -> None:
    lines = "# Tea\n\n- one [created:: 2020-01-01]\n- two\n- three [created:: 2026-06-01] #black\n\ntext\n"
    with desk(tmp_path, {"Memory/Facts/Tea.md": lines, "Notes/A.md": "a"}, NoModel()) as vault:
        assert [hit.excerpt for hit in vault.ask("fact:any").results] == ["three #black", "one", "two"]
        assert [hit.excerpt for hit in vault.ask("tag:black").results] == ["three #black"]
        assert [hit.excerpt for hit in vault.ask("fact:any -tag:black").results] == ["one", "two"]
        assert [hit.excerpt for hit in vault.ask("folder:Memory").results] == ["one"]


def test_a_fact_longer_than_a_chunk_is_its_first_chunk_and_no_text_is_lost() -> None:
    words = " ".join(f"word{number}" for number in range(1500))
    note = Knife(CutSettings(("en",), 128)).cut(CutInput("Memory/Facts/A.md", f"- short\n- {words} ^l1\n- last\n".encode()))
    facts = [cut.fact.id if cut.fact else "-" for cut in note.chunks]
    assert facts[:2] == [None, "l1"]
    assert facts[-1] is None
    assert facts[2:-1] == ["-"] * (len(facts) - 3)
    assert all(cut.chunk.tokens <= LIMIT for cut in note.chunks)
    assert set(words.split()) <= set(" ".join(cut.chunk.text for cut in note.chunks).split())


def test_only_short_facts_state_their_words() -> None:
    knife = Knife(CutSettings(("en",), 128))
    note = knife.cut(CutInput("Memory/Facts/A.md", f"- Ann likes green tea\n- {'many ' * 31}\n".encode()))
    stated = [[filler.name for filler in cut.fillers if filler.role == "text"] for cut in note.chunks]
    assert stated == [["ann", "like", "green", "tea"], []]


@given(NOTES)
@settings(max_examples=30, deadline=None)
def test_any_note_cut_with_its_facts_apart_still_covers_its_body_once(text: str) -> None:
    document = parse(text)
    facts = parse_facts(document, "n")
    apart = frozenset(fact.start_line for fact in facts)
    chunks, spans = chunk(document, apart), source_spans(document, apart)
    assert len(chunks) == len(spans)
    assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]
    assert not spans or (spans[0].start, spans[-1].end) == (0, len(document.body))
    for fact in facts:
        holding = [one for one in chunks if one.start_line <= fact.end_line and one.end_line >= fact.start_line]
        assert len([other for other in facts if holding[0].start_line <= other.start_line <= holding[0].end_line]) == 1


def test_a_forgotten_fact_and_its_votes_are_in_no_file_of_the_index(tmp_path: Path) -> None:
    line = "- zebrafish swim [nb:: hiddenvalue] ^zz11\n"
    vault = vault_of(tmp_path / "vault", **{"Memory/Facts/A.md": line, "Memory/Feedback/ab.md": "^zz11 helpful 2026-05-05\n"})
    home = tmp_path / "home"
    with open_engine(vault.root, home) as engine:
        index(engine)
        assert len(engine._store.facts.by_id("zz11")) == 1
        vault.write("Memory/Facts/A.md", "- other\n")
        vault.delete("Memory/Feedback/ab.md")
        index(engine)
        engine._store.clean_up(4e9)
        figures = engine._store.soundness.figures()
        assert (figures.orphans, figures.wordless) == (0, 0)
    data = b"".join(file.read_bytes() for file in (home / "index").rglob("*") if file.is_file())
    assert [word for word in (b"zebrafish", b"hiddenvalue", b"zz11") if word in data] == []


def test_facts_are_chosen_and_paged_by_what_the_index_compares_whatever_their_case_and_unicode_form(tmp_path: Path) -> None:
    notes = {
        "Memory/Facts/ЁЛКИ.md": "- Ёлка у [[Caf\u00e9]] #Дом/Сад [trust:: 0.9] ^a1\n- Сосна #домик ^b2\n",
        "Memory/Facts/Zoo.md": "## Ёжики\n- елка 50% [[Иван]] ^c3\n- x_y [trust:: 0.9] ^d4\n",
        "Memory/Feedback/a1b2c3.md": "^d4 unhelpful 2026-05-25T10:00:00Z\n^c3 helpful 2026-05-25T10:00:00Z\n",
    }
    with open_engine(make_vault(tmp_path / "vault", notes).root, tmp_path / "home") as engine:
        index(engine)
        facts = engine._store.facts

        def ids(wanted: FactFilter) -> list[str]:
            return [row.id for row in facts.find(wanted)]

        assert ids(FactFilter()) == ["c3", "d4", "a1", "b2"]
        assert ids(FactFilter(text="ЕЛКА")) == ["c3", "a1"] == ids(FactFilter(text="ёлка"))
        assert (ids(FactFilter(text="0%")), ids(FactFilter(text="x_y")), ids(FactFilter(text="x%y"))) == (["c3"], ["d4"], [])
        assert (ids(FactFilter(tag="#дом")), ids(FactFilter(tag="ДОМ/сад")), ids(FactFilter(tag="са"))) == (["a1"], ["a1"], [])
        assert ids(FactFilter(category="ежики")) == ["c3", "d4"] and ids(FactFilter(category="Ёлки")) == ["a1", "b2"]
        assert (ids(FactFilter(entity="CAFE\u0301")), ids(FactFilter(entity="иван")), ids(FactFilter(entity="ива"))) == (["a1"], ["c3"], [])
        assert ids(FactFilter(path="memory/facts/ёлки")) == ["a1", "b2"] and ids(FactFilter(path="Memory/Facts")) == ids(FactFilter())
        assert ids(FactFilter(min_trust=0.85)) == ["a1"] and ids(FactFilter(min_trust=0.55, max_trust=0.85)) == ["c3", "d4"]
        assert [(total, [row.id for row in rows]) for total, rows in (facts.page(FactFilter(), 1, 2), facts.page(FactFilter(), 9, 2))] == [
            (4, ["d4", "a1"]),
            (4, []),
        ]


def test_an_index_from_before_the_keys_of_facts_finds_them_without_being_built_anew(tmp_path: Path) -> None:
    line = parse_facts(parse("- Ёлка [[Иван]] #дом [trust:: 0.9] ^a1\n"), "Люди")[0]
    old = sqlite3.connect(tmp_path / "index.db", isolation_level=None)
    migrate(old, MIGRATIONS[:6])
    said = msgspec.json.encode(line).decode()
    old.execute("INSERT INTO facts (chunk, file, name, written, tag_keys, said) VALUES (1, 1, 'a1', 1, '', ?)", (said,))
    migrate(old)
    (keys,) = old.execute("SELECT start, category, tags, entities, words, derived, own FROM facts").fetchall()
    old.close()
    assert keys == keys_of(line, "a1")
