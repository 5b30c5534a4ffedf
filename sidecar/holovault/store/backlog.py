"""What still waits for a vector, for each set of vectors that has a role.

Owns `backlog`: the texts that wait or failed, newest notes first. Before any model was adopted everything waits under number 0.
Must not know vectors.
"""

from collections.abc import Mapping, Sequence

import msgspec

from holovault.model import Window
from holovault.store.database import Database, Row
from holovault.store.fingerprints import Fingerprints
from holovault.store.values import Coverage, Fingerprint, PendingWindow

_WAITING = (
    "SELECT b.slot, f.path, w.chunk, w.number, w.start, w.stop, w.start_line, w.end_line, w.prefix, k.key, w.size"
    " FROM (SELECT slot, size, modified FROM backlog WHERE fingerprint = ? AND reason IS NULL ORDER BY modified DESC, slot LIMIT ?) b"
    " JOIN keys k ON k.slot = b.slot JOIN windows w ON w.slot = b.slot AND w.size = b.size JOIN chunks c ON c.id = w.chunk"
    " JOIN files f ON f.id = c.file ORDER BY b.modified DESC, b.slot, w.chunk, w.number"
)
_PUT = (
    "INSERT INTO backlog (fingerprint, slot, size, modified) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (fingerprint, slot) DO UPDATE SET modified = max(modified, excluded.modified)"
)
_REFILL = (
    "INSERT INTO backlog (fingerprint, slot, size, modified) SELECT ?1, w.slot, ?2, max(f.modified) FROM windows w"
    " JOIN chunks c ON c.id = w.chunk JOIN files f ON f.id = c.file WHERE w.size = ?2"
    " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.fingerprint = ?1 AND v.slot = w.slot) GROUP BY w.slot"
)
_LOST = (
    "INSERT OR IGNORE INTO backlog (fingerprint, slot, size, modified) SELECT ?1, w.slot, w.size, max(f.modified) FROM windows w"
    " JOIN chunks c ON c.id = w.chunk JOIN files f ON f.id = c.file WHERE w.size = coalesce(?2, w.size)"
    " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.fingerprint = ?1 AND v.slot = w.slot) GROUP BY w.slot"
)
_COVERAGE = (
    "SELECT (SELECT count(*) FROM windows WHERE size = ?2),"
    " (SELECT count(*) FROM backlog b CROSS JOIN windows w ON w.slot = b.slot AND w.size = b.size WHERE b.fingerprint = ?1),"
    " (SELECT count(*) FROM backlog WHERE fingerprint = ?1 AND reason IS NULL),"
    " (SELECT count(*) FROM backlog WHERE fingerprint = ?1 AND reason IS NOT NULL), (SELECT count(*) FROM uncut WHERE size = ?2)"
)


class Backlog:
    """Texts without a vector."""

    def __init__(self, database: Database, fingerprints: Fingerprints) -> None:
        self._database = database
        self._fingerprints = fingerprints
        self._coverages: dict[int, tuple[int, Coverage]] = {}

    def expect(self, added: Sequence[Row], modified: Mapping[int, str]) -> None:
        """Windows that were just put (chunk, number, slot, size): those without a vector wait, a text of several notes by the newest."""
        for number, size in self._roles():
            times: dict[int, tuple[int, str]] = {}
            for chunk, _, slot, own in added:
                if size in (None, own) and (slot not in times or times[slot][1] < modified[chunk]):
                    times[slot] = (own, modified[chunk])
            with self._database.atomic() as connection:
                wanted = msgspec.json.encode(list(times)).decode()
                have = connection.execute(
                    "SELECT slot FROM vectors WHERE fingerprint = ? AND slot IN (SELECT value FROM json_each(?))", (number, wanted)
                ).fetchall()
                done = {slot for (slot,) in have}
                connection.executemany(_PUT, ((number, slot, *times[slot]) for slot in times if slot not in done))

    def _roles(self) -> list[tuple[int, int | None]]:
        return [(one.number, one.window) for one in self._fingerprints.used] or [(0, None)]

    def forget(self, slots: str) -> None:
        """Texts (a JSON list of slots) that no window of their size uses any more are not waited for."""
        with self._database.atomic() as connection:
            connection.execute(
                "DELETE FROM backlog WHERE slot IN (SELECT value FROM json_each(?))"
                " AND NOT EXISTS (SELECT 1 FROM windows w WHERE w.slot = backlog.slot AND w.size = backlog.size)",
                (slots,),
            )

    def refill(self, of: Fingerprint) -> None:
        """List every window of this set's size that has no vector in it."""
        self.drop(of.number)
        with self._database.atomic() as connection:
            connection.execute(_REFILL, (of.number, of.window))

    def list_lost(self) -> int:
        """List the windows of the sets in use that have neither a vector nor a place here; returns how many texts that were."""
        with self._database.atomic() as connection:
            return sum(connection.execute(_LOST, role).rowcount for role in self._roles())

    def drop(self, number: int) -> None:
        """Nothing waits for this set any more."""
        with self._database.atomic() as connection:
            connection.execute("DELETE FROM backlog WHERE fingerprint = ?", (number,))

    def arrived(self, number: int, slots: Sequence[int]) -> None:
        """These have their vector now."""
        with self._database.atomic() as connection:
            connection.executemany("DELETE FROM backlog WHERE fingerprint = ? AND slot = ?", ((number, slot) for slot in slots))

    def waiting(self, number: int, limit: int) -> list[PendingWindow]:
        """The next texts to embed, one window of each; failed ones are left out."""
        rows = list({row[0]: row for row in reversed(self._database.rows(_WAITING, (number, limit)))}.values())[::-1]
        wanted = msgspec.json.encode(sorted({row[2] for row in rows})).decode()
        texts: dict[int, str] = dict(
            self._database.rows("SELECT id, text FROM chunks WHERE id IN (SELECT value FROM json_each(?))", (wanted,))
        )
        return [
            PendingWindow(path, Window(window, start, stop, first, last, prefix, key.hex(), size), texts[chunk])
            for _, path, chunk, window, start, stop, first, last, prefix, key, size in rows
            if chunk in texts
        ]

    def pending(self, number: int) -> int:
        """How many texts wait, failed ones left out."""
        return int(self._database.rows("SELECT count(*) FROM backlog WHERE fingerprint = ? AND reason IS NULL", (number,))[0][0])

    def fail(self, number: int, key: str, reason: str, since: str) -> None:
        """Take a text out until it is asked for again."""
        with self._database.atomic() as connection:
            connection.execute(
                "UPDATE backlog SET reason = ?, since = ? WHERE fingerprint = ? AND slot = (SELECT slot FROM keys WHERE key = ?)",
                (reason, since, number, bytes.fromhex(key)),
            )

    def retry(self) -> int:
        """Let every failed text wait again; returns how many."""
        with self._database.atomic() as connection:
            return connection.execute("UPDATE backlog SET reason = NULL, since = NULL WHERE reason IS NOT NULL").rowcount

    def coverage(self, of: Fingerprint) -> Coverage:
        """How much of the vault a set covers."""
        generation, kept = self._database.generation, self._coverages.get(of.number)
        if kept is not None and kept[0] == generation and not self._database.in_transaction:
            return kept[1]
        windows, without, pending, failed, uncut = self._database.rows(_COVERAGE, (of.number, of.window))[0]
        coverage = Coverage(windows=windows, embedded=windows - without, pending=pending, failed=failed, uncut=uncut)
        if not self._database.in_transaction:
            self._coverages[of.number] = (generation, coverage)
        return coverage
