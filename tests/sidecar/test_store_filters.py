"""Filters: every field, its negation, and letters that other programs take for wildcards."""

import unicodedata
from pathlib import Path

import pytest

from holovault.store import ChunkId, FileQuery, Property, Store
from holovault.store.filters import filter_sql
from tests.support.stored import opened, put, stored

NOTES = (
    stored(
        "Work/Boat/plan.md", "x", title="Boat plan", tags=("Project/Boat", "todo"), project="Boat", modified="2026-03-01T12:00:00+03:00"
    ),
    stored("Work/foo_bar.md", "x", fields=(("status", "Done"), ("family", "[Anna, Ben]")), modified="2026-03-02"),
    stored("Work/fooXbar.md", "x", fields=(("status", "not done"),), tier=2, modified="2026-03-03T00:00:00Z"),
    stored("Workshop/100%.md", "x", tags=("projects",), fields=(("Статус", "Готово"),), modified="someday"),
    stored("Journal/" + unicodedata.normalize("NFC", "Ёлка й.md"), "x", tags=("дом/Сад",), modified="2026-01-01T00:00:00+00:00"),
)
BOAT, FOO, FOOX, PERCENT, TREE = (note.state.path for note in NOTES)


def _paths(store: Store, query: FileQuery) -> set[str]:
    allowed = store.filter(query)
    return {row.path for row in store.notes.chunk_rows([ChunkId(int(number)) for number in allowed.ids])}


@pytest.fixture(name="store", scope="module")
def _store(tmp_path_factory: pytest.TempPathFactory) -> object:
    with opened(tmp_path_factory.mktemp("index")) as store:
        put(store, *NOTES)
        yield store


CASES = [
    (FileQuery(paths=("work",)), {BOAT, FOO, FOOX, PERCENT}),
    (FileQuery(paths=("WORK/", "bar")), {FOO, FOOX}),
    (FileQuery(paths=("foo_bar",)), {FOO}),
    (FileQuery(paths=("%",)), {PERCENT}),
    (FileQuery(paths=("*",)), set()),
    (FileQuery(paths=(unicodedata.normalize("NFD", "ёлка й"),)), {TREE}),
    (FileQuery(folders=("Work",)), {BOAT, FOO, FOOX}),
    (FileQuery(folders=("work/boat/", "journal")), {BOAT, TREE}),
    (FileQuery(folders=("Wor",)), set()),
    (FileQuery(folders=("",)), {BOAT, FOO, FOOX, PERCENT, TREE}),
    (FileQuery(folders=("/",)), {BOAT, FOO, FOOX, PERCENT, TREE}),
    (FileQuery(files=("PLAN",)), {BOAT}),
    (FileQuery(files=("boat",)), set()),
    (FileQuery(files=("foo", ".md")), {FOO, FOOX}),
    (FileQuery(tags=("project",)), {BOAT}),
    (FileQuery(tags=("#PROJECT/boat", "todo")), {BOAT}),
    (FileQuery(tags=("boat",)), set()),
    (FileQuery(tags=("ДОМ",)), {TREE}),
    (FileQuery(properties=(Property("Status"),)), {FOO, FOOX}),
    (FileQuery(properties=(Property("status", "done"),)), {FOO}),
    (FileQuery(properties=(Property("family", "ben"),)), {FOO}),
    (FileQuery(properties=(Property("статус", "готово"),)), {PERCENT}),
    (FileQuery(properties=(Property("stat"),)), set()),
    (FileQuery(projects=("boat", "other")), {BOAT}),
    (FileQuery(tiers=(2,)), {FOOX}),
    (FileQuery(tiers=(1, 2)), {BOAT, FOO, FOOX, PERCENT, TREE}),
    (FileQuery(after="2026-03-01T09:00:00Z"), {BOAT, FOO, FOOX}),
    (FileQuery(after="2026-03-01T09:00:01Z"), {FOO, FOOX}),
    (FileQuery(before="2026-03-03"), {BOAT, FOO, TREE}),
    (FileQuery(after="2026-03-01", before="2026-03-02"), {BOAT}),
    (FileQuery(after="no date"), set()),
    (FileQuery(title_terms=("plan", "boat")), {BOAT}),
    (FileQuery(title_terms=("pla",)), set()),
    (FileQuery(paths=("work",), tags=("todo",)), {BOAT}),
    (FileQuery(), {BOAT, FOO, FOOX, PERCENT, TREE}),
]


@pytest.mark.parametrize(("query", "expected"), CASES)
def test_a_filter_allows_exactly_the_notes_that_meet_it(store: Store, query: FileQuery, expected: set[str]) -> None:
    assert _paths(store, query) == expected


@pytest.mark.parametrize(
    ("excluded", "expected"),
    [
        (FileQuery(paths=("work",)), {TREE}),
        (FileQuery(folders=("Work",)), {PERCENT, TREE}),
        (FileQuery(files=("foo_",)), {BOAT, FOOX, PERCENT, TREE}),
        (FileQuery(tags=("todo", "projects")), {FOO, FOOX, TREE}),
        (FileQuery(properties=(Property("status", "done"),)), {BOAT, FOOX, PERCENT, TREE}),
        (FileQuery(projects=("Boat",)), {FOO, FOOX, PERCENT, TREE}),
        (FileQuery(tiers=(1,)), {FOOX}),
        (FileQuery(after="2026-03-01"), {PERCENT, TREE}),
        (FileQuery(before="2026-03-02"), {FOO, FOOX, PERCENT}),
        (FileQuery(title_terms=("boat",)), {FOO, FOOX, PERCENT, TREE}),
        (FileQuery(), {BOAT, FOO, FOOX, PERCENT, TREE}),
    ],
)
def test_a_negation_leaves_out_every_note_that_meets_any_part(store: Store, excluded: FileQuery, expected: set[str]) -> None:
    assert _paths(store, FileQuery(excluded=excluded)) == expected


def test_conditions_and_negations_hold_together(store: Store) -> None:
    assert _paths(store, FileQuery(folders=("Work",), excluded=FileQuery(paths=("foo_bar",), tiers=(2,)))) == {BOAT}


def test_what_people_type_is_bound_never_written_into_the_statement() -> None:
    hostile = "'; DROP TABLE files; --"
    query = FileQuery(paths=(hostile,), tags=(hostile,), projects=(hostile,), properties=(Property(hostile, hostile),), after=hostile)
    assert "DROP" not in filter_sql(query).sql


def test_a_filter_follows_the_index(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        query = FileQuery(folders=("A",))
        put(store, stored("A/a.md", "x"))
        assert len(store.filter(query)) == 1
        put(store, stored("A/b.md", "x", "y"))
        assert len(store.filter(query)) == 3
        with store.atomic():
            store.notes.remove(["A/a.md"])
            assert len(store.filter(query)) == 2
        assert len(store.filter(query)) == 2
