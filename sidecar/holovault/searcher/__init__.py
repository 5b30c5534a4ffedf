"""Search: what the lanes find, verified, ranked and shown; related notes; what cosines mean on this vault.

Owns the steps from a request to hits. Must not know SQL, HTTP or how a model runs.
"""

from holovault.searcher.calibration import calibrate
from holovault.searcher.lens import Alone, Lens, Models
from holovault.searcher.searcher import Searcher

__all__ = ["Alone", "Lens", "Models", "Searcher", "calibrate"]
