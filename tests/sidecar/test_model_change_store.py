"""Two sets of vectors in one store: which backlog a text waits in, what a switch changes, what pruning leaves, windows of two sizes."""

import threading
from pathlib import Path

import numpy as np

from holovault.chunking import windows
from holovault.store import SegmentRules, Store
from holovault.store.migrations import MIGRATIONS
from holovault.store.opening import open_database
from holovault.store.values import Fingerprint, Float32
from tests.support.stored import DIMENSION, embed_all, keys_of, opened, probes, put, stored, vector_of

OTHER = np.roll(probes(), 1, axis=0)
SMALL = SegmentRules(rows=16, most=64)


def _turned(key: str) -> Float32:
    """The other model's vector."""
    return vector_of(f"other {key}")


def _fill(store: Store, *, window: int = 128) -> Fingerprint:
    return store.vectors.fill("other", DIMENSION, OTHER, window=window)


def _fill_up(store: Store, of: Fingerprint, limit: int = 1_000) -> int:
    done = 0
    while waiting := store.vectors.backlog(limit, of):
        done += store.vectors.put([(one.window.key, _turned(one.window.key)) for one in waiting], of)
    return done


def test_new_texts_wait_in_both_backlogs_and_leave_each_for_itself(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "one. two"))
        embed_all(store)
        filling = _fill(store)
        assert (store.vectors.pending(), store.vectors.pending(filling)) == (0, 2)
        put(store, stored("b.md", "three"))
        assert (store.vectors.pending(), store.vectors.pending(filling)) == (1, 3)
        assert embed_all(store) == 1
        assert (store.vectors.pending(), store.vectors.pending(filling)) == (0, 3)
        store.vectors.mark_failed(keys_of(stored("b.md", "three"))[0], "no", of=filling)
        assert store.notes.counts().embedded == 3
        assert [failure.path for failure in store.failures.all()] == ["b.md"]
        assert store.vectors.coverage(filling).failed == 1
        store.notes.remove(["a.md"])
        assert store.vectors.pending(filling) == 0
        assert store.vectors.coverage(filling).complete


def test_a_switch_is_one_change_and_keeps_the_old_vectors(tmp_path: Path) -> None:
    note = stored("a.md", "one. two")
    with opened(tmp_path) as store:
        put(store, note)
        embed_all(store)
        old = store.vectors.serving
        filling = _fill(store)
        _fill_up(store, filling)
        generation = store.generation
        store.vectors.switch()
        assert store.generation == generation + 1
        assert store.vectors.serving == filling
        assert store.vectors.filling is None
        key = keys_of(note)[1]
        assert store.vectors.search(_turned(key), 1)[0].cosine > 0.99
        assert store.vectors.search(vector_of(key), 1, of=old)[0].cosine > 0.99
        back = store.vectors.fill("fake", DIMENSION, probes())
        assert back == old
        assert store.vectors.coverage(back).complete
        store.vectors.abandon()
        assert store.vectors.serving == filling


def test_a_switch_that_is_rolled_back_did_not_happen(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "one"))
        embed_all(store)
        old, filling = store.vectors.serving, _fill(store)
        try:
            with store.atomic():
                store.vectors.switch()
                raise KeyError("half way")
        except KeyError:
            pass
        assert (store.vectors.serving, store.vectors.filling) == (old, filling)
        assert store.vectors.pending(filling) == 1
    with opened(tmp_path, model=False) as store:
        assert (store.vectors.serving, store.vectors.filling) == (old, filling)


def test_readers_see_all_of_one_set_while_the_sets_change_places(tmp_path: Path) -> None:
    notes = [stored(f"{number}.md", f"text {number}") for number in range(60)]
    with opened(tmp_path, segments=SMALL) as store:
        put(store, *notes)
        embed_all(store)
        filling = _fill(store)
        _fill_up(store, filling, 16)
        over = threading.Event()
        wrong: list[int] = []

        def read() -> None:
            while not over.is_set():
                serving = store.vectors.serving
                assert serving is not None
                ask = vector_of if serving.identity == "fake" else _turned
                found = [store.vectors.search(ask(keys_of(note)[0]), 1, of=serving)[0].cosine > 0.99 for note in notes[:10]]
                wrong.append(found.count(False))

        readers = [threading.Thread(target=read) for _ in range(2)]
        for reader in readers:
            reader.start()
        for _ in range(10):
            store.vectors.switch()
            store.vectors.fill(
                "fake" if store.vectors.serving == filling else "other", DIMENSION, probes() if store.vectors.serving == filling else OTHER
            )
        over.set()
        for reader in readers:
            reader.join(10)
        assert wrong
        assert set(wrong) == {0}


