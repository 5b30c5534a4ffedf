"""Search by meaning: exact and by codes, shared vectors, filters, fingerprints, the backlog, the scan cache."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from holovault.model import Failure
from holovault.store import ChunkFilter, ScanLimits, SegmentRules, Store
from holovault.store.codes import default_popcount, distances, middle_of, popcount_by_table, sign_codes
from holovault.store.values import Float32, Scale
from tests.support.stored import DIMENSION, embed_all, keys_of, opened, probes, put, stored, vector_of

SMALL = SegmentRules(rows=16, most=64)
CODES = ScanLimits(exact=0)


def _best(store: Store, vector: Float32, limit: int = 10, allowed: ChunkFilter | None = None) -> list[str]:
    matches = store.vectors.search(vector, limit, allowed)
    return [row.path for row in store.notes.chunk_rows([match.chunk for match in matches])]


def _segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("vectors-*.seg"))


@pytest.mark.parametrize("scan", [ScanLimits(), CODES])
def test_a_chunk_is_found_by_its_best_window(tmp_path: Path, scan: ScanLimits) -> None:
    note = stored("a.md", "one. two. three")
    with opened(tmp_path, scan=scan) as store:
        put(store, stored("b.md", "four. five"), note)
        embed_all(store)
        (best, other) = store.vectors.search(vector_of(keys_of(note)[2]), 10)
        assert best.window == 2
        assert best.cosine == pytest.approx(1, abs=1e-3)
        assert store.notes.chunk_rows([best.chunk])[0].path == "a.md"
        assert other.cosine < 0.9


@pytest.mark.parametrize("scan", [ScanLimits(), CODES])
def test_identical_text_in_two_notes_has_one_vector_and_both_are_found(tmp_path: Path, scan: ScanLimits) -> None:
    with opened(tmp_path, scan=scan) as store:
        put(store, stored("a.md", "same"), stored("b.md", "same"), stored("c.md", "other"))
        assert embed_all(store) == 2
        assert _best(store, vector_of(keys_of(stored("a.md", "same"))[0]), 2) == ["a.md", "b.md"]
        store.notes.remove(["a.md"])
        assert _best(store, vector_of(keys_of(stored("a.md", "same"))[0]), 1) == ["b.md"]


@pytest.mark.parametrize("scan", [ScanLimits(), CODES, ScanLimits(candidates=1)])
def test_a_filter_is_applied_before_the_best_are_taken(tmp_path: Path, scan: ScanLimits) -> None:
    with opened(tmp_path, scan=scan) as store:
        put(store, *(stored(f"A/{n}.md", f"text {n}") for n in range(300)), stored("B/0.md", "far away"), stored("B/1.md", "further"))
        embed_all(store)
        query = vector_of(keys_of(stored("A/7.md", "text 7"))[0])
        small = ChunkFilter.of([row.id for n in range(2) for row in store.notes.chunks_of(f"B/{n}.md")])
        large = ChunkFilter.of([row.id for n in range(200) for row in store.notes.chunks_of(f"A/{n}.md")])
        assert sorted(_best(store, query, 10, small)) == ["B/0.md", "B/1.md"]
        assert _best(store, query, 1, large) == ["A/7.md"]
        outside = vector_of(keys_of(stored("A/250.md", "text 250"))[0])
        assert _best(store, outside, 1) == ["A/250.md"]
        assert all(int(path[2:-3]) < 200 for path in _best(store, outside, 10, large))
        assert _best(store, query, 10, ChunkFilter.of([])) == []


def test_all_ways_to_scan_agree(tmp_path: Path) -> None:
    with opened(tmp_path, segments=SMALL) as store:
        put(store, *(stored(f"{n}.md", f"a {n}. b {n}. c {n}") for n in range(60)))
        embed_all(store, 7)
        query, keys = vector_of("q"), [key for n in range(60) for key in keys_of(stored("x", f"a {n}. b {n}. c {n}"))]
        every = np.stack([vector_of(key) for key in keys]).reshape(60, 3, DIMENSION).astype(np.float16).astype(np.float32) @ query
        expected = [f"{n}.md" for n in np.argsort(-every.max(axis=1))[:10]]
        assert _best(store, query) == expected
    with opened(tmp_path, scan=CODES) as store:
        assert _best(store, query) == expected


def test_a_search_before_any_model_finds_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, stored("a.md", "text"))
        assert store.vectors.search(vector_of("x"), 5) == []
        assert store.vectors.fingerprint is None
        assert store.vectors.pending() == 1
        with pytest.raises(ValueError, match="adopted"):
            store.vectors.put([(keys_of(stored("a.md", "text"))[0], vector_of("x"))])


@pytest.mark.parametrize("bad", [np.ones(3, np.float32), np.full(DIMENSION, np.nan, np.float32), np.full(DIMENSION, np.inf, np.float32)])
def test_a_vector_that_is_none_is_refused(tmp_path: Path, bad: Float32) -> None:
    note = stored("a.md", "text")
    with opened(tmp_path) as store:
        put(store, note)
        with pytest.raises(ValueError, match="vector"):
            store.vectors.put([(keys_of(note)[0], bad)])
        with pytest.raises(ValueError, match="vector"):
            store.vectors.search(bad, 5)
        assert store.vectors.pending() == 1


def test_a_vector_for_a_forgotten_text_is_left_out(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        assert store.vectors.put([("ab" * 32, vector_of("x"))]) == 0
        assert store.vectors.put([]) == 0


def test_the_vectors_of_chunks_come_back_in_order(tmp_path: Path) -> None:
    note = stored("a.md", "one. two", "three")
    with opened(tmp_path) as store:
        put(store, note)
        assert store.vectors.of_chunks([row.id for row in store.notes.chunks_of("a.md")]).shape == (0, DIMENSION)
        embed_all(store)
        first, second = (row.id for row in store.notes.chunks_of("a.md"))
        expected = np.stack([vector_of(keys_of(note)[n]) for n in (2, 0, 1)])
        assert np.allclose(store.vectors.of_chunks([second, first]), expected, atol=1e-3)


def test_the_backlog_offers_the_newest_notes_first_and_each_text_once(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(
            store,
            stored("old.md", "old. shared", modified="2025-01-01"),
            stored("new.md", "new", "shared", modified="2026-02-01"),
            stored("mid.md", "mid", modified="2026-01-01"),
        )
        waiting = store.vectors.backlog(10)
        assert [p.text[p.window.start : p.window.end].strip() for p in waiting] == ["new", "shared", "mid", "old.", "shared"]
        assert [p.path for p in store.vectors.backlog(2)] == [p.path for p in waiting[:2]]
        assert store.vectors.pending() == len(waiting) == 5


def test_the_backlog_survives_a_restart(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "one. two. three"))
        store.vectors.put([(store.vectors.backlog(1)[0].window.key, vector_of("x"))])
    with opened(tmp_path) as store:
        assert store.vectors.pending() == 2
        assert store.notes.counts().embedded == 1


def test_a_failed_window_is_listed_and_waits_again_when_cleared(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "deadly. fine"), stored("b.md", "other"))
        deadly = next(p for p in store.vectors.backlog(10) if "deadly" in p.text[p.window.start : p.window.end])
        store.vectors.mark_failed(deadly.window.key, "the model died", "2026-01-01")
        assert store.failures.all() == [Failure("a.md", "embed", "the model died", "2026-01-01")]
        assert embed_all(store) == 2
        counts = store.notes.counts()
        assert (counts.embedded, counts.pending, counts.windows) == (2, 0, 3)
        store.failures.clear("a.md", "embed")
        assert [p.window.key for p in store.vectors.backlog(10)] == [deadly.window.key]
        store.vectors.mark_failed(deadly.window.key, "again")
        assert store.vectors.retry_failed() == 1
        store.notes.remove(["a.md"])
        assert store.vectors.pending() == 0
        assert store.failures.all() == []


def test_the_same_model_is_recognised_and_another_starts_anew(tmp_path: Path) -> None:
    with opened(tmp_path, model=False) as store:
        put(store, stored("a.md", "text"))
        first = store.vectors.adopt("one", DIMENSION, probes())
        embed_all(store)
        store.vectors.set_scale(0.2, 0.8)
        noise = np.float32(1e-4) * np.stack([vector_of(f"noise {n}") for n in range(8)])
        assert store.vectors.adopt("one", DIMENSION, probes() + noise) == first
        assert store.vectors.pending() == 0
        drift = np.float32(0.05) * np.stack([vector_of(f"noise {n}") for n in range(8)])
        assert store.vectors.adopt("one", DIMENSION, probes() + drift) != first
        assert store.vectors.adopt("one", DIMENSION, probes()) == first
        pooled = store.vectors.adopt("one", DIMENSION, np.roll(probes(), 1, axis=0))
        assert pooled != first
        assert store.vectors.pending() == 1
        assert store.vectors.search(vector_of("x"), 5) == []
        assert store.vectors.scale() is None
        small = store.vectors.adopt("two", 8, probes(8))
        assert small not in {first, pooled}
        assert store.vectors.dimension == 8
        assert len(store.vectors.backlog(5)) == 1
        assert store.vectors.put([(store.vectors.backlog(1)[0].window.key, vector_of("x", 8))]) == 1
        assert len(store.vectors.search(vector_of("x", 8), 5)) == 1
    with opened(tmp_path, model=False) as store:
        assert store.vectors.fingerprint == small
        assert store.vectors.adopt("one", DIMENSION, probes()) == first
        assert store.vectors.scale() == Scale(0.2, 0.8)
        assert store.vectors.pending() == 0
        assert len(store.vectors.search(vector_of("x"), 5)) == 1


@pytest.mark.parametrize("harm", ["deleted", "short", "garbled", "codes garbled", "of another", "zeroed"])
def test_a_harmed_segment_is_made_anew_and_answers_stay_the_same(tmp_path: Path, harm: str) -> None:
    with opened(tmp_path, segments=SMALL) as store:
        put(store, *(stored(f"{n}.md", f"text {n}") for n in range(50)))
        store.vectors.search(vector_of("q"), 1)
        embed_all(store, 20)
        assert len(_segments(tmp_path)) == 2
        before = store.vectors.search(vector_of("q"), 50)
    victim, other = _segments(tmp_path)
    data = bytearray(victim.read_bytes())
    if harm == "deleted":
        victim.unlink()
    elif harm == "short":
        victim.write_bytes(data[:-8])
    elif harm == "garbled":
        data[64:512] = b"\x3f" * 448
        victim.write_bytes(data)
    elif harm == "codes garbled":
        data[64 + 4 * DIMENSION * 20 : 64 + 4 * DIMENSION * 20 + 80] = b"\x3f" * 80
        victim.write_bytes(data)
    elif harm == "zeroed":
        victim.write_bytes(b"\0" * len(data))
    else:
        victim.write_bytes(other.read_bytes())
    with opened(tmp_path, segments=SMALL) as store:
        assert store.vectors.search(vector_of("q"), 50) == before
        listed = {name for (name,) in store._database.rows("SELECT name FROM segments")}
        assert listed == {path.name for path in _segments(tmp_path)}
        assert victim.name not in listed
        assert other.name in listed


def test_answers_are_the_same_after_a_restart_and_without_the_cache(tmp_path: Path) -> None:
    with opened(tmp_path, segments=SMALL) as store:
        assert store.vectors.search(vector_of("q"), 50) == []
        for n in range(50):
            put(store, stored(f"{n}.md", f"text {n}"))
            embed_all(store)
        before = store.vectors.search(vector_of("q"), 50)
        assert len(before) == 50
    with opened(tmp_path, segments=SMALL) as store:
        assert store.vectors.search(vector_of("q"), 50) == before
    for path in _segments(tmp_path):
        path.unlink()
    with opened(tmp_path, segments=SMALL) as store:
        assert store.vectors.search(vector_of("q"), 50) == before


def test_many_small_segments_become_few(tmp_path: Path) -> None:
    with opened(tmp_path, segments=SMALL) as store:
        store.vectors.search(vector_of("q"), 1)
        put(store, *(stored(f"{n}.md", f"text {n}") for n in range(400)))
        embed_all(store, 16)
        assert len(store.vectors.search(vector_of("q"), 1_000)) == 400
        assert len(_segments(tmp_path)) <= 9 + 400 // SMALL.most
        assert sum(rows for (rows,) in store._database.rows("SELECT rows FROM segments")) >= 384


def test_dead_rows_bring_new_segments(tmp_path: Path) -> None:
    with opened(tmp_path, segments=SMALL) as store:
        store.vectors.search(vector_of("q"), 1)
        put(store, *(stored(f"{n}.md", f"text {n}") for n in range(64)))
        keys = [pending.window.key for pending in store.vectors.backlog(100)]
        for turn in range(6):
            store.vectors.put([(key, vector_of(f"{turn} {key}")) for key in keys])
        assert sum(rows for (rows,) in store._database.rows("SELECT rows FROM segments")) <= 128
        (best,) = store.vectors.search(vector_of(f"5 {keys[3]}"), 1)
        assert best.cosine == pytest.approx(1, abs=1e-3)


def test_both_popcounts_count_alike() -> None:
    values = np.random.default_rng(1).integers(0, 2**63, size=1_000, dtype=np.uint64)
    assert popcount_by_table(values).tolist() == [int(value).bit_count() for value in values]
    assert default_popcount()(values).tolist() == popcount_by_table(values).tolist()


@pytest.mark.parametrize("dimension", [8, 64, 100, 512])
def test_code_distance_is_the_number_of_different_signs(dimension: int) -> None:
    matrix = np.random.default_rng(2).standard_normal((50, dimension)).astype(np.float32)
    query = matrix[:1] * np.float32(2) - matrix[1:2]
    middle = np.full(dimension, 0.2, np.float32)
    away = distances(sign_codes(matrix, middle), sign_codes(query, middle), popcount_by_table)
    assert away.tolist() == ((matrix > 0.2) != (query > 0.2)).sum(axis=1).tolist()


@pytest.mark.parametrize("common", [0.0, 2.5], ids=["all around", "in a narrow cone"])
def test_codes_find_what_the_exact_scan_finds(tmp_path: Path, common: float) -> None:
    random = np.random.default_rng(3)
    axis = _unit(random.choice([-1.0, 1.0], (1, 512)))
    topics = random.standard_normal((400, 512))
    vectors = _unit(_unit(topics[random.integers(0, 400, 12_000)] + 0.7 * random.standard_normal((12_000, 512))) + common * axis)
    notes = [stored(f"{n}.md", *(f"text {n} {i}" for i in range(100))) for n in range(120)]
    with Store.open(tmp_path, 1, 1) as store:
        store.vectors.adopt("wide", 512, _unit(_unit(random.standard_normal((8, 512))) + common * axis))
        store.notes.put(notes)
        store.vectors.put(list(zip(keys_of(*notes), vectors, strict=True)))
        queries = _unit(vectors[random.integers(0, 12_000, 50)] + (0.02 if common == 0 else 0.01) * random.standard_normal((50, 512)))
        exact = [{match.chunk for match in store.vectors.search(query, 10)} for query in queries]
    with Store.open(tmp_path, 1, 1, scan=ScanLimits(exact=0, candidates=100)) as store:
        found = [{match.chunk for match in store.vectors.search(query, 10)} for query in queries]
    recall = sum(len(a & b) for a, b in zip(exact, found, strict=True)) / 500
    assert recall >= 0.98


def _unit(rows: NDArray[np.float64]) -> Float32:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def test_the_middle_is_what_vectors_have_in_common_and_nothing_where_that_is_chance() -> None:
    random = np.random.default_rng(5)
    axis = _unit(random.standard_normal((1, 512)))[0]
    around, cone = (_unit(_unit(random.standard_normal((8, 512))) + common * axis) for common in (0.0, 1.75))
    assert np.linalg.norm(middle_of(around)) < 0.1
    found = middle_of(cone)
    assert float(found @ axis) == pytest.approx(1.75 / (1 + 1.75**2) ** 0.5, abs=0.05)
    assert not middle_of(cone[:1]).any()
    assert middle_of(cone[:0]).shape == (512,)
