"""Transactions: all or nothing, nested, across threads and across kill -9."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.stored import embed_all, keys_of, opened, paths_found, put, stored, vector_of

_PUT_FOREVER = """
import sys
from pathlib import Path
from tests.support.stored import opened, stored
with opened(Path(sys.argv[1])) as store:
    number = 0
    while True:
        store.notes.put([stored(f"{number + i}.md", f"note {number + i} one. two {number + i}.", "common end") for i in range(20)])
        number += 20
        print(number, flush=True)
"""


def test_an_exception_leaves_no_trace(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("kept.md", "kept text"))
        embed_all(store)
        assert len(store.vectors.search(vector_of("x"), 5)) == 1
        before = (store.generation, store.notes.counts())
        with pytest.raises(KeyError), store.atomic():
            put(store, stored("lost.md", "lost text", "more lost text"))
            embed_all(store)
            raise KeyError
        assert (store.generation, store.notes.counts()) == before
        assert paths_found(store, "lost") == []
        assert len(store.vectors.search(vector_of("x"), 5)) == 1
        put(store, stored("next.md", "next text"))
        assert len(store.vectors.search(vector_of("x"), 5)) == 1
        embed_all(store)
        assert len(store.vectors.search(vector_of("x"), 5)) == 2


def test_an_inner_rollback_keeps_what_the_outer_one_did(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        assert store.vectors.search(vector_of("x"), 5) == []
        with store.atomic():
            put(store, stored("outer.md", "outer text"))
            with pytest.raises(KeyError), store.atomic():
                put(store, stored("inner.md", "inner text", "more inner text"))
                embed_all(store)
                raise KeyError
            put(store, stored("later.md", "later text"))
        embed_all(store)
        assert sorted(store.notes.known()) == ["later.md", "outer.md"]
        assert len(store.vectors.search(vector_of("x"), 5)) == 2
        assert paths_found(store, "inner") == []


def test_words_that_were_rolled_back_are_learned_when_they_come_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        with pytest.raises(KeyError), store.atomic():
            put(store, stored("a.md", "novelty"))
            raise KeyError
        assert store.lexical.expand_prefix("nov") == []
        put(store, stored("a.md", "novelty"))
        assert store.lexical.expand_prefix("nov") == ["novelty"]


def test_a_reader_sees_nothing_before_the_commit(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        seen: list[list[str]] = []

        def look() -> None:
            seen.append(paths_found(store, "text"))

        with store.atomic():
            put(store, stored("a.md", "text"))
            thread = threading.Thread(target=look)
            thread.start()
            thread.join(10)
            assert paths_found(store, "text") == ["a.md"]
        look()
        assert seen == [[], ["a.md"]]


def test_a_vector_search_sees_nothing_before_the_commit(tmp_path: Path) -> None:
    note = stored("a.md", "text")
    with opened(tmp_path) as store:
        with store.atomic():
            put(store, note)
            embed_all(store)
            assert store.vectors.search(vector_of(keys_of(note)[0]), 5) == []
        assert len(store.vectors.search(vector_of(keys_of(note)[0]), 5)) == 1


def test_the_generation_grows_with_every_change_and_only_then(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        start = store.generation
        put(store, stored("a.md", "text"))
        assert store.generation == start + 1
        with store.atomic():
            paths_found(store, "text")
        assert store.generation == start + 1
    with opened(tmp_path) as store:
        assert store.generation == start + 1


def test_readers_and_a_writer_do_not_disturb_each_other(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, *(stored(f"{n}.md", f"common text {n}") for n in range(50)))
        embed_all(store)
        problems: list[str] = []
        done = threading.Event()

        def read() -> None:
            while not done.is_set():
                found = paths_found(store, "common", limit=1_000)
                # an edited note may be gone between the search and the look at its text, and waits for its vector
                if len(found) < 49 or len(found) != len(set(found)):
                    problems.append(f"{len(found)} words")
                near = store.vectors.search(vector_of("x"), 1_000)
                if len({match.chunk for match in near}) != len(near) or len(near) < 49:
                    problems.append(f"{len(near)} vectors")

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(50, 90):
            put(store, stored(f"{number}.md", f"common text {number}"))
            put(store, stored("0.md", f"common text, edit {number}"))
            embed_all(store)
        done.set()
        for thread in threads:
            thread.join(10)
        assert problems == []
        assert len(paths_found(store, "common", limit=1_000)) == 90


def test_a_killed_writer_leaves_whole_notes_and_their_backlog(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", _PUT_FOREVER, str(tmp_path)], stdout=subprocess.PIPE, text=True, encoding="utf-8", cwd=Path.cwd()
    )
    assert child.stdout is not None
    acknowledged = 0
    with child.stdout:
        while acknowledged < 200:
            acknowledged = int(child.stdout.readline())
        os.kill(child.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        acknowledged = max([acknowledged, *(int(line) for line in child.stdout.read().split("\n")[:-1])])
        child.wait(10)
    with opened(tmp_path) as store:
        counts = store.notes.counts()
        assert counts.files >= acknowledged
        assert counts.files % 20 == 0
        assert counts.chunks == 2 * counts.files
        assert counts.windows == counts.pending == 3 * counts.files
        assert store.vectors.pending() == 2 * counts.files + 1  # "common end" is one text
        assert store.lexical.total() == counts.chunks
        assert len(paths_found(store, "common", limit=100_000)) == counts.files
        assert store.check() is None
        assert embed_all(store) == 2 * counts.files + 1
        assert store.vectors.pending() == 0


def test_a_finished_thread_leaves_no_connection_behind_for_the_next(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        put(store, stored("a.md", "text"))
        found: list[list[str]] = []
        for _ in range(20):
            thread = threading.Thread(target=lambda: found.append(paths_found(store, "text")))
            thread.start()
            thread.join(10)
        assert found == [["a.md"]] * 20
        assert len(store._database._readers) <= 3
