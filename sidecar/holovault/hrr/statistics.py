"""What a similarity means: chance, presence, and the share of a vector that one thing has.

Owns the distributions of Fourier HRR with random phases: unrelated vectors, members of a bundle, the best of many rows. All assume
independent atoms; rows that share a member share its noise, so false alarms come in groups.
"""

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from holovault.hrr.atoms import DIMENSION

Floats = NDArray[np.float64]

SIGMA = 1 / math.sqrt(2 * DIMENSION)
"""Standard deviation of the similarity of unrelated vectors: a cosine of a uniform phase has variance 1/2; .0221 at 1,024."""

CHANCE = 0.05
"""How often a scan of all rows may show any row that does not hold what was asked for."""

_FEW = (1.0, 0.636620, 0.524866, 0.449773, 0.401632, 0.365643, 0.338053, 0.315832, 0.297508, 0.282035)
_MANY = math.sqrt(math.pi) / 2


def member_mean(n: float | Floats) -> Floats:
    """Similarity of a bundle of `n` ≥ 1 equal members to one of them: E|z|/n for a random walk z of n unit steps in the plane.

    Exact to 1e-6 up to ten (Kluyver's integral, ∫(1 − J₀(t)ⁿ)/t² dt), then √π/2/√n · (1 + 1/16n), within 4e-5. Between whole numbers,
    as they come from weights (`effective`), a straight line.
    """
    sizes = np.maximum(1.0, np.asarray(n, dtype=np.float64))
    few = np.interp(sizes, np.arange(1, len(_FEW) + 1), _FEW)
    return np.where(sizes <= len(_FEW), few, _MANY / np.sqrt(sizes) * (1 + 1 / (16 * sizes)))


def effective(w2: float | Floats, weight: float = 1.0) -> Floats:
    """The number of equal members that a member of `weight` feels among, where the squares of all weights add up to `w2`."""
    return np.maximum(1.0, np.asarray(w2, dtype=np.float64) / weight**2)


def presence(similarity: float | Floats, n: float | Floats) -> Floats:
    """The similarity as a share of what a member among `n` has, cut to 0…1: about 1 where it is there, about 0 where not."""
    return np.clip(np.asarray(similarity) / member_mean(n), 0.0, 1.0)


def is_present(similarity: float | Floats, n: float | Floats) -> NDArray[np.bool_]:
    """Whether one row that somebody asks about holds a member: above half of what a member has, and above 3 `SIGMA`.

    Assumes n ≤ 44, beyond which half a member drowns. For a scan over many rows use `threshold` too.
    """
    return np.asarray(similarity) > np.maximum(member_mean(n) / 2, 3 * SIGMA)


def threshold(rows: int, chance: float = CHANCE) -> float:
    """What with probability 1 − `chance` no unrelated row of `rows` ≥ 1 reaches: .0985 for 12,000 rows, .1081 for 100,000."""
    return SIGMA * NormalDist().inv_cdf(1 - min(0.5, chance / max(1, rows)))


def evidence(similarity: float | Floats) -> Floats:
    """What a similarity adds to a ranking: its part above 2 `SIGMA`, absolute. Never stretched over a list: noise would come out on top."""
    return np.maximum(0.0, np.asarray(similarity, dtype=np.float64) - 2 * SIGMA)
