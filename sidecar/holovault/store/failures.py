"""What did not work, and small notes to oneself.

Owns `failures` and the free keys of `meta`. A failure stays listed, with the time it was first seen, until
it is cleared; windows that no model could embed appear here under stage `embed`.
"""

from holovault.model import Failure
from holovault.store.database import Database

_EMBED = "embed"
_WINDOWS_OF = (
    "SELECT b.slot FROM backlog b JOIN windows w ON w.slot = b.slot AND w.size = b.size JOIN chunks c ON c.id = w.chunk"
    " JOIN files f ON f.id = c.file WHERE f.path = ? AND b.reason IS NOT NULL"
)


class Failures:
    """The list of things that did not work."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, failure: Failure) -> None:
        """List a failure; one of the same path and stage gets the new reason and keeps its time."""
        with self._database.atomic() as connection:
            connection.execute(
                "INSERT INTO failures VALUES (?, ?, ?, ?) ON CONFLICT (path, stage) DO UPDATE SET reason = excluded.reason",
                (failure.path, failure.stage, failure.reason, failure.since),
            )

    def clear(self, path: str, stage: str) -> None:
        """Strike a failure off; for stage `embed` the note's failed windows wait for a vector again."""
        with self._database.atomic() as connection:
            connection.execute("DELETE FROM failures WHERE path = ? AND stage = ?", (path, stage))
            if stage == _EMBED:
                connection.execute(f"UPDATE backlog SET reason = NULL, since = NULL WHERE slot IN ({_WINDOWS_OF})", (path,))

    def all(self) -> list[Failure]:
        """Every failure, by path and stage, one per note for windows that could not be embedded."""
        listed = [Failure(*row) for row in self._database.rows("SELECT path, stage, reason, since FROM failures")]
        windows = self._database.rows(
            f"SELECT f.path, '{_EMBED}', min(b.reason), coalesce(min(b.since), '') FROM backlog b CROSS JOIN windows w"
            " ON w.slot = b.slot AND w.size = b.size JOIN chunks c ON c.id = w.chunk JOIN files f ON f.id = c.file"
            " WHERE b.reason IS NOT NULL GROUP BY f.path"
        )
        seen = {(failure.path, failure.stage) for failure in listed}
        listed += [Failure(*row) for row in windows if (row[0], row[1]) not in seen]
        return sorted(listed, key=lambda failure: (failure.path, failure.stage))


class Meta:
    """Texts by key, for whoever needs to remember one across restarts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> str | None:
        """The text kept under `key`, or none."""
        row = self._database.row("SELECT value FROM meta WHERE key = ?", ("user." + key,))
        return None if row is None else str(row[0])

    def set(self, key: str, value: str | None) -> None:
        """Keep a text, or forget it."""
        with self._database.atomic() as connection:
            if value is None:
                connection.execute("DELETE FROM meta WHERE key = ?", ("user." + key,))
            else:
                connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", ("user." + key, value))
