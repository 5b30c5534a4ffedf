"""A home with a tiny model registered in it, and the service that runs it."""

from collections.abc import Iterable
from dataclasses import replace

from holovault.config import EmbeddingConfig, Home
from holovault.embed import Embedding, make_embedding
from holovault.embed.registry import Record, Registry
from tests.support.tiny_model import DIMENSION, make_tiny_model

NAME = "test/tiny"


def registered(home: Home, corpus: Iterable[str], *, limit: int = 128, vocabulary: int = 4000, **facts: str) -> Record:
    """A tiny model in the home's `models` folder, on record under `NAME`; `facts` are further fields of the record."""
    folder = make_tiny_model(home.models / "tiny", corpus, limit=limit, vocabulary=vocabulary)
    record = replace(Record(NAME, str(folder), "model.onnx", DIMENSION, limit, pooling="mean"), **facts)  # type: ignore[arg-type]
    Registry(home.models).put(record)
    return record


def service(home: Home, name: str = NAME, idle_unload_s: float = 300) -> Embedding:
    """The real service in front of its real worker; the caller closes it."""
    embedding = make_embedding(EmbeddingConfig(provider="fastembed", model=name, idle_unload_s=idle_unload_s), None, home)
    assert isinstance(embedding, Embedding)
    return embedding
