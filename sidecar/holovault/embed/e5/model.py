"""multilingual-e5-small at work (Wang et al. 2024, arXiv:2402.05672): ONNX Runtime runs it, SentencePiece reads for it.

Owns how a text becomes a vector. One text at a time: several together are no faster, and need padding. Must not make files.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from holovault.embed.e5.folder import ENCODER, TABLE, TOKENIZER, About
from holovault.embed.e5.graph import INPUT, OUTPUT
from holovault.embed.e5.vocabulary import Tokenizer
from holovault.embed.e5.words import WordTable
from holovault.embed.spec import Kind, ModelSpec, Vectors


class Session(Protocol):
    """The part of `onnxruntime.InferenceSession` that is used here."""

    def run(self, outputs: list[str], inputs: dict[str, NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        """The named outputs."""


class E5Model:
    """An Embedder. A text longer than 512 tokens is read in parts of equal length, and their means are averaged by their tokens."""

    def __init__(self, spec: ModelSpec, folder: Path, about: About) -> None:
        if spec.dimension != about.hidden:
            raise ValueError(f"the model has vectors of {about.hidden} numbers, not {spec.dimension}")
        self.spec = spec
        self._positions = about.positions
        self._tokenizer = Tokenizer(folder / TOKENIZER)
        self._words = WordTable(folder / TABLE, about.hidden)
        self._session = _session(folder / ENCODER)
        self._prefixes: dict[Kind, str] = {"query": spec.query_prefix, "passage": spec.passage_prefix}

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Unit float32 rows (n, 384)."""
        return np.array([self._vector(text, kind) for text in texts], np.float32).reshape(len(texts), self.spec.dimension)

    def ids(self, text: str, kind: Kind) -> list[list[int]]:
        """What is read for a text: one list of ids for each part, marks and prefix included."""
        prefix = self._prefixes[kind]
        head = self._tokenizer.ids(prefix)
        all_ids = self._tokenizer.ids(prefix + text)
        # The end of a prefix is the end of a piece, unless a text begins with something that joins it.
        head = head if all_ids[: len(head)] == head else []
        body = all_ids[len(head) :]
        room = self._positions - len(head) - 2
        count = max(1, -(-len(body) // room))
        edges = [len(body) * number // count for number in range(count + 1)]
        begin, end = self._tokenizer.begin, self._tokenizer.end
        return [[begin, *head, *body[start:stop], end] for start, stop in pairwise(edges)]

    def close(self) -> None:
        """Close the model's files."""
        self._words.close()

    def _vector(self, text: str, kind: Kind) -> Vectors:
        parts = self.ids(text, kind)
        total = np.sum([len(ids) * self._mean(ids) for ids in parts], axis=0)
        return cast(Vectors, total / np.linalg.norm(total))

    def _mean(self, ids: list[int]) -> Vectors:
        (means,) = self._session.run([OUTPUT], {INPUT: self._words.vectors(ids)[None]})
        return means.reshape(-1)


def _session(encoder: Path) -> Session:
    import onnxruntime

    runtime = cast(Any, onnxruntime)
    runtime.disable_telemetry_events()  # Windows; elsewhere the worker's environment says it before the library starts
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # The arena keeps the longest text's memory for ever, and a pattern is worth it only where lengths repeat.
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    return cast(Session, runtime.InferenceSession(str(encoder), options, providers=["CPUExecutionProvider"]))
