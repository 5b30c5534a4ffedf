"""The values that enter and leave the structure half of the store.

Owns their shape, nothing else. A *name* is canonical unless said otherwise: the normal form (`lexemes.normal_name`) of what people wrote,
or of the note that what they wrote means.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holovault.model import Filler
from holovault.store.values import ChunkId, Int64

Phases = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Stated:
    """What a chunk states: `text` as written, `name` canonical, in a role (entity, prop:<key>, tag, head, title, in, text, src)."""

    role: str
    name: str
    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class Entity:
    """A name that chunks state in the role `entity`, in `chunks` of them.

    `text` is for display: the title of the note at `path`, where a note bears the name, else the spelling used most.
    """

    name: str
    text: str
    chunks: int
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A name that shares `together` chunks with another; `chunks` state it in all. `score` is together × ln(all chunks / chunks)."""

    name: str
    text: str
    together: int
    chunks: int
    score: float


@dataclass(frozen=True, slots=True)
class Unbound:
    """A chunk that waits for its vector, and what goes into it: canonical names, each once per role, in order of appearance."""

    chunk: ChunkId
    fillers: tuple[Filler, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """The vector of a chunk: `phases` (dimension,) made of `fillers`, of which `count` are in it with `w2` the sum of squared weights."""

    chunk: ChunkId
    fillers: tuple[Filler, ...]
    count: int
    w2: int
    phases: Phases


@dataclass(frozen=True, slots=True)
class Matrix:
    """Vectors by row: `chunks` (n,) ascending ids, `phases` (n, dimension), `counts` and `w2` (n,). Never changed once made."""

    chunks: Int64
    phases: Phases
    counts: Int64
    w2: Int64

    @classmethod
    def empty(cls) -> "Matrix":
        none = np.zeros(0, dtype=np.int64)
        return cls(none, np.zeros((0, 0), dtype=np.uint8), none, none)

    def __len__(self) -> int:
        return len(self.chunks)
