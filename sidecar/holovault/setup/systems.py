"""Which service manager this system has, and what every one of them can do."""

import os
import sys
import time
from pathlib import Path
from typing import Protocol

from holovault.config import ServicePlaces
from holovault.setup.elsewhere import Elsewhere
from holovault.setup.launchd import Launchd
from holovault.setup.reports import Change, State, Step
from holovault.setup.running import Runner
from holovault.setup.spec import ServiceSpec
from holovault.setup.systemd import Systemd


class System(Protocol):
    """One vault's service as one service manager sees it. Only `start`, `stop` and `forget` change anything, and never `file` itself."""

    kind: str
    file: Path | None

    @property
    def name(self) -> str: ...

    @property
    def printed(self) -> str | None: ...

    def content(self) -> bytes: ...

    def starting(self, change: Change) -> tuple[str, ...]: ...

    def stopping(self) -> tuple[str, ...]: ...

    def start(self, change: Change) -> tuple[Step, ...]: ...

    def stop(self) -> tuple[Step, ...]: ...

    def forget(self) -> tuple[Step, ...]: ...

    def state(self) -> State: ...


def system_of(spec: ServiceSpec, places: ServicePlaces, run: Runner, platform: str = sys.platform) -> System:
    """The service manager of `platform` (a value of sys.platform)."""
    if platform.startswith("linux"):
        return Systemd(spec, places.systemd, run, _uid())
    if platform == "darwin":
        return Launchd(spec, places.launchd, run, _uid(), time.sleep)
    return Elsewhere(spec, platform)


def _uid() -> int:
    if sys.platform == "win32":
        return 0
    return os.getuid()
