"""From knowledge.toml to ranking's own terms."""

from holovault.config import SearchConfig
from holovault.model import Lane, Profile
from holovault.ranking import LaneWeights, Scale, Scoring

SEMANTIC_WEIGHT = 0.55
"""Of the profile `coverage`, for the bundled model on the absolute scale; .5 to .6 are equal within .001 over eleven sets."""


def scoring(config: SearchConfig, profile: Profile | None, lanes: frozenset[Lane], scale: Scale, say: float = 1.0) -> Scoring:
    """How to rank this request; its own profile goes before the configured one. `say` is how much of its weight
    structure has in the profile `coverage`, 0…1."""
    given = config.weights
    return Scoring(
        profile=profile or config.profile,
        lanes=lanes,
        scale=scale,
        semantic_weight=SEMANTIC_WEIGHT if config.semantic_weight is None else config.semantic_weight,
        hrr_weight=config.hrr_weight * say,
        weights=LaneWeights(lexical=given.fts, jaccard=given.jaccard, hrr=given.hrr, semantic=given.semantic),
        tier_boost=config.tier_boost,
        half_life_days=config.half_life_days,
        decay_floor=config.decay_floor,
        trust_range=config.trust_range,
    )
