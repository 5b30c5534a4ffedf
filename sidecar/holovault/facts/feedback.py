"""Feedback on facts: lines of `Memory/Feedback/<device>.md`, and what they make of a fact's trust.

Owns the line (`^k3f9 helpful 2026-05-24T10:00:00Z`), whose votes count once, and the sum. The notes are only ever appended to, one
by each device, so that they merge as plain text. Must not read files.

A vote is its device, id, direction and time. The same line twice in the notes of one device is one vote: that is what a
merge or a sync tool's conflict copy (`laptop (conflicted copy).md`, `laptop.sync-conflict-….md`, `laptop-HOST.md`, `laptop 2.md`) leaves
behind. The device is therefore the run of letters and digits that the file name begins with. Two devices may say the same.
"""

import re
from collections.abc import Iterator, Sequence

from holovault.facts.fields import DATE
from holovault.markdown import Document
from holovault.model import DEFAULT_TRUST, FactLine, VoteLine

HELPFUL = 0.05
"""What a helpful vote adds to trust."""

UNHELPFUL = 0.10
"""What an unhelpful one takes away."""

COUNTED = "counted"
"""Key of the inline field that says how many votes are in the line's own trust already: `[counted:: +3 -1]`."""

_LINE = re.compile(rf"[ \t]*(?:[-*+][ \t]+)?\^([A-Za-z0-9-]+|_[0-9a-z]+)[ \t]+(helpful|unhelpful)(?:[ \t]+({DATE}))?[ \t]*", re.IGNORECASE)
_DEVICE = re.compile(r"[^\W_]+")
_COUNTED = re.compile(r"\+(\d{1,6})[ ]+[-−](\d{1,6})")


def parse_feedback(document: Document) -> tuple[VoteLine, ...]:
    """The votes of one feedback note in order; every other line is a person's own and says nothing."""
    return tuple(_votes(document.lines[document.body_line - 1 :], document.body_line))


def _votes(lines: Sequence[str], first: int) -> Iterator[VoteLine]:
    for number, line in enumerate(lines, start=first):
        match = _LINE.fullmatch(line)
        if match:
            yield VoteLine(match[1].lower(), match[2].lower() == "helpful", match[3] or "", number)


def feedback_line(fact: str, *, helpful: bool, at: str) -> str:
    """One line without line end; `at` is an RFC 3339 time with seconds."""
    return f"^{fact} {'helpful' if helpful else 'unhelpful'} {at}"


def device_of(stem: str) -> str:
    """Whose feedback a note is, by its file name without `.md`: conflict copies are their device's."""
    match = _DEVICE.match(stem.strip())
    return match[0].casefold() if match else stem.strip().casefold()


def counted(fact: FactLine) -> tuple[int, int]:
    """How many helpful and unhelpful votes the line's own trust holds already."""
    for key, value in fact.fields:
        match = _COUNTED.fullmatch(value) if key.casefold() == COUNTED else None
        if match:
            return int(match[1]), int(match[2])
    return 0, 0


def counted_text(helpful: int, unhelpful: int) -> str:
    """The value of the field `counted`."""
    return f"+{helpful} -{unhelpful}"


def trust_after(own: float | None, helpful: int, unhelpful: int) -> float:
    """Trust 0…1 of a line that says `own` after votes that are not in it yet; .5 where it says nothing. Three digits after the point."""
    base = DEFAULT_TRUST if own is None else own
    return round(min(1.0, max(0.0, base + HELPFUL * helpful - UNHELPFUL * unhelpful)), 3)


def trust_of_line(fact: FactLine, helpful: int, unhelpful: int) -> float:
    """Trust of a fact with all its votes; those that were folded into its line are not counted again."""
    folded = counted(fact)
    return trust_after(fact.trust, max(0, helpful - folded[0]), max(0, unhelpful - folded[1]))
