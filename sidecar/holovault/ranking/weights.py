"""Who inherits the weight of a lane that cannot speak.

Owns the table of the profile `weighted`. Weights always sum to 1, over the lanes that are there.
"""

from collections.abc import Mapping, Set

from holovault.model import Lane

HEIRS: dict[Lane, dict[Lane, float]] = {
    "semantic": {"lexical": 3, "jaccard": 2, "hrr": 1},
    "hrr": {"lexical": 1, "semantic": 1},
}
"""Without an embedder .3/.2/.2/.3 becomes .45/.30/.25/0, without HRR .40/.20/0/.40; where an heir is missing too, each present lane
inherits in proportion to what it has (both missing: .60/.40)."""


def redistribute(weights: Mapping[Lane, float], lanes: Set[Lane]) -> dict[Lane, float]:
    """Weights of the lanes that are there, summing to 1; equal ones where none of them had any. Empty without lanes."""
    present = sorted(lane for lane in lanes if lane in weights)
    if not present:
        return {}
    total = sum(weights.values())
    result = {lane: weights[lane] / total if total else 0.0 for lane in present}
    for lane in sorted(set(weights) - set(present), key=lambda name: (name not in HEIRS, name != "semantic", name)):
        _inherit(result, lane, weights[lane] / total if total else 0.0)
    whole = sum(result.values())
    return {lane: value / whole if whole else 1 / len(present) for lane, value in result.items()}


def _inherit(result: dict[Lane, float], lane: Lane, estate: float) -> None:
    heirs = HEIRS.get(lane, {})
    shares: Mapping[Lane, float] = heirs if heirs and all(heir in result for heir in heirs) else dict(result)
    whole = sum(shares.values())
    for heir, share in shares.items():
        result[heir] += estate * share / whole if whole else 0.0
