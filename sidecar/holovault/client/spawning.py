"""Starting a daemon as a process of its own, on three systems, and reading what it said if it died.

Owns the process and the log of its start. Must not talk HTTP or decide whether a daemon is needed.
"""

import re
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from holovault.client.problems import error_named
from holovault.errors import IndexUnreadableError, UserError

_LOG_LIMIT = 1_000_000
_TAIL = 4_000
_SENTENCE = re.compile(r"^([A-Z][A-Z_]+): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Spawned:
    """A daemon that is starting: its process, and where in `log` its own words begin (bytes)."""

    process: subprocess.Popen[bytes]
    log: Path
    offset: int

    def died(self) -> int | None:
        """Its exit status, or None while it runs."""
        return self.process.poll()

    def words(self) -> str:
        """The end of what it wrote to its log since the start."""
        with self.log.open("rb") as file:
            file.seek(self.offset)
            return file.read().decode("utf-8", errors="replace")[-_TAIL:].strip()

    def error(self, root: Path) -> UserError:
        """Why it did not start, as the error that it reported itself where it reported one."""
        said = self.words()
        reported = [found for found in _SENTENCE.finditer(said) if found[1] != UserError.code]
        if reported:
            return error_named(reported[-1][1], said[reported[-1].end() :])
        last = said.splitlines()[-1] if said else f"it left with status {self.died()} and no word"
        return IndexUnreadableError(f"The daemon of {root} did not start: {last} Its whole story is in {self.log}")

    def leave(self) -> None:
        """Lets it live on; a thread waits for its end so that no zombie stays in a long-lived client."""
        threading.Thread(target=self.process.wait, name="daemon-reaper", daemon=True).start()


def spawn(root: Path, home_root: Path, log: Path) -> Spawned:
    """Starts `holovault serve` for the vault at `root`, independent of this process, its terminal and its folder."""
    command = [sys.executable, "-m", "holovault.cli", "serve", "--vault", str(root), "--home", str(home_root)]
    with log.open("ab") as output:
        if output.tell() > _LOG_LIMIT:
            output.truncate(0)
        offset = output.tell()
        # Started in our own folder: a vault must neither be held open nor be able to offer modules to import.
        process = _detached(command, home_root, output.fileno())
    return Spawned(process, log, offset)


def _detached(command: list[str], folder: Path, output: int) -> subprocess.Popen[bytes]:
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, creationflags=flags)
    return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
