"""The embedder for a server of the tests, in this process, with short time limits."""

from collections.abc import Iterator
from contextlib import contextmanager

from holovault.embed.openai.embedder import RemoteEmbedder
from holovault.embed.openai.exchange import Limits
from holovault.embed.openai.service import Service
from holovault.embed.openai.settings import Settings
from holovault.embed.spec import ModelSpec
from holovault.embed.trouble import Trouble, TroubleError
from tests.support.openai_server import DIMENSION

MODEL = "test-model"
SPEC = ModelSpec("openai", MODEL, DIMENSION, 128)
NOON = 1_700_000_000.0
SHORT = Limits(total=2.0, connect=2.0, stall=0.3, largest=1 << 20)


def settings(base_url: str, *, key_name: str | None = None, credentials: str | None = None, dimensions: int | None = None) -> Settings:
    """Settings of the test model."""
    return Settings(base_url, MODEL, dimensions, key_name, credentials, timeout_s=5.0)


@contextmanager
def remote(to: Settings | str, *, limits: Limits = SHORT, spec: ModelSpec = SPEC) -> Iterator[RemoteEmbedder]:
    """An embedder that asks this service; the time of day is NOON."""
    known = settings(to) if isinstance(to, str) else to
    embedder = RemoteEmbedder(spec, known, Service(spec, known, limits, lambda: NOON))
    try:
        yield embedder
    finally:
        embedder.close()


def trouble_with(embedder: RemoteEmbedder, *texts: str) -> Trouble:
    """The trouble that these texts meet; fails where they meet none."""
    try:
        vectors = embedder.embed(texts or ("one", "two"), "passage")
    except TroubleError as error:
        return error.trouble
    raise AssertionError(f"no trouble, but vectors {vectors.shape}")