def test_pruning_leaves_the_sets_in_use_and_gives_the_files_of_the_others_back(tmp_path: Path) -> None:
    notes = [stored(f"{number}.md", f"text {number}") for number in range(400)]
    with opened(tmp_path, segments=SMALL) as store:
        put(store, *notes)
        store.vectors.search(vector_of("q"), 1)
        embed_all(store, 64)
        filling = _fill(store)
        assert store.vectors.prune().sets == ()
        _fill_up(store, filling, 64)
        store.vectors.search(vector_of("q"), 1, of=filling)
        assert len(list(tmp_path.glob("vectors-*.seg"))) > 1
        store.vectors.switch()
        size = sum(path.stat().st_size for path in tmp_path.iterdir())
        gone = store.vectors.prune()
        assert (gone.sets, gone.vectors) == (("fake",), 400)
        assert size - sum(path.stat().st_size for path in tmp_path.iterdir()) == gone.bytes > 400 * DIMENSION * 2
        assert store._database.rows("SELECT DISTINCT fingerprint FROM vectors") == [(filling.number,)]
        assert store._database.rows("SELECT DISTINCT fingerprint FROM segments") in ([], [(filling.number,)])
        assert store.vectors.search(_turned(keys_of(notes[5])[0]), 1)[0].cosine > 0.99


def test_a_set_of_another_window_size_gets_its_own_windows_from_stored_chunks(tmp_path: Path) -> None:
    note = stored("a.md", "one. two. three. four. five. six. seven. eight. nine. ten. eleven. twelve")
    with opened(tmp_path) as store:
        put(store, note)
        embed_all(store)
        before = store.notes.counts().windows
        filling = _fill(store, window=16)
        assert store.vectors.coverage(filling).uncut == 1
        ((chunk, text),) = store.windows.waiting(16, 10)
        assert text.text == note.note.chunks[0].chunk.text
        store.windows.put(16, [(chunk, windows(text, 16))])
        covered = store.vectors.coverage(filling)
        assert (covered.uncut, covered.windows) == (0, len(windows(text, 16)))
        assert store.notes.counts().windows == before
        _fill_up(store, filling)
        assert len(store.vectors.of_chunks([chunk], filling)) == covered.windows
        store.vectors.switch()
        assert store.notes.counts().windows == covered.windows
        store.vectors.prune()
        assert store._database.rows("SELECT DISTINCT size FROM windows") == [(16,)]
        assert store.notes.remove(["a.md"]) == 1
        assert store._database.rows("SELECT count(*) FROM windows") == [(0,)]


def test_a_note_that_is_put_during_a_change_of_size_waits_to_be_cut(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        filling = _fill(store, window=16)
        put(store, stored("a.md", "one"), stored("b.md", "two"))
        assert store.vectors.coverage(filling).uncut == 2
        store.notes.remove(["a.md"])
        assert store.vectors.coverage(filling).uncut == 1


def test_chunks_that_went_before_their_windows_came_are_left_out(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "one"))
        filling = _fill(store, window=16)
        ((chunk, text),) = store.windows.waiting(16, 10)
        store.notes.remove(["a.md"])
        assert store.windows.put(16, [(chunk, windows(text, 16))]) == 0
        assert store.vectors.coverage(filling).windows == 0


def test_an_index_of_one_set_is_taken_over_with_its_vectors(tmp_path: Path) -> None:
    note = stored("a.md", "one. two")
    old = open_database(tmp_path, migrations=MIGRATIONS[:3]).database
    with old.atomic() as connection:
        connection.execute("INSERT INTO fingerprints (id, identity, dimension, probes) VALUES ('f', 'm window=96 x', ?, x'')", (DIMENSION,))
        connection.execute("INSERT INTO meta VALUES ('fingerprint', '1')")
        connection.execute(
            "INSERT INTO files VALUES (1, 'a.md', 'a.md', 'h', 1, 1, 1, '1', 'a', 'a', '[]', '', '{}',"
            " 1, NULL, NULL, '2026', NULL, 'a.md', 'a.md', '', '', NULL, 1, 1, 0)"
        )
        connection.execute("INSERT INTO chunks VALUES (1, 1, 0, '[]', 1, 1, 2, x'00', '[]', 'one. two')")
        for number, key in enumerate(keys_of(note)):
            connection.execute("INSERT INTO keys (key) VALUES (?)", (bytes.fromhex(key),))
            connection.execute("INSERT INTO windows VALUES (1, ?, ?, 0, 4, 1, 1, '')", (number, number + 1))
        connection.execute("INSERT INTO vectors VALUES (1, 1, ?)", (vector_of(keys_of(note)[0]).astype("<f2").tobytes(),))
        connection.execute("INSERT INTO backlog VALUES (2, '2026', NULL, NULL)")
    old.close()
    with Store.open(tmp_path, 1, 1) as store:
        serving = store.vectors.serving
        assert serving is not None
        assert serving.window == 96
        assert (store.notes.counts().windows, store.notes.counts().embedded, store.vectors.pending()) == (2, 1, 1)
        assert store.vectors.search(vector_of(keys_of(note)[0]), 1)[0].cosine > 0.99
        assert not store.cut_is_current
        assert store.check() is None
