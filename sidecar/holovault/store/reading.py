"""Reading notes and chunks back.

Owns the way from rows to values for everything that is not a search. Writes nothing.
"""

from collections.abc import Iterable, Sequence

import msgspec

from holovault.model import ChunkInfo, FileState, FrontMatter, Link
from holovault.store.backlog import Backlog
from holovault.store.database import Database, Row
from holovault.store.fingerprints import Fingerprints
from holovault.store.texts import link_targets, names, path_key
from holovault.store.values import Backlink, ChunkId, ChunkRow, Counts, Standing

_FILE = "path, title, tags, tier, project, modified, created, front"
_CHUNK = "id, file, heading, start_line, end_line, text, tokens, hash, block_ids"
_LINK = "target, heading, block, alias, embed, line"
_UNSEEN = -1
_WITHOUT = "FROM backlog b CROSS JOIN windows w ON w.slot = b.slot AND w.size = b.size WHERE b.fingerprint = ?1"


class NoteReader:
    """What the index knows of notes, by path or by chunk."""

    def __init__(self, database: Database, fingerprints: Fingerprints, backlog: Backlog) -> None:
        self._database = database
        self._fingerprints = fingerprints
        self._backlog = backlog
        self._counts: tuple[int, Counts] | None = None

    def known(self) -> dict[str, FileState]:
        """Every note's last seen state by path. One that must be cut anew has an empty hash and impossible stat numbers."""
        rows = self._database.rows("SELECT path, disk_path, hash, size, mtime_ns, ctime_ns, inode, stale FROM files")
        return {row[0]: _state(row) for row in rows}

    def state(self, path: str) -> FileState | None:
        """One note's last seen state, or none if it is not in the index."""
        row = self._database.row("SELECT path, disk_path, hash, size, mtime_ns, ctime_ns, inode, stale FROM files WHERE path = ?", (path,))
        return None if row is None else _state(row)

    def fronts(self, paths: Sequence[str]) -> dict[str, FrontMatter]:
        """Front matter by path, of those that are in the index."""
        wanted = msgspec.json.encode(list(paths)).decode()
        rows = self._database.rows("SELECT path, front FROM files WHERE path IN (SELECT value FROM json_each(?))", (wanted,))
        return {path: msgspec.json.decode(front, type=FrontMatter) for path, front in rows}

    def stale(self) -> int:
        """How many notes wait to be cut anew because the analyzer or the chunker changed."""
        rows = self._database.rows("SELECT count(*) FROM files WHERE stale")
        return int(rows[0][0])

    def counts(self) -> Counts:
        """How much there is, and how much of it has vectors."""
        generation, kept = self._database.generation, self._counts
        if kept is not None and kept[0] == generation and not self._database.in_transaction:
            return kept[1]
        counts = self._counted()
        if not self._database.in_transaction:
            self._counts = (generation, counts)
        return counts

    def _counted(self) -> Counts:
        row = self._database.rows(
            "SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM chunks),"
            " (SELECT count(*) FROM windows WHERE size = coalesce(?2, size)),"
            f" (SELECT count(*) {_WITHOUT}), (SELECT count(*) {_WITHOUT} AND b.reason IS NULL)",
            self._serving(),
        )[0]
        files, chunks, windows, without, pending = (int(value) for value in row)
        return Counts(files=files, chunks=chunks, windows=windows, embedded=windows - without, pending=pending)

    def _serving(self) -> tuple[int, int | None]:
        """Number and window size of the set that is searched; before there is one, 0 and every size."""
        serving = self._fingerprints.serving
        return (0, None) if serving is None else (serving.number, serving.window)

    def chunk_rows(self, ids: Sequence[ChunkId]) -> list[ChunkRow]:
        """The chunks in the order asked for; those that are gone are left out."""
        wanted = msgspec.json.encode(ids).decode()
        found = self._chunks(
            self._database.rows(f"SELECT {_CHUNK} FROM chunks WHERE id IN (SELECT value FROM json_each(?))", (wanted,)),
        )
        by_id = {chunk.id: chunk for chunk in found}
        return [by_id[chunk] for chunk in ids if chunk in by_id]

    def standings(self, ids: Sequence[ChunkId]) -> dict[ChunkId, Standing]:
        """What ranking wants to know of the chunks, in the order asked for; those that are gone are left out."""
        wanted = msgspec.json.encode(ids).decode()
        rows = self._database.rows(
            "SELECT c.id, f.tier, f.modified FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value"
            " CROSS JOIN files f ON f.id = c.file ORDER BY j.key",
            (wanted,),
        )
        return {ChunkId(chunk): Standing(tier, modified) for chunk, tier, modified in rows}

    def chunks_of(self, path: str) -> list[ChunkRow]:
        """The chunks of one note in order; none if it is not in the index."""
        return self._chunks(
            self._database.rows(f"SELECT {_CHUNK} FROM chunks WHERE file = (SELECT id FROM files WHERE path = ?) ORDER BY ordinal", (path,))
        )

    def chunk_infos(self, path: str) -> tuple[ChunkInfo, ...]:
        """How one note was cut, and how many windows of each chunk have a vector."""
        rows = self._database.rows(
            "SELECT c.start_line, c.end_line, c.heading, c.tokens, count(w.slot), count(w.slot) - count(b.slot) FROM chunks c"
            " LEFT JOIN windows w ON w.chunk = c.id AND w.size = coalesce(?2, w.size)"
            " LEFT JOIN backlog b ON b.slot = w.slot AND b.fingerprint = ?1"
            " WHERE c.file = (SELECT id FROM files WHERE path = ?3) GROUP BY c.id ORDER BY c.ordinal",
            (*self._serving(), path),
        )
        return tuple(
            ChunkInfo(start, end, names(heading), tokens, windows, embedded) for start, end, heading, tokens, windows, embedded in rows
        )

    def links_from(self, path: str) -> list[Link]:
        """The links of one note, in the order they stand in it."""
        rows = self._database.rows(f"SELECT {_LINK} FROM links WHERE file = (SELECT id FROM files WHERE path = ?) ORDER BY rowid", (path,))
        return [_link(row) for row in rows]

    def links_to(self, path: str) -> list[Backlink]:
        """Links whose target reads like this note: its path or a tail of it, with or without `.md`, case aside."""
        wanted = msgspec.json.encode(link_targets(path)).decode()
        rows = self._database.rows(
            f"SELECT f.path, {', '.join('l.' + column for column in _LINK.split(', '))} FROM links l JOIN files f ON f.id = l.file"
            " WHERE l.target_key IN (SELECT value FROM json_each(?)) ORDER BY f.path, l.rowid",
            (wanted,),
        )
        return [Backlink(row[0], _link(row[1:])) for row in rows]

    def paths_like(self, path: str) -> list[str]:
        """The paths in the index that are equal to this one but for case and Unicode form."""
        return [row[0] for row in self._database.rows("SELECT path FROM files WHERE path_key = ? ORDER BY path", (path_key(path),))]

    def _chunks(self, rows: Sequence[Row]) -> list[ChunkRow]:
        files = self._files({row[1] for row in rows})
        return [_chunk(row, files[row[1]]) for row in rows if row[1] in files]

    def _files(self, ids: Iterable[int]) -> dict[int, "_File"]:
        wanted = msgspec.json.encode(list(ids)).decode()
        rows = self._database.rows(f"SELECT id, {_FILE} FROM files WHERE id IN (SELECT value FROM json_each(?))", (wanted,))
        return {row[0]: _File(row) for row in rows}


