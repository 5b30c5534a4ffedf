"""Cut notes for store tests, made without markdown, lexemes or chunking.

A note is a list of paragraphs; each is one chunk with one window per sentence. Terms are casefolded words.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from holovault.model import Chunk, CutChunk, CutNote, FileState, FrontMatter, Link, Window
from holovault.store import ScanLimits, SegmentRules, Store, StoredNote
from holovault.store.values import Float32

DIMENSION = 64


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def cut_chunk(ordinal: int, text: str, line: int, heading: tuple[str, ...] = ()) -> CutChunk:
    chunk = Chunk(ordinal, heading, line, line + text.count("\n"), text, len(text.split()), (), sha(text))
    prefix = " › ".join(heading)
    windows, at = [], 0
    for number, sentence in enumerate(re.findall(r"[^.]+\.?", text)):
        windows.append(Window(number, at, at + len(sentence), line, chunk.end_line, prefix, sha(f"{prefix}\n{sentence}")))
        at += len(sentence)
    return CutChunk(chunk, " ".join(words_of(" ".join(heading))), " ".join(words_of(text)), tuple(windows))


def stored(
    path: str,
    *paragraphs: str,
    title: str | None = None,
    tags: tuple[str, ...] = (),
    fields: tuple[tuple[str, str], ...] = (),
    links: tuple[str, ...] = (),
    heading: tuple[str, ...] = (),
    first_line: int = 1,
    tier: int = 1,
    project: str | None = None,
    modified: str = "2026-01-01T00:00:00+00:00",
) -> StoredNote:
    """One note; every paragraph is a chunk."""
    name = title if title is not None else path.rpartition("/")[2].removesuffix(".md")
    chunks, line = [], first_line
    for ordinal, text in enumerate(paragraphs):
        chunks.append(cut_chunk(ordinal, text, line, heading))
        line = chunks[-1].chunk.end_line + 2
    everything = words_of(" ".join((name, *tags, *heading, *paragraphs)))
    note = CutNote(
        title=name,
        title_terms=" ".join(words_of(name)),
        tags=tags,
        tag_terms=" ".join(words_of(" ".join(tags))),
        front=FrontMatter(tags=tags, fields=fields),
        links=tuple(Link(target, None, None, None, False, 1) for target in links),
        chunks=tuple(chunks),
        words=tuple((word, word) for word in dict.fromkeys(everything)),
        body_line=1,
        lines=line,
    )
    state = FileState(path, path, sha("".join(paragraphs)), len(paragraphs), 1, 2, 2**63 + 5)
    return StoredNote(state, note, tier, project, modified)


def keys_of(*notes: StoredNote) -> list[str]:
    return [window.key for note in notes for cut in note.note.chunks for window in cut.windows]


def vector_of(text: str, dimension: int = DIMENSION) -> Float32:
    """A unit vector that depends on the text only."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    vector = np.random.default_rng(seed).standard_normal(dimension).astype(np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def probes(dimension: int = DIMENSION) -> Float32:
    return np.stack([vector_of(f"probe {number}", dimension) for number in range(8)])


def embed_all(store: Store, limit: int = 1_000) -> int:
    """Give every waiting window the vector of its key."""
    done = 0
    while waiting := store.vectors.backlog(limit):
        done += store.vectors.put([(pending.window.key, vector_of(pending.window.key)) for pending in waiting])
    return done


@contextmanager
def opened(
    folder: Path, *, model: bool = True, clock: float = 1_000.0, scan: ScanLimits | None = None, segments: SegmentRules | None = None
) -> Iterator[Store]:
    """A store with a model adopted, closed at the end."""
    with Store.open(folder, 1, 1, clock=lambda: clock, scan=scan or ScanLimits(), segments=segments or SegmentRules()) as store:
        if model:
            store.vectors.adopt("fake", DIMENSION, probes())
        yield store


def paths_found(store: Store, *terms: str, limit: int = 10) -> list[str]:
    matches = store.lexical.search(terms, limit)
    return [row.path for row in store.notes.chunk_rows([match.chunk for match in matches])]


def put(store: Store, *notes: StoredNote) -> None:
    store.notes.put(notes)


def texts_of(store: Store, path: str) -> Sequence[str]:
    return [chunk.text for chunk in store.notes.chunks_of(path)]
