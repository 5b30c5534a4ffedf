"""A model for the embed worker whose behaviour is written in its name and in the texts it is given.

Owns small honest vectors, a journal of what it was asked, and every way in which a real model goes wrong. The journal is a file named
by HOLOVAULT_TEST_JOURNAL; a text with `<gate>` and the model `waits` go on when the file HOLOVAULT_TEST_GATE exists.
"""

import hashlib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from holovault.embed.spec import Kind, ModelSpec, Vectors

MB = 1 << 20


def load(spec: ModelSpec) -> "FakeModel":
    """The model, unless its name says otherwise."""
    note("load")
    sys.stdout.write("a library that greets\n")
    if spec.name == "crashes":
        os._exit(5)
    if spec.name == "hangs":
        time.sleep(600)
    if spec.name == "waits":
        wait_at_the_gate()
    if spec.name == "crashes-until-gate" and not gate().exists():
        os._exit(5)
    if spec.name == "lies":
        return FakeModel(ModelSpec(spec.provider, spec.name, spec.dimension + 1, spec.window))
    return FakeModel(spec)


class FakeModel:
    """Unit vectors that depend on the text alone, and marks that mean trouble."""

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self._kept: list[bytearray] = []

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Rows (n, dimension), or what the marks ask for."""
        note(f"{kind} {' | '.join(texts)}")
        joined = " ".join(texts)
        if "<gate>" in joined:
            wait_at_the_gate()
        if "<dies>" in joined:
            os._exit(9)
        if "<hangs>" in joined:
            time.sleep(600)
        if "<grows>" in joined:
            self._kept.append(bytearray(b"x" * (300 * MB)))
        if "<raises>" in joined:
            raise LookupError("nothing there")
        if "<dies once>" in joined and not gate().exists():
            gate().touch()
            os._exit(9)
        return self._damaged(np.stack([vector(text, self.spec.dimension) for text in texts]), joined)

    def _damaged(self, vectors: Vectors, joined: str) -> Vectors:
        if "<prints>" in joined:
            sys.stdout.write("noise " * 1000)
            sys.stdout.flush()
        if "<nan>" in joined:
            vectors[0, 0] = np.nan
        if "<long>" in joined:
            vectors *= 2
        return vectors[:, :-1] if "<narrow>" in joined else vectors


def vector(text: str, dimension: int) -> Vectors:
    """A unit direction of the text's hash."""
    seed = int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big")
    direction = np.random.default_rng(seed).standard_normal(dimension)
    return (direction / np.linalg.norm(direction)).astype(np.float32)


def note(line: str) -> None:
    """One line in the journal."""
    with open(os.environ["HOLOVAULT_TEST_JOURNAL"], "a", encoding="utf-8") as journal:
        journal.write(f"{line}\n")


def gate() -> Path:
    """The file that opens it."""
    return Path(os.environ["HOLOVAULT_TEST_GATE"])


def wait_at_the_gate() -> None:
    """Until the file is there."""
    while not gate().exists():
        time.sleep(0.01)
