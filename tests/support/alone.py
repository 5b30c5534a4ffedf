"""Whether the algebra alone finds what the exact index holds: what tests assert and the bench prints.

Owns the count of right, wrong and missed chunks, and generated structure of the shape that real notes have.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holovault.model import Filler

Found = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Over all questions: chunks found and right, found and wrong, missed; `questions`, and how many had a wrong chunk."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    questions: int = 0
    alarmed: int = 0

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)


def agreement(pairs: Iterable[tuple[Found, Found]]) -> Agreement:
    """From (found, true) chunks of every question."""
    right = wrong = missed = questions = alarmed = 0
    for found, true in pairs:
        shared = len(np.intersect1d(found, true))
        right, wrong, missed = right + shared, wrong + len(found) - shared, missed + len(true) - shared
        questions, alarmed = questions + 1, alarmed + (len(found) > shared)
    return Agreement(right, wrong, missed, questions, alarmed)


def generated(chunks: int, names: int, seed: int) -> Iterator[Sequence[Filler]]:
    """What `chunks` passages state: 1 to 36 fillers in several roles, names drawn as words are, some of them everywhere."""
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, names + 1)
    shares /= shares.sum()
    for number in range(chunks):
        count = int(min(33, 1 + rng.geometric(0.12)))
        drawn = dict.fromkeys(rng.choice(names, count, p=shares).tolist())
        entities = [Filler("entity", f"name {one}") for one in drawn]
        extra = [
            Filler("title", f"note {number // 5}"),
            Filler("in", f"folder {number % 17}"),
            Filler("prop:lead", f"name {rng.integers(names)}"),
        ]
        yield [*entities, *extra[: int(rng.integers(0, 4))]]
