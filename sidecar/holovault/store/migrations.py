"""The schema, as ordered steps.

Owns every CREATE and ALTER. A step runs once, in the same transaction as its record, and is never
edited after a release: a change is a new step at the end. `user_version` is the number of steps done.
"""

import re
import sqlite3
from collections.abc import Callable, Sequence

import msgspec

from holovault.model import FactLine
from holovault.store.factkeys import keys_of

Migration = Callable[[sqlite3.Connection], None]

_NOTES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('generation', '0');
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, disk_path TEXT NOT NULL, hash TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, inode TEXT NOT NULL,
    title TEXT NOT NULL, title_terms TEXT NOT NULL, tags TEXT NOT NULL, tag_terms TEXT NOT NULL, front TEXT NOT NULL,
    tier INTEGER NOT NULL, project TEXT, created TEXT, modified TEXT NOT NULL, modified_at REAL,
    path_key TEXT NOT NULL, name_key TEXT NOT NULL, tag_keys TEXT NOT NULL, property_keys TEXT NOT NULL, project_key TEXT,
    body_line INTEGER NOT NULL, lines INTEGER NOT NULL, stale INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX files_stale ON files (id) WHERE stale;
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL, ordinal INTEGER NOT NULL, heading TEXT NOT NULL,
    start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, tokens INTEGER NOT NULL, hash BLOB NOT NULL,
    block_ids TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX chunks_file ON chunks (file);
