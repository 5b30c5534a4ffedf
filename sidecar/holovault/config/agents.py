"""Where the agents of this user keep their settings. Reads the environment like `home` does, and nothing else."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class AgentPlaces:
    """Folders of this user; none need exist. `person` is the home folder, `codex` Codex's, `settings` that of desktop programs.

    `opencode` is opencode's folder, which follows the XDG rules on every system.
    """

    person: Path
    codex: Path
    settings: Path
    opencode: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Self:
        """CODEX_HOME, XDG_CONFIG_HOME and APPDATA count where they are absolute paths."""
        found = os.environ if environ is None else environ
        person = Path.home()
        xdg = _absolute(found.get("XDG_CONFIG_HOME")) or person / ".config"
        if sys.platform == "win32":
            settings = _absolute(found.get("APPDATA")) or person / "AppData" / "Roaming"
        elif sys.platform == "darwin":
            settings = person / "Library" / "Application Support"
        else:
            settings = xdg
        return cls(person, _absolute(found.get("CODEX_HOME")) or person / ".codex", settings, xdg / "opencode")


def _absolute(value: str | None) -> Path | None:
    path = Path(value) if value else None
    return path if path is not None and path.is_absolute() else None
