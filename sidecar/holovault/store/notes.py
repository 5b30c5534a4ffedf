"""Writing notes: put, remove, restat, place.

Owns which rows change when a note does. A chunk that says the same as before keeps its row and its
full-text entry, whatever line it moved to; everything else is deleted and inserted. Vectors are never
touched here: a window finds its vector by the key of its text.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from holovault.model import FileState
from holovault.store.backlog import Backlog
from holovault.store.database import Database, Row
from holovault.store.facts import Facts
from holovault.store.fingerprints import Fingerprints
from holovault.store.live import WindowDelta
from holovault.store.reading import NoteReader
from holovault.store.rows import NoteRows, OldNote
from holovault.store.structure import Fillers
from holovault.store.texts import instant, path_key
from holovault.store.values import Placement, PutReport, StoredNote
from holovault.store.words import Words

REMOVED = "removed"  # meta: text was deleted since the last clean-up

_PUT_FILE = (
    "INSERT OR REPLACE INTO files (id, path, disk_path, hash, size, mtime_ns, ctime_ns, inode, title, title_terms, tags, tag_terms, front,"
    " tier, project, created, modified, modified_at, path_key, name_key, tag_keys, property_keys, project_key, body_line, lines, stale)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
)
_PUT_CHUNK = (
    "INSERT INTO chunks (id, file, ordinal, heading, start_line, end_line, tokens, hash, block_ids, text, sections)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_PUT_TERMS = "INSERT INTO chunks_fts (rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)"
_PUT_WINDOW = (
    "INSERT INTO windows (chunk, size, number, slot, start, stop, start_line, end_line, prefix)"
    " VALUES (?, ?, ?, (SELECT slot FROM keys WHERE key = ?), ?, ?, ?, ?, ?)"
)
_PUT_LINK = "INSERT INTO links (file, target, heading, block, alias, embed, line, target_key, alias_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_OLD_CHUNKS = "SELECT file, id, ordinal, start_line, end_line, hash, heading, block_ids FROM chunks"
_ADDED = "SELECT chunk, number, slot, size FROM windows WHERE chunk BETWEEN ? AND ? ORDER BY chunk, number"
_UNCUT = "INSERT OR IGNORE INTO uncut (size, chunk) VALUES (?, ?)"
_IN = "IN (SELECT value FROM json_each(?))"
_UNUSED = "NOT EXISTS (SELECT 1 FROM windows w WHERE w.slot = keys.slot)"


@dataclass(frozen=True, slots=True)
class _Gone:
    """Chunks deleted in this transaction and the slots that their windows had."""

    chunks: list[int]
    slots: str


class Notes(NoteReader):
    """The notes of the index: everything `NoteReader` reads, and the ways to change it."""

    def __init__(
        self,
        database: Database,
        words: Words,
        clock: Callable[[], float],
        fingerprints: Fingerprints,
        backlog: Backlog,
        fillers: Fillers,
        facts: Facts,
        publish: Callable[[WindowDelta], None],
    ) -> None:
        super().__init__(database, fingerprints, backlog)
        self._words = words
        self._clock = clock
        self._fillers = fillers
        self._facts = facts
        self._publish = publish

    def put(self, items: Sequence[StoredNote]) -> PutReport:
        """Insert notes, or replace those whose path exists, in one transaction; of two with the same path the last counts."""
        latest = list({item.state.path: item for item in items}.values())
        with self._database.atomic():
            old = self._old([item.state.path for item in latest])
            rows = NoteRows(latest, old, self._next_id("files"), self._next_id("chunks"))
            files = _json(rows.file_ids)
            gone = self._delete_chunks(rows.removed)
            if old:
                self._delete_links(_json([note.id for note in old.values()]))
                self._mark_removed()
            self._insert(rows)
            added = self._database.rows(_ADDED, (rows.first_chunk, rows.last_chunk))
            self._expect(added, rows)
            self._words.learn(rows.words)
            self._fillers.put(list(zip(rows.file_ids, latest, strict=True)), rows.fillers)
            self._facts.put(list(zip(rows.file_ids, latest, strict=True)), rows.facts)
            self._settle(gone)
            self._announce(gone.chunks, added)
            return self._report(files)

    def remove(self, paths: Sequence[str]) -> int:
        """Forget notes; returns how many there were. Their vectors stay for a while in case the text comes back."""
        with self._database.atomic() as connection:
            files = [number for (number,) in self._database.rows(f"SELECT id FROM files WHERE path {_IN}", (_json(paths),))]
            if not files:
                return 0
            wanted = _json(files)
            chunks = [number for (number,) in self._database.rows(f"SELECT id FROM chunks WHERE file {_IN}", (wanted,))]
            gone = self._delete_chunks(chunks)
            self._delete_links(wanted)
            self._words.forget(wanted)
            connection.execute(f"DELETE FROM files WHERE id {_IN}", (wanted,))
            self._fillers.withdraw(files)
            self._facts.remove(files)
            self._settle(gone)
            self._mark_removed()
            self._announce(gone.chunks, [])
            return len(files)

    def restat(self, states: Sequence[FileState]) -> None:
        """Record new stat numbers (and disk names) of notes whose bytes did not change."""
        with self._database.atomic() as connection:
            connection.executemany(
                "UPDATE files SET disk_path = ?, size = ?, mtime_ns = ?, ctime_ns = ?, inode = ? WHERE path = ?",
                ((s.disk_path, s.size, s.mtime_ns, s.ctime_ns, str(s.inode), s.path) for s in states),
            )

    def date(self, dates: Mapping[str, str]) -> None:
        """Record other dates of change by path; nothing is cut or embedded again."""
        with self._database.atomic() as connection:
            connection.executemany(
                "UPDATE files SET modified = ?, modified_at = ? WHERE path = ? AND modified <> ?",
                ((date, instant(date), path, date) for path, date in dates.items()),
            )

    def place(self, placements: Sequence[Placement]) -> None:
        """Record other tiers and projects after the path rules changed; nothing is cut or embedded again."""
        with self._database.atomic() as connection:
            connection.executemany(
                "UPDATE files SET tier = ?, project = ?, project_key = ? WHERE path = ?",
                ((p.tier, p.project, path_key(p.project) if p.project is not None else None, p.path) for p in placements),
            )

    def mark_stale(self) -> None:
        """Every note must be cut anew; each stops being stale when it is put."""
        with self._database.atomic() as connection:
            connection.execute("UPDATE files SET stale = 1")

    def _old(self, paths: Sequence[str]) -> dict[str, OldNote]:
        rows = self._database.rows(f"SELECT path, id, title_terms, tag_terms, stale FROM files WHERE path {_IN}", (_json(paths),))
        old = {path: OldNote(number, title, tags, bool(stale)) for path, number, title, tags, stale in rows}
        by_id = {note.id: note for note in old.values()}
        if by_id:
            for row in self._database.rows(f"{_OLD_CHUNKS} WHERE file {_IN} ORDER BY file, ordinal", (_json(list(by_id)),)):
                by_id[row[0]].add(row[1:])
        return old

    def _next_id(self, table: str) -> int:
        row = self._database.row("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
        return 1 if row is None else int(row[0]) + 1

    def _delete_chunks(self, chunks: list[int]) -> _Gone:
        if not chunks:
            return _Gone([], "[]")
        wanted = _json(chunks)
        with self._database.atomic() as connection:
            slots = [slot for (slot,) in connection.execute(f"SELECT DISTINCT slot FROM windows WHERE chunk {_IN}", (wanted,))]
            connection.executemany("DELETE FROM chunks_fts WHERE rowid = ?", ((chunk,) for chunk in chunks))
            connection.execute(f"DELETE FROM windows WHERE chunk {_IN}", (wanted,))
            connection.execute(f"DELETE FROM uncut WHERE chunk {_IN}", (wanted,))
            connection.execute(f"DELETE FROM chunks WHERE id {_IN}", (wanted,))
        self._fillers.remove(chunks)
        return _Gone(chunks, _json(slots))

    def _delete_links(self, files: str) -> None:
        with self._database.atomic() as connection:
            connection.execute(f"DELETE FROM links WHERE file {_IN}", (files,))

    def _insert(self, rows: NoteRows) -> None:
        with self._database.atomic() as connection:
            connection.executemany(_PUT_FILE, rows.files)
            connection.executemany(_PUT_LINK, rows.links)
            connection.executemany(
                "UPDATE chunks SET ordinal = ?, start_line = ?, end_line = ?, sections = ? WHERE id = ?", rows.moved_chunks
            )
            connection.executemany(
                "UPDATE windows SET start_line = ?, end_line = ? WHERE chunk = ? AND size = ? AND number = ?", rows.moved_windows
            )
            connection.executemany(
                "UPDATE windows SET start_line = start_line + ?, end_line = end_line + ? WHERE chunk = ? AND size <> ?",
                rows.shifted_windows,
            )
            connection.executemany(_PUT_CHUNK, rows.chunks)
            connection.executemany(_PUT_TERMS, rows.terms)
            connection.executemany("INSERT OR IGNORE INTO keys (key) VALUES (?)", ((row[3],) for row in rows.windows))
            connection.executemany(_PUT_WINDOW, rows.windows)
            connection.execute(
                "UPDATE keys SET unreferenced_since = NULL WHERE unreferenced_since IS NOT NULL"
                " AND slot IN (SELECT slot FROM windows WHERE chunk BETWEEN ? AND ?)",
                (rows.first_chunk, rows.last_chunk),
            )

    def _expect(self, added: Sequence[Row], rows: NoteRows) -> None:
        """New windows wait for their vectors, and new chunks for windows of the sizes that they were not cut to."""
        modified = {rows.first_chunk + place: time for place, time in enumerate(rows.modified)}
        self._backlog.expect(added, modified)
        cut = {(size, chunk) for chunk, _, _, size in added}
        texts = [row[0] for row in rows.chunks if row[9]]
        sizes = {one.window for one in self._fingerprints.used}
        with self._database.atomic() as connection:
            connection.executemany(_UNCUT, ((size, chunk) for size in sizes for chunk in texts if (size, chunk) not in cut))

    def _settle(self, gone: _Gone) -> None:
        """Slots that no window uses any more begin their last days and are not waited for."""
        if gone.slots == "[]":
            return
        with self._database.atomic() as connection:
            connection.execute(f"UPDATE keys SET unreferenced_since = ? WHERE slot {_IN} AND {_UNUSED}", (self._clock(), gone.slots))
        self._backlog.forget(gone.slots)

    def _announce(self, removed: Sequence[int], added: Sequence[Row]) -> None:
        delta = WindowDelta(np.array(removed, dtype=np.int64), np.array(added, dtype=np.int64).reshape(-1, 4))
        self._database.after_commit(lambda: self._publish(delta))

    def _report(self, files: str) -> PutReport:
        number, size = self._serving()
        chunks, windows, without = self._database.rows(
            "SELECT count(DISTINCT c.id), count(w.slot), count(b.slot) FROM chunks c LEFT JOIN windows w ON w.chunk = c.id"
            f" AND w.size = coalesce(?, w.size) LEFT JOIN backlog b ON b.slot = w.slot AND b.fingerprint = ? WHERE c.file {_IN}",
            (size, number, files),
        )[0]
        return PutReport(chunks=int(chunks), windows=int(windows), reused=int(windows) - int(without))

    def _mark_removed(self) -> None:
        with self._database.atomic() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, '1')", (REMOVED,))


def _json(values: Sequence[Any]) -> str:
    return msgspec.json.encode(values).decode()
