"""Counting an import: every examined thing gets exactly one fate. Pure."""

from dataclasses import dataclass, field

from holovault.model.imports import Conflict, ImportReport, ImportRequest, Tally
from holovault_importers.plan import Action
from holovault_importers.values import Contents

SHOWN = 50


@dataclass(slots=True)
class Ledger:
    """The counts of one import while it runs."""

    source: str
    request: ImportRequest
    contents: Contents = field(default_factory=Contents)
    fates: dict[Action, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    archived: int = 0
    lists: int = 0
    stopped: bool = False

    def count(self, kind: str, action: Action, reason: str = "") -> None:
        """One thing of this kind has this fate; a skipped one has a reason."""
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.fates[action] = self.fates.get(action, 0) + 1
        if action == "skipped":
            self.reasons[reason] = self.reasons.get(reason, 0) + 1

    @property
    def changed(self) -> int:
        """How many notes were written."""
        return sum(self.fates.get(action, 0) for action in ("new", "updated", "appended", "conflicted"))

    def report(self) -> ImportReport:
        """All counts as the value that people and programs get."""
        return ImportReport(
            source=self.source,
            dry_run=self.request.dry_run,
            stopped=self.stopped,
            examined=sum(self.kinds.values()),
            new=self.fates.get("new", 0),
            updated=self.fates.get("updated", 0),
            appended=self.fates.get("appended", 0),
            conflicted=self.fates.get("conflicted", 0),
            unchanged=self.fates.get("unchanged", 0),
            skipped=_tallies(self.reasons),
            kinds=_tallies(self.kinds),
            contents=_tallies(self.contents.counts),
            unknown=_tallies(self.contents.unknown),
            redacted=self.contents.redacted,
            archived=self.archived,
            lists=self.lists,
            conflicts=tuple(self.conflicts[:SHOWN]),
            problems=tuple(self.problems[:SHOWN]),
            remarks=tuple(self.remarks[:SHOWN]),
        )


def _tallies(counts: dict[str, int]) -> tuple[Tally, ...]:
    return tuple(Tally(name, count) for name, count in sorted(counts.items()))
