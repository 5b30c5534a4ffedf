"""What is nearest to a vector, and how near: cosines, or likenesses where the model's cosines need centring.

Owns where a centring is kept: in the store's meta, by fingerprint. Must not touch a vector that is stored.
"""

import base64
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from holovault.embed import ModelSpec, Vectors
from holovault.searcher.centring import Centring, centring, language_of
from holovault.store import ChunkFilter, ChunkId, FileQuery, Fingerprint, SemanticMatch, Store

SAMPLE = 2_000
"""Chunks that are looked at, spread over the vault, one vector of each."""

_SLICE = 200


def nearest(
    store: Store, of: Fingerprint, centring: Centring, vector: Vectors, limit: int, allowed: ChunkFilter | None
) -> list[SemanticMatch]:
    """The chunks of a set nearest to a unit vector (dimension,) that no centring has touched, with their likeness for a cosine."""
    question = centring.question(vector)
    found = store.vectors.search(question, limit, allowed, of)
    return [replace(match, cosine=centring.likeness(question, match.cosine)) for match in found]


def measure_centring(store: Store, spec: ModelSpec, of: Fingerprint, others: Vectors) -> Centring:
    """What is to be taken out of cosines to a set of vectors; none where the model needs none. `others` as for `centring.centring`."""
    return centring(*_sample(store, of), others) if spec.centring else Centring.none(spec.dimension)


def keep_centring(store: Store, spec: ModelSpec, of: Fingerprint, found: Centring) -> None:
    """From now on `centring_of` these vectors."""
    if spec.centring:
        rows = np.concatenate([found.middle[None], found.axes]).astype("<f4").tobytes()
        store.meta.set(_key(of), f"{found.width:.6f} {base64.b64encode(rows).decode('ascii')}")


def centring_of(store: Store, of: Fingerprint) -> Centring:
    """What was measured for a set of vectors; none where nothing is known or needed."""
    kept = store.meta.get(_key(of))
    if kept is None:
        return Centring.none(of.dimension)
    width, _, rows = kept.partition(" ")
    middle, *axes = np.frombuffer(base64.b64decode(rows), "<f4").reshape(-1, of.dimension)
    return Centring(np.array(axes, np.float32).reshape(-1, of.dimension), middle, float(width))


def _sample(store: Store, of: Fingerprint) -> tuple[Vectors, Sequence[str]]:
    """One vector of each chunk that is looked at, with the chunk's language."""
    ids = store.filter(FileQuery()).ids
    chosen = [ChunkId(number) for number in ids[:: 1 + len(ids) // SAMPLE].tolist()]
    rows: list[Vectors] = []
    languages: list[str] = []
    for start in range(0, len(chosen), _SLICE):
        for chunk in store.notes.chunk_rows(chosen[start : start + _SLICE]):
            vectors = store.vectors.of_chunks([chunk.id], of)
            if len(vectors):
                rows.append(vectors[len(vectors) // 2])
                languages.append(language_of(chunk.text))
    return np.array(rows, np.float32).reshape(-1, of.dimension), languages


def _key(of: Fingerprint) -> str:
    return f"centring {of.id}"
