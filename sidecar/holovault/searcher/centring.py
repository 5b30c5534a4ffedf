"""What all texts of a model have in common, and those of one language among themselves, taken out of its cosines.

multilingual-e5 and its kind put all texts into a narrow cone, and those of one language together in it: cosines lie between .75 and
.9, a strange question in the notes' language is nearer to them than a real one in another, and in a vault of two languages a question
finds passages of its own language first. Owns the arithmetic and how a language is told; pure. Where it is measured and kept: `nearness`.
Measured in docs/decisions/0006-e5-without-a-network.md.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from holovault.embed import Vectors
from holovault.lexemes.shape import script_of

SHARE = 0.05
"""Of the passages that a language needs to count. All questions together gain .02 to .04 nDCG at 3 % of the smaller language and .16 at
half of it; those in the language of their answer lose .03 at most."""

LEAST = 16
"""Passages that a language needs, so that their mean is one of the language and not of their topics."""

NARROWEST = 0.05
"""The width is never taken for less: passages that are all the same say nothing about the model."""

LETTERS = 200
"""Of a text that are looked at, spread over it."""

MOSTLY = 0.6
"""Share of its letters that one script needs to be the text's language."""

_JAPANESE = {"HIRAGANA": "KANA", "KATAKANA": "KANA"}


@dataclass(frozen=True, slots=True)
class Centring:
    """`axes`: float32 (languages − 1, dimension), unit rows at right angles, along which the languages differ. `middle`: (dimension,), the
    mean of all passages. `width`: how much nearer than the middle a passage is to itself. Without any of it, cosines stay cosines."""

    axes: Vectors
    middle: Vectors
    width: float

    @classmethod
    def none(cls, dimension: int) -> Self:
        """Leaves everything as it is."""
        return cls(np.zeros((0, dimension), np.float32), np.zeros(dimension, np.float32), 1.0)

    def question(self, vectors: Vectors) -> Vectors:
        """Unit rows (n, dimension), or one vector (dimension,), without their part along the axes, of length 1 again.

        Stored vectors stay as they are: a product with them is the product with what would be left of them.
        """
        if not len(self.axes):
            return vectors
        left = vectors - (vectors @ self.axes.T) @ self.axes
        return np.asarray(left / np.maximum(np.linalg.norm(left, axis=-1, keepdims=True), 1e-9), np.float32)

    def likeness(self, question: Vectors, cosine: float) -> float:
        """The cosine of a `question` made by the method of that name to a passage, on a scale where 0 is what the question has in
        common with any passage and 1 the passage itself."""
        return min(1.0, (cosine - float(question @ self.middle)) / self.width)

    def passage(self, vectors: Vectors) -> Vectors:
        """Rows whose products with a question are likenesses."""
        return np.asarray((vectors - self.middle) / self.width, np.float32)


def centring(passages: Vectors, languages: Sequence[str], others: Vectors) -> Centring:
    """From a sample of a vault's passages, unit rows (n, dimension), with the language of each (`""`: none).

    `others` (m, dimension) are texts about anything, so that a vault of one note has a middle too. Languages with less than a real share
    do not count, and with less than two there are no axes.
    """
    everything = np.concatenate([passages, others])
    middle = everything.mean(axis=0, dtype=np.float64).astype(np.float32)
    found = Centring(_axes(passages, np.array(languages, dtype=object)), middle, 1.0)
    above = (found.question(everything) * found.passage(everything)).sum(axis=1)
    return Centring(found.axes, middle, max(NARROWEST, float(above.mean())))


def language_of(text: str) -> str:
    """The text's language as far as its script tells: the script's name, `KANA` for Japanese, or `""` where no script prevails.

    Languages of one script are one language here.
    """
    letters = [script for char in text[:: 1 + len(text) // (2 * LETTERS)] if (script := script_of(char))][:LETTERS]
    counts = Counter(_JAPANESE.get(script, script) for script in letters)
    if counts["KANA"] and counts["KANA"] >= 0.1 * counts["CJK"]:
        counts["KANA"] += counts.pop("CJK", 0)
    name, most = max(counts.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return name if most and most >= MOSTLY * len(letters) else ""


def _axes(passages: Vectors, languages: "np.ndarray[tuple[int, ...], np.dtype[np.object_]]") -> Vectors:
    enough = max(LEAST, SHARE * len(passages))
    counts = Counter(name for name in languages if name)
    real = sorted(name for name, count in counts.items() if count >= enough)
    if len(real) < 2:
        return np.zeros((0, passages.shape[1]), np.float32)
    means = np.stack([passages[languages == name].mean(axis=0, dtype=np.float64) for name in real])
    _, lengths, directions = np.linalg.svd(means - means.mean(axis=0), full_matrices=False)
    return np.ascontiguousarray(directions[lengths > 1e-6][: len(real) - 1], dtype=np.float32)
