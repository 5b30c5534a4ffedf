"""The table of providers, and the service made from `[embedding]`.

Owns which provider is which module. Must not know how a provider works.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from holovault.children import Child
from holovault.config import EmbeddingConfig, Home
from holovault.embed import bundled, e5, fastembed_provider
from holovault.embed.breaker import Breaker
from holovault.embed.embedding import Embedding, Limits
from holovault.embed.host import Host, Terms, Timeouts
from holovault.embed.line import Line
from holovault.embed.nothing import NoEmbedding
from holovault.embed.openai import parent as openai
from holovault.embed.service import EmbeddingService, ModelUnavailable
from holovault.embed.spec import ModelSpec
from holovault.errors import DiskError

WORKER = "holovault.embed.worker"
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")
# A worker reads models from the disk: no library in it asks a network for another version or tells a company that it was used
# (onnxruntime does since 1.29, https://github.com/microsoft/onnxruntime/pull/27379).
_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "ORT_TELEMETRY_DISABLED": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


@dataclass(frozen=True, slots=True)
class Provider:
    """`module` offers `load(spec) -> Embedder` to the worker; `batch_size` is the most texts that a query should have to wait for.

    `spec` raises ModelUnavailable for a model that nobody here knows. `terms` and `timeouts` are for a provider that needs more than
    its spec, such as one behind a network.
    """

    module: str
    spec: Callable[[EmbeddingConfig, Home | None], ModelSpec]
    batch_size: int
    terms: Callable[[EmbeddingConfig, Home | None], Terms] = lambda config, home: Terms()
    timeouts: Callable[[EmbeddingConfig], Timeouts] = lambda config: Timeouts()


def _fastembed_spec(config: EmbeddingConfig, home: Home | None) -> ModelSpec:
    models = home.models if home else None
    try:
        spec = fastembed_provider.spec(config, models)
    except DiskError as error:
        raise ModelUnavailable(str(error)) from error
    if spec is None:
        raise ModelUnavailable(str(fastembed_provider.absent(config.model, models)))
    return spec


def _fastembed_terms(config: EmbeddingConfig, home: Home | None) -> Terms:
    models = home.models if home else None
    return Terms(str(models or "").encode("utf-8"), lambda: fastembed_provider.absent(config.model, models))


def _e5_terms(config: EmbeddingConfig, home: Home | None) -> Terms:
    models = home.models if home else None
    return Terms(str(models or "").encode("utf-8"), lambda: e5.absent(models))


# 4 windows take 40 ms on one core, and 32 in one batch are no faster: the matrix products are the cost, not the calls.
PROVIDERS: Mapping[str, Provider] = {
    "bundled": Provider("holovault.embed.bundled", lambda config, home: bundled.spec(config.window), batch_size=4),
    "e5": Provider("holovault.embed.e5", lambda config, home: e5.spec(config), e5.BATCH, terms=_e5_terms),
    "fastembed": Provider("holovault.embed.fastembed_provider", _fastembed_spec, fastembed_provider.BATCH, terms=_fastembed_terms),
    # The configured batch counts: what a query waits for here is a network, not its size.
    "openai": Provider(
        "holovault.embed.openai", lambda config, home: openai.spec_of(config), batch_size=2048, terms=openai.terms, timeouts=openai.timeouts
    ),
}


def worker_log(provider: str, model: str) -> str:
    """The name of the file for a worker's stderr: one for each model, because two of them work side by side while one takes over."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{provider}-{model.rpartition('/')[2]}")
    return f"embed-{plain[:80].strip('.-')}.log"


def make_embedding(config: EmbeddingConfig, logs: Path | None, home: Home | None = None) -> EmbeddingService:
    """The configured service; nothing is loaded yet. `logs` is the folder for the worker's stderr, `home` has keys and models.

    A model that nobody knows here costs vectors, not words: the service then says what is missing.
    """
    if config.provider == "none":
        return NoEmbedding()
    provider = PROVIDERS[config.provider]
    try:
        spec = provider.spec(config, home)
    except ModelUnavailable as missing:
        return NoEmbedding(config.provider, config.model or "", str(missing))
    child = Child(
        WORKER,
        name="the embedding model",
        memory_mb=config.memory_mb,
        env={**_ONE_THREAD, **_OFFLINE},
        log=None if logs is None else logs / worker_log(spec.provider, spec.name),
        low_priority=True,
    )
    terms = provider.terms(config, home)
    host = Host(spec, provider.module, child, Breaker(monotonic), provider.timeouts(config), terms)
    limits = Limits(min(config.batch_size, provider.batch_size), config.batch_tokens, config.idle_unload_s)
    return Embedding(spec, host, Line("embedding"), limits)
