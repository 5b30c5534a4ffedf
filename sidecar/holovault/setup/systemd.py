"""The systemd user unit of one vault, and systemctl's part in its life.

Owns the text of the unit (systemd.unit(5), systemd.exec(5)) and its quoting. Must not write the unit: `service` does.
"""

import re
import shlex
from pathlib import Path

from holovault.errors import UsageError
from holovault.setup.reports import Change, State, Step
from holovault.setup.running import Ran, Runner
from holovault.setup.sandbox import sandbox
from holovault.setup.spec import AGAIN, ServiceSpec

START_WAIT_S = 120.0
STOP_WAIT_S = 120.0
_PLAIN_PROGRAM = re.compile(r"""[^\x00-\x1f\x7f"'\\$]*""")
_SHOWN = "LoadState,ActiveState,SubState,MainPID,UnitFileState,StatusText,NRestarts,Result"


def unit_text(spec: ServiceSpec) -> str:
    """The whole unit file."""
    lines = (
        f"# {spec.marker}.",
        f"# `holovault service install` writes it again; your own settings belong beside it: systemctl --user edit {spec.name}",
        "[Unit]",
        f"Description=Holovault: {shown(str(spec.vault))}",
        # Gives up after four minutes of failing at once; a crash every quarter of a minute is restarted for ever.
        "StartLimitIntervalSec=600",
        "StartLimitBurst=40",
        "",
        "[Service]",
        "Type=notify",
        "NotifyAccess=main",
        f"ExecStart={command_line(spec.arguments)}",
        *([f"Environment={word(f'HOLOVAULT_HOME={spec.home}', dollar='$')}"] if spec.home_given else []),
        "Restart=on-failure",
        "RestartSec=5",
        # A knowledge.toml with mistakes has the same ones five seconds later.
        "RestartPreventExitStatus=2",
        # It left for a newer version to take its place.
        f"SuccessExitStatus={AGAIN}",
        f"RestartForceExitStatus={AGAIN}",
        "TimeoutStartSec=300",
        "TimeoutStopSec=90",
        "WatchdogSec=120",
        "KillMode=mixed",
        "",
        f"MemoryMax={spec.memory_mb}M",
        # A child that ate too much is replaced by the daemon itself.
        "OOMPolicy=continue",
        "TasksMax=512",
        "LimitCORE=0",
        "Nice=5",
        "IOSchedulingClass=best-effort",
        "IOSchedulingPriority=6",
        "",
        *sandbox((spec.vault, spec.home), (spec.python, spec.code)),
        "",
        "[Install]",
        "WantedBy=default.target",
    )
    return "\n".join(lines) + "\n"


def command_line(arguments: tuple[str, ...]) -> str:
    """ExecStart's value. systemd reads a program's path more strictly than an argument, so `env` runs one with special characters.

    Raises UsageError for a path that `env` would take for a variable.
    """
    program = arguments[0]
    if not _PLAIN_PROGRAM.fullmatch(program):
        if "=" in program:
            raise UsageError(f"systemd cannot run a program at {program!r}. Install Holovault at a place with a plainer name.")
        arguments = ("/usr/bin/env", *arguments)
    return " ".join(word(argument, dollar="$$") for argument in arguments)


def word(text: str, dollar: str) -> str:
    """`text` as one quoted word, which systemd reads back to the same bytes; `dollar` is how that place writes a "$"."""
    return '"' + "".join(_escaped(char, dollar) for char in text) + '"'


def _escaped(char: str, dollar: str) -> str:
    code = ord(char)
    if char in '\\"':
        return "\\" + char
    if char == "%":
        return "%%"
    if char == "$":
        return dollar
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else char


def shown(text: str) -> str:
    """`text` on one line of a unit, for people: no line goes on after it and no specifier is in it."""
    return "".join(char if char.isprintable() and char != "\\" else "?" for char in text).replace("%", "%%")


