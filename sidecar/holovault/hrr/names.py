"""Names that are written a little differently: inflected, misspelt, half remembered.

Owns likeness of names by their letters, as vectors that may stand wherever an atom may, and the decision when the nearest name is
meant. Must not decide without a margin: `Иван` is near to many names.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holovault.hrr.algebra import bundle, similarities
from holovault.hrr.atoms import Atoms, Phases
from holovault.lexemes import normal_name

SURE = 0.5
"""Likeness from which a name may be taken for another one."""

CLEAR = 0.1
"""Likeness by which the nearest name must be nearer than the next."""

COMPARED = 200
_SIZES = (2, 3)


@dataclass(frozen=True, slots=True)
class Resolution:
    """`name` where one stands out, else none; `candidates` are the nearest with their likeness −1…1, best first."""

    name: str | None
    candidates: tuple[tuple[str, float], ...]


def soft(name: str, atoms: Atoms) -> Phases:
    """Phases of a name by its letters: the bundle of its runs of two and three. The share of common runs sets the likeness.

    Assumes a name of two to thirty letters: of one there is nothing to compare, and beyond sixty runs each is lost in the others. Meant
    for resolving; a chunk holds hard atoms, which cost less of its capacity.
    """
    runs = _runs(normal_name(name))
    return bundle([atoms.atom("run", run) for run in runs], list(runs.values()))


class NameBook:
    """Names to look a name up in. Keeps their runs of letters, not their vectors: a vector is made for the few that share some."""

    def __init__(self, names: Sequence[str], atoms: Atoms) -> None:
        self._names = tuple(names)
        self._atoms = atoms
        self._with: dict[str, list[int]] = {}
        for number, name in enumerate(self._names):
            for run in _runs(normal_name(name)):
                self._with.setdefault(run, []).append(number)

    def __len__(self) -> int:
        return len(self._names)

    def resolve(self, name: str, shown: int = 5) -> Resolution:
        """The name that is meant by another spelling: `SURE` in itself and `CLEAR` of the next, or none."""
        near = self._nearest(name)
        if not near:
            return Resolution(None, ())
        vectors = np.stack([soft(self._names[number], self._atoms) for number in near])
        found = similarities(vectors, soft(name, self._atoms))
        order = sorted(range(len(near)), key=lambda at: (-found[at], self._names[near[at]]))
        best = tuple((self._names[near[at]], float(found[at])) for at in order[: max(2, shown)])
        clear = best[0][1] >= SURE and (len(best) == 1 or best[0][1] - best[1][1] >= CLEAR)
        return Resolution(best[0][0] if clear else None, best[:shown])

    def _nearest(self, name: str) -> list[int]:
        shared: Counter[int] = Counter()
        for run in _runs(normal_name(name)):
            shared.update(self._with.get(run, ()))
        return sorted(shared, key=lambda number: (-shared[number] / (len(self._names[number]) + len(name)), number))[:COMPARED]


def _runs(normal: str) -> Counter[str]:
    # A mark at either end: beginnings of names say more than their middles.
    whole = f"\x02{normal}\x03"
    return Counter(whole[at : at + size] for size in _SIZES for at in range(len(whole) - size + 1)) if normal else Counter()
