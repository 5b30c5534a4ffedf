"""What may be changed inside a note without sending all of it: exact texts for others, and text added at the end of a section.

Must not know how a note is stored or written.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextEdit:
    """`old` stands in the note exactly `count` times and becomes `new`. Lines end in `\\n` whatever the note's own line ends are."""

    old: str
    new: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Append:
    """`text` becomes lines of its own: the note's last ones, or the last ones that belong to a heading itself, above what is below it.

    `heading` is a path of headings as hits have it, outermost first, or the end of one. `create_heading` makes those that are missing.
    """

    text: str
    heading: tuple[str, ...] = ()
    create_heading: bool = False


@dataclass(frozen=True, slots=True)
class NoteChange:
    """One change of one note: `edits`, all of them or none, each found in the note as it is before the first one; or an `append`."""

    edits: tuple[TextEdit, ...] = ()
    append: Append | None = None
