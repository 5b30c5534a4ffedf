"""What installing, removing and looking at a service found, for people and as JSON. Values only."""

from dataclasses import dataclass
from typing import Literal

Change = Literal["written", "replaced", "same", "none"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done, or could not be; `command` is what a person can run about it."""

    done: bool
    text: str
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Installation:
    """`change` says what happened to `file` ("none": this system has no such file); `text` is its content after a dry run only."""

    vault: str
    service: str
    manager: str
    file: str | None
    change: Change
    dry_run: bool
    steps: tuple[Step, ...]
    text: str | None = None

    @property
    def done(self) -> bool:
        """Whether every step was."""
        return all(step.done for step in self.steps)


@dataclass(frozen=True, slots=True)
class Removal:
    """`removed` tells whether there was a file of ours to remove (in a dry run: whether there is)."""

    vault: str
    service: str
    manager: str
    file: str | None
    removed: bool
    dry_run: bool
    steps: tuple[Step, ...]

    @property
    def done(self) -> bool:
        """Whether every step was."""
        return all(step.done for step in self.steps)


@dataclass(frozen=True, slots=True)
class State:
    """What a service manager says. `active` is its own word: active, activating, inactive, failed …, or unknown with a `problem`."""

    active: str
    enabled: bool | None = None
    pid: int | None = None
    words: str | None = None
    restarts: int | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """One vault's service. `current`: the file is what `install` would write now. `since` is RFC 3339.

    `other_pid` is a daemon of the vault that runs without the service; `log` is where it writes, `printed` the command that shows
    what it printed.
    """

    vault: str
    service: str
    manager: str
    file: str | None
    installed: bool
    current: bool | None
    enabled: bool | None
    active: str
    pid: int | None
    since: str | None
    words: str | None
    restarts: int | None
    other_pid: int | None
    log: str
    printed: str | None
    problem: str | None
