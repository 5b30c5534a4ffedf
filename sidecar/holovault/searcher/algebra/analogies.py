"""x is to A as what is to B: the role first, then who plays it in B.

Owns what A and B are as vectors: the structure of the note that bears the name, else of the passages that state it. The vectors
answer; the exact index confirms, or there is no answer.
"""

from collections.abc import Sequence

import numpy as np

from holovault.hrr import CAPACITY, Answer, Atoms, analogy, compose
from holovault.model import EntityInfo, Filler
from holovault.searcher.algebra.held import Chunks
from holovault.store import ChunkId, Store

MOST_CHUNKS = 200
"""Passages of a name that make up its structure."""

_TELLING = ("prop:", "entity", "tag")


def of_name(store: Store, entity: EntityInfo) -> tuple[Chunks, tuple[Filler, ...]]:
    """Which chunks speak for a name, and what they state of it: each filler once, properties first.

    Of what is no entity anywhere, a heading say, those that state it in its own role speak.
    """
    if entity.path is not None:
        chunks = np.array([row.id for row in store.notes.chunks_of(entity.path)][:MOST_CHUNKS], dtype=np.int64)
    else:
        chunks = store.structure.chunks_with(entity.name, "entity" if entity.chunks else None)[:MOST_CHUNKS]
    stated = store.structure.composed_of([ChunkId(int(chunk)) for chunk in chunks])
    everything = dict.fromkeys((one.role, one.name) for fillers in stated.values() for one in fillers)
    telling = [Filler(role, name) for role, name in everything if role.startswith(_TELLING) and name != entity.name]
    return chunks, tuple(sorted(telling, key=lambda one: not one.role.startswith("prop:"))[:CAPACITY])


def answer(store: Store, atoms: Atoms, a: Sequence[Filler], x: str, b: Sequence[Filler]) -> Answer:
    """What is to `b` as the canonical name `x` is to `a`; no name where vectors see none or the index does not confirm it."""
    roles = sorted({one.role for one in a} & {one.role for one in b})
    books = {role: sorted(store.structure.counts(role)) for role in roles}
    found = analogy(compose(a, atoms).phases, x, compose(b, atoms).phases, books, atoms)
    confirmed = any((one.role, one.name) == (found.role, found.name) for one in b)
    return found if confirmed else Answer(found.role, None, found.best)
