"""Passages that are built like another one, with names put in and taken out.

Owns the structure that is looked for: composed anew from what the example states, which is exact. Must not look at text or meaning.
"""

from collections.abc import Sequence

from holovault.errors import NotFoundError, UsageError
from holovault.hrr import Atoms, compose, scan, threshold
from holovault.model import Filler
from holovault.searcher.algebra.showing import Reason
from holovault.store import ChunkId, ChunkRow, Store
from holovault.store.structure import Stated

OWN = frozenset({"title", "src"})
"""Roles in which nothing is like another note."""

MOST_VIA = 5
_SPARE = 5

Place = tuple[str, str]


def chunk_at(store: Store, address: str) -> ChunkRow:
    """The chunk that holds a line: `path:line`, or the first one of `path`. Raises NotFoundError."""
    path, _, line = address.rpartition(":")
    if not path or not line.partition("-")[0].isdigit():
        path, line = address, ""
    rows = store.notes.chunks_of(path)
    if not rows:
        raise NotFoundError(f"The index has no passage of {path}. Name one as search prints it: PATH:LINE.")
    if not line:
        return rows[0]
    wanted = int(line.partition("-")[0])
    found = next((row for row in rows if row.start_line <= wanted <= row.end_line), None)
    if found is None:
        raise NotFoundError(
            f"{path} has no passage at line {wanted}: its passages lie between lines {rows[0].start_line} and {rows[-1].end_line}."
        )
    return found


def alike(store: Store, atoms: Atoms, example: ChunkRow, plus: Sequence[Place], minus: Sequence[Place], limit: int) -> list[Reason]:
    """Chunks of other notes by likeness to the wanted structure; presence is the share of it that they state."""
    stated = store.structure.composed_of([example.id]).get(example.id, ())
    wanted = _wanted(stated, plus, minus)
    if not wanted:
        raise UsageError(
            f"{example.path}:{example.start_line} states nothing to be like: no links, names, tags or properties. Add some with plus."
        )
    matrix = store.structure.matrix()
    if not len(matrix):
        return []
    own = {row.id for row in store.notes.chunks_of(example.path)}
    found = scan(matrix.phases, compose(wanted, atoms).phases, _SPARE * limit + len(own))
    least = threshold(len(matrix))
    near = {
        ChunkId(int(matrix.chunks[row])): float(likeness)
        for row, likeness in zip(found.rows, found.similarities, strict=True)
        if likeness > least and matrix.chunks[row] not in own
    }
    return _confirmed(store, near, wanted)[:limit]


def _wanted(stated: Sequence[Filler], plus: Sequence[Place], minus: Sequence[Place]) -> list[Filler]:
    """A property's value is an entity too: who leaves one role leaves the other, and who comes comes to both."""
    gone = {*minus, *(("entity", name) for role, name in minus if role.startswith("prop:"))}
    come = dict.fromkeys((*plus, *(("entity", name) for role, name in plus if role.startswith("prop:"))))
    kept = [one for one in stated if one.role not in OWN and (one.role, one.name) not in gone]
    there = {(one.role, one.name) for one in kept}
    return [*(Filler(role, name) for role, name in come if (role, name) not in there), *kept]


def _confirmed(store: Store, near: dict[ChunkId, float], wanted: Sequence[Filler]) -> list[Reason]:
    stated = store.structure.fillers_of(list(near))
    places = {(one.role, one.name) for one in wanted}
    reasons = []
    for chunk, likeness in near.items():
        shared = [one for one in stated.get(chunk, ()) if (one.role, one.name) in places]
        if shared:
            share = len({(one.role, one.name) for one in shared}) / len(places)
            reasons.append(Reason(chunk, likeness, share, True, _names(shared)))
    return reasons


def _names(shared: Sequence[Stated]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in shared))[:MOST_VIA]
