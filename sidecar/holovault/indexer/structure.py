"""Composing the structure vectors of chunks that have none, newest notes first.

Owns the pace of it: small slices, composed outside the transaction that stores them. Needs no model and no note: the store knows what
each chunk states.
"""

from collections.abc import Callable

from holovault.hrr import SCHEME, Atoms, compose
from holovault.model import IndexProgress
from holovault.store import Store
from holovault.store.structure import Bound

SLICE = 64
"""Chunks in one transaction: about 25 ms of composing before it."""


class StructurePass:
    """Gives every chunk that states something its vector; safe to call from several threads."""

    def __init__(self, store: Store, atoms: Atoms) -> None:
        self._structure = store.structure
        self._atoms = atoms
        self._structure.adopt(SCHEME)

    def waiting(self) -> int:
        """How many chunks have no vector yet."""
        return self._structure.waiting()

    def step(self) -> bool:
        """Compose one slice; False when nothing waits."""
        pending = self._structure.pending(SLICE)
        made = [(one, compose(one.fillers, self._atoms)) for one in pending]
        if made:
            self._structure.put([Bound(one.chunk, one.fillers, vector.count, vector.w2, vector.phases) for one, vector in made])
        return bool(made)

    def all(self, progress: Callable[[IndexProgress], None], stopped: Callable[[], bool]) -> None:
        """Compose until nothing waits."""
        total = left = self.waiting()
        while left and not stopped() and self.step():
            left = self.waiting()
            total = max(total, left)
            progress(IndexProgress("structure", total - left, total))
