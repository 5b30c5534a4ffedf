"""What the system tells a process about services by its environment: who supervises it, and where services are described.

Reads the environment like `home` does, and nothing else. Must not open a socket or a file.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Supervisor:
    """Who started this process as a service: NOTIFY_SOCKET and WATCHDOG_USEC of sd_notify(3), each null where there is none.

    `watchdog_s` is the longest silence in seconds before the process counts as hung.
    """

    socket: str | None = None
    watchdog_s: float | None = None

    @classmethod
    def from_environment(cls, pid: int, environ: Mapping[str, str] | None = None) -> Self:
        """The supervisor of the process `pid`; a watchdog that is meant for another process does not count."""
        found = os.environ if environ is None else environ
        socket = found.get("NOTIFY_SOCKET") or None
        micros = found.get("WATCHDOG_USEC", "")
        mine = found.get("WATCHDOG_PID", str(pid)) == str(pid)
        watched = socket is not None and mine and micros.isascii() and micros.isdigit() and int(micros) > 0
        return cls(socket, int(micros) / 1e6 if watched else None)


@dataclass(frozen=True, slots=True)
class ServicePlaces:
    """Folders in which this user's services are described, by service manager; neither need exist.

    `home` is where Holovault keeps its own files when nobody says otherwise.
    """

    systemd: Path
    launchd: Path
    home: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Self:
        """`$XDG_CONFIG_HOME/systemd/user` (a relative value is ignored, as its specification asks) and `~/Library/LaunchAgents`."""
        person = Path.home()
        given = Path((os.environ if environ is None else environ).get("XDG_CONFIG_HOME", ""))
        config = given if given.is_absolute() else person / ".config"
        return cls(config / "systemd" / "user", person / "Library" / "LaunchAgents", person / ".holovault")
