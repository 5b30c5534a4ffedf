"""Running the command line as people do: a process of its own, with its own home and folder."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from holovault.cli.entry import make


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Shell:
    """A place to run commands in."""

    home: Path
    folder: Path
    timeout: float = 60.0

    def environment(self, **more: str) -> Mapping[str, str]:
        """The environment of a command: this one's, with the test's home and no colours forced."""
        dropped = {"FORCE_COLOR", "NO_COLOR", "COLUMNS"}
        return {**{name: value for name, value in os.environ.items() if name not in dropped}, "HOLOVAULT_HOME": str(self.home), **more}

    def run(self, *arguments: str, **more: str) -> Ended:
        """Runs `holovault` with `arguments` to its end."""
        ended = subprocess.run(
            [sys.executable, "-m", "holovault.cli", *arguments],
            cwd=self.folder,
            env=self.environment(**more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=self.timeout,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    def here(self, *arguments: str) -> Ended:
        """The same in this process, a second quicker: for what a command says and how it ends, never for how processes live together."""
        ended = CliRunner().invoke(make(), list(arguments), env=self.environment())
        return Ended(ended.exit_code, ended.stdout, ended.stderr)
