"""Notes: put, replace, remove; what is kept, what is read back."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holovault.model import Failure, FrontMatter
from holovault.store import Placement, PutReport, Store
from tests.support.stored import embed_all, keys_of, opened, paths_found, put, stored, texts_of, vector_of


def _contents(store: Store) -> dict[str, object]:
    """All that can be seen of an index, without row ids."""
    notes: dict[str, object] = {}
    for path, state in store.notes.known().items():
        rows = store.notes.chunks_of(path)
        terms = store.lexical.analysed([row.id for row in rows])
        notes[path] = (
            state,
            [(replace(row, id=0), terms.get(row.id)) for row in rows],  # type: ignore[arg-type]
            store.notes.chunk_infos(path),
            store.notes.links_from(path),
        )
    counts, words = store.notes.counts(), sorted(store.lexical.expand_prefix("w", 100))
    return {"notes": notes, "counts": counts, "words": words, "total": store.lexical.total(), "pending": store.vectors.pending()}


def test_a_deleted_note_is_not_found_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "secret text"), stored("b.md", "other text"))
        embed_all(store)
        assert store.notes.remove(["a.md", "missing.md"]) == 1
        assert paths_found(store, "secret", "text") == ["b.md"]
        assert store.lexical.document_frequency(["secret", "text"]) == {"secret": 0, "text": 1}
        assert len(store.vectors.search(vector_of("x"), 10)) == 1
        assert store.notes.counts().windows == 1


def test_a_replaced_note_is_found_by_its_new_text_only(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "old words", "kept words"))
        put(store, stored("a.md", "new words", "kept words"))
        assert paths_found(store, "old") == []
        assert paths_found(store, "new") == ["a.md"]
        assert texts_of(store, "a.md") == ["new words", "kept words"]


def test_an_unchanged_chunk_keeps_its_handle_when_it_moves(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "first one", "second one. more of it"))
        first, second = store.notes.chunks_of("a.md")
        report = store.notes.put([stored("a.md", "inserted", "first one", "second one. more of it")])
        inserted, *others = store.notes.chunks_of("a.md")
        assert [chunk.id for chunk in others] == [first.id, second.id]
        assert [chunk.start_line for chunk in (inserted, *others)] == [1, 3, 5]
        assert [pending.window.start_line for pending in store.vectors.backlog(10)] == [3, 5, 5, 1]
        assert report == PutReport(chunks=3, windows=4, reused=0)


def test_a_new_title_reaches_every_chunk(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "first", "second", title="before"))
        put(store, stored("a.md", "first", "second", title="after"))
        assert paths_found(store, "before") == []
        assert len(store.lexical.search(["after"], 10)) == 2


def test_a_handle_is_never_given_out_twice(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "one"))
        (gone,) = store.notes.chunks_of("a.md")
        store.notes.remove(["a.md"])
        put(store, stored("b.md", "two"))
        assert store.notes.chunk_rows([gone.id]) == []


def test_a_renamed_note_has_its_vectors_at_once(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "one. two. three"))
        embed_all(store)
        store.notes.remove(["a.md"])
        report = store.notes.put([stored("b.md", "one. two. three")])
        assert report == PutReport(chunks=1, windows=3, reused=3)
        assert store.vectors.pending() == 0
        (match,) = store.vectors.search(vector_of(keys_of(stored("b.md", "one. two. three"))[1]), 5)
        assert match.window == 1
        assert match.cosine == pytest.approx(1, abs=1e-3)


def test_two_notes_of_one_path_in_one_put_leave_the_last(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "first"), stored("a.md", "last"))
        assert texts_of(store, "a.md") == ["last"]
        assert store.notes.counts().chunks == 1


def test_a_chunk_without_text_is_kept_but_not_searchable(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "", "text", title="word"))
        assert len(store.notes.chunks_of("a.md")) == 2
        assert len(store.lexical.search(["word"], 10)) == 1


def test_chunks_come_back_in_the_order_asked_for(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "one", "two", "three", heading=("H", "ü")))
        rows = store.notes.chunks_of("a.md")
        asked = [rows[2].id, rows[0].id, rows[1].id]
        assert [row.text for row in store.notes.chunk_rows(asked)] == ["three", "one", "two"]
        assert rows[0].heading == ("H", "ü")


def test_every_field_of_a_note_comes_back(tmp_path: Path) -> None:
    note = stored("a.md", "text", tags=("x", "y/z"), fields=(("status", "done"),), tier=2, project="P", modified="2026-05-24")
    front = FrontMatter(title="T", aliases=("A",), tags=("x",), created="2020", fields=(("status", "done"),), error="line 3")
    note = replace(note, note=replace(note.note, front=front), created="2020-01-01")
    with opened(tmp_path) as store:
        put(store, note)
        (row,) = store.notes.chunks_of("a.md")
        assert (row.tags, row.tier, row.project, row.modified, row.created) == (("x", "y/z"), 2, "P", "2026-05-24", "2020-01-01")
        assert row.front == front
        assert row.hash == note.note.chunks[0].chunk.hash


def test_text_that_is_no_unicode_costs_nothing_but_itself(tmp_path: Path) -> None:
    note = stored("a.md", "text", title="lone \ud800 surrogate", tags=("t\ud800",), fields=(("k", "v\ud800"),), links=("l\ud800",))
    with opened(tmp_path) as store:
        put(store, replace(note, note=replace(note.note, title_terms="lone", tag_terms="", words=(("lone", "lone"),))))
        (row,) = store.notes.chunks_of("a.md")
        assert row.title == "lone \ufffd surrogate"
        assert row.front.fields == (("k", "v\ufffd"),)


def test_new_stat_numbers_replace_old_ones(tmp_path: Path) -> None:
    note = stored("a.md", "text")
    touched = replace(note.state, mtime_ns=99, inode=2**80, disk_path="A.md")
    with opened(tmp_path) as store:
        put(store, note)
        store.notes.restat([touched])
        assert store.notes.known() == {"a.md": touched}
        assert store.notes.state("a.md") == touched
        assert store.notes.state("b.md") is None


def test_new_path_rules_need_no_new_cut(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "text"))
        (before,) = store.notes.chunks_of("a.md")
        store.notes.place([Placement("a.md", 2, "Boat")])
        (after,) = store.notes.chunks_of("a.md")
        assert after == replace(before, tier=2, project="Boat")


@pytest.mark.parametrize(
    ("target", "found"),
    [("b", True), ("B.md", True), ("folder/b", True), ("../folder/b.md", True), ("other/b", False), ("lder/b", False), ("b_", False)],
)
def test_a_link_leads_back_when_it_reads_like_the_path(tmp_path: Path, target: str, found: bool) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "text", links=(target, "elsewhere")), stored("folder/b.md", "text"))
        assert [link.path for link in store.notes.links_to("folder/b.md")] == (["a.md"] if found else [])
        assert [link.target for link in store.notes.links_from("a.md")] == [target, "elsewhere"]


def test_path_twins_are_told_apart_and_known_to_each_other(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("README.md", "upper"), stored("readme.md", "lower"))
        assert texts_of(store, "readme.md") == ["lower"]
        assert store.notes.paths_like("ReadMe.md") == ["README.md", "readme.md"]


def test_how_a_note_was_cut_says_what_is_embedded(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "one. two", "three"))
        (first, *_) = store.vectors.backlog(1)
        store.vectors.put([(first.window.key, vector_of("x"))])
        assert [(info.windows, info.embedded) for info in store.notes.chunk_infos("a.md")] == [(2, 1), (1, 0)]


def test_a_failure_stays_listed_with_its_first_time_until_it_is_cleared(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.failures.put(Failure("b.md", "read", "denied", "2026-01-01"))
        store.failures.put(Failure("b.md", "read", "gone", "2026-02-02"))
        store.failures.put(Failure("a.md", "parse", "odd", "2026-01-03"))
    with opened(tmp_path) as store:
        assert store.failures.all() == [Failure("a.md", "parse", "odd", "2026-01-03"), Failure("b.md", "read", "gone", "2026-01-01")]
        store.failures.clear("b.md", "read")
        assert [failure.path for failure in store.failures.all()] == ["a.md"]


def test_texts_are_kept_by_key(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        assert store.meta.get("generation") is None
        store.meta.set("zone", "UTC")
    with opened(tmp_path) as store:
        assert store.meta.get("zone") == "UTC"
        store.meta.set("zone", None)
        assert store.meta.get("zone") is None


def _nearest(store: Store, query: str) -> list[tuple[float, int]]:
    return sorted((round(match.cosine, 4), match.window) for match in store.vectors.search(vector_of(query), 50))


_PARAGRAPHS = st.lists(st.sampled_from(["wa. wb", "wc", "wd wa", "we. wf. wg", ""]), max_size=5)
_STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "remove", "embed", "clean"]), st.sampled_from(["a.md", "b.md", "c/a.md"]), _PARAGRAPHS), max_size=14
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=_STEPS)
def test_any_history_ends_in_the_index_that_a_fresh_build_makes(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, list[str]]]
) -> None:
    notes: dict[str, list[str]] = {}
    lived, fresh = tmp_path_factory.mktemp("lived"), tmp_path_factory.mktemp("fresh")
    with opened(lived) as store, opened(fresh) as other:
        for step, path, paragraphs in steps:
            if step == "put":
                notes[path] = paragraphs
                put(store, stored(path, *paragraphs))
            elif step == "remove":
                notes.pop(path, None)
                store.notes.remove([path])
            elif step == "embed":
                embed_all(store)
            else:
                store.clean_up(1e12)
        embed_all(store)
        store.clean_up(1e12)
        put(other, *(stored(path, *paragraphs) for path, paragraphs in notes.items()))
        embed_all(other)
        assert _contents(store) == _contents(other)
        for query in ("x", "y"):
            assert _nearest(store, query) == _nearest(other, query)
