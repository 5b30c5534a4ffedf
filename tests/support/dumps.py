"""What an index holds, without what may differ between two that are equal: row ids, slots, stat numbers and times of failure.

Owns the comparison of indexes by their rows. Reads the file itself, so that nothing of the program's own reading is trusted.
"""

import sqlite3
import unicodedata
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

Row = tuple[object, ...]

_QUERIES = {
    "files": (
        "SELECT path, disk_path, hash, size, title, title_terms, tags, tag_terms, front, tier, project, created, modified, modified_at,"
        " path_key, name_key, tag_keys, property_keys, project_key, body_line, lines, stale FROM files"
    ),
    "chunks": (
        "SELECT f.path, c.ordinal, c.heading, c.start_line, c.end_line, c.tokens, hex(c.hash), c.block_ids, c.text"
        " FROM chunks c LEFT JOIN files f ON f.id = c.file"
    ),
    "links": (
        "SELECT f.path, l.target, l.heading, l.block, l.alias, l.embed, l.line, l.target_key, l.alias_key FROM links l"
        " LEFT JOIN files f ON f.id = l.file"
    ),
    "windows": (
        "SELECT f.path, c.ordinal, w.number, hex(k.key), w.start, w.stop, w.start_line, w.end_line, w.prefix FROM windows w"
        " LEFT JOIN chunks c ON c.id = w.chunk LEFT JOIN files f ON f.id = c.file LEFT JOIN keys k ON k.slot = w.slot"
    ),
    "terms": (
        "SELECT f.path, c.ordinal, t.title, t.headings, t.tags, t.body FROM chunks_fts t"
        " LEFT JOIN chunks c ON c.id = t.rowid LEFT JOIN files f ON f.id = c.file"
    ),
    "stems": "SELECT term, doc, cnt FROM stems",
    "words": "SELECT word, stem FROM words",
    "keys": "SELECT hex(key), unreferenced_since IS NULL FROM keys",
    "vectors": (
        "SELECT p.identity, hex(k.key), hex(v.vector) FROM vectors v JOIN fingerprints p ON p.number = v.fingerprint"
        " LEFT JOIN keys k ON k.slot = v.slot"
    ),
    "backlog": "SELECT hex(k.key), b.modified, b.reason FROM backlog b LEFT JOIN keys k ON k.slot = b.slot",
    "facts": (
        "SELECT f.path, a.name, a.written, a.tag_keys, a.said, c.ordinal FROM facts a LEFT JOIN files f ON f.id = a.file"
        " LEFT JOIN chunks c ON c.id = a.chunk"
    ),
    "votes": "SELECT f.path, v.line, v.fact, v.device, v.helpful, v.at FROM votes v LEFT JOIN files f ON f.id = v.file",
    "failures": "SELECT path, stage, reason FROM failures",
    "spellings": "SELECT text, role, norm, canon FROM terms",
    "fillers": (
        "SELECT f.path, c.ordinal, s.place, t.role, t.text, s.weight FROM fillers s LEFT JOIN terms t ON t.id = s.term"
        " LEFT JOIN chunks c ON c.id = s.chunk LEFT JOIN files f ON f.id = c.file"
    ),
    "claims": "SELECT c.norm, c.rank, f.path, c.text FROM claims c LEFT JOIN files f ON f.id = c.file",
    "structures": (
        "SELECT f.path, c.ordinal, h.count, h.w2, h.scheme, hex(h.phases) FROM hrr h LEFT JOIN chunks c ON c.id = h.chunk"
        " LEFT JOIN files f ON f.id = c.file"
    ),
    "unbound": "SELECT f.path, c.ordinal FROM unbound u LEFT JOIN chunks c ON c.id = u.chunk LEFT JOIN files f ON f.id = c.file",
}


def index_file(home: Path) -> Path:
    """The one index of a home that has one vault."""
    (found,) = (home / "index").glob("*/index.db")
    return found


def dump(home: Path) -> dict[str, list[Row]]:
    """Every table as sorted rows, with the full-text index checked against its own content."""
    with closing(sqlite3.connect(index_file(home))) as connection:
        connection.execute("INSERT INTO chunks_fts (chunks_fts) VALUES ('integrity-check')")
        connection.rollback()
        return {name: sorted(connection.execute(query).fetchall(), key=repr) for name, query in _QUERIES.items()}


def differences(one: dict[str, list[Row]], other: dict[str, list[Row]]) -> list[str]:
    """One line for each row that only one of two dumps has."""
    lines: list[str] = []
    for name in one:
        lines.extend(f"{name}: only here {row!r}" for row in _without(one[name], other[name]))
        lines.extend(f"{name}: only there {row!r}" for row in _without(other[name], one[name]))
    return lines


def _without(rows: Sequence[Row], others: Sequence[Row]) -> list[Row]:
    left = list(others)
    only: list[Row] = []
    for row in rows:
        if row in left:
            left.remove(row)
        else:
            only.append(row)
    return only


def first_words(text: str, count: int = 3) -> list[str]:
    """The first words of a text that are letters only, composed."""
    words = unicodedata.normalize("NFC", text).split()
    return [word for word in words if word.isalpha()][:count]
