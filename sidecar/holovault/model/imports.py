"""What an import is asked for, and the report whose numbers add up.

Owns the values that the command line and every importer share. Must not read a clock, a disk, a network or an environment.
"""

from dataclasses import dataclass
from typing import Literal

Tools = Literal["none", "line", "full"]


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """One import. `exports` are paths of this machine; `since` is a day (`2026-03-01`): older things are skipped.

    `redact`: secrets are replaced in tool text and sessions of code (None), everywhere (true) or nowhere (false).
    """

    exports: tuple[str, ...]
    dry_run: bool = False
    since: str | None = None
    project: str | None = None
    artifacts: bool = True
    thinking: bool = False
    tools: Tools = "line"
    redact: bool | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something was met, under its name."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """A note that a person has edited and that a newer export tells otherwise; the newer text is in `kept`."""

    path: str
    kept: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The end of an import: `examined` = new + updated + appended + conflicted + unchanged + all of `skipped`.

    `kinds` counts what was examined, `contents` what it was made of, `unknown` blocks that no rule knows (kept, folded).
    `problems` are sentences about what could not be read, `remarks` about what a person should know.
    `lists` are the generated lists that changed, `archived` notes whose original is not in this export any more.
    """

    source: str
    dry_run: bool
    stopped: bool
    examined: int
    new: int
    updated: int
    appended: int
    conflicted: int
    unchanged: int
    skipped: tuple[Tally, ...]
    kinds: tuple[Tally, ...] = ()
    contents: tuple[Tally, ...] = ()
    unknown: tuple[Tally, ...] = ()
    redacted: int = 0
    archived: int = 0
    lists: int = 0
    conflicts: tuple[Conflict, ...] = ()
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def adds_up(self) -> bool:
        """Whether every examined thing has exactly one fate."""
        fates = self.new + self.updated + self.appended + self.conflicted + self.unchanged
        return self.examined == fates + sum(tally.count for tally in self.skipped)


@dataclass(frozen=True, slots=True)
class AliasProposal:
    """Two names that look like one project: `alias` and the name to keep, with the reason in words."""

    alias: str
    project: str
    reason: str
