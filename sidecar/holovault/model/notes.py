"""A note and its parts, from the file to the windows that a model reads; and what did not work with it.

Must not read a clock, a disk, a network or an environment.
"""

from dataclasses import dataclass

from holovault.model.factlines import FactLine, VoteLine


@dataclass(frozen=True, slots=True)
class Link:
    """One `[[target#heading|alias]]`, `![[embed]]` or `[text](target.md)` of a note."""

    target: str
    heading: str | None
    block: str | None
    alias: str | None
    embed: bool
    line: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Front matter as fields; `error` says why YAML could not be read (the body is indexed all the same)."""

    title: str | None = None
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created: str | None = None
    modified: str | None = None
    imported: str | None = None
    project: str | None = None
    source: str | None = None
    fields: tuple[tuple[str, str], ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading inside a chunk: the heading path in force from `line` on."""

    line: int
    heading: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """What people read: a run of whole blocks with its address.

    `text` is the body between `start_line` and `end_line` without comments; empty means "not
    searchable". `hash` is the SHA-256 of `text`. `heading` is the path at the chunk's first block,
    `sections` are the headings after it.
    """

    ordinal: int
    heading: tuple[str, ...]
    start_line: int
    end_line: int
    text: str
    tokens: int
    block_ids: tuple[str, ...]
    hash: str
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """What a model reads: `prefix` (heading path) and `text[start:end]` of its chunk.

    `size` is what it was cut to, in tokens; numbers begin anew for each size.
    `key` is the SHA-256 of the exact string given to the model, `chunking.window_string(...)`.
    """

    number: int
    start: int
    end: int
    start_line: int
    end_line: int
    prefix: str
    key: str
    size: int = 128


@dataclass(frozen=True, slots=True)
class Filler:
    """One thing that a chunk says, and the part that it plays there: `role` is entity, prop:<key>, tag, head, title, in, text or src.

    `name` is as people wrote it; `lexemes.normal_name` tells which names are the same. `weight` is a whole number from 1.
    """

    role: str
    name: str
    weight: int = 1


@dataclass(frozen=True, slots=True)
class CutChunk:
    """A chunk with its analysed text (space-separated terms, one FTS column each), its windows and what it says as structure.

    `fact` is the fact that it is, in a note whose list items are facts.
    """

    chunk: Chunk
    headings: str
    body: str
    windows: tuple[Window, ...]
    fillers: tuple[Filler, ...] = ()
    fact: FactLine | None = None


@dataclass(frozen=True, slots=True)
class CutNote:
    """Everything the index needs of one note; made by the cutter from path and text alone.

    `votes` are those of a feedback note, which has no chunks.
    `title`/`tags` are as people wrote them, `title_terms`/`tag_terms` analysed. `words` maps
    original words (casefolded) to their stem, for search-as-you-type.
    """

    title: str
    title_terms: str
    tags: tuple[str, ...]
    tag_terms: str
    front: FrontMatter
    links: tuple[Link, ...]
    chunks: tuple[CutChunk, ...]
    words: tuple[tuple[str, str], ...]
    body_line: int
    lines: int
    votes: tuple[VoteLine, ...] = ()


@dataclass(frozen=True, slots=True)
class FileState:
    """A note file as last seen: identity for change detection. `hash` is SHA-256 of the raw bytes."""

    path: str
    disk_path: str
    hash: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that did not work, listed until it does. `stage`: read, parse, embed, watch, config, overwritten."""

    path: str
    stage: str
    reason: str
    since: str
