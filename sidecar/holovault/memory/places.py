"""Where a fact stands in a note's bytes just now, and whether that is what somebody read.

Owns finding it again by its id after hand edits and moves, and the comparison with expected hashes. Must not write.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holovault.errors import StaleError
from holovault.facts import derived_id, parse_facts
from holovault.markdown import decode, parse
from holovault.model import FactLine
from holovault.vault import NoteBytes


@dataclass(frozen=True, slots=True)
class Placed:
    """A fact in a note's bytes; `name` is its id, written or derived."""

    name: str
    line: FactLine
    note: NoteBytes

    @property
    def path(self) -> str:
        return self.note.state.path

    @property
    def hashes(self) -> tuple[str, str]:
        """What an expectation may name: the note's hash, or the text's."""
        return self.note.state.hash, item_hash(self.line.text)


def stem_of(path: str) -> str:
    """The note's name, which is the category of facts above its first heading."""
    return path.rpartition("/")[2][:-3]


def item_hash(text: str) -> str:
    """The hash that stands for a fact's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def name_of(line: FactLine) -> str:
    """The id under which a fact is known: its own, else one derived from its text."""
    return line.id or derived_id(line.text)


def placed(note: NoteBytes) -> Iterator[Placed]:
    """All facts of a note."""
    for line in parse_facts(parse(decode(note.data)), stem_of(note.state.path)):
        yield Placed(name_of(line), line, note)


def check(place: Placed, expected: Sequence[str]) -> None:
    """Raises StaleError with both versions where none of the expected hashes is true any more; an empty list expects nothing."""
    if expected and not {each.strip().lower() for each in expected} & set(place.hashes):
        raise changed(place)


def changed(place: Placed, was: str | None = None) -> StaleError:
    """The fact says something else than what was read; `was` is that text, where it is known."""
    before = "" if was is None else f"It said:\n{was}\n"
    return StaleError(
        f"The fact {shown(place.name)} in {place.path} has changed since it was read. Nothing was written; look at it again, then decide.",
        place.note.state.hash,
        quoted=f"{before}It says now:\n{place.line.text}",
    )


def shown(name: str) -> str:
    """An id as people see it."""
    return name if name.startswith("_") else f"^{name}"
