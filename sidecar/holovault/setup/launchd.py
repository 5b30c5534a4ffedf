"""The launchd agent of one vault, and launchctl's part in its life.

Owns the property list (launchd.plist(5)). Must not write it: `service` does.
"""

import os
import plistlib
import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from holovault.errors import UsageError
from holovault.setup.reports import Change, State, Step
from holovault.setup.running import Ran, Runner
from holovault.setup.spec import ServiceSpec

_TRIES = 20
_PAUSE_S = 0.5
_OUTPUT_BYTES = 1_000_000
_HEADER = b'PropertyList-1.0.dtd">\n'


def agent(spec: ServiceSpec) -> bytes:
    """The whole property list. Raises UsageError for a path that no property list can hold."""
    output = str(spec.output)
    keys: dict[str, object] = {
        "Label": spec.name,
        "ProgramArguments": list(spec.arguments),
        "WorkingDirectory": str(spec.home),
        "RunAtLoad": True,
        # Whoever stops it by `holovault stop` wants it stopped; what leaves for a newer version ends with `AGAIN`.
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 30,
        "ExitTimeOut": 90,
        "ProcessType": "Background",
        "LowPriorityIO": True,
        "HardResourceLimits": {"Core": 0},
        "StandardOutPath": output,
        "StandardErrorPath": output,
    }
    if spec.home_given:
        keys["EnvironmentVariables"] = {"HOLOVAULT_HOME": str(spec.home)}
    try:
        data = plistlib.dumps(keys, sort_keys=False)
    except ValueError:
        data = b""
    # XML has no control characters, and turns a carriage return into another one without a word.
    if not data or plistlib.loads(data) != keys:
        raise UsageError(
            f"A launchd agent cannot hold the path {str(spec.vault)!r}. Rename the folder to a name without control characters."
        )
    return data.replace(_HEADER, _HEADER + f"<!-- {spec.marker}. -->\n".encode(), 1)


def trim(output: Path) -> None:
    """Empties the file of an agent's output above 1 MB: launchd appends to it for ever. No file is fine."""
    with suppress(FileNotFoundError):
        if output.stat().st_size > _OUTPUT_BYTES:
            os.truncate(output, 0)


class Launchd:
    """One vault's agent in the session of the user `uid`. `pause` waits between tries, in seconds."""

    kind = "launchd"

    def __init__(self, spec: ServiceSpec, folder: Path, run: Runner, uid: int, pause: Callable[[float], object]) -> None:
        self._spec = spec
        self._run = run
        self._pause = pause
        self._domain = f"gui/{uid}"
        self._target = f"{self._domain}/{spec.name}"
        self.file: Path | None = folder / f"{spec.name}.plist"

    @property
    def name(self) -> str:
        return self._spec.name

    @property
    def printed(self) -> str:
        """The command that shows what the agent printed."""
        return f"tail -n 50 {shlex.quote(str(self._spec.output))}"

    def content(self) -> bytes:
        return agent(self._spec)

    def starting(self, change: Change) -> tuple[str, ...]:
        """The commands that make launchd know, keep and start the agent."""
        first = (f"launchctl bootout {self._target}",) if change == "replaced" else ()
        return (*first, f"launchctl enable {self._target}", f"launchctl bootstrap {self._domain} {shlex.quote(str(self.file))}")

    def stopping(self) -> tuple[str, ...]:
        """The command that ends it; it is gone for good once its file is."""
        return (f"launchctl bootout {self._target}",)

    def start(self, change: Change) -> tuple[Step, ...]:
        loaded = self._run("launchctl", "print", self._target).ok
        if loaded and change == "same":
            return (self._done(f"launchctl kickstart {self._target}", self._run("launchctl", "kickstart", self._target)),)
        if loaded:
            self._run("launchctl", "bootout", self._target, wait=120.0)
        self._run("launchctl", "enable", self._target)
        ran = self._bootstrapped(patient=loaded)
        if ran.ok:
            return (Step(True, "launchd has loaded it, and loads it at every login"),)
        by_hand = f"launchctl bootstrap {self._domain} {shlex.quote(str(self.file))}"
        return (
            Step(
                False, f"launchd did not load it ({ran.words}); it starts at your next login, or once you run this in your session", by_hand
            ),
        )

    def _bootstrapped(self, *, patient: bool) -> Ran:
        """An agent that is being unloaded still occupies its name for as long as the daemon needs to leave."""
        ran = self._run("launchctl", "bootstrap", self._domain, str(self.file))
        for _ in range(_TRIES if patient else 0):
            if ran.ok:
                break
            self._pause(_PAUSE_S)
            ran = self._run("launchctl", "bootstrap", self._domain, str(self.file))
        return ran

    def _done(self, command: str, ran: Ran) -> Step:
        return Step(True, f"ran: {command}") if ran.ok else Step(False, f"{command} failed: {ran.words}", self.printed)

    def stop(self) -> tuple[Step, ...]:
        if not self._run("launchctl", "print", self._target).ok:
            return (Step(True, "launchd does not run it"),)
        (command,) = self.stopping()
        ran = self._run(*shlex.split(command), wait=120.0)
        return (Step(True, "stopped and unloaded") if ran.ok else Step(False, f"it could not be stopped: {ran.words}", command),)

    def forget(self) -> tuple[Step, ...]:
        """After the file went: nothing of it is left."""
        return ()

    def state(self) -> State:
        ran = self._run("launchctl", "print", self._target)
        if not ran.ok:
            return State("inactive", enabled=self._enabled())
        state, pid = _field("state", ran.out), _field("pid", ran.out)
        ended = _field("last exit code", ran.out)
        failed = state != "running" and ended not in (None, "0", "(never exited)")
        return State(
            active="active" if state == "running" else state or "unknown",
            enabled=self._enabled(),
            pid=int(pid) if pid and pid.isdigit() else None,
            problem=f"It ended with status {ended}. What it printed: {self.printed}" if failed else None,
        )

    def _enabled(self) -> bool:
        disabled = self._run("launchctl", "print-disabled", self._domain).out
        switched_off = re.search(rf'"{re.escape(self._spec.name)}" => (true|disabled)', disabled)
        return self.file is not None and self.file.exists() and switched_off is None


def _field(name: str, printed: str) -> str | None:
    found = re.search(rf"^\s*{name} = (.+)$", printed, re.MULTILINE)
    return found[1].strip() if found else None
