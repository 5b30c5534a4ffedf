"""Notes for the store that state something, made without reading any text."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from holovault.model import Filler, Link
from holovault.store import Store, StoredNote
from holovault.store.structure import Bound, Phases
from tests.support.stored import stored


def stating(
    path: str,
    *chunks: Sequence[Filler | str],
    title: str | None = None,
    aliases: tuple[str, ...] = (),
    shown: tuple[tuple[str, str], ...] = (),
    modified: str = "2026-01-01T00:00:00+00:00",
) -> StoredNote:
    """A note whose chunks state these fillers (a text alone is an entity); `shown` are links as (target, words)."""
    note = stored(path, *(f"paragraph {number}" for number in range(len(chunks))), title=title, modified=modified)
    cut = tuple(
        replace(one, fillers=tuple(Filler("entity", filler) if isinstance(filler, str) else filler for filler in fillers))
        for one, fillers in zip(note.note.chunks, chunks, strict=True)
    )
    links = tuple(Link(target, None, None, words, False, 1) for target, words in shown)
    return replace(note, note=replace(note.note, chunks=cut, links=links, front=replace(note.note.front, aliases=aliases)))


def phases_of(fillers: Sequence[Filler]) -> Phases:
    """A vector that depends on what is stated only."""
    return np.frombuffer(
        repr(sorted((one.role, one.name, one.weight) for one in fillers)).encode().ljust(1024, b".")[:1024], dtype=np.uint8
    )


def bind_all(store: Store, limit: int = 100) -> int:
    """Give every chunk that waits a vector, in slices; returns how many."""
    done = 0
    while waiting := store.structure.pending(limit):
        done += store.structure.put(
            [Bound(one.chunk, one.fillers, len(one.fillers), len(one.fillers), phases_of(one.fillers)) for one in waiting]
        )
    return done


def stating_notes(store: Store, name: str, role: str | None = "entity") -> list[str]:
    """Paths of the notes that state a name, sorted."""
    return sorted({row.path for row in store.notes.chunk_rows(store.structure.chunks_with(name, role).tolist())})
