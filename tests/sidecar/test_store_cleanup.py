"""Forgotten is forgotten: after a clean-up no file of the index holds deleted text, words or vectors."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np

from holovault.store import SegmentRules, Store, StoredNote
from tests.support.stored import DIMENSION, embed_all, keys_of, opened, paths_found, put, stored, texts_of, vector_of

DAY = 24 * 3600.0
SMALL = SegmentRules(rows=16, most=64)


def _bytes(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def _traces(key: str) -> list[bytes]:
    half = vector_of(key).astype(np.float16)
    return [bytes.fromhex(key), half.tobytes(), half.astype(np.float32).tobytes()]


def test_deleted_text_is_gone_from_the_raw_bytes_of_every_file(tmp_path: Path) -> None:
    kept = [stored(f"kept{n}.md", f"ordinary text {n} " * 50) for n in range(60)]
    gone = stored(
        "secretpath.md", "zanzibar secretbody here. and secretend", "secretsecond", tags=("secrettag",), fields=(("secretkey", "v"),)
    )
    with opened(tmp_path, clock=0.0, segments=SMALL) as store:
        put(store, *kept[:30], gone, *kept[30:])
        embed_all(store, 16)
        store.vectors.search(vector_of("q"), 1)
        assert all(trace in _bytes(tmp_path) for trace in _traces(keys_of(gone)[0]))
        store.notes.remove(["secretpath.md"])
        report = store.clean_up(8 * DAY)
        assert (report.vectors, report.complete, report.compacted) == (3, True, True)
        assert report.words >= 7
        left = _bytes(tmp_path)
        assert b"secret" not in left
        assert b"zanzibar" not in left
        assert not any(trace in left for key in keys_of(gone) for trace in _traces(key))
        assert b"ordinary" in left
        assert len(paths_found(store, "ordinary", limit=100)) == 60
        assert len(store.vectors.search(vector_of("q"), 100)) == 60
        assert store.check() is None


def test_text_that_was_edited_away_is_gone_and_the_rest_stays(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for turn in range(30):
            put(store, *(stored(f"{n}.md", f"secretword{turn} is old", f"lasting {n}") for n in range(10)))
        put(store, *(stored(f"{n}.md", "new", f"lasting {n}") for n in range(10)))
        store.clean_up(2_000.0)
        assert b"secretword" not in _bytes(tmp_path)
        assert texts_of(store, "3.md") == ["new", "lasting 3"]
        assert paths_found(store, "lasting", "3")[0] == "3.md"


def test_a_word_form_goes_with_its_last_note_though_its_stem_stays(tmp_path: Path) -> None:
    def inflected(path: str, word: str) -> StoredNote:
        note = stored(path, "run")
        return replace(note, note=replace(note.note, words=((word, "run"),)))

    with opened(tmp_path) as store:
        put(store, inflected("a.md", "running"), inflected("b.md", "runner"))
        store.notes.remove(["a.md"])
        assert b"running" in _bytes(tmp_path)
        assert store.clean_up(2_000.0).words == 1
        assert b"running" not in _bytes(tmp_path)
        assert store.lexical.expand_prefix("runn") == ["run"]
        assert store.lexical.suggest("runnet") == "runner"


def test_a_vector_outlives_its_text_by_seven_days(tmp_path: Path) -> None:
    note = stored("a.md", "text")
    with opened(tmp_path, clock=0.0) as store:
        put(store, note)
        embed_all(store)
        store.notes.remove(["a.md"])
        assert store.clean_up(6.9 * DAY).vectors == 0
        put(store, note)
        assert store.notes.counts().embedded == 1
        assert store.clean_up(99 * DAY).vectors == 0
        assert len(store.vectors.search(vector_of("x"), 5)) == 1
        store.notes.remove(["a.md"])
        assert store.clean_up(7.1 * DAY).vectors == 1
        assert store.notes.put([note]).reused == 0
        assert store.vectors.search(vector_of("x"), 5) == []


def test_a_text_that_somebody_still_uses_keeps_its_vector(tmp_path: Path) -> None:
    with opened(tmp_path, clock=0.0) as store:
        put(store, stored("a.md", "same"), stored("b.md", "same"))
        embed_all(store)
        store.notes.remove(["a.md"])
        assert store.clean_up(99 * DAY).vectors == 0
        assert len(store.vectors.search(vector_of("x"), 5)) == 1


def test_a_clean_up_without_work_changes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "text"))
        embed_all(store)
        store.clean_up(2_000.0)
        before = store.generation
        report = store.clean_up(2_000.0)
        assert (report.vectors, report.words, report.compacted, report.complete) == (0, 0, False, True)
        assert store.generation == before


def test_notes_may_be_put_while_words_are_swept(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, *(stored(f"{n}.md", " ".join(f"word{n}x{i}" for i in range(100))) for n in range(40)))
        store.notes.remove([f"{n}.md" for n in range(40)])
        start = threading.Event()

        def put_again() -> None:
            start.wait(10)
            for n in range(40):
                put(store, stored(f"{n}.md", " ".join(f"word{n}x{i}" for i in range(100))))

        thread = threading.Thread(target=put_again)
        thread.start()
        start.set()
        store.clean_up(2_000.0)
        thread.join(10)
        for n in range(40):
            assert len(store.lexical.expand_prefix(f"word{n}x", 1_000)) == 100


def test_segments_of_another_model_are_dropped_and_made_again_when_it_returns(tmp_path: Path) -> None:
    with Store.open(tmp_path, 1, 1, segments=SMALL) as store:
        old = np.stack([vector_of(f"old {n}") for n in range(8)])
        new = np.stack([vector_of(f"new {n}") for n in range(8)])
        store.vectors.adopt("old", DIMENSION, old)
        put(store, *(stored(f"{n}.md", f"text {n}") for n in range(40)))
        embed_all(store)
        before = store.vectors.search(vector_of("q"), 50)
        store.vectors.adopt("new", DIMENSION, new)
        store.clean_up(2_000.0)
        assert list(tmp_path.glob("vectors-*.seg")) == []
        store.vectors.adopt("old", DIMENSION, old)
        assert store.vectors.search(vector_of("q"), 50) == before


def test_an_index_that_was_moved_aside_goes_after_seven_days(tmp_path: Path) -> None:
    (tmp_path / "index.db").write_text("no database, but longer than a header", encoding="utf-8")
    with opened(tmp_path) as store:
        aside = tmp_path / "index.db.corrupt-1"
        os.utime(aside, (0, 0))
        store.clean_up(6.9 * DAY)
        assert aside.exists()
        store.clean_up(7.1 * DAY)
        assert not aside.exists()
