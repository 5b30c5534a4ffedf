"""Facts: remembering, correcting, forgetting, rating them, in people's own notes.

Owns what happens to facts; how a line looks is `facts`' part, where it is found the store's. Must not know a surface.
"""

from holovault.memory.service import Facts
from holovault.memory.surroundings import Surroundings

__all__ = ["Facts", "Surroundings"]
