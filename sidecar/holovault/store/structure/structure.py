"""`store.structure`: what chunks state, and their vectors.

Owns how the parts are put together for those who ask and for the pass that composes vectors.
"""

from collections.abc import Sequence

from holovault.store.database import Database
from holovault.store.structure.names import Names
from holovault.store.structure.reading import Reading
from holovault.store.structure.values import Bound, Matrix, Unbound
from holovault.store.structure.vectors import Vectors
from holovault.store.values import ChunkId


class Structure(Reading):
    """Everything that `Reading` answers, and one vector per chunk. Vectors are of the scheme that was adopted last."""

    def __init__(self, database: Database, names: Names, vectors: Vectors) -> None:
        super().__init__(database, names)
        self._vectors = vectors

    def adopt(self, scheme: int) -> None:
        """Say which scheme vectors are composed by; after another one, all wait to be composed anew."""
        self._vectors.adopt(scheme)

    def waiting(self) -> int:
        """How many chunks wait for a vector."""
        return self._vectors.waiting()

    def pending(self, limit: int) -> list[Unbound]:
        """The next chunks to compose, those of the newest notes first."""
        chunks = self._vectors.next(limit)
        fillers = self.composed_of(chunks)
        return [Unbound(chunk, fillers.get(chunk, ())) for chunk in chunks]

    def put(self, bound: Sequence[Bound]) -> int:
        """Store the vectors of chunks that still wait and still state the same; returns how many. The others go on waiting."""
        with self._database.atomic():
            now = self.composed_of([one.chunk for one in bound])
            return self._vectors.put([one for one in bound if now.get(one.chunk, ()) == one.fillers])

    def vectors_of(self, chunks: Sequence[ChunkId]) -> Matrix:
        """The vectors of some chunks, ascending ids; those without one are left out. About 1 ms for 200."""
        return self._vectors.of(chunks)

    def matrix(self) -> Matrix:
        """All committed vectors, ascending ids; the same object until something changes. About 1 KB of memory per chunk."""
        return self._vectors.matrix()

    def release(self, unused_s: float = 0.0) -> None:
        """Give the matrix's memory back until somebody asks again, if nobody has asked for so many seconds."""
        self._vectors.release(unused_s)
