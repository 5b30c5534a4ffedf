"""The lines of a report. Values only; must not look at anything."""

import shlex
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

State = Literal["ok", "warning", "problem"]
_ORDER: tuple[State, ...] = ("ok", "warning", "problem")
_KILO = 1000


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: its name, how it is, a sentence about it, and what to do (null where nothing is to be done)."""

    name: str
    state: State
    text: str
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of one vault, in the order in which they were made; `state` is the worst of theirs."""

    vault: str
    state: State
    checks: tuple[Check, ...]

    @classmethod
    def of(cls, vault: str, checks: Iterable[Check]) -> "Report":
        """The report of these checks."""
        listed = tuple(checks)
        return cls(vault, max((check.state for check in listed), key=_ORDER.index, default="ok"), listed)


def command(words: str, root: Path) -> str:
    """`holovault <words> --vault <root>`, as it can be pasted into this system's shell."""
    quoted = subprocess.list2cmdline([str(root)]) if sys.platform == "win32" else shlex.quote(str(root))
    return f"holovault {words} --vault {quoted}"


def megabytes(size: float) -> str:
    """A size in bytes for people: `3 MB`, `1.2 GB`."""
    mega = size / _KILO / _KILO
    return f"{mega:.0f} MB" if mega < _KILO else f"{mega / _KILO:.1f} GB"
