"""Facts and votes as their lines say them: read from a note's text alone, before any vote is counted.

Must not read a clock, a disk, a network or an environment.
"""

from dataclasses import dataclass

DEFAULT_TRUST = 0.5
"""Trust of a fact whose line says nothing about it."""


@dataclass(frozen=True, slots=True)
class FactLine:
    """One list item of a facts note, read from its text alone.

    `id` is the item's block id without `^`, in lower case, None where none is written. `text` is what people read, Markdown
    marks included, without marker, checkbox, comments, own fields and block id; nested items belong to it. `raw` is the item from
    its first character after the marker to its last. `tags` are without `#`, `entities` are targets of links without heading.
    `trust` (0…1) and `created` (a date, or a date with a time, as written) are None where they are missing or cannot be read;
    `fields` are the other inline fields. `problems` are full sentences about what cannot be read. Lines are the file's.
    """

    id: str | None
    text: str
    raw: str
    category: str
    start_line: int
    end_line: int
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    trust: float | None = None
    created: str | None = None
    fields: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VoteLine:
    """One line of a feedback note: which fact, what was said, when (as written, "" where nothing is), and the line of the file."""

    fact: str
    helpful: bool
    at: str
    line: int
