"""Systems whose service manager Holovault does not speak to: one sentence with the command that a person can use instead.

Must not change anything; every method of it says so.
"""

import shlex
import subprocess
from pathlib import Path

from holovault.errors import UsageError
from holovault.setup.reports import Change, State, Step
from holovault.setup.spec import ServiceSpec

TASK_LIMIT = 261
"""Characters that schtasks accepts for /TR."""


class Elsewhere:
    """Windows, where a task at logon does the same, and systems that have neither systemd nor launchd."""

    kind = "none"

    def __init__(self, spec: ServiceSpec, platform: str) -> None:
        self._spec = spec
        self._windows = platform == "win32"
        self.file: Path | None = None

    @property
    def name(self) -> str:
        return self._spec.name

    @property
    def printed(self) -> str | None:
        return None

    def content(self) -> bytes:
        raise UsageError("This system has no service file that Holovault could write.")

    def starting(self, change: Change) -> tuple[str, ...]:
        """What a person can run instead of `install`."""
        if not self._windows:
            return (shlex.join(self._spec.arguments),)
        task = subprocess.list2cmdline(_without_window(self._arguments()))
        return (subprocess.list2cmdline(["schtasks", "/Create", "/F", "/SC", "ONLOGON", "/RL", "LIMITED", "/TN", self._task, "/TR", task]),)

    def stopping(self) -> tuple[str, ...]:
        """What a person can run instead of `uninstall`."""
        return (subprocess.list2cmdline(["schtasks", "/Delete", "/F", "/TN", self._task]),) if self._windows else ()

    def start(self, change: Change) -> tuple[Step, ...]:
        (command,) = self.starting(change)
        if not self._windows:
            return (Step(False, "This system has neither systemd nor launchd. Let its own service manager run, as your user", command),)
        words = (
            "Windows services run without your files and keys, so Holovault installs none. A task at logon does the same; create it with"
        )
        if len(subprocess.list2cmdline(_without_window(self._arguments()))) > TASK_LIMIT:
            words = f"schtasks takes {TASK_LIMIT} characters for a program at most. Create a task at logon in taskschd.msc that runs"
            return (Step(False, words, subprocess.list2cmdline(_without_window(self._arguments()))),)
        return (Step(False, words, command),)

    def stop(self) -> tuple[Step, ...]:
        commands = self.stopping()
        return tuple(Step(False, "Holovault installed nothing here. A task at logon is removed with", command) for command in commands)

    def forget(self) -> tuple[Step, ...]:
        return ()

    def state(self) -> State:
        return State("unknown", problem="Holovault keeps no services on this system; `holovault status` says whether a daemon runs.")

    @property
    def _task(self) -> str:
        return f"Holovault {self._spec.key}"

    def _arguments(self) -> tuple[str, ...]:
        given = ("--home", str(self._spec.home)) if self._spec.home_given else ()
        return (*self._spec.arguments, *given)


def _without_window(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The same command by the interpreter that opens no console."""
    python = Path(arguments[0])
    quiet = python.with_name(python.name.replace("python", "pythonw", 1))
    return (str(quiet) if python.name.lower().startswith("python") and quiet.is_file() else arguments[0], *arguments[1:])
