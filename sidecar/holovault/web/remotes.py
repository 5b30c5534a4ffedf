"""The long-lived tokens of clients elsewhere, as the file `credentials` says at this moment.

Owns when the file is read again: a change of it counts at the next request. Whatever is wrong with it opens nothing. Must not write it, and
no secret goes to the log.
"""

import logging
import time
from collections.abc import Callable
from pathlib import Path

from holovault.config import read_tokens
from holovault.errors import DiskError

log = logging.getLogger(__name__)

_SETTLED_S = 2.0
"""A file that changed less than this before it was read may change again without its times showing it."""

_Look = tuple[int, ...]
_NEVER = 1 << 63


class Remotes:
    """The secrets that open one vault. `credentials` null: there are none. `clock` is the wall clock that files are dated by."""

    def __init__(self, credentials: Path | None, vault: str, clock: Callable[[], float] = time.time) -> None:
        self._credentials = credentials
        self._vault = vault
        self._clock = clock
        self._seen: _Look | None = None
        self._told = ""
        self._secrets: tuple[str, ...] = ()

    def secrets(self) -> tuple[str, ...]:
        """The secrets that count now, none twice."""
        if self._credentials is None:
            return ()
        look = _look(self._credentials)
        if look is None:
            self._seen, self._secrets = None, ()
        elif look != self._seen:
            settled = self._clock() - max(look[:2]) / 1e9 > _SETTLED_S
            self._secrets = self._read(self._credentials)
            self._seen = look if settled else None
        return self._secrets

    def _read(self, credentials: Path) -> tuple[str, ...]:
        try:
            found = read_tokens(credentials)
        except DiskError as error:
            self._tell(f"no token of a client elsewhere is accepted: {error}")
            return ()
        self._tell("; ".join(found.problems))
        return tuple(dict.fromkeys(token.secret for token in found.tokens if token.opens(self._vault)))

    def _tell(self, trouble: str) -> None:
        """Once, not with every request."""
        if trouble and trouble != self._told:
            log.warning("credentials: %s", trouble)
        self._told = trouble


def _look(path: Path) -> _Look | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    except OSError:
        return (_NEVER, _NEVER)  # to be read, which says what is wrong
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev, found.st_mode)
