"""A store of passages that state what a test says they state, each with its vector composed.

Owns no text analysis: fillers are given, so that tests of the algebra do not depend on how names are found.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from holovault.hrr import DIMENSION, SCHEME, Atoms, compose
from holovault.lexemes import Analyzer
from holovault.model import Filler, FrontMatter
from holovault.searcher.algebra import Entities
from holovault.store import Store, StoredNote
from holovault.store.structure import Bound
from tests.support.stored import opened, stored

Said = Sequence[str]
"""Fillers of one passage: `role=name`, or a name alone for an entity."""


@dataclass(frozen=True, slots=True)
class Shop:
    """A store with the service that answers about its names."""

    store: Store
    entities: Entities
    atoms: Atoms


def note(path: str, *passages: Said, aliases: tuple[str, ...] = (), tier: int = 1) -> StoredNote:
    """One note; every passage has a line of its own that names what it states, and two lines of address."""
    texts = [f"{', '.join(filler.rpartition('=')[2] for filler in said)}." if said else "Nothing." for said in passages]
    made = stored(path, *texts, tier=tier)
    cut = tuple(replace(chunk, fillers=fillers(said)) for chunk, said in zip(made.note.chunks, passages, strict=True))
    return replace(made, note=replace(made.note, chunks=cut, front=FrontMatter(aliases=aliases)))


def fillers(said: Said) -> tuple[Filler, ...]:
    return tuple(Filler(role or "entity", name) for role, _, name in (one.rpartition("=") for one in said))


def compose_all(store: Store, atoms: Atoms, *, random: bool = False) -> int:
    """Give every waiting passage its vector; `random` gives any vector instead, for tests that must turn red."""
    noise = np.random.default_rng(5)
    done = 0
    store.structure.adopt(SCHEME)
    while waiting := store.structure.pending(2_000):
        made = [(one, compose(one.fillers, atoms)) for one in waiting]
        bound = [
            Bound(of.chunk, of.fillers, one.count, one.w2, noise.integers(0, 256, DIMENSION, dtype=np.uint8) if random else one.phases)
            for of, one in made
        ]
        done += store.structure.put(bound)
    return done


@contextmanager
def shop(folder: Path, *notes: StoredNote, composed: bool = True, random: bool = False) -> Iterator[Shop]:
    """The store of these notes until the block ends."""
    atoms = Atoms()
    ticks = iter(range(10_000_000))
    with opened(folder, model=False) as store:
        store.notes.put(notes)
        if composed:
            compose_all(store, atoms, random=random)
        yield Shop(store, Entities(store, atoms, Analyzer(("en", "ru")), lambda: float(next(ticks))), atoms)


def by_path(notes: Mapping[str, Sequence[Said]]) -> list[StoredNote]:
    """Notes from their passages."""
    return [note(path, *passages) for path, passages in notes.items()]
