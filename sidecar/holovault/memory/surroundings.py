"""What the service for facts is given to work with. Must not contain behaviour."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from holovault.config import Config, Rules
from holovault.model import WriteResult
from holovault.store import Store
from holovault.vault import Vault


class Parts(Protocol):
    """What follows from the vault's configuration; another one after knowledge.toml has changed."""

    @property
    def config(self) -> Config: ...

    @property
    def vault(self) -> Vault: ...

    @property
    def rules(self) -> Rules: ...


class Write(Protocol):
    """Writes a note against its hash and indexes it before it returns."""

    def __call__(self, path: str, content: bytes, expected_hash: str | None, create: bool, /) -> WriteResult: ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`look` indexes these notes as they are now, `rescan` the whole vault, `freshen` what a reader must not miss.

    `below(n)` is a random whole number from 0 to n − 1, `device` gives this device's name.
    """

    store: Store
    current: Callable[[], Parts]
    write: Write
    look: Callable[[Iterable[str]], object]
    rescan: Callable[[], object]
    freshen: Callable[[], None]
    now: Callable[[], datetime]
    below: Callable[[int], int]
    device: Callable[[], str]

    @property
    def parts(self) -> Parts:
        """The parts of the configuration that is in force."""
        return self.current()
