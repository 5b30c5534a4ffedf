"""One change of one note's bytes.

Owns the order: bytes to text, the pieces of the change, text to bytes. Must not read a file or know a hash.
"""

from dataclasses import dataclass

from holovault.edits.appending import appended
from holovault.edits.coding import Coded, break_of
from holovault.edits.pieces import spliced
from holovault.edits.replacing import replacements
from holovault.errors import UsageError
from holovault.markdown import decode
from holovault.model import NoteChange


@dataclass(frozen=True, slots=True)
class Edited:
    """A note's bytes after a change, and the 1-based ranges of lines that the change wrote; a hundred at most."""

    data: bytes
    lines: tuple[tuple[int, int], ...]


def changed(data: bytes, change: NoteChange, path: str) -> Edited:
    """`data` after `change`; bytes outside of it are the same. `path` is for the sentences of errors only.

    Raises UsageError (the change says nothing or contradicts itself), NotFoundError (its old text or heading is not
    there; `quoted` are the nearest lines) or AmbiguousError (it is there another number of times).
    """
    if bool(change.edits) == (change.append is not None):
        raise UsageError(f"{path}: give either edits or a text to append.")
    coded = Coded.of(data, path)
    end_of_line = break_of(coded.text)
    if change.append is not None:
        pieces = [appended(coded.text, decode(data), change.append, end_of_line, path)]
    else:
        pieces = replacements(coded.text, change.edits, end_of_line, path)
    text, lines = spliced(coded.text, pieces)
    return Edited(coded.data(text), lines)
