"""The idle clean-up: what was forgotten leaves the files.

Owns the order of it and the seven days that a vector outlives its last window. Every step is a short
transaction; an interrupted clean-up is simply begun again. Afterwards no deleted text is left in
the bytes of the database, its log, or the segments.
"""

import logging
import os
from pathlib import Path

from holovault.store.database import Database
from holovault.store.fingerprints import Fingerprints
from holovault.store.lives import Lives
from holovault.store.notes import REMOVED
from holovault.store.shelf import Shelf
from holovault.store.structure import Fillers
from holovault.store.values import CleanUpReport
from holovault.store.words import Words

KEEP_VECTORS_S = 7 * 24 * 3600.0
_SLICE = 500
_MERGE_PAGES = 500
_log = logging.getLogger(__name__)


class CleanUp:
    """Takes away what nobody needs any more."""

    def __init__(self, database: Database, words: Words, fillers: Fillers, lives: Lives, shelf: Shelf, fingerprints: Fingerprints) -> None:
        self._database = database
        self._words = words
        self._fillers = fillers
        self._lives = lives
        self._shelf = shelf
        self._fingerprints = fingerprints

    def __call__(self, now: float) -> CleanUpReport:
        """Clean up as of `now` (seconds since the epoch)."""
        vectors = self._vectors(now - KEEP_VECTORS_S)
        words = 0
        if self._database.row("SELECT 1 FROM meta WHERE key = ?", (REMOVED,)):
            # struck off first: text removed while this runs asks for another round
            with self._database.atomic() as connection:
                connection.execute("DELETE FROM meta WHERE key = ?", (REMOVED,))
            try:
                words = self._words.sweep()
                self._fillers.sweep()
                self._merge_terms()
            except BaseException:
                with self._database.atomic() as connection:
                    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, '1')", (REMOVED,))
                raise
        compacted = self._segments(vectors)
        self._old_copies(now - KEEP_VECTORS_S)
        return CleanUpReport(vectors, words, compacted, self.release_pages())

    def _vectors(self, before: float) -> int:
        removed = 0
        while slots := self._database.rows("SELECT slot FROM keys WHERE unreferenced_since <= ? LIMIT ?", (before, _SLICE)):
            with self._database.atomic() as connection:
                # again, inside the transaction: a note that was put just now may use the text
                gone = [
                    slot
                    for slot in slots
                    if connection.execute("SELECT 1 FROM keys WHERE slot = ? AND unreferenced_since <= ?", (*slot, before)).fetchone()
                ]
                connection.executemany("DELETE FROM keys WHERE slot = ?", gone)
                for (number,) in connection.execute("SELECT number FROM fingerprints").fetchall():
                    removed += connection.executemany(
                        "DELETE FROM vectors WHERE fingerprint = ? AND slot = ?", ((number, *slot) for slot in gone)
                    ).rowcount
        return removed

    def _merge_terms(self) -> None:
        """Merge the full-text index into one segment, a bounded piece at a time: only then are deleted terms really gone."""
        step = -_MERGE_PAGES
        while True:
            with self._database.atomic() as connection:
                before = connection.total_changes
                connection.execute("INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('merge', ?)", (step,))
                # FTS5 says that there was nothing to do by changing fewer than two rows
                if connection.total_changes - before < 2:
                    return
            step = _MERGE_PAGES

    def _segments(self, removed: int) -> bool:
        used = self._fingerprints.used
        self._shelf.strike_others([one.number for one in used])
        self._lives.keep(one.number for one in used)
        compacted = False
        for one in used if removed else ():
            live = self._lives.of(one)
            live.load(one.number, one.dimension)
            if live.dead:
                live.compact()
                compacted = True
        self._shelf.remove_struck()
        return compacted

    def _old_copies(self, before: float) -> None:
        folder: Path = self._database.path.parent
        for copy in folder.glob(f"{self._database.path.name}.corrupt-*"):
            try:
                if copy.stat().st_mtime <= before:
                    copy.unlink()
            except OSError as problem:
                _log.warning("%s could not be deleted: %s", os.fspath(copy), problem)

    def release_pages(self) -> bool:
        """Give free pages back in slices and empty the log; false when a reader still needed it."""
        while self._database.rows("PRAGMA freelist_count")[0][0]:
            before = self._database.rows("PRAGMA freelist_count")[0][0]
            self._database.outside_transaction(f"PRAGMA incremental_vacuum({_SLICE})")
            if self._database.rows("PRAGMA freelist_count")[0][0] >= before:
                break
        return int(self._database.outside_transaction("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]) == 0
