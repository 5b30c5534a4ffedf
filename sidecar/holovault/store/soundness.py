"""Whether the rows of the index belong together, and putting right those that do not.

Owns the questions that no foreign key asks. Everything here can be derived again: what is missing is listed for embedding or cutting,
what belongs to nothing is removed. Must not judge notes or vectors by what is in them.
"""

from dataclasses import dataclass

from holovault.store.backlog import Backlog
from holovault.store.database import Database
from holovault.store.fingerprints import Fingerprints
from holovault.store.notes import REMOVED

_LOST = (
    "SELECT count(*) FROM windows w WHERE w.size = coalesce(?2, w.size)"
    " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.fingerprint = ?1 AND v.slot = w.slot)"
    " AND NOT EXISTS (SELECT 1 FROM backlog b WHERE b.fingerprint = ?1 AND b.slot = w.slot)"
)
_WAITING = (
    "SELECT count(*) FROM backlog b CROSS JOIN windows w ON w.slot = b.slot AND w.size = b.size WHERE b.fingerprint = ? AND b.reason IS"
)
_WORDLESS = "FROM chunks WHERE text <> '' AND id NOT IN (SELECT id FROM chunks_fts_docsize)"
_KEYLESS = "FROM windows WHERE slot NOT IN (SELECT slot FROM keys)"
_SHAPELESS = (
    "FROM chunks WHERE id IN (SELECT chunk FROM fillers) AND id NOT IN (SELECT chunk FROM hrr) AND id NOT IN (SELECT chunk FROM unbound)"
)
_STRAY_TERMS = "FROM chunks_fts_docsize WHERE id NOT IN (SELECT id FROM chunks)"
# In the order in which they may be removed: what loses its owner by one of them is an orphan for the next.
_ORPHANS = (
    ("chunks", "file NOT IN (SELECT id FROM files)"),
    ("windows", "chunk NOT IN (SELECT id FROM chunks)"),
    ("links", "file NOT IN (SELECT id FROM files)"),
    ("file_words", "file NOT IN (SELECT id FROM files)"),
    ("backlog", "NOT EXISTS (SELECT 1 FROM windows w WHERE w.slot = backlog.slot AND w.size = backlog.size)"),
    ("uncut", "chunk NOT IN (SELECT id FROM chunks)"),
    ("vectors", "slot NOT IN (SELECT slot FROM keys)"),
    ("fillers", "chunk NOT IN (SELECT id FROM chunks) OR term NOT IN (SELECT id FROM terms)"),
    ("facts", "chunk NOT IN (SELECT id FROM chunks) OR file NOT IN (SELECT id FROM files)"),
    ("votes", "file NOT IN (SELECT id FROM files)"),
    ("claims", "file NOT IN (SELECT id FROM files)"),
    ("hrr", "chunk NOT IN (SELECT chunk FROM fillers)"),
    ("unbound", "chunk NOT IN (SELECT chunk FROM fillers)"),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """`windows` = `embedded` + `waiting` + `failed` + `lost`; `wordless` chunks have no full-text entry, `orphans` no owner.

    `shapeless` chunks state something, have no structure vector and do not wait for one.
    """

    windows: int
    embedded: int
    waiting: int
    failed: int
    lost: int
    wordless: int
    shapeless: int
    orphans: int


@dataclass(frozen=True, slots=True)
class Mended:
    """`listed` window texts wait for a vector again, `retried` of those had failed; `stale` notes are to be cut anew; `removed` rows.

    `shaped` chunks wait for their structure vector again.
    """

    listed: int
    retried: int
    stale: int
    shaped: int
    removed: int


class Soundness:
    """Looks over the whole index; windows are those of the set that is searched."""

    def __init__(self, database: Database, fingerprints: Fingerprints, backlog: Backlog) -> None:
        self._database = database
        self._fingerprints = fingerprints
        self._backlog = backlog

    def figures(self) -> Figures:
        """Counts over every row; slow on large indexes, changes nothing."""
        serving = self._fingerprints.serving
        number, size = (0, None) if serving is None else (serving.number, serving.window)
        windows = self._count("SELECT count(*) FROM windows WHERE size = coalesce(?, size)", size)
        waiting, failed = self._count(f"{_WAITING} NULL", number), self._count(f"{_WAITING} NOT NULL", number)
        lost = self._count(_LOST, number, size)
        orphans = sum(self._count(f"SELECT count(*) FROM {table} WHERE {strays}") for table, strays in _ORPHANS)
        return Figures(
            windows=windows,
            embedded=windows - waiting - failed - lost,
            waiting=waiting,
            failed=failed,
            lost=lost,
            wordless=self._count(f"SELECT count(*) {_WORDLESS}") + self._count(f"SELECT count(*) {_KEYLESS}"),
            shapeless=self._count(f"SELECT count(*) {_SHAPELESS}"),
            orphans=orphans + self._count(f"SELECT count(*) {_STRAY_TERMS}"),
        )

    def mend(self) -> Mended:
        """Put right what `figures` counts, and give failed windows another try, in one transaction."""
        with self._database.atomic() as connection:
            removed = sum(connection.execute(f"DELETE FROM {table} WHERE {strays}").rowcount for table, strays in _ORPHANS)
            strays = self._database.rows(f"SELECT id {_STRAY_TERMS}")
            connection.executemany("DELETE FROM chunks_fts WHERE rowid = ?", strays)
            hurt = f"SELECT file {_WORDLESS} UNION SELECT file FROM chunks WHERE id IN (SELECT chunk {_KEYLESS})"
            stale = connection.execute(f"UPDATE files SET stale = 1 WHERE NOT stale AND id IN ({hurt})").rowcount
            if removed or strays:
                connection.execute("INSERT OR REPLACE INTO meta VALUES (?, '1')", (REMOVED,))
            shaped = connection.execute(
                "INSERT INTO unbound SELECT c.id, n.modified FROM chunks c JOIN files n ON n.id = c.file"
                f" WHERE c.id IN (SELECT id {_SHAPELESS})"
            ).rowcount
            listed = self._backlog.list_lost()
            retried = connection.execute("UPDATE backlog SET reason = NULL, since = NULL WHERE reason IS NOT NULL").rowcount
        return Mended(listed + retried, retried, stale, shaped, removed + len(strays))

    def _count(self, sql: str, *parameters: int | None) -> int:
        return int(self._database.rows(sql, parameters)[0][0])