class _File:
    """A note's row with its JSON read once for all its chunks."""

    __slots__ = ("created", "front", "modified", "path", "project", "tags", "tier", "title")

    def __init__(self, row: Row) -> None:
        _, self.path, self.title, tags, self.tier, self.project, self.modified, self.created, front = row
        self.tags = names(tags)
        self.front = msgspec.json.decode(front, type=FrontMatter)


def _chunk(row: Row, file: _File) -> ChunkRow:
    number, _, heading, start_line, end_line, text, tokens, digest, block_ids = row
    return ChunkRow(
        id=ChunkId(number),
        path=file.path,
        title=file.title,
        heading=names(heading),
        start_line=start_line,
        end_line=end_line,
        text=text,
        tokens=tokens,
        hash=digest.hex(),
        block_ids=names(block_ids),
        tags=file.tags,
        tier=file.tier,
        project=file.project,
        modified=file.modified,
        created=file.created,
        front=file.front,
    )


def _state(row: Row) -> FileState:
    path, disk_path, digest, size, mtime_ns, ctime_ns, inode, stale = row
    if stale:
        return FileState(path, disk_path, "", _UNSEEN, _UNSEEN, _UNSEEN, _UNSEEN)
    return FileState(path, disk_path, digest, size, mtime_ns, ctime_ns, int(inode))


def _link(row: Row) -> Link:
    target, heading, block, alias, embed, line = row
    return Link(target=target, heading=heading, block=block, alias=alias, embed=bool(embed), line=line)
