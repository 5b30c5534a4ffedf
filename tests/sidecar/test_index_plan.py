"""What a pass has to look at."""

from dataclasses import replace

from holovault.indexer.batches import BATCH_BYTES, BATCH_FILES, split
from holovault.indexer.plan import Renames, make_plan, settled
from holovault.model import FileState
from holovault.vault import Scan, Seen

STATE = FileState("a.md", "a.md", "11", 10, 1_000_000_000_000, 5, 6)
SEEN = Seen("a.md", "a.md", 10, 1_000_000_000_000, 5, 6)


def test_an_untouched_note_is_not_read() -> None:
    plan = make_plan({"a.md": STATE}, Scan((SEEN,), (), True))
    assert (plan.read, plan.gone, plan.unchanged) == ((), (), 1)


def test_any_difference_in_the_file_system_s_facts_is_looked_at() -> None:
    others = (
        replace(SEEN, mtime_ns=SEEN.mtime_ns + 1),
        replace(SEEN, size=11),
        replace(SEEN, ctime_ns=7),
        replace(SEEN, inode=8),
        replace(SEEN, disk_path="A.md"),
    )
    for other in others:
        assert make_plan({"a.md": STATE}, Scan((other,), (), True)).read == ("a.md",)


def test_the_newest_notes_come_first() -> None:
    seen = tuple(replace(SEEN, path=f"{age}.md", disk_path=f"{age}.md", mtime_ns=SEEN.mtime_ns - age) for age in (5, 1, 3))
    assert make_plan({}, Scan(seen, (), True)).read == ("1.md", "3.md", "5.md")


def test_a_missing_note_is_gone_but_not_below_a_folder_that_could_not_be_listed() -> None:
    known = {path: replace(STATE, path=path) for path in ("a.md", "locked/b.md")}
    plan = make_plan(known, Scan((), (), False, unreadable=("locked/",)))
    assert plan.gone == ("a.md",)


def test_a_stale_note_is_read_again_though_its_file_is_the_same() -> None:
    stale = replace(STATE, hash="", size=-1, mtime_ns=-1, ctime_ns=-1, inode=-1)
    assert make_plan({"a.md": stale}, Scan((SEEN,), (), True)).read == ("a.md",)


def test_a_file_touched_within_two_seconds_is_hashed_again_next_time() -> None:
    soon, later = STATE.mtime_ns + 1_999_999_999, STATE.mtime_ns + 2_000_000_000
    assert settled(STATE, soon).mtime_ns == 0
    assert settled(STATE, later) == STATE


def test_a_rename_keeps_the_file_name_where_two_notes_have_the_same_bytes() -> None:
    known = {path: replace(STATE, path=path) for path in ("old/x.md", "old/y.md")}
    renames = Renames(known, tuple(known))
    assert renames.claim("11", "new/y.md") == "old/y.md"
    assert renames.claim("11", "new/z.md") == "old/x.md"
    assert renames.claim("11", "new/w.md") is None


def test_what_nobody_claims_is_removed() -> None:
    known = {"a.md": STATE, "b.md": replace(STATE, path="b.md", hash="22")}
    renames = Renames(known, ("a.md", "b.md"))
    renames.claim("22", "c.md")
    assert renames.unclaimed() == ("a.md",)


def test_batches_are_bounded_by_files_and_bytes_and_lose_nothing() -> None:
    paths = [f"{number}.md" for number in range(BATCH_FILES * 2 + 5)]
    sizes = {"3.md": BATCH_BYTES * 10} | dict.fromkeys(paths[4:], 10)
    batches = list(split(paths, sizes))
    assert [path for batch in batches for path in batch] == paths
    assert max(len(batch) for batch in batches) <= BATCH_FILES
    assert all(len(batch) == 1 or sum(sizes.get(path, 0) for path in batch) <= BATCH_BYTES for batch in batches)
