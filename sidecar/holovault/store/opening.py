"""From a folder to a usable database.

Owns what happens before the first query: private folder and file, the look at what lies there (ours,
empty, damaged, foreign, too new), moving aside, pragmas, migrations. The index is a copy that can be
rebuilt, so damage is set aside and said, never repaired.
"""

import logging
import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from holovault.errors import IndexUnreadableError, VersionError
from holovault.store.database import Database, connect, suspect_mark, translated
from holovault.store.migrations import MIGRATIONS, Migration, migrate

NAME = "index.db"
APPLICATION_ID = 0x484F4C4F  # "HOLO"
_MAGIC = b"SQLite format 3\x00"
_LOCK_WAIT_S = 60.0
_MISFITS = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH})
"""What a step of a migration says of tables that are not as it expects; a full disk or a locked file says something else."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opened:
    """`recovered` is a sentence when something was moved aside."""

    database: Database
    recovered: str | None


def open_database(folder: Path, *, verify: bool = False, migrations: Sequence[Migration] = MIGRATIONS) -> Opened:
    """Open or create `folder/index.db`. Raises VersionError for a newer schema, IndexUnreadableError where the folder is unusable."""
    path = folder / NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix":
            folder.chmod(0o700)
        with FileLock(folder / "open.lock", timeout=_LOCK_WAIT_S, mode=0o600):
            recovered = _set_aside_if_unusable(path, len(migrations), verify=verify or suspect_mark(path).exists())
            suspect_mark(path).unlink(missing_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            with translated(path):
                writer, misfit = _fitting_writer(path, migrations)
                try:
                    return Opened(Database(path, writer), recovered or misfit)
                except BaseException:
                    writer.close()
                    raise
    except OSError as problem:
        raise IndexUnreadableError(f"The index folder {folder} cannot be used: {problem}. Check its permissions.") from problem


def damage_of(path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> str | None:
    """Why opening would move the file aside, every page read; None for a sound one or none. The next opening looks as thoroughly."""
    if not path.exists() or path.stat().st_size == 0:
        return None
    reason = _problem(path, len(migrations), verify=True)
    if reason is not None:
        suspect_mark(path).touch(mode=0o600)
    return reason


def _fitting_writer(path: Path, migrations: Sequence[Migration]) -> tuple[sqlite3.Connection, str | None]:
    """The writer, and a sentence where the schema was none that the missing steps fit on and the file was moved aside for it."""
    try:
        return _writer(path, migrations), None
    except sqlite3.DatabaseError as problem:
        if getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF not in _MISFITS:
            raise
        said = _set_aside(path, f"of a schema that cannot be brought up to date ({problem})")
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    return _writer(path, migrations), said


def _writer(path: Path, migrations: Sequence[Migration]) -> sqlite3.Connection:
    connection = connect(path)
    try:
        for pragma in ("page_size = 8192", "auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = NORMAL"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        # freed bytes are zeroed as they are freed; the full-text index follows when its segments merge (cleanup)
        connection.execute("PRAGMA secure_delete = ON").fetchall()
        connection.execute("PRAGMA cache_size = -8000")
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(connection, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _set_aside_if_unusable(path: Path, newest: int, *, verify: bool) -> str | None:
    if not path.exists() or path.stat().st_size == 0:
        return None
    reason = _problem(path, newest, verify=verify)
    return None if reason is None else _set_aside(path, reason)


def _set_aside(path: Path, reason: str) -> str:
    aside = _move_aside(path)
    _log.warning("index moved aside to %s: %s", aside.name, reason)
    return f"The index was {reason}; it was kept as {aside.name} and a new one is built from the notes."


def _problem(path: Path, newest: int, *, verify: bool) -> str | None:
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            return "not a SQLite file"
    connection = connect(path)
    try:
        owner = int(connection.execute("PRAGMA application_id").fetchone()[0])
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        tables = {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if owner != APPLICATION_ID and (owner or tables):
            return "the database of another program"
        if version > newest:
            raise VersionError(
                f"The index {path} was written by a newer holovault (schema {version}, this one knows {newest}). "
                "Update holovault, or delete the folder to build the index anew."
            )
        if version and not {"meta", "files", "chunks"} <= tables:
            return "incomplete"
        return _page_problem(connection) if verify else None
    except sqlite3.DatabaseError as problem:
        if isinstance(problem, sqlite3.OperationalError) and getattr(problem, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
            with translated(path):
                raise
        return f"damaged ({problem})"
    finally:
        connection.close()


def _page_problem(connection: sqlite3.Connection) -> str | None:
    found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    return None if found == "ok" else f"damaged ({found})"


def _move_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    path.rename(aside)
    for suffix in ("-wal", "-shm"):
        companion = path.with_name(path.name + suffix)
        if companion.exists():
            companion.rename(aside.with_name(aside.name + suffix))
    return aside
