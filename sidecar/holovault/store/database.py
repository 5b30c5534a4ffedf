"""Connections and the one transaction.

Owns the writer connection, a read connection per thread, and `atomic()`, the only place that begins,
commits or rolls back. Knows no table but `meta.generation`. What SQLite says about a broken or busy
file leaves as an error of ours; an error in our own SQL stays what it is.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from holovault.errors import BusyError, IndexUnreadableError

BUSY_MS = 10_000
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_UNUSABLE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}

Row = tuple[Any, ...]


def connect(path: Path) -> sqlite3.Connection:
    """A connection without implicit transactions that any thread may close."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000, cached_statements=256)
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def suspect_mark(path: Path) -> Path:
    """The file whose presence makes the next opening check every page."""
    return path.with_name(path.name + ".suspect")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's complaints about the file into errors for people, and remember damage for the next opening."""
    try:
        yield
    except sqlite3.DatabaseError as problem:
        code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGED:
            suspect_mark(path).touch(mode=0o600)
            raise IndexUnreadableError(
                f"The index {path} is damaged ({problem}). Restart holovault: it rebuilds it from the notes."
            ) from problem
        if code in _UNUSABLE:
            raise IndexUnreadableError(
                f"The index {path} cannot be used: {problem}. Check the disk and the folder's permissions."
            ) from problem
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise BusyError(f"The index {path} is in use by another program. Try again in a moment.") from problem
        raise


class Database:
    """One SQLite file in WAL mode: one writer, readers in as many threads as there are."""

    def __init__(self, path: Path, writer: sqlite3.Connection) -> None:
        self.path = path
        self._writer = writer
        self._lock = threading.RLock()
        self._owner: int | None = None
        self._after: list[Callable[[], None]] = []
        self._rolled_back: list[Callable[[], None]] = []
        self._savepoints = 0
        self._local = threading.local()
        self._readers: dict[threading.Thread, sqlite3.Connection] = {}
        self._readers_lock = threading.Lock()
        self._closed = False
        self.generation = int(writer.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0])

    @contextmanager
    def atomic(self) -> Iterator[sqlite3.Connection]:
        """The only transaction: the outermost one commits or leaves no trace, an inner one is a savepoint."""
        with self._lock, translated(self.path), self._open():
            if self._owner is not None:
                with self._savepoint():
                    yield self._writer
                return
            self._writer.execute("BEGIN IMMEDIATE")
            self._owner = threading.get_ident()
            before = self._writer.total_changes
            try:
                yield self._writer
                generation = self._bump() if self._writer.total_changes != before else self.generation
                self._writer.execute("COMMIT")
            except BaseException:
                self._after.clear()
                self._notify_rollback()
                if self._writer.in_transaction:  # a full disk has already rolled back
                    self._writer.execute("ROLLBACK")
                raise
            finally:
                self._owner = None
            self.generation = generation
            self._publish()

    @contextmanager
    def _open(self) -> Iterator[None]:
        """What was closed, before or meanwhile, is said to be closed."""
        closed = IndexUnreadableError(f"The index {self.path} has been closed.")
        if self._closed:
            raise closed
        try:
            yield
        except sqlite3.ProgrammingError:
            if self._closed:
                raise closed from None
            raise

    @contextmanager
    def _savepoint(self) -> Iterator[None]:
        self._savepoints += 1
        name, mark = f"s{self._savepoints}", len(self._after)
        self._writer.execute(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            del self._after[mark:]
            self._notify_rollback()
            if self._writer.in_transaction:
                self._writer.execute(f"ROLLBACK TO {name}")
                self._writer.execute(f"RELEASE {name}")
            raise
        else:
            self._writer.execute(f"RELEASE {name}")

    def _bump(self) -> int:
        row = self._writer.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation' RETURNING value").fetchone()
        return int(row[0])

    def after_commit(self, action: Callable[[], None]) -> None:
        """Run `action` once the running transaction is committed, before another may begin; a rollback forgets it."""
        self._after.append(action)

    def on_rollback(self, action: Callable[[], None]) -> None:
        """Run `action` whenever anything is rolled back, for those who remember what they wrote before it is committed."""
        self._rolled_back.append(action)

    def _notify_rollback(self) -> None:
        for action in self._rolled_back:
            action()

    def _publish(self) -> None:
        actions, self._after = self._after, []
        for action in actions:
            action()

    @contextmanager
    def writing_stopped(self) -> Iterator[None]:
        """No transaction of another thread runs meanwhile."""
        with self._lock:
            yield

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is inside `atomic()`."""
        return self._owner == threading.get_ident()

    def rows(self, sql: str, parameters: Sequence[Any] = (), *, committed: bool = False) -> list[Row]:
        """All rows. Inside `atomic()` they include what it has written so far, unless only `committed` ones are asked for."""
        with translated(self.path), self._open():
            connection = self._writer if self.in_transaction and not committed else self._reader()
            return connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """The first row, or none."""
        rows = self.rows(sql, parameters)
        return rows[0] if rows else None

    def outside_transaction(self, sql: str) -> list[Row]:
        """Run a statement that refuses to run inside a transaction (checkpoint, vacuum)."""
        with self._lock, translated(self.path):
            if self._owner is not None:
                raise RuntimeError(f"{sql} cannot run inside atomic()")
            return self._writer.execute(sql).fetchall()

    def _reader(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._new_reader()
        return connection

    def _new_reader(self) -> sqlite3.Connection:
        with self._readers_lock:
            for thread in [thread for thread in self._readers if not thread.is_alive()]:
                self._readers.pop(thread).close()
            connection = connect(self.path)
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA cache_size = -4000")
            self._readers[threading.current_thread()] = connection
            return connection

    def close(self) -> None:
        """Close every connection, whichever thread opened it. A second call does nothing."""
        with self._lock, self._readers_lock:
            self._closed = True
            for connection in self._readers.values():
                connection.close()
            self._readers.clear()
            self._writer.close()
