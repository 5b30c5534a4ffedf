"""Questions about names and structure: what SQL decides and what the algebra of vectors orders.

Owns the answers to list, resolve, probe, related, reason, like, analogy and roles. The exact index says which passages belong to an
answer; their vectors say in which order, and answer alone what no join answers simply. Must not know SQL, surfaces or files.
"""

from holovault.searcher.algebra.alone import Alone
from holovault.searcher.algebra.entities import Entities

__all__ = ["Alone", "Entities"]
