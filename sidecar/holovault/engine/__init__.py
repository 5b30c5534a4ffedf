"""The facade that every surface asks. See `Engine`."""

from holovault.engine.engine import Engine
from holovault.indexer import Progress

__all__ = ["Engine", "Progress"]
