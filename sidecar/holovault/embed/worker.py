"""The embed worker: `python -m holovault.embed.worker`.

Owns the one model of its process. Must not keep a text or write one down; judging vectors is the parent's part.
"""

import importlib
from typing import Protocol, cast

from holovault.children import serve
from holovault.embed.spec import FIRST_WORDS, Embedder, ModelSpec, Vectors
from holovault.embed.trouble import TroubleError
from holovault.embed.wire import Embed, Load, decode, encode_trouble, encode_vectors


class ModelModule(Protocol):
    """What a provider's module offers to the worker."""

    def load(self, spec: ModelSpec, *settings: bytes) -> Embedder:
        """The model, ready to embed; the heavy imports are in here. `settings` is one text or none: see `wire.Load`."""


class Worker:
    """Answers Load and Embed, in that order."""

    def __init__(self) -> None:
        self._model: Embedder | None = None

    def handle(self, payload: bytes) -> bytes:
        """An encoded answer for an encoded message, vectors or trouble; whatever else the model raises reaches the parent as a refusal."""
        message = decode(payload)
        try:
            return encode_vectors(self._load(message) if isinstance(message, Load) else self._embed(message))
        except TroubleError as error:
            return encode_trouble(error.trouble)

    def _load(self, message: Load) -> Vectors:
        module = cast(ModelModule, importlib.import_module(message.module))
        self._model = module.load(message.spec, message.settings) if message.settings else module.load(message.spec)
        return self._model.embed([FIRST_WORDS], "passage")

    def _embed(self, message: Embed) -> Vectors:
        if self._model is None:
            raise RuntimeError("no model is loaded")
        return self._model.embed(message.texts, message.kind)


if __name__ == "__main__":
    serve(Worker().handle)
