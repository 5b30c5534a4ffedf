"""What a model is, without the model.

Owns the names, sizes and prefixes that vectors depend on, and what a worker's model has to offer. Must not load anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Kind = Literal["query", "passage"]
Vectors = NDArray[np.float32]
FIRST_WORDS = "A lighthouse keeper writes down the weather."
"""What every model is tried with: a text that nobody's notes are in."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One way to make vectors: two texts' cosines mean something only under the same spec. `window` is in tokens.

    `pooling` is empty where the provider always pools one way. `centring` is for a model that puts texts of one language together,
    whatever they say: then the difference between languages is taken out of questions where a vault has two. It is no part of the
    identity: stored vectors stay as they are.
    """

    provider: str
    name: str
    dimension: int
    window: int
    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: str = ""
    centring: bool = False

    @property
    def identity(self) -> str:
        """All that vectors depend on, as one stable line; a vector's fingerprint begins with it."""
        pooling = f" pooling={self.pooling}" if self.pooling else ""
        return (
            f"{self.provider}/{self.name} dimension={self.dimension} window={self.window} "
            f"query={self.query_prefix!a} passage={self.passage_prefix!a}{pooling}"
        )


class Embedder(Protocol):
    """The model inside the worker."""

    @property
    def spec(self) -> ModelSpec:
        """What it was loaded as."""

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Float32 rows of length 1, one for each text, in order, (n, dimension); the prefix of `kind` is put in front here."""
