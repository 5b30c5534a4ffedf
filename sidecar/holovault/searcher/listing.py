"""Notes chosen by filters alone, newest first. Must not score."""

from collections.abc import Iterable
from heapq import nlargest

from holovault.store import ChunkFilter, ChunkId, ChunkRow, Store

SLICE = 500


def newest(store: Store, allowed: ChunkFilter, limit: int) -> list[ChunkRow]:
    """The first chunk of each of the `limit` notes that were modified last; memory is bounded by `limit`, not by the vault."""
    kept: dict[str, ChunkRow] = {}
    ids = [ChunkId(int(number)) for number in allowed.ids]
    for begin in range(0, len(ids), SLICE):
        rows = store.notes.chunk_rows(ids[begin : begin + SLICE])
        kept = {row.path: row for row in nlargest(limit, _openings([*kept.values(), *rows]), key=_age)}
    return list(kept.values())


def _openings(rows: Iterable[ChunkRow]) -> Iterable[ChunkRow]:
    """The first chunk of each note that says anything."""
    first: dict[str, ChunkRow] = {}
    for row in rows:
        if row.path not in first or (not row.text, row.start_line) < (not first[row.path].text, first[row.path].start_line):
            first[row.path] = row
    return first.values()


def _age(row: ChunkRow) -> tuple[str, str]:
    return row.modified, row.path
