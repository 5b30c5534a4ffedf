"""From cut notes to the rows that SQLite takes.

Owns the pairing of a note's new chunks with the rows it already has, and the order of columns that the
statements of `notes` expect. Runs no SQL.
"""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Any

from holovault.lexemes import normal_name
from holovault.model import Chunk, CutChunk, FactLine
from holovault.store import texts
from holovault.store.structure import ChunkFillers
from holovault.store.values import StoredNote

_Same = tuple[bytes, str, str]


class OldNote:
    """A note as it stands in the index: its id and its chunks by what they say."""

    __slots__ = ("_chunks", "_stale", "_tag_terms", "_title_terms", "id")

    def __init__(self, number: int, title_terms: str, tag_terms: str, stale: bool) -> None:
        self.id = number
        self._title_terms = title_terms
        self._tag_terms = tag_terms
        self._stale = stale
        self._chunks: defaultdict[_Same, deque[tuple[int, int, int, int]]] = defaultdict(deque)

    def add(self, row: tuple[Any, ...]) -> None:
        """One chunk row: id, ordinal, start_line, end_line, hash, heading, block_ids."""
        chunk, ordinal, start, end, digest, heading, block_ids = row
        self._chunks[digest, heading, block_ids].append((chunk, ordinal, start, end))

    def reads_like(self, note: StoredNote) -> bool:
        """Whether rows may be kept: same analyzer and chunker, same title and tags (every full-text row carries them)."""
        return not self._stale and self._title_terms == note.note.title_terms and self._tag_terms == note.note.tag_terms

    def take(self, same: _Same) -> tuple[int, int, int, int] | None:
        """The first chunk left that says this: id, ordinal, start_line, end_line."""
        found = self._chunks.get(same)
        return found.popleft() if found else None

    def left(self) -> list[int]:
        """The ids of the chunks that nobody took."""
        return [place[0] for places in self._chunks.values() for place in places]


class NoteRows:
    """Every row that one put writes, by table; ids are given out here, from `first_chunk` to `last_chunk`."""

    def __init__(self, items: Sequence[StoredNote], old: Mapping[str, OldNote], next_file: int, next_chunk: int) -> None:
        self.files: list[tuple[Any, ...]] = []
        self.links: list[tuple[Any, ...]] = []
        self.chunks: list[tuple[Any, ...]] = []
        self.terms: list[tuple[Any, ...]] = []
        self.windows: list[tuple[Any, ...]] = []
        self.moved_chunks: list[tuple[int, int, int, str, int]] = []
        self.moved_windows: list[tuple[int, int, int, int, int]] = []
        self.shifted_windows: list[tuple[int, int, int, int]] = []
        self.words: list[tuple[int, Sequence[tuple[str, str]]]] = []
        self.modified: list[str] = []  # by chunk, from `first_chunk` on
        self.fillers: list[ChunkFillers] = []
        self.facts: list[tuple[int, int, FactLine]] = []  # chunk, file, line
        self.removed: list[int] = []
        self.file_ids: list[int] = []
        self.first_chunk = next_chunk
        self.last_chunk = next_chunk - 1
        for item in items:
            before = old.get(item.state.path)
            file = before.id if before else next_file
            next_file += before is None
            self._add(file, item, before)

    def _add(self, file: int, item: StoredNote, before: OldNote | None) -> None:
        self.file_ids.append(file)
        self.files.append(_file_row(file, item))
        self.words.append((file, item.note.words))
        self.links.extend(_link_rows(file, item))
        keep = before is not None and before.reads_like(item)
        for cut in item.note.chunks:
            heading, block_ids = texts.json_names(cut.chunk.heading), texts.json_names(cut.chunk.block_ids)
            digest = bytes.fromhex(cut.chunk.hash)
            place = before.take((digest, heading, block_ids)) if before is not None and keep else None
            number = self.last_chunk + 1 if place is None else place[0]
            if cut.fact is not None:
                self.facts.append((number, file, cut.fact))
            if place is None:
                self._insert(file, item, cut, (heading, digest, block_ids))
            else:
                self._move(place, cut)
                self.fillers.append(ChunkFillers(place[0], cut.fillers, item.modified, known=True))
        if before is not None:
            self.removed.extend(before.left())

    def _insert(self, file: int, item: StoredNote, cut: CutChunk, columns: tuple[str, bytes, str]) -> None:
        self.last_chunk = number = self.last_chunk + 1
        chunk, (heading, digest, block_ids) = cut.chunk, columns
        self.modified.append(item.modified)
        self.chunks.append(
            (
                number,
                file,
                chunk.ordinal,
                heading,
                chunk.start_line,
                chunk.end_line,
                chunk.tokens,
                digest,
                block_ids,
                chunk.text,
                texts.json_sections(chunk.sections),
            )
        )
        if chunk.text:
            tags = item.note.tag_terms if cut.fact is None else ""  # a fact's tags are words of its own
            self.terms.append((number, item.note.title_terms, cut.headings, tags, cut.body))
        self.fillers.append(ChunkFillers(number, cut.fillers, item.modified, known=False))
        self.windows.extend(
            (number, w.size, w.number, bytes.fromhex(w.key), w.start, w.end, w.start_line, w.end_line, w.prefix) for w in cut.windows
        )

    def _move(self, place: tuple[int, int, int, int], cut: CutChunk) -> None:
        number, ordinal, start, end = place
        chunk: Chunk = cut.chunk
        if (ordinal, start, end) != (chunk.ordinal, chunk.start_line, chunk.end_line):
            self.moved_chunks.append((chunk.ordinal, chunk.start_line, chunk.end_line, texts.json_sections(chunk.sections), number))
        # a comment that moved inside the chunk shifts windows though the chunk stays where it was
        self.moved_windows.extend((w.start_line, w.end_line, number, w.size, w.number) for w in cut.windows)
        if start != chunk.start_line and cut.windows:
            shift = chunk.start_line - start
            self.shifted_windows.append((shift, shift, number, cut.windows[0].size))


def _file_row(file: int, item: StoredNote) -> tuple[Any, ...]:
    state, note = item.state, item.note
    return (
        file,
        state.path,
        state.disk_path,
        state.hash,
        state.size,
        state.mtime_ns,
        state.ctime_ns,
        str(state.inode),
        texts.wellformed(note.title),
        note.title_terms,
        texts.json_names(note.tags),
        note.tag_terms,
        texts.json_front(note.front),
        item.tier,
        item.project,
        item.created,
        item.modified,
        texts.instant(item.modified),
        texts.path_key(state.path),
        texts.name_key(state.path),
        texts.wellformed(texts.tag_keys(note.tags)),
        texts.wellformed(texts.property_keys(note.front)),
        texts.path_key(item.project) if item.project is not None else None,
        note.body_line,
        note.lines,
    )


def _link_rows(file: int, item: StoredNote) -> list[tuple[Any, ...]]:
    return [
        (
            file,
            texts.wellformed(link.target),
            texts.optional(link.heading),
            texts.optional(link.block),
            texts.optional(link.alias),
            link.embed,
            link.line,
            texts.wellformed(texts.target_key(link.target)),
            texts.wellformed(normal_name(link.alias)) or None if link.alias else None,
        )
        for link in item.note.links
    ]
