"""The whole embedding service in front of a server of the tests: a real worker process, and pauses that do not last.

Owns the clock of the breaker and a record of the pauses; `meanwhile` is called in each of them.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from holovault.children import Child
from holovault.config import EmbeddingConfig, Home
from holovault.embed.breaker import Breaker
from holovault.embed.embedding import Embedding, Limits, Pauses
from holovault.embed.host import Host
from holovault.embed.line import Line
from holovault.embed.openai import parent
from holovault.embed.providers import PROVIDERS
from tests.support.openai_server import DIMENSION
from tests.support.processes import ENVIRONMENT
from tests.support.workshop import HandClock

MODEL = "test-model"


class Pause(threading.Event):
    """Is over at once, unless it is `real`, and remembers how long it should have been."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self.asked: list[float] = []
        self.real = False
        self._meanwhile = meanwhile

    def wait(self, timeout: float | None = None) -> bool:
        self.asked.append(timeout or 0.0)
        self._meanwhile()
        return super().wait(timeout) if self.real else self.is_set()


@dataclass
class RemoteShop:
    """`embedding` asks the server at `base_url`; `folder` has its home and its worker's log."""

    embedding: Embedding
    child: Child
    line: Line
    pause: Pause
    folder: Path
    home: Home
    clock: HandClock

    def log(self) -> str:
        """What the worker wrote to its log."""
        path = self.folder / "embed-worker.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""


def config_for(base_url: str, *, batch_size: int = 4, key_name: str | None = None, timeout_s: float = 5.0) -> EmbeddingConfig:
    """`[embedding]` of a vault that uses the server."""
    return EmbeddingConfig(
        provider="openai",
        base_url=base_url,
        model=MODEL,
        dimensions=DIMENSION,
        batch_size=batch_size,
        api_key_env=key_name,
        timeout_s=timeout_s,
        memory_mb=400,
    )


@contextmanager
def remote_shop(config: EmbeddingConfig, folder: Path, meanwhile: Callable[[], object] = lambda: None) -> Iterator[RemoteShop]:
    """A service until the block ends."""
    home = Home(folder / "home")
    clock = HandClock()
    pause = Pause(meanwhile)
    child = Child(
        "holovault.embed.worker",
        name="the embedding model",
        memory_mb=config.memory_mb,
        env=ENVIRONMENT,
        log=folder / "embed-worker.log",
    )
    spec = parent.spec_of(config)
    host = Host(spec, PROVIDERS["openai"].module, child, Breaker(clock), parent.timeouts(config), parent.terms(config, home))
    limits = Limits(config.batch_size, config.batch_tokens, 300.0)
    line = Line("embedding")
    embedding = Embedding(spec, host, line, limits, clock, Pauses(lambda: 0.0, pause))
    try:
        yield RemoteShop(embedding, child, line, pause, folder, home, clock)
    finally:
        embedding.close()
