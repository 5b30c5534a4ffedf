"""What both halves of the provider agree on: from `[embedding]` to a spec and to what the worker needs besides.

Owns the checks that need no network. Settings hold the name of the key, never the key: the worker finds that itself.
"""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from holovault.config import EmbeddingConfig, Home
from holovault.embed.catalogue import sorts_by_language
from holovault.embed.openai.known import known
from holovault.embed.service import ModelUnavailable
from holovault.embed.spec import ModelSpec
from holovault.errors import ConfigError

PROVIDER = "openai"
WHOLE = 4
"""All requests of one batch may take so many times as long as one."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`dimensions` is the length to ask the service for, None for the model's own; `timeout_s` is for one request."""

    base_url: str
    model: str
    dimensions: int | None
    key_name: str | None
    credentials: str | None
    timeout_s: float

    @property
    def address(self) -> str:
        """Where requests go; a `base_url` that already names the endpoint is taken as it is."""
        return self.base_url if self.base_url.endswith("/embeddings") else f"{self.base_url}/embeddings"

    @property
    def credentials_file(self) -> Path | None:
        """Where keys are looked for after the environment."""
        return None if self.credentials is None else Path(self.credentials)


def settings_of(config: EmbeddingConfig, home: Home | None) -> Settings:
    """The worker's settings; ConfigError without an address or a model."""
    missing = [name for name, value in (("base_url", config.base_url), ("model", config.model)) if not value]
    if missing or not config.base_url or not config.model:
        raise _problem(f'provider "{PROVIDER}" needs {" and ".join(missing)} as well')
    own = known(config.model)
    shorter = config.dimensions if own is None or config.dimensions != own.dimension else None
    credentials = None if home is None else str(home.credentials)
    return Settings(config.base_url.rstrip("/"), config.model, shorter, config.api_key_env, credentials, config.timeout_s)


def spec_of(config: EmbeddingConfig) -> ModelSpec:
    """The model as the index sees it; ModelUnavailable where its dimension is neither set nor known, ConfigError as for `settings_of`."""
    settings = settings_of(config, None)
    own = known(settings.model)
    dimension = known_dimension(config)
    if dimension is None:
        words = f'the length of the vectors of "{settings.model}" is not known here: write it into [embedding] as dimensions = …'
        raise ModelUnavailable(words)
    query = config.query_prefix if config.query_prefix is not None else own.query_prefix if own else ""
    passage = config.passage_prefix if config.passage_prefix is not None else own.passage_prefix if own else ""
    return ModelSpec(PROVIDER, settings.model, dimension, config.window, query, passage, centring=sorts_by_language(settings.model))


def known_dimension(config: EmbeddingConfig) -> int | None:
    """The length of the vectors, as far as that can be known without asking the service."""
    own = known(config.model or "")
    return config.dimensions or (own.dimension if own else None)


def encode(settings: Settings) -> bytes:
    """For the wire to the worker."""
    return msgspec.msgpack.encode(settings)


def decode(payload: bytes) -> Settings:
    """From the wire."""
    return msgspec.msgpack.decode(payload, type=Settings)


def _problem(words: str) -> ConfigError:
    return ConfigError("knowledge.toml", (f"[embedding] {words}",))
