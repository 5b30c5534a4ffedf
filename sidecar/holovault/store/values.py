"""The values that enter and leave the store.

Owns their shape, nothing else; no SQL, no disk. A `ChunkId` is a handle: it may be handed back to
the store, compared and hashed, and means nothing beyond that. Ids are never given out twice, so one
that has gone stale finds nothing instead of finding another passage.
"""

from dataclasses import dataclass
from typing import NewType

import numpy as np
from numpy.typing import NDArray

from holovault.model import CutNote, FileState, FrontMatter, Link, Window

ChunkId = NewType("ChunkId", int)
Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StoredNote:
    """One note to be put: its file, its cut, and what the path rules said. `modified`, `created` are RFC 3339 or dates."""

    state: FileState
    note: CutNote
    tier: int
    project: str | None
    modified: str
    created: str | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """What the path rules say of a note already in the index."""

    path: str
    tier: int
    project: str | None


@dataclass(frozen=True, slots=True)
class PutReport:
    """Chunks and windows of the notes that were put; `reused` windows had their vector already."""

    chunks: int
    windows: int
    reused: int


@dataclass(frozen=True, slots=True)
class Counts:
    """`embedded` windows have a vector of the current fingerprint, `pending` wait for one; the rest failed."""

    files: int
    chunks: int
    windows: int
    embedded: int
    pending: int


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk as stored, with what its note says of itself. `hash` is hex."""

    id: ChunkId
    path: str
    title: str
    heading: tuple[str, ...]
    start_line: int
    end_line: int
    text: str
    tokens: int
    hash: str
    block_ids: tuple[str, ...]
    tags: tuple[str, ...]
    tier: int
    project: str | None
    modified: str
    created: str | None
    front: FrontMatter


@dataclass(frozen=True, slots=True)
class Standing:
    """What ranking wants to know of a chunk's note: a few bytes where a ChunkRow is kilobytes."""

    tier: int
    modified: str


@dataclass(frozen=True, slots=True)
class Backlink:
    """A link that points to a note, and the note it stands in."""

    path: str
    link: Link


@dataclass(frozen=True, slots=True)
class ColumnWeights:
    """BM25 weight of each column; 0 takes the column out of the score."""

    title: float = 3.0
    headings: float = 2.0
    tags: float = 2.0
    body: float = 1.0


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """The analysed text of one chunk, terms separated by single spaces."""

    title: str
    headings: str
    tags: str
    body: str


@dataclass(frozen=True, slots=True)
class LexicalMatch:
    """`bm25` is positive; higher is better, and it compares within one search only."""

    chunk: ChunkId
    bm25: float


@dataclass(frozen=True, slots=True)
class SemanticMatch:
    """`cosine` −1…1 of the chunk's best window, whose number is `window`."""

    chunk: ChunkId
    cosine: float
    window: int


@dataclass(frozen=True, slots=True)
class PendingWindow:
    """A window without a vector; `text` is its chunk's, so `window_string(window, text)` makes the model's string."""

    path: str
    window: Window
    text: str


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """One set of vectors: which model made them. `number` is a handle of the store, `id` the public name, `window` in tokens.

    `settings` is a text that whoever adopted the model keeps with it.
    """

    number: int
    id: str
    identity: str
    dimension: int
    window: int
    settings: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of one set: `embedded` of `windows` have a vector; `pending` texts wait, `failed` do not, `uncut` chunks have no windows yet."""

    windows: int
    embedded: int
    pending: int
    failed: int
    uncut: int

    @property
    def complete(self) -> bool:
        """Whether nothing is to come."""
        return not (self.pending or self.uncut)


@dataclass(frozen=True, slots=True)
class PruneReport:
    """Identities of the sets that went, how many vectors they had, and the bytes that the index is smaller by."""

    sets: tuple[str, ...]
    vectors: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Scale:
    """The cosines of one fingerprint that mean "nothing" and "certainly"."""

    floor: float
    ceiling: float


@dataclass(frozen=True, slots=True)
class CleanUpReport:
    """What one clean-up took away. `complete` is false when a reader kept the log from being emptied: call again."""

    vectors: int
    words: int
    compacted: bool
    complete: bool


@dataclass(frozen=True, slots=True)
class Property:
    """`[key]` (any value) or `[key:value]` of the front matter, compared without case."""

    key: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class FileQuery:
    """Conditions on notes; all that are given must hold.

    `paths` and `files` are parts of the path and of the file name (every one must occur), `folders`
    vault-relative folders (one must hold the note), `tags` with their nested tags, `properties` and
    `title_terms` (analysed) all must be there, `projects` and `tiers` one of them. `after` is inclusive,
    `before` exclusive; a date without zone is UTC midnight. Nothing is a wildcard; case does not count.
    A note that meets any single condition of `excluded` is out.
    """

    paths: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    properties: tuple[Property, ...] = ()
    projects: tuple[str, ...] = ()
    tiers: tuple[int, ...] = ()
    after: str | None = None
    before: str | None = None
    title_terms: tuple[str, ...] = ()
    excluded: "FileQuery | None" = None


class ChunkFilter:
    """The chunks a search may return: ascending ids. Made by `Store.filter`; `chunks` makes one by hand."""

    __slots__ = ("_mask", "ids")

    def __init__(self, ids: Int64) -> None:
        self.ids: Int64 = ids
        self._mask: bytes | None = None

    @classmethod
    def of(cls, chunks: "list[ChunkId] | tuple[ChunkId, ...]") -> "ChunkFilter":
        return cls(np.unique(np.array(chunks, dtype=np.int64)))

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, chunk: ChunkId) -> bool:
        place = int(np.searchsorted(self.ids, chunk))
        return place < len(self.ids) and int(self.ids[place]) == chunk

    def mask(self) -> bytes:
        """One byte per id from 0 to the largest, 1 where allowed."""
        if self._mask is None:
            mask = np.zeros(int(self.ids[-1]) + 1 if len(self.ids) else 0, dtype=np.uint8)
            mask[self.ids] = 1
            self._mask = mask.tobytes()
        return self._mask
