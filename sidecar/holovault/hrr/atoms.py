"""Atoms: the one vector of a name in a part.

Owns how a name becomes phases: SHAKE-256 over the scheme, the kind and the normal form of the name. Must not know what a name means.
"""

from functools import lru_cache
from hashlib import shake_256

import numpy as np
from numpy.typing import NDArray

from holovault.lexemes import normal_name

Phases = NDArray[np.uint8]
"""Phases in steps of 2π/256, so that adding bytes adds angles; the last axis has `DIMENSION`."""

DIMENSION = 1024
SCHEME = 1
"""Raised whenever the same names would give other vectors, or vectors would mean something else; stored vectors are then made anew."""

CACHED = 8_192
"""Atoms kept: one costs 8 µs to make and 1 KB to keep, and 8,192 serve 90 % of what real notes ask for."""


class Atoms:
    """Atoms by kind and name. Thread-safe; what it returns may not be written to."""

    def __init__(self, capacity: int = CACHED) -> None:
        self._made = lru_cache(maxsize=capacity)(_atom)

    def atom(self, kind: str, name: str) -> Phases:
        """Phases (DIMENSION,) of a name; spellings with one normal form share them, kinds never do.

        Assumes that SHAKE-256 is a random function, so that any two atoms are independent: mean cosine 0, deviation `SIGMA`.
        """
        return self._made(kind, name)


def key(atoms: Atoms, role: str, name: str) -> Phases:
    """A name in a role: what a chunk's vector is compared with to see whether it states that."""
    bound: Phases = atoms.atom("role", role) + atoms.atom("name", name)
    return bound


def _atom(kind: str, name: str) -> Phases:
    # Every part says its length first: no name can be chosen so that it continues another kind's text.
    parts = ("holovault hrr", str(SCHEME), kind, normal_name(name))
    data = b"".join(len(part).to_bytes(4, "big") + part for part in (text.encode("utf-8", "surrogatepass") for text in parts))
    phases: Phases = np.frombuffer(shake_256(data).digest(DIMENSION), dtype=np.uint8)
    return phases
