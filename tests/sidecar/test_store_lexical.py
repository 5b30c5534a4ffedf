"""Search by words: what is found, in what order, at what cost, and the words that help typing."""

from dataclasses import replace
from pathlib import Path

import pytest

from holovault.store import ChunkFilter, ColumnWeights, FileQuery, Store
from tests.support.stored import opened, paths_found, put, stored


def test_a_chunk_with_more_of_the_words_comes_first(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("one.md", "alpha text here"), stored("both.md", "alpha beta here"), stored("none.md", "gamma"))
        matches = store.lexical.search(["alpha", "beta"], 10)
        assert paths_found(store, "alpha", "beta") == ["both.md", "one.md"]
        assert matches[0].bm25 > matches[1].bm25 > 0


def test_the_title_weighs_more_than_the_body_and_weights_decide(tmp_path: Path) -> None:
    notes = [stored(f"{n}.md", "filler words only") for n in range(9)]
    with opened(tmp_path) as store:
        put(store, stored("body.md", "alpha x", title="t"), stored("title.md", "y x", title="alpha"), *notes)
        assert paths_found(store, "alpha") == ["title.md", "body.md"]
        (first, second) = store.lexical.search(["alpha"], 10, weights=ColumnWeights(title=0))
        assert first.bm25 > second.bm25 == 0
        assert store.notes.chunk_rows([first.chunk])[0].path == "body.md"


@pytest.mark.parametrize(
    "term", ["c++", "c#", ".net", "pve-01", "2026.4.10", "foo_bar", "path/to", "crew:run", "don't", "a@b", "r&d", "芯片", "ёж"]
)
def test_a_term_with_signs_is_one_word(tmp_path: Path, term: str) -> None:
    note = stored("a.md", "x")
    cut = replace(note.note.chunks[0], body=f"before {term} after")
    with opened(tmp_path) as store:
        put(
            store,
            replace(note, note=replace(note.note, chunks=(cut,))),
            stored("b.md", "c pve 01 2026 4 10 foo bar path to run don t a b net"),
        )
        assert paths_found(store, term) == ["a.md"]
        assert store.lexical.document_frequency([term]) == {term: 1}


@pytest.mark.parametrize("term", ['"', "*", "AND", "NEAR(", "", " ", "^", "-", "\x00", "a" * 5_000, "title:foo", "'", "😀"])
def test_no_term_is_ever_syntax(tmp_path: Path, term: str) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "text"))
        assert store.lexical.search([term], 10) == []
        assert paths_found(store, term, "text") == ["a.md"]
        assert store.lexical.expand_prefix(term) == []
        store.lexical.suggest(term)


def test_common_terms_are_left_out_when_rare_ones_spend_the_budget(tmp_path: Path) -> None:
    with Store.open(tmp_path, 1, 1, postings=10) as store:
        put(store, *(stored(f"{n}.md", "common") for n in range(30)), *(stored(f"r{n}.md", "rare") for n in range(5)))
        assert {path[0] for path in paths_found(store, "common", "rare", limit=5)} == {"r"}
        assert len(store.lexical.search(["common", "rare"], 6)) == 6
        assert len(store.lexical.search(["common"], 100)) == 30
        assert len(store.lexical.search(["common", "absent"], 100)) == 30


def test_a_small_folder_is_not_starved_by_a_big_one(tmp_path: Path) -> None:
    big = [stored(f"A/{n}.md", *[f"common rare{n} text {i}" for i in range(100)]) for n in range(200)]
    small = [stored(f"B/{n}.md", f"common {n}") for n in range(3)]
    with Store.open(tmp_path, 1, 1, postings=1_000) as store:
        store.notes.put(small)
        store.notes.put(big)
        allowed = store.filter(FileQuery(folders=("B",)))
        assert len(allowed) == 3
        matches = store.lexical.search(["common", "text", "rare7"], 10, allowed)
        assert sorted(row.path for row in store.notes.chunk_rows([match.chunk for match in matches])) == ["B/0.md", "B/1.md", "B/2.md"]


def test_an_empty_filter_allows_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "text"))
        assert store.lexical.search(["text"], 10, ChunkFilter.of([])) == []


def test_the_frequency_of_a_common_term_follows_the_index(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", *["common"] * 1_500))
        assert store.lexical.document_frequency(["common"]) == {"common": 1_500}
        put(store, stored("b.md", *["common"] * 500))
        assert store.lexical.document_frequency(["common"]) == {"common": 2_000}
        assert store.lexical.total() == 2_000


def test_the_analysed_text_comes_back_by_column(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "Body Text", title="The Title", tags=("tag",), heading=("Head",)))
        (row,) = store.notes.chunks_of("a.md")
        terms = store.lexical.analysed([row.id])[row.id]
        assert (terms.title, terms.headings, terms.tags, terms.body) == ("the title", "head", "tag", "body text")


def test_a_prefix_leads_to_stems_of_most_notes_first(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, *(stored(f"{n}.md", "search") for n in range(3)), stored("x.md", "seaside sea Ёлка"), stored("y.md", "sea"))
        assert store.lexical.expand_prefix("se") == ["search", "sea", "seaside"]
        assert store.lexical.expand_prefix("SE", 1) == ["search"]
        assert store.lexical.expand_prefix("ёл") == ["ёлка"]
        assert store.lexical.expand_prefix("s_") == store.lexical.expand_prefix("%") == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("postgras", "postgres"),
        ("postgers", "postgres"),
        ("postgre", "postgres"),
        ("погада", "погода"),
        ("postgres", None),
        ("quite", None),
        ("zz", None),
    ],
)
def test_a_slip_is_recognised(tmp_path: Path, typed: str, meant: str | None) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "postgres погода"), stored("b.md", "погода"))
        assert store.lexical.suggest(typed) == meant


def test_the_more_frequent_of_two_near_words_is_suggested(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "house"), stored("b.md", "horse"), stored("c.md", "horse"))
        assert store.lexical.suggest("hoise") == "horse"


def test_a_word_of_deleted_notes_is_not_suggested(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "secretword"))
        store.notes.remove(["a.md"])
        assert store.lexical.suggest("secretwort") is None


def test_a_term_of_most_chunks_is_left_out_unless_it_fills_the_list(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, *(stored(f"{n}.md", "common") for n in range(8)), stored("x.md", "common rare"), stored("y.md", "rare"))
        assert store.lexical.search(["common", "rare"], 2) == store.lexical.search(["rare"], 2)
        assert len(paths_found(store, "common", "rare", limit=10)) == 10
