"""What stands around a name: passages that share its company, and those that lie between several names.

Owns the keys that are made of neighbours. The exact index knows the neighbours, a scan finds who has most of them, and every find is
confirmed by the index and says through which names it came.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from holovault.hrr import SIGMA, Atoms, Floats, estimates, mixture, scan, similarities
from holovault.searcher.algebra.held import Chunks
from holovault.searcher.algebra.showing import Reason
from holovault.store import ChunkId, Store
from holovault.store.structure import Matrix

NEIGHBOURS = 30
BETWEEN = 20
"""Neighbours that stand in for a name, where nothing states all names: more of them add noise faster than company."""

MOST_VIA = 5
LEAST = 0.01
"""Share of the company below which a passage has none worth showing."""

_SPARE = 5

Place = tuple[str, str]
Circle = Mapping[Place, float]
"""Names in their roles by weight."""


def around(store: Store, atoms: Atoms, name: str, limit: int) -> list[Reason]:
    """Chunks without the name in any role that state its neighbours; presence is the share of the company that they have."""
    company = _company(store, name, NEIGHBOURS)
    matrix = store.structure.matrix()
    if not company or not len(matrix):
        return []
    own = set(store.structure.chunks_with(name).tolist())
    found = scan(matrix.phases, mixture(company, atoms), len(own) + _SPARE * limit)
    near = {int(matrix.chunks[row]): float(likeness) for row, likeness in zip(found.rows, found.similarities, strict=True)}
    near = {chunk: likeness for chunk, likeness in near.items() if likeness > 3 * SIGMA and chunk not in own}
    stated = _stated(store, list(near))
    reasons = []
    for chunk, likeness in near.items():
        shared = _shared(stated.get(chunk, set()), company)
        share = _share(shared, company)
        if share >= LEAST:
            reasons.append(Reason(chunk, likeness, share, True, _names(shared[:MOST_VIA])))
    return reasons[:limit]


def between(store: Store, atoms: Atoms, names: Sequence[str], limit: int) -> list[Reason]:
    """Chunks that state, for each name, itself or neighbours of it. Never verified: no chunk states all names in the role asked for."""
    circles = [_circle(store, name) for name in names]
    matrix = store.structure.matrix()
    if not len(matrix):
        return []
    keys = [mixture(circle, atoms) for circle in circles]
    # The least of all likenesses decides, so rows are chosen by it and not by one mixed key, which would ask for any.
    rough = np.min([estimates(matrix.phases, asked) for asked in keys], axis=0)
    rows = np.argsort(-rough, kind="stable")[: max(200, _SPARE * limit)]
    least = np.min([similarities(matrix.phases[rows], asked) for asked in keys], axis=0)
    order = np.lexsort((rows, -least))
    return _bridges(store, matrix, rows[order], least[order], circles)[:limit]


def _bridges(store: Store, matrix: Matrix, rows: Chunks, least: Floats, circles: Sequence[Circle]) -> list[Reason]:
    chunks = [int(chunk) for chunk in matrix.chunks[rows]]
    stated = _stated(store, chunks)
    reasons = []
    for chunk, likeness in zip(chunks, least.tolist(), strict=True):
        shared = [_shared(stated.get(chunk, set()), circle) for circle in circles]
        share = min(_share(own, circle) for own, circle in zip(shared, circles, strict=True))
        if likeness > 2 * SIGMA and share >= LEAST:
            reasons.append(Reason(chunk, likeness, share, False, _names([place for own in shared for place in own[:2]])))
    return reasons


def _company(store: Store, name: str, limit: int) -> Circle:
    """The entities that stand beside a name: beside the entity, or wherever it is said at all where it is only a heading or a tag."""
    own = "entity" if store.structure.frequency([name]) else None
    return {("entity", one.name): one.score for one in store.structure.neighbours(name, limit, own=own) if one.score > 0}


def _circle(store: Store, name: str) -> Circle:
    """A name, as an entity or as whatever else it is, and its neighbours; the name itself counts as much as the nearest."""
    near = _company(store, name, BETWEEN)
    roles = store.structure.roles_of(name)
    own = ["entity"] if "entity" in roles or not roles else sorted(roles)
    return {**dict.fromkeys(((role, name) for role in own), max(near.values(), default=1.0)), **near}


def _shared(stated: set[Place], circle: Circle) -> list[Place]:
    """What a chunk has of a circle, the most telling first."""
    return sorted(stated & set(circle), key=lambda place: (-circle[place], place))


def _share(shared: Sequence[Place], circle: Circle) -> float:
    return sum(circle[place] for place in shared) / sum(circle.values())


def _names(places: Sequence[Place]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, name in places))


def _stated(store: Store, chunks: Sequence[int]) -> dict[int, set[Place]]:
    """What each chunk states, in every role."""
    found = store.structure.fillers_of([ChunkId(chunk) for chunk in chunks])
    return {int(chunk): {(one.role, one.name) for one in stated} for chunk, stated in found.items()}
