"""Votes in this device's feedback note: `- ^k3f9 helpful 2026-05-24T10:11:12.345Z`.

Owns how a vote is appended. Every device has a note of its own and only ever appends, so that two of them never write the same
file; their notes merge by joining lines. Must not count votes.
"""

from datetime import UTC, timedelta

from holovault.config.rules import FEEDBACK
from holovault.errors import NotFoundError, StaleError
from holovault.facts import feedback_line
from holovault.memory.surroundings import Surroundings
from holovault.model import FactVote, Vote

_TRIES = 4
_HEAD = (
    "What this device's person said of facts, one vote a line. Lines are only ever added; the notes of several devices may be joined.\n\n"
)


class Ballot:
    """Casts votes."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def cast(self, name: str, vote: Vote) -> FactVote:
        """Append one vote for the fact `name`. Raises what writing a note raises."""
        path = f"{FEEDBACK}{self._around.device()}.md"
        for attempt in range(_TRIES):
            try:
                note = self._around.parts.vault.read(path)
                data, expected = note.data, note.state.hash
            except NotFoundError:
                data, expected = b"", None
            at, content = self._with_vote(data or _HEAD.encode(), name, vote)
            try:
                written = self._around.write(path, content, expected, expected is None)
                return FactVote(vote, at, written.path)
            except StaleError:
                # Somebody else appended: their lines stay, ours comes after them.
                if attempt == _TRIES - 1:
                    raise
        raise AssertionError("unreachable")

    def _with_vote(self, data: bytes, name: str, vote: Vote) -> tuple[str, bytes]:
        """The time of the vote, which no vote of the same kind has yet, and the note with it."""
        end = b"\r\n" if b"\r\n" in data else b"\n"
        moment = self._around.now().astimezone(UTC)
        while True:
            at = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            line = f"- {feedback_line(name, helpful=vote == 'helpful', at=at)}".encode()
            if line not in data:
                break
            moment += timedelta(milliseconds=1)
        gap = b"" if data.endswith((b"\n", b"\r")) else end
        return at, data + gap + line + end
