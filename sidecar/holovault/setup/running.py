"""Running the system's own tools (systemctl, launchctl) and reading how that went. Must not interpret what they say."""

import subprocess
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended: `code` null where it could not be run or, with `late`, had not ended in time."""

    code: int | None
    out: str = ""
    err: str = ""
    late: bool = False

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def words(self) -> str:
        """The first line that it said, for a sentence about its failure; what follows is advice."""
        said = [line.strip().rstrip(".") for line in (self.err or self.out).splitlines() if line.strip()]
        return said[0] if said else f"it ended with status {self.code} and no word"


class Runner(Protocol):
    """Runs one command to its end, at most `wait` seconds; never raises for what the command does."""

    def __call__(self, *command: str, wait: float = 30.0) -> Ran: ...


def run_command(*command: str, wait: float = 30.0) -> Ran:
    """The real runner: no shell, no input, output as UTF-8."""
    try:
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", timeout=wait, check=False
        )
    except subprocess.TimeoutExpired:
        return Ran(None, err=f"{command[0]} has not ended within {wait:g} s", late=True)
    except OSError as error:
        return Ran(None, err=f"{command[0]} cannot be run: {error.strerror or error}")
    return Ran(ended.returncode, ended.stdout, ended.stderr)
