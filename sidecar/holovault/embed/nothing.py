"""Provider `none`, or a model that nobody here knows: a vault that is searched by words and structure only.

Owns the honest refusal. Must not pretend to have vectors.
"""

from collections.abc import Sequence

import numpy as np

from holovault.embed.service import EmbedOutcome, ModelUnavailable
from holovault.embed.spec import ModelSpec, Vectors
from holovault.model import ModelStatus

_REASON = 'no embedding model is configured ([embedding] provider = "none")'


class NoEmbedding:
    """An EmbeddingService without a model: `spec` is None and every request for a vector raises ModelUnavailable.

    `missing` says why a configured model is not there, and what to do.
    """

    def __init__(self, provider: str = "none", name: str = "", missing: str | None = None) -> None:
        self._status = ModelStatus(provider, name, fingerprint="", dimension=0, state="failed" if missing else "none", reason=missing)
        self._reason = missing or _REASON

    @property
    def spec(self) -> ModelSpec | None:
        """None."""
        return None

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        """Raises ModelUnavailable."""
        raise ModelUnavailable(self._reason)

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        """Raises ModelUnavailable, but nothing asked is nothing refused."""
        if texts:
            raise ModelUnavailable(self._reason)
        return EmbedOutcome(np.zeros((0, 0), dtype=np.float32))

    def probes(self) -> Vectors:
        """Raises ModelUnavailable."""
        raise ModelUnavailable(self._reason)

    def warm(self) -> None:
        """Nothing to load."""

    def unload_if_idle(self) -> bool:
        """False: nothing to unload."""
        return False

    def status(self) -> ModelStatus:
        """State none, or failed where a model is missing."""
        return self._status

    def rss_mb(self) -> float:
        """0."""
        return 0.0

    def close(self) -> None:
        """Nothing to end."""
