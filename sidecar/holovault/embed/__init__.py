"""Vectors of texts, made in a process of their own that goes home when nothing is asked.

Owns models, their worker and the order in which it is asked. Must not know notes, chunks or where vectors are kept.

    make_embedding(config, logs) → an EmbeddingService: `Embedding` (any model) or `NoEmbedding` (provider none)
    Embedding → Line (one job at a time, queries first) → Host (worker and model, breaker) → children.Child
    python -m holovault.embed.worker → the provider's module: load(spec) → Embedder

Another provider is one module with a function that makes its ModelSpec without importing anything heavy, and `load(spec)` that
returns an Embedder and does the heavy imports; plus one line in `providers.PROVIDERS`. Batches, deaths, memory, checks of what comes
back, warming and unloading are the same for all of them.

A model behind a network raises `trouble.TroubleError` in its worker: the kind of trouble decides whether it is asked again, after what
pause, and whether a text may be to blame.
"""

from typing import TYPE_CHECKING

from holovault.embed.spec import Embedder, Kind, ModelSpec, Vectors

if TYPE_CHECKING:
    from holovault.embed.embedding import Embedding
    from holovault.embed.providers import make_embedding
    from holovault.embed.service import EmbeddingService, EmbedOutcome, ModelUnavailable, ModelWarming

__all__ = [
    "EmbedOutcome",
    "Embedder",
    "Embedding",
    "EmbeddingService",
    "Kind",
    "ModelSpec",
    "ModelUnavailable",
    "ModelWarming",
    "Vectors",
    "make_embedding",
]
_PARENTS = {
    "Embedding": "embedding",
    "make_embedding": "providers",
    "EmbedOutcome": "service",
    "EmbeddingService": "service",
    "ModelUnavailable": "service",
    "ModelWarming": "service",
}


def __getattr__(name: str) -> object:
    # The worker lives in this package and must not load the parent's half of it.
    if name in _PARENTS:
        from importlib import import_module

        return getattr(import_module(f"holovault.embed.{_PARENTS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