CREATE TABLE links (
    file INTEGER NOT NULL, target TEXT NOT NULL, heading TEXT, block TEXT, alias TEXT, embed INTEGER NOT NULL,
    line INTEGER NOT NULL, target_key TEXT NOT NULL
);
CREATE INDEX links_file ON links (file);
CREATE INDEX links_target ON links (target_key);
CREATE TABLE failures (
    path TEXT NOT NULL, stage TEXT NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (path, stage)
) WITHOUT ROWID;
"""

_LEXICAL = """
CREATE VIRTUAL TABLE chunks_fts USING fts5 (title, headings, tags, body, tokenize = "ascii tokenchars '-_+.#/@:&'''");
CREATE VIRTUAL TABLE stems USING fts5vocab (chunks_fts, 'row');
INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('automerge', 8);
CREATE TABLE words (word TEXT NOT NULL, stem TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (word, stem)) WITHOUT ROWID;
INSERT INTO meta VALUES ('words', '0');
CREATE TABLE file_words (file INTEGER PRIMARY KEY, words BLOB NOT NULL);
"""

_VECTORS = """
CREATE TABLE keys (slot INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, unreferenced_since REAL);
CREATE INDEX keys_unreferenced ON keys (unreferenced_since) WHERE unreferenced_since IS NOT NULL;
CREATE TABLE windows (
    chunk INTEGER NOT NULL, number INTEGER NOT NULL, slot INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, prefix TEXT NOT NULL, PRIMARY KEY (chunk, number)
) WITHOUT ROWID;
CREATE INDEX windows_slot ON windows (slot);
CREATE TABLE fingerprints (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, identity TEXT NOT NULL, dimension INTEGER NOT NULL,
    probes BLOB NOT NULL, floor REAL, ceiling REAL
);
CREATE TABLE vectors (fingerprint INTEGER NOT NULL, slot INTEGER NOT NULL, vector BLOB NOT NULL);
CREATE UNIQUE INDEX vectors_slot ON vectors (fingerprint, slot);
CREATE TABLE backlog (slot INTEGER PRIMARY KEY, modified TEXT NOT NULL, reason TEXT, since TEXT);
CREATE INDEX backlog_newest ON backlog (modified DESC, slot) WHERE reason IS NULL;
CREATE INDEX backlog_failed ON backlog (slot) WHERE reason IS NOT NULL;
CREATE TABLE segments (name TEXT PRIMARY KEY, fingerprint INTEGER NOT NULL, rows INTEGER NOT NULL, check_sum INTEGER NOT NULL);
"""


_SETS = """
ALTER TABLE fingerprints ADD COLUMN window INTEGER NOT NULL DEFAULT 128;
ALTER TABLE fingerprints ADD COLUMN settings TEXT NOT NULL DEFAULT '';
ALTER TABLE chunks ADD COLUMN sections TEXT NOT NULL DEFAULT '[]';
UPDATE files SET stale = 1;
DROP INDEX windows_slot;
ALTER TABLE windows RENAME TO windows_before;
CREATE TABLE windows (
    chunk INTEGER NOT NULL, size INTEGER NOT NULL, number INTEGER NOT NULL, slot INTEGER NOT NULL, start INTEGER NOT NULL,
    stop INTEGER NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, prefix TEXT NOT NULL, PRIMARY KEY (chunk, size, number)
) WITHOUT ROWID;
CREATE INDEX windows_slot ON windows (slot);
DROP INDEX backlog_newest;
DROP INDEX backlog_failed;
ALTER TABLE backlog RENAME TO backlog_before;
CREATE TABLE backlog (
    fingerprint INTEGER NOT NULL, slot INTEGER NOT NULL, size INTEGER NOT NULL, modified TEXT NOT NULL, reason TEXT, since TEXT
);
CREATE UNIQUE INDEX backlog_slot ON backlog (fingerprint, slot);
CREATE INDEX backlog_newest ON backlog (fingerprint, modified DESC, slot) WHERE reason IS NULL;
CREATE INDEX backlog_failed ON backlog (slot) WHERE reason IS NOT NULL;
CREATE TABLE uncut (size INTEGER NOT NULL, chunk INTEGER NOT NULL, PRIMARY KEY (size, chunk)) WITHOUT ROWID;
CREATE INDEX uncut_chunk ON uncut (chunk);
"""

_STRUCTURE = """
CREATE TABLE terms (id INTEGER PRIMARY KEY, text TEXT NOT NULL, role TEXT NOT NULL, norm TEXT NOT NULL, canon TEXT NOT NULL);
CREATE UNIQUE INDEX terms_text ON terms (text, role);
CREATE INDEX terms_norm ON terms (norm);
CREATE INDEX terms_canon ON terms (canon, role);
CREATE TABLE fillers (
    chunk INTEGER NOT NULL, place INTEGER NOT NULL, term INTEGER NOT NULL, weight INTEGER NOT NULL, PRIMARY KEY (chunk, place)
) WITHOUT ROWID;
CREATE INDEX fillers_term ON fillers (term, chunk);
CREATE TABLE claims (
    norm TEXT NOT NULL, rank INTEGER NOT NULL, file INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (norm, rank, file)
) WITHOUT ROWID;
CREATE INDEX claims_file ON claims (file);
CREATE TABLE hrr (chunk INTEGER PRIMARY KEY, count INTEGER NOT NULL, w2 INTEGER NOT NULL, scheme INTEGER NOT NULL, phases BLOB NOT NULL);
CREATE TABLE unbound (chunk INTEGER PRIMARY KEY, modified TEXT NOT NULL);
CREATE INDEX unbound_newest ON unbound (modified DESC, chunk);
ALTER TABLE links ADD COLUMN alias_key TEXT;
CREATE INDEX links_alias ON links (alias_key) WHERE alias_key IS NOT NULL;
UPDATE files SET stale = 1;
"""

_FACTS = """
CREATE TABLE facts (
    chunk INTEGER PRIMARY KEY, file INTEGER NOT NULL, name TEXT NOT NULL, written INTEGER NOT NULL, tag_keys TEXT NOT NULL,
    said TEXT NOT NULL
);
CREATE INDEX facts_file ON facts (file);
CREATE INDEX facts_name ON facts (name);
CREATE TABLE votes (
    file INTEGER NOT NULL, line INTEGER NOT NULL, fact TEXT NOT NULL, device TEXT NOT NULL, helpful INTEGER NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (file, line)
) WITHOUT ROWID;
CREATE INDEX votes_fact ON votes (fact);
UPDATE files SET stale = 1;
"""


_FACT_KEYS = """
ALTER TABLE facts ADD COLUMN start INTEGER NOT NULL DEFAULT 0;
ALTER TABLE facts ADD COLUMN category TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN entities TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN derived TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN own REAL NOT NULL DEFAULT 0.5;
CREATE INDEX facts_category ON facts (category);
"""


def _script(connection: sqlite3.Connection, script: str) -> None:
    # executescript would commit the transaction that this runs in
    for statement in script.split(";\n"):
        if statement.strip():
            connection.execute(statement)


def m001_notes(connection: sqlite3.Connection) -> None:
    """Notes, their chunks, links and failures."""
    _script(connection, _NOTES)


def m002_lexical(connection: sqlite3.Connection) -> None:
    """The full-text table over analysed text, and the words that lead to its stems."""
    _script(connection, _LEXICAL)


def m003_vectors(connection: sqlite3.Connection) -> None:
    """Windows, the keys of their texts, vectors by key and fingerprint, and what still waits for one."""
    _script(connection, _VECTORS)


def m004_sets(connection: sqlite3.Connection) -> None:
    """Two sets of vectors side by side: windows by size, a backlog for each set, and the headings that windows are cut with."""
    _script(connection, _SETS)
    connection.executemany(
        "UPDATE fingerprints SET window = ? WHERE number = ?",
        [(_window(identity), number) for number, identity in connection.execute("SELECT number, identity FROM fingerprints").fetchall()],
    )
    current = connection.execute(
        "SELECT number, window FROM fingerprints WHERE number = (SELECT value FROM meta WHERE key = 'fingerprint')"
    )
    number, size = current.fetchone() or (0, 128)
    connection.execute(
        "INSERT INTO windows SELECT chunk, ?, number, slot, start, stop, start_line, end_line, prefix FROM windows_before", (size,)
    )
    connection.execute("INSERT INTO backlog SELECT ?, slot, ?, modified, reason, since FROM backlog_before", (number, size))
    connection.execute("DROP TABLE windows_before")
    connection.execute("DROP TABLE backlog_before")


def m005_structure(connection: sqlite3.Connection) -> None:
    """What chunks state in which role, the names that notes claim, one structure vector per chunk, and the chunks that wait for theirs."""
    _script(connection, _STRUCTURE)


def m006_facts(connection: sqlite3.Connection) -> None:
    """Facts by their chunk, and the votes on them."""
    _script(connection, _FACTS)


def m007_fact_keys(connection: sqlite3.Connection) -> None:
    """What filters compare of a fact, in columns of its own: to look into ten thousand of them takes no decoding."""
    _script(connection, _FACT_KEYS)
    rows = connection.execute("SELECT chunk, name, said FROM facts").fetchall()
    keys = ((*keys_of(msgspec.json.decode(said, type=FactLine), name), chunk) for chunk, name, said in rows)
    connection.executemany(
        "UPDATE facts SET start = ?, category = ?, tags = ?, entities = ?, words = ?, derived = ?, own = ? WHERE chunk = ?", keys
    )


def _window(identity: str) -> int:
    found = re.search(r" window=(\d+)", identity)
    return int(found[1]) if found else 128


MIGRATIONS: tuple[Migration, ...] = (m001_notes, m002_lexical, m003_vectors, m004_sets, m005_structure, m006_facts, m007_fact_keys)


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Run the steps that are missing; safe when several processes do it at once."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        done = int(connection.execute("PRAGMA user_version").fetchone()[0])
        for number, step in enumerate(migrations[done:], start=done + 1):
            step(connection)
            connection.execute("INSERT INTO migrations VALUES (?, ?)", (number, getattr(step, "__name__", str(number))))
        connection.execute(f"PRAGMA user_version = {max(done, len(migrations))}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
