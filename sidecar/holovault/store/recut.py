"""Windows of another size for chunks that are in the index already.

Owns `uncut`: the chunks that have no windows yet of the size that a set of vectors needs. Windows depend on a chunk's text, headings
and the size alone, so no note is read again. Must not cut anything itself: it hands chunks out and takes windows in.
"""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from holovault.model import Chunk, Window
from holovault.store.backlog import Backlog
from holovault.store.database import Database
from holovault.store.live import WindowDelta
from holovault.store.texts import names, sections
from holovault.store.values import ChunkId, Int64

_FIND = (
    "INSERT OR IGNORE INTO uncut (size, chunk) SELECT ?1, c.id FROM chunks c WHERE c.text <> ''"
    " AND NOT EXISTS (SELECT 1 FROM windows w WHERE w.chunk = c.id AND w.size = ?1)"
)
_NEXT = (
    "SELECT c.id, c.ordinal, c.heading, c.start_line, c.end_line, c.text, c.tokens, c.block_ids, c.hash, c.sections"
    " FROM uncut u JOIN chunks c ON c.id = u.chunk WHERE u.size = ? ORDER BY u.chunk DESC LIMIT ?"
)
_PUT = (
    "INSERT OR REPLACE INTO windows (chunk, size, number, slot, start, stop, start_line, end_line, prefix)"
    " VALUES (?, ?, ?, (SELECT slot FROM keys WHERE key = ?), ?, ?, ?, ?, ?)"
)
_IN = "IN (SELECT value FROM json_each(?))"


class Recut:
    """Hands out chunks and takes their windows."""

    def __init__(self, database: Database, backlog: Backlog, publish: Callable[[WindowDelta], None]) -> None:
        self._database = database
        self._backlog = backlog
        self._publish = publish

    def find(self, size: int) -> None:
        """List every chunk without windows of this size; meant for the moment when a set of vectors gets a role."""
        with self._database.atomic() as connection:
            connection.execute(_FIND, (size,))

    def drop(self, keep: Sequence[int]) -> None:
        """Forget windows of all sizes but these, and what waited to be cut for them."""
        wanted = msgspec.json.encode(list(keep)).decode()
        with self._database.atomic() as connection:
            connection.execute(f"DELETE FROM uncut WHERE NOT size {_IN}", (wanted,))
            connection.execute(f"DELETE FROM windows WHERE NOT size {_IN}", (wanted,))

    def waiting(self, size: int, limit: int) -> list[tuple[ChunkId, Chunk]]:
        """The next chunks to cut, the newest first."""
        return [
            (ChunkId(number), Chunk(ordinal, names(path), first, last, text, tokens, names(blocks), digest.hex(), sections(inner)))
            for number, ordinal, path, first, last, text, tokens, blocks, digest, inner in self._database.rows(_NEXT, (size, limit))
        ]

    def put(self, size: int, cut: Sequence[tuple[ChunkId, Sequence[Window]]]) -> int:
        """Store the windows of chunks that are still there; returns how many."""
        with self._database.atomic() as connection:
            wanted = msgspec.json.encode([chunk for chunk, _ in cut]).decode()
            here = {row[0] for row in connection.execute(f"SELECT chunk FROM uncut WHERE size = ? AND chunk {_IN}", (size, wanted))}
            made = [(chunk, window) for chunk, windows in cut if chunk in here for window in windows]
            connection.executemany("INSERT OR IGNORE INTO keys (key) VALUES (?)", ((bytes.fromhex(w.key),) for _, w in made))
            connection.executemany(
                _PUT, ((c, size, w.number, bytes.fromhex(w.key), w.start, w.end, w.start_line, w.end_line, w.prefix) for c, w in made)
            )
            added = connection.execute(f"SELECT chunk, number, slot, size FROM windows WHERE size = ? AND chunk {_IN}", (size, wanted))
            rows = [row for row in added.fetchall() if row[0] in here]
            slots = msgspec.json.encode([row[2] for row in rows]).decode()
            connection.execute(f"UPDATE keys SET unreferenced_since = NULL WHERE unreferenced_since IS NOT NULL AND slot {_IN}", (slots,))
            times = connection.execute(f"SELECT c.id, f.modified FROM chunks c JOIN files f ON f.id = c.file WHERE c.id {_IN}", (wanted,))
            self._backlog.expect(rows, dict(times.fetchall()))
            connection.execute(f"DELETE FROM uncut WHERE size = ? AND chunk {_IN}", (size, wanted))
            added_rows: Int64 = np.array(rows, dtype=np.int64).reshape(-1, 4)
            delta = WindowDelta(np.zeros(0, dtype=np.int64), added_rows)
            self._database.after_commit(lambda: self._publish(delta))
        return len(made)
