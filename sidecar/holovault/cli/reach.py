"""How a command reaches a vault: through its daemon, else with an engine in this process under the lock.

Owns that choice and the short wait for a busy lock. Both ways answer the same. Must not print.
"""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from holovault.config import Home, find_vault
from holovault.errors import BusyError, NotFoundError
from holovault.model import IndexRequest

if TYPE_CHECKING:
    from holovault.client import Client, Facade, ProgressCallback
    from holovault.engine import Engine

_LOCK_WAIT = 1.0
_BUSY_WAIT = 8.0


@dataclass(frozen=True, slots=True)
class Reached:
    """A way to the vault. `engine` is null where the daemon answers."""

    facade: "Facade"
    engine: "Engine | None"

    def catch_up(self, max_wait: float | None, progress: "ProgressCallback", *, words_only: bool = False) -> None:
        """Brings an index without a daemon up to date, its vectors for at most `max_wait` seconds (null: all of them)."""
        if self.engine is None:
            return
        if words_only:
            self.engine.index(IndexRequest(wait=False), progress)
        else:
            self.engine.catch_up(max_wait, progress)


def vault_root(given: Path | None, here: Path) -> Path:
    """The vault that was named, or the one around the folder `here`. Raises NotFoundError with the next step."""
    if given is not None:
        if not given.is_dir():
            raise NotFoundError(f"There is no folder {given}. Name an existing vault with --vault.")
        return given.resolve()
    found = find_vault(here)
    if found is None:
        raise NotFoundError(
            f"{here} is not inside a vault: neither it nor a folder above has .obsidian or knowledge.toml. Name a vault with --vault PATH."
        )
    return found.resolve()


@contextlib.contextmanager
def reached(home: Home, root: Path, owner: str, *, no_daemon: bool = False) -> Iterator[Reached]:
    """The daemon of the vault at `root` if it runs, else an engine of this process under the name `owner`.

    Raises BusyError while another process keeps the index and no daemon answers.
    """
    home.check_outside(root)
    deadline = time.monotonic() + _BUSY_WAIT
    while True:
        client = None if no_daemon else _client(home, root)
        if client is not None:
            with client:
                yield Reached(client, None)
            return
        try:
            engine = _engine(home, root, owner)
        except BusyError:
            # The holder may be a daemon that has not said its port yet.
            if no_daemon or time.monotonic() >= deadline:
                raise
            continue
        with contextlib.closing(engine):
            yield Reached(engine, engine)
        return


def _client(home: Home, root: Path) -> "Client | None":
    from holovault.client import Client

    return Client.connect_or_none(home, root)


def _engine(home: Home, root: Path, owner: str) -> "Engine":
    from holovault.engine import Engine

    return Engine.open(root, home, owner=owner, lock_wait=_LOCK_WAIT)
