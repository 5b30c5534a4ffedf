"""What chunks state.

Owns `terms` (a spelling in a role, its normal form and its canonical name) and `fillers` (which chunk states which, in order), and keeps
every canonical name right when notes come, go or change their names. Must not compose vectors: it lists the chunks that need another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from holovault.lexemes import normal_name
from holovault.model import Filler
from holovault.store.database import Database
from holovault.store.structure.names import Names
from holovault.store.structure.vectors import Vectors
from holovault.store.texts import wellformed
from holovault.store.values import StoredNote

_NAMING = frozenset({"entity", "title", "head"})
_IN = "IN (SELECT value FROM json_each(?))"
_OLD = (
    f"SELECT f.chunk, t.role, t.text, f.weight FROM fillers f JOIN terms t ON t.id = f.term WHERE f.chunk {_IN} ORDER BY f.chunk, f.place"
)
_UNUSED = "SELECT id FROM terms WHERE NOT EXISTS (SELECT 1 FROM fillers WHERE term = terms.id) LIMIT ?"
_SLICE = 2_000


@dataclass(frozen=True, slots=True)
class ChunkFillers:
    """What one chunk states now; `known` where it may have stated the same before. `modified` is its note's date."""

    chunk: int
    fillers: tuple[Filler, ...]
    modified: str
    known: bool


def names_a_note(role: str) -> bool:
    """Whether what is said in this role may be the name of a note; tags, folders, words and sources stand for themselves."""
    return role in _NAMING or role.startswith("prop:")


class Fillers:
    """Writes what chunks state; to be called inside the transaction that writes the chunks."""

    def __init__(self, database: Database, names: Names, vectors: Vectors) -> None:
        self._database = database
        self._names = names
        self._vectors = vectors

    def put(self, files: Sequence[tuple[int, StoredNote]], chunks: Sequence[ChunkFillers]) -> None:
        """Take over the names of these notes and what their chunks state."""
        affected = self._names.claim(files)
        changed = self._changed(chunks)
        self._delete([one.chunk for one in changed if one.known])
        affected |= self._insert(changed)
        self._vectors.expect([(one.chunk, one.modified) for one in changed if one.fillers])
        self._settle(affected)

    def remove(self, chunks: Sequence[int]) -> None:
        """Forget what these chunks stated; their spellings go with the next sweep."""
        if chunks:
            self._delete(chunks)

    def withdraw(self, files: Sequence[int]) -> None:
        """Forget the names of notes that are gone."""
        self._settle(self._names.withdraw(files))

    def sweep(self) -> int:
        """Delete the spellings that no chunk uses any more, in short transactions; returns how many."""
        removed = 0
        while gone := self._database.rows(_UNUSED, (_SLICE,)):
            with self._database.atomic() as connection:
                # again, inside the transaction: a note that was put just now may use one
                removed += connection.executemany(
                    "DELETE FROM terms WHERE id = ? AND NOT EXISTS (SELECT 1 FROM fillers WHERE term = terms.id)", gone
                ).rowcount
        return removed

    def _changed(self, chunks: Sequence[ChunkFillers]) -> list[ChunkFillers]:
        old: dict[int, list[tuple[str, str, int]]] = {}
        for chunk, *said in self._database.rows(_OLD, (_json([one.chunk for one in chunks if one.known]),)):
            old.setdefault(chunk, []).append((said[0], said[1], said[2]))
        return [one for one in chunks if not one.known or old.get(one.chunk, []) != _rows(one.fillers)]

    def _delete(self, chunks: Sequence[int]) -> None:
        with self._database.atomic() as connection:
            connection.execute(f"DELETE FROM fillers WHERE chunk {_IN}", (_json(chunks),))
        self._vectors.remove(chunks)

    def _insert(self, chunks: Sequence[ChunkFillers]) -> set[str]:
        """Returns the normal forms of spellings that are new, which have no canonical name yet."""
        said = [(one.chunk, place, *row) for one in chunks for place, row in enumerate(_rows(one.fillers))]
        numbers, new = self._numbered({(text, role) for _, _, role, text, _ in said})
        with self._database.atomic() as connection:
            connection.executemany(
                "INSERT INTO fillers (chunk, place, term, weight) VALUES (?, ?, ?, ?)",
                [(chunk, place, numbers[text, role], weight) for chunk, place, role, text, weight in said],
            )
        return new

    def _numbered(self, spellings: set[tuple[str, str]]) -> tuple[dict[tuple[str, str], int], set[str]]:
        wanted = _json(sorted({text for text, _ in spellings}))
        query = f"SELECT text, role, id FROM terms WHERE text {_IN}"
        numbers = {(text, role): number for text, role, number in self._database.rows(query, (wanted,))}
        missing = sorted(spellings.difference(numbers))
        if not missing:
            return numbers, set()
        norms = {text: normal_name(text) for text, _ in missing}
        with self._database.atomic() as connection:
            connection.executemany(
                "INSERT INTO terms (text, role, norm, canon) VALUES (?, ?, ?, ?)",
                [(text, role, norms[text], norms[text]) for text, role in missing],
            )
        numbers = {(text, role): number for text, role, number in self._database.rows(query, (wanted,))}
        return numbers, {norms[text] for text, role in missing if names_a_note(role)}

    def _settle(self, affected: Iterable[str]) -> None:
        """Give every spelling of these normal forms its canonical name; chunks that state one with another name are listed."""
        rows = self._database.rows(f"SELECT id, role, norm, canon FROM terms WHERE norm {_IN}", (_json(sorted(affected)),))
        spellings = [(number, norm, canon) for number, role, norm, canon in rows if names_a_note(role)]
        canonical = self._names.canonical({norm for _, norm, _ in spellings})
        changed = [(canonical[norm], number) for number, norm, canon in spellings if canonical[norm] != canon]
        if not changed:
            return
        with self._database.atomic() as connection:
            connection.executemany("UPDATE terms SET canon = ? WHERE id = ?", changed)
            wanted = _json([number for _, number in changed])
            touched = connection.execute(
                "SELECT DISTINCT c.id, n.modified FROM fillers f JOIN chunks c ON c.id = f.chunk JOIN files n ON n.id = c.file"
                f" WHERE f.term {_IN}",
                (wanted,),
            ).fetchall()
        self._vectors.remove([chunk for chunk, _ in touched])
        self._vectors.expect(touched)


def _rows(fillers: Iterable[Filler]) -> list[tuple[str, str, int]]:
    """Role, text and weight of what can be named at all, each once, in order."""
    rows = {(wellformed(one.role), wellformed(one.name)): one.weight for one in fillers if normal_name(one.name)}
    return [(role, text, weight) for (role, text), weight in rows.items()]


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
