"""Which note a name means.

Owns `claims`: the names by which a note may be called. A name means a note if exactly one note has the strongest claim to it: its whole
path, then its file name, its title, an alias, a tail of its path. All names of one note become one canonical name: its file name where no
other note has the same, else its path. A name that nobody or several notes claim stays itself. Must not know chunks.
"""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from holovault.lexemes import normal_name
from holovault.store.database import Database
from holovault.store.texts import wellformed
from holovault.store.values import StoredNote

PATH, STEM, TITLE, ALIAS, TAIL = range(5)
MOST_ALIASES = 100
"""Aliases of one note that count."""

_DEEPEST = 16
_IN = "IN (SELECT value FROM json_each(?))"
_STRONGEST = f"SELECT norm, rank, min(file), count(*) FROM claims WHERE norm {_IN} GROUP BY norm, rank ORDER BY norm, rank"
_OWN = f"SELECT file, rank, norm FROM claims WHERE file {_IN} AND rank <= {STEM}"
_STEMS = f"SELECT norm, count(*) FROM claims WHERE norm {_IN} AND rank = {STEM} GROUP BY norm"
_TWINS = f"SELECT min(file) FROM claims WHERE norm {_IN} AND rank = {STEM} AND NOT file {_IN} GROUP BY norm HAVING count(*) = 1"


class Names:
    """The names of notes; everything here is to be called inside the transaction that changes the notes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, files: Sequence[tuple[int, StoredNote]]) -> set[str]:
        """Replace the claims of these files; returns the normal forms whose meaning may be another now."""
        numbers = [number for number, _ in files]
        affected = self.withdraw(numbers)
        with self._database.atomic() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO claims (norm, rank, file, text) VALUES (?, ?, ?, ?)",
                [(norm, rank, number, text) for number, item in files for norm, rank, text in _claims(item)],
            )
        return affected | self._touched(numbers)

    def withdraw(self, files: Sequence[int]) -> set[str]:
        """Forget the claims of these files; returns the normal forms whose meaning may be another now."""
        affected = self._touched(files)
        if affected:
            with self._database.atomic() as connection:
                connection.execute(f"DELETE FROM claims WHERE file {_IN}", (_json(files),))
        return affected

    def _touched(self, files: Sequence[int]) -> set[str]:
        """What these files claim, and what the one other note claims that has the same file name as one of them."""
        wanted = _json(files)
        rows = self._database.rows(f"SELECT norm, rank FROM claims WHERE file {_IN}", (wanted,))
        stems = _json([norm for norm, rank in rows if rank == STEM])
        twins = [file for (file,) in self._database.rows(_TWINS, (stems, wanted))]
        others = self._database.rows(f"SELECT norm FROM claims WHERE file {_IN}", (_json(twins),)) if twins else []
        return {norm for norm, _ in rows} | {norm for (norm,) in others}

    def canonical(self, norms: Collection[str]) -> dict[str, str]:
        """The canonical name of each normal form; itself where it means no note."""
        bearers = self.bearers(norms)
        own = self._canonical_of(set(bearers.values()))
        return {norm: own.get(bearers[norm], norm) if norm in bearers else norm for norm in norms}

    def bearers(self, norms: Collection[str]) -> dict[str, int]:
        """The file that each normal form means, of those that mean one."""
        strongest: dict[str, tuple[int, int]] = {}
        for norm, _, file, count in self._database.rows(_STRONGEST, (_json(list(norms)),)):
            strongest.setdefault(norm, (file, count))
        return {norm: file for norm, (file, count) in strongest.items() if count == 1}

    def _canonical_of(self, files: set[int]) -> dict[int, str]:
        if not files:
            return {}
        own: dict[int, dict[int, str]] = {}
        for file, rank, norm in self._database.rows(_OWN, (_json(list(files)),)):
            own.setdefault(file, {})[rank] = norm
        stems: dict[str, int] = dict(self._database.rows(_STEMS, (_json([names[STEM] for names in own.values() if STEM in names]),)))
        chosen = {file: names.get(STEM if stems.get(names.get(STEM, "")) == 1 else PATH) for file, names in own.items()}
        return {file: name for file, name in chosen.items() if name is not None}


def _claims(item: StoredNote) -> Iterator[tuple[str, int, str]]:
    path = item.state.path[:-3] if item.state.path.lower().endswith(".md") else item.state.path
    parts = path.split("/")
    yield from _claim(path, PATH)
    yield from _claim(parts[-1], STEM)
    yield from _claim(item.note.title, TITLE)
    for alias in item.note.front.aliases[:MOST_ALIASES]:
        yield from _claim(alias, ALIAS)
    for start in range(max(1, len(parts) - _DEEPEST), len(parts) - 1):
        yield from _claim("/".join(parts[start:]), TAIL)


def _claim(text: str, rank: int) -> Iterator[tuple[str, int, str]]:
    text = wellformed(text)
    if norm := normal_name(text):
        yield norm, rank, text


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
