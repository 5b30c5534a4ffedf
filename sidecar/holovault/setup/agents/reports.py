"""What installing and removing the files of agents found, for people and as JSON. Values only."""

from dataclasses import dataclass
from typing import Literal

Change = Literal["written", "replaced", "removed", "same", "none", "printed", "refused"]


@dataclass(frozen=True, slots=True)
class Place:
    """One file: `change` says what happened to it (in a dry run: would have), `problem` why it was left alone.

    `text` is what belongs into it where it was only printed.
    """

    what: str
    file: str
    change: Change
    problem: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class AgentsReport:
    """`project` is null for all projects of this user. Done unless a place was refused."""

    vault: str
    project: str | None
    dry_run: bool
    places: tuple[Place, ...]

    @property
    def done(self) -> bool:
        """Whether nothing had to be left alone."""
        return all(place.change != "refused" for place in self.places)
