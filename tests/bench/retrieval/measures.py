"""nDCG and recall of one ranked list. Must not know where it came from."""

import math
from collections.abc import Mapping, Sequence


def ndcg(ranked: Sequence[str], grades: Mapping[str, float], depth: int = 10) -> float:
    """Normalised discounted cumulative gain with gains 2^grade − 1 (Järvelin & Kekäläinen 2002; Burges 2005), 0…1."""
    best = _gain(sorted(grades.values(), reverse=True)[:depth])
    return _gain([grades.get(document, 0.0) for document in ranked[:depth]]) / best if best else 0.0


def recall(ranked: Sequence[str], grades: Mapping[str, float], depth: int = 5) -> float:
    """Share of the relevant documents among the first `depth`, 0…1."""
    relevant = {document for document, grade in grades.items() if grade > 0}
    return len(relevant & set(ranked[:depth])) / len(relevant) if relevant else 0.0


def _gain(grades: Sequence[float]) -> float:
    return sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(grades))
