"""A model together with the vectors that it made: a question's vector means something among those only.

Owns that pair. Which pairs there are just now is decided elsewhere; whoever asks takes them once and stays with them, so that an
answer is all of one model or all of another.
"""

from dataclasses import dataclass
from typing import Protocol

from holovault.embed import EmbeddingService
from holovault.store import Fingerprint, Store

WINDOW = 128


@dataclass(frozen=True, slots=True)
class Lens:
    """`fingerprint` is None while nothing is embedded with the model."""

    embedding: EmbeddingService
    fingerprint: Fingerprint | None

    @property
    def window(self) -> int:
        """Tokens of its windows."""
        if self.fingerprint is not None:
            return self.fingerprint.window
        return self.embedding.spec.window if self.embedding.spec else WINDOW


class Models(Protocol):
    """Which models there are to ask."""

    def lenses(self) -> tuple[Lens, ...]:
        """At least one: the one that serves, then the one that may stand in for it where it cannot answer."""

    def proven(self, lens: Lens) -> bool:
        """Whether the model, which must be loaded, still makes the vectors that are stored; False when there are other lenses now."""


class Alone:
    """The one model of a store that never changes."""

    def __init__(self, store: Store, embedding: EmbeddingService) -> None:
        self._store = store
        self._embedding = embedding

    def lenses(self) -> tuple[Lens, ...]:
        """The one."""
        return (Lens(self._embedding, self._store.vectors.serving),)

    def proven(self, lens: Lens) -> bool:
        """Always."""
        return True
