"""The round through all checks, from what everything rests on to what rests on it.

Owns the order. Must not judge: each module has its own words.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from holovault.config import Home
from holovault.doctor import belongings, inside, machine, owner, places
from holovault.doctor.report import Check, Report


class Doctor:
    """For the vault at `root` and the home that holds its index. `now` counts seconds since the epoch."""

    def __init__(self, home: Home, root: Path, now: Callable[[], float] = time.time) -> None:
        self._home = home
        self._root = root
        self._now = now

    def report(self, *, fix: bool, daemon: bool) -> Report:
        """All lines; with `fix` what can be derived is put right, `daemon` false asks this process instead of the vault's daemon.

        Takes as long as reading the whole index and loading the model. UsageError where the home lies inside the vault.
        """
        self._home.check_outside(self._root)
        return Report.of(str(self._root), self._round(fix=fix, daemon=daemon))

    def _round(self, *, fix: bool, daemon: bool) -> Iterator[Check]:
        yield machine.python()
        yield machine.sqlite()
        # First of all that touches the home: using its folders closes them.
        yield from belongings.modes(self._home, fix=fix)
        lines, config = places.settings(self._root)
        yield from lines
        yield places.folder(self._root)
        yield places.watch_limit(self._root)
        yield from belongings.run_files(self._home, fix=fix)
        yield from belongings.tokens(self._home, self._root, config.daemon.port if config else 0)
        found = owner.look(self._home, self._root, config.daemon.port if config else 0, ask=daemon)
        yield from found.checks
        if found.daemon is not None and found.status is not None:
            yield places.watching(found.status.watching, self._root)
            yield from inside.by_daemon(self._home, self._root, config, found, fix=fix)
        else:
            yield from inside.here(self._home, self._root, config, held=found.held, fix=fix)
        yield machine.clock(self._home.index_root, self._now)
        yield machine.disk(self._home.index_root)
        yield from belongings.indexes(self._home, self._root)