class Systemd:
    """One vault's unit under the user's own systemd."""

    kind = "systemd"

    def __init__(self, spec: ServiceSpec, folder: Path, run: Runner, uid: int) -> None:
        self._spec = spec
        self._run = run
        self._uid = uid
        self._unit = f"{spec.name}.service"
        self._wanted = folder / "default.target.wants" / self._unit
        self.file: Path | None = folder / self._unit

    @property
    def name(self) -> str:
        return self._unit

    @property
    def printed(self) -> str:
        """The command that shows what the service printed."""
        return f"journalctl --user -u {self._unit} -n 50"

    def content(self) -> bytes:
        return unit_text(self._spec).encode("utf-8")

    def starting(self, change: Change) -> tuple[str, ...]:
        """The commands that make systemd know, keep and start the unit."""
        ctl = "systemctl --user"
        if change == "replaced":
            return (f"{ctl} daemon-reload", f"{ctl} enable {self._unit}", f"{ctl} restart {self._unit}")
        return (f"{ctl} daemon-reload", f"{ctl} enable --now {self._unit}")

    def stopping(self) -> tuple[str, ...]:
        """The command that ends it for good."""
        return (f"systemctl --user disable --now {self._unit}",)

    def start(self, change: Change) -> tuple[Step, ...]:
        reload, *starts = self.starting(change)
        ran = self._run(*shlex.split(reload))
        if not ran.ok:
            by_hand = " && ".join((reload, *starts))
            return (
                Step(False, f"Your systemd cannot be reached ({ran.words}); the service starts once you run this in your session", by_hand),
            )
        # A unit that gave up does not start before it is forgiven; one that never ran has nothing to forgive.
        self._run("systemctl", "--user", "reset-failed", self._unit)
        steps = [Step(True, "systemd has read it")]
        for command in starts:
            step = self._started(command, self._run(*shlex.split(command), wait=START_WAIT_S))
            steps.append(step)
            if not step.done:
                return tuple(steps)
        return (*steps, *self._lingering())

    def _started(self, command: str, ran: Ran) -> Step:
        if ran.ok:
            return Step(True, f"ran: {command}")
        if ran.late:
            return Step(True, "it still reads the vault for the first time; how far it is says", "holovault service status")
        return Step(False, f"{command} failed: {ran.words}", self.printed)

    def _lingering(self) -> tuple[Step, ...]:
        ran = self._run("loginctl", "show-user", str(self._uid), "--property=Linger", "--value")
        if not ran.ok or ran.out.strip() != "no":
            return ()
        return (Step(True, "it stops when you log out; to let it run on", "loginctl enable-linger"),)

    def stop(self) -> tuple[Step, ...]:
        (command,) = self.stopping()
        ran = self._run(*shlex.split(command), wait=STOP_WAIT_S)
        if ran.ok:
            return (Step(True, "stopped and disabled"),)
        return (
            Step(
                False,
                f"it could not be stopped ({ran.words}); if it runs, end it in your session with",
                f"systemctl --user stop {self._unit}",
            ),
        )

    def forget(self) -> tuple[Step, ...]:
        """After the file went: no link to it stays, and systemd hears of it."""
        if self._wanted.is_symlink():
            self._wanted.unlink()
        self._run("systemctl", "--user", "daemon-reload")
        self._run("systemctl", "--user", "reset-failed", self._unit)
        return ()

    def state(self) -> State:
        ran = self._run("systemctl", "--user", "show", self._unit, f"--property={_SHOWN}")
        if not ran.ok:
            return State("unknown", problem=f"Your systemd cannot be reached: {ran.words}")
        found = dict(line.split("=", 1) for line in ran.out.splitlines() if "=" in line)
        pid, restarts = found.get("MainPID", "0"), found.get("NRestarts", "")
        failed = found.get("ActiveState") == "failed"
        return State(
            active=found.get("ActiveState") or "unknown",
            enabled=found.get("UnitFileState", "").startswith("enabled"),
            pid=int(pid) if pid.isdigit() and int(pid) else None,
            words=found.get("StatusText") or None,
            restarts=int(restarts) if restarts.isdigit() else None,
            problem=f"It gave up ({found.get('Result', 'failed')}). What it printed: {self.printed}" if failed else None,
        )
