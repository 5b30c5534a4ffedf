"""Which languages a model reads, told by what it makes of the same questions in each of them.

Owns the guess. A model that never learnt a language sees one and the same thing in all of its texts: measured over the twenty topics,
all-MiniLM-L6-v2 spreads them by .96 in English and by .38 in Russian, the bundled model by .89 and .87, multilingual-e5-small by .23 and
.21. Pure; must not know which languages they are.
"""

import numpy as np

from holovault.embed import Vectors

LEAST = 0.65
"""Share of the widest language's spread that a language needs."""


def readable(topics: Vectors) -> Vectors:
    """Of unit rows (languages, topics, dimension), those of the languages that the model reads, as rows (n, dimension); at least one's."""
    spreads = np.array([_spread(rows) for rows in topics])
    kept = topics[spreads >= LEAST * spreads.max()]
    return np.ascontiguousarray(kept.reshape(-1, topics.shape[2]))


def _spread(rows: Vectors) -> float:
    """How far texts lie apart: one less the mean cosine of two different ones."""
    count = len(rows)
    total = float(np.square(rows.sum(axis=0, dtype=np.float64)).sum())
    return 1 - (total - count) / (count * (count - 1))
