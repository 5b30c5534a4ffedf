"""Forgetting the vectors of models that have no role any more.

Owns the order: rows first, a slice at a time, then files, then the pages go back to the system. Interrupted, it is begun again.
"""

from collections.abc import Callable

from holovault.store.backlog import Backlog
from holovault.store.database import Database
from holovault.store.fingerprints import Fingerprints
from holovault.store.lives import Lives
from holovault.store.recut import Recut
from holovault.store.shelf import Shelf
from holovault.store.values import Fingerprint, PruneReport

_SLICE = 500


class Pruning:
    """Removes every set that neither serves nor fills."""

    def __init__(
        self,
        database: Database,
        fingerprints: Fingerprints,
        backlog: Backlog,
        recut: Recut,
        lives: Lives,
        shelf: Shelf,
        clock: Callable[[], float],
        release_pages: Callable[[], bool],
    ) -> None:
        self._database = database
        self._fingerprints = fingerprints
        self._backlog = backlog
        self._recut = recut
        self._lives = lives
        self._shelf = shelf
        self._clock = clock
        self._release_pages = release_pages

    def __call__(self) -> PruneReport:
        """What went; the bytes are those of all files of the index, before and after."""
        before = self._bytes()
        used = self._fingerprints.used
        gone = [one for one in self._fingerprints.all() if one not in used] if used else []
        vectors = sum(self._empty(one) for one in gone)
        if gone:
            self._strike(gone)
        self._shelf.remove_struck()
        self._release_pages()
        return PruneReport(tuple(one.identity for one in gone), vectors, max(0, before - self._bytes()))

    def _empty(self, one: Fingerprint) -> int:
        removed = 0
        while True:
            with self._database.atomic() as connection:
                if one.number in {used.number for used in self._fingerprints.used}:
                    return removed
                count = connection.execute(
                    "DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors WHERE fingerprint = ? LIMIT ?)", (one.number, _SLICE)
                ).rowcount
            if not count:
                return removed
            removed += count

    def _strike(self, gone: list[Fingerprint]) -> None:
        with self._database.atomic() as connection:
            used = self._fingerprints.used
            left = [one for one in gone if one.number not in {kept.number for kept in used}]
            self._fingerprints.forget(left)
            for one in left:
                self._backlog.drop(one.number)
            self._shelf.strike_others([one.number for one in used])
            self._recut.drop(sorted({one.window for one in used}))
            connection.execute(
                "UPDATE keys SET unreferenced_since = ? WHERE unreferenced_since IS NULL"
                " AND NOT EXISTS (SELECT 1 FROM windows w WHERE w.slot = keys.slot)",
                (self._clock(),),
            )
        self._lives.keep(one.number for one in used)

    def _bytes(self) -> int:
        folder = self._database.path.parent
        return sum(path.stat().st_size for path in folder.iterdir() if path.is_file() and path.name != "open.lock")
