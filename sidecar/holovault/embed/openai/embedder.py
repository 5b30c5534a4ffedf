"""The service as an Embedder: what the worker calls.

Owns the event loop, which runs while a batch is in flight and stands still in between.
"""

import asyncio
from collections.abc import Sequence

from holovault.embed.openai.service import Service
from holovault.embed.openai.settings import Settings
from holovault.embed.spec import Kind, ModelSpec, Vectors


class RemoteEmbedder:
    """An Embedder behind a network. TroubleError for whatever goes wrong there."""

    def __init__(self, spec: ModelSpec, settings: Settings, service: Service | None = None) -> None:
        self.spec = spec
        self._service = service or Service(spec, settings)
        self._runner = asyncio.Runner()

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Unit float32 rows (n, dimension); the prefix of `kind` is put in front here."""
        return self._runner.run(self._service.embed(texts, kind))

    def close(self) -> None:
        """Ends connections and loop."""
        self._runner.run(self._service.close())
        self._runner.close()
