"""Ranking: lane scores in, one explained order out.

Owns the profiles, the factors and the question whether anything was found at all. Pure: the same
candidates in any order give the same answer; must not read a clock, a store or a configuration.
"""

from holovault.ranking.evidence import Bar, found
from holovault.ranking.rank import rank
from holovault.ranking.scale import DEFAULT_SCALE, Scale
from holovault.ranking.values import Candidate, LaneWeights, Ranked, Scoring
from holovault.ranking.weights import redistribute

__all__ = ["DEFAULT_SCALE", "Bar", "Candidate", "LaneWeights", "Ranked", "Scale", "Scoring", "found", "rank", "redistribute"]
