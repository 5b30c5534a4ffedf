"""What the importer remembers of a vault: `_import/state.json`, one row for each note that it wrote.

Owns the form of the file and rebuilding rows from the notes' own front matter. Pure: bytes in, bytes out. All of it can be
found again in the notes, but for one thing: which notes a person has deleted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from holovault_importers.drafts import LAYOUT, Draft
from holovault_importers.present import Trace

PATH = "_import/state.json"


@dataclass(frozen=True, slots=True)
class Row:
    """One note: where it is (`path`), how links name it (`link`), and what was last written into it.

    `sections` are their short hashes, None where they are not known any more. `gone`: a person deleted it. `yours`: a person
    edited it and an export told otherwise; newer text goes to the note beside it. `passed` are hashes of texts that the same export
    tells of it too, before the one that counts.
    """

    path: str
    link: str
    body_sha: str
    front_sha: str | None = None
    file_sha: str | None = None
    sections: tuple[str, ...] | None = None
    updated: str | None = None
    gone: bool = False
    yours: bool = False
    archived: bool = False
    passed: tuple[str, ...] = ()


@dataclass(slots=True)
class State:
    """All rows by key, and the folders of projects by their ids. `rebuilt`: made from the notes, not from the file."""

    rows: dict[str, Row] = field(default_factory=dict)
    projects: dict[str, str] = field(default_factory=dict)
    rebuilt: bool = False
    version: int = LAYOUT


def decode(data: bytes) -> State | None:
    """The state in a file's bytes; None where they are damaged or of another layout."""
    try:
        state = msgspec.json.decode(data, type=State)
    except msgspec.MsgspecError:
        return None
    return state if state.version == LAYOUT else None


def encode(state: State) -> bytes:
    """The file's bytes; the same state gives the same bytes."""
    rows = dict(sorted(state.rows.items()))
    text = msgspec.json.encode(State(rows, dict(sorted(state.projects.items())), False))
    return msgspec.json.format(text, indent=1) + b"\n"


def row_of(note: Trace) -> Row:
    """A row made from a note that carries the importer's front matter."""
    return Row(note.path, note.path, note.body_sha, updated=note.updated)


def rebuilt(notes: Sequence[Trace]) -> State:
    """The state as the notes tell it. Of two with one identity (a copy), the one that was not edited counts, else the first."""
    state = State(rebuilt=bool(notes))
    for note in sorted(notes, key=lambda note: (not note.is_untouched, note.path)):
        state.rows.setdefault(note.key, row_of(note))
        kind, identity = note.key.split("|")[1:3]
        if kind == "project" and note.path.count("/") >= 2:
            state.projects.setdefault(identity, note.path.rpartition("/")[0])
    for key in list(state.rows):
        if key.endswith("~new") and key[:-4] in state.rows:
            state.rows[key[:-4]] = replace(state.rows[key[:-4]], yours=True)
    return state


def written(draft: Draft, path: str, link: str, file_sha: str) -> Row:
    """The row after a draft was written whole."""
    return Row(path, link, draft.body_sha, draft.front_sha, file_sha, tuple(section.sha for section in draft.sections), draft.updated)
