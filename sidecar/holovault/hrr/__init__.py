"""Holographic reduced representations: what a chunk says as structure, in one vector, and what can be asked of such vectors.

Owns the algebra, its thresholds and the questions that are vectors only. Fourier HRR (Plate, "Holographic Reduced Representations",
IEEE Trans. Neural Networks 6(3), 1995; his book of 2003): an atom is D phases at random, binding adds phases, a bundle is the angle of
the complex sum. Pure: names and numbers in, numbers out; must not know notes, SQL, a clock or a disk.

Every function that reads a score assumes that atoms are independent and that a vector holds no more than about `CAPACITY` things: the
capacity grows linearly with D and falls with the logarithm of the number of rows that are searched.
"""

from holovault.hrr.algebra import bind, bundle, similarities, similarity, unbind
from holovault.hrr.analogies import Answer, Cleaned, analogy, clean, roles_in
from holovault.hrr.atoms import DIMENSION, SCHEME, Atoms, Phases, key
from holovault.hrr.names import NameBook, Resolution, soft
from holovault.hrr.scanning import Nearest, above, estimates, scan
from holovault.hrr.statistics import SIGMA, Floats, effective, evidence, is_present, member_mean, presence, threshold
from holovault.hrr.structures import CAPACITY, Structure, compose, mixture, substituted

__all__ = [
    "CAPACITY",
    "DIMENSION",
    "SCHEME",
    "SIGMA",
    "Answer",
    "Atoms",
    "Cleaned",
    "Floats",
    "NameBook",
    "Nearest",
    "Phases",
    "Resolution",
    "Structure",
    "above",
    "analogy",
    "bind",
    "bundle",
    "clean",
    "compose",
    "effective",
    "estimates",
    "evidence",
    "is_present",
    "key",
    "member_mean",
    "mixture",
    "presence",
    "roles_in",
    "scan",
    "similarities",
    "similarity",
    "soft",
    "substituted",
    "threshold",
    "unbind",
]
