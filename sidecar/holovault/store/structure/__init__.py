"""Names, who states them, and the structure vector of each chunk.

Owns the tables `terms`, `fillers`, `claims`, `hrr` and `unbound`. Must not find names in text or do the algebra of vectors.
"""

from holovault.store.structure.fillers import ChunkFillers, Fillers
from holovault.store.structure.names import Names
from holovault.store.structure.structure import Structure
from holovault.store.structure.values import Bound, Entity, Matrix, Neighbour, Phases, Stated, Unbound
from holovault.store.structure.vectors import Vectors

__all__ = [
    "Bound",
    "ChunkFillers",
    "Entity",
    "Fillers",
    "Matrix",
    "Names",
    "Neighbour",
    "Phases",
    "Stated",
    "Structure",
    "Unbound",
    "Vectors",
]
