"""Questions about what chunks state.

Owns the way from rows to values: entities, who states what, who stands together. Writes nothing and does no algebra.
"""

from collections.abc import Collection, Iterable, Sequence
from math import log

import msgspec
import numpy as np

from holovault.lexemes import normal_name
from holovault.model import Filler
from holovault.store.database import Database
from holovault.store.structure.names import Names
from holovault.store.structure.values import Entity, Neighbour, Stated
from holovault.store.texts import target_key
from holovault.store.values import ChunkId, Int64

MOST_NEIGHBOURS = 2_000
"""Names that are weighed as neighbours, those of most common chunks first."""

_IN = "IN (SELECT value FROM json_each(?))"
_COUNTS = "SELECT t.canon, count(DISTINCT f.chunk) FROM terms t JOIN fillers f ON f.term = t.id WHERE t.role = ?"
_SPELLINGS = (
    "SELECT t.canon, t.text, (SELECT count(*) FROM fillers f WHERE f.term = t.id) FROM terms t"
    f" WHERE t.canon {_IN} AND t.norm = t.canon ORDER BY 3 DESC, 2"
)
_TOGETHER = (
    "SELECT t.canon, count(DISTINCT f.chunk) AS shared FROM fillers f JOIN terms t ON t.id = f.term WHERE t.role = ?1 AND t.canon <> ?2"
    " AND f.chunk IN (SELECT g.chunk FROM fillers g JOIN terms u ON u.id = g.term WHERE u.role = coalesce(?4, u.role) AND u.canon = ?2)"
    " GROUP BY t.canon ORDER BY shared DESC, t.canon LIMIT ?3"
)
_STATED = (
    "SELECT f.chunk, t.role, t.canon, t.text, f.weight FROM fillers f JOIN terms t ON t.id = f.term"
    f" WHERE f.chunk {_IN} ORDER BY f.chunk, f.place"
)


class Reading:
    """What the index knows of names. A `name` argument may be written in any way; it is resolved as `canonical` does."""

    def __init__(self, database: Database, names: Names) -> None:
        self._database = database
        self._names = names
        self._counted: dict[str, tuple[int, dict[str, int]]] = {}

    def canonical(self, name: str) -> str:
        """The canonical name that a name as written, an alias, a title or a path of a note means; "" where nothing is visible.

        A name that no chunk states and no note bears is its own normal form.
        """
        norm = normal_name(name)
        return self._names.canonical({norm})[norm] if norm else ""

    def canonicals(self, norms: Collection[str]) -> dict[str, str]:
        """The canonical name of each normal form, all in one go."""
        return self._names.canonical(norms)

    def note_of(self, name: str) -> str | None:
        """The path of the note that a name means, or none."""
        return self._paths([normal_name(name)]).get(normal_name(name))

    def shown_as(self, words: str) -> tuple[str, ...]:
        """Canonical names of what links show under these words (`[[Note|words]]`), most frequent first: a hint, not a name of the note."""
        key = normal_name(words)
        rows = self._database.rows(
            "SELECT target, count(*) FROM links WHERE alias_key = ? AND target <> '' GROUP BY target ORDER BY 2 DESC, 1", (key,)
        )
        return tuple(dict.fromkeys(self.canonical(target_key(target)) for target, _ in rows))

    def counts(self, role: str = "entity") -> dict[str, int]:
        """Every canonical name stated in a role, with the number of chunks that state it: a codebook. Kept until the index changes."""
        generation, kept = self._database.generation, self._counted.get(role)
        if kept is not None and kept[0] == generation and not self._database.in_transaction:
            return kept[1]
        counted: dict[str, int] = dict(self._database.rows(f"{_COUNTS} GROUP BY t.canon", (role,)))
        if not self._database.in_transaction:
            self._counted = {key: value for key, value in self._counted.items() if value[0] == generation}
            self._counted[role] = (generation, counted)
        return counted

    def frequency(self, names: Sequence[str], role: str = "entity") -> dict[str, int]:
        """How many chunks state each of these canonical names in a role; those that none states are left out."""
        return dict(self._database.rows(f"{_COUNTS} AND t.canon {_IN} GROUP BY t.canon", (role, _json(names))))

    def roles(self) -> dict[str, int]:
        """Every role with the number of different canonical names in it."""
        return dict(
            self._database.rows(
                "SELECT role, count(DISTINCT canon) FROM terms WHERE EXISTS (SELECT 1 FROM fillers WHERE term = terms.id) GROUP BY role"
            )
        )

    def roles_of(self, name: str) -> dict[str, int]:
        """The roles in which a name is stated, with the number of chunks."""
        return dict(
            self._database.rows(
                "SELECT t.role, count(DISTINCT f.chunk) FROM terms t JOIN fillers f ON f.term = t.id WHERE t.canon = ? GROUP BY t.role",
                (self.canonical(name),),
            )
        )

    def entities(self, limit: int, role: str = "entity") -> list[Entity]:
        """The names stated in a role, those of most chunks first, equal ones by name."""
        counts = sorted(self.counts(role).items(), key=lambda item: (-item[1], item[0]))[:limit]
        return self.described(dict(counts))

    def described(self, counts: dict[str, int]) -> list[Entity]:
        """Canonical names (with their number of chunks) made presentable, in the same order."""
        paths, texts = self._paths(counts), self.texts(counts)
        return [Entity(name, texts[name], chunks, paths.get(name)) for name, chunks in counts.items()]

    def texts(self, names: Collection[str]) -> dict[str, str]:
        """How to show canonical names: the title of the note that bears it, else its most used spelling, else itself."""
        spellings: dict[str, str] = {}
        for name, text, _ in self._database.rows(_SPELLINGS, (_json(list(names)),)):
            spellings.setdefault(name, text)
        bearers = self._names.bearers(names)
        titles: dict[int, str] = dict(self._database.rows(f"SELECT id, title FROM files WHERE id {_IN}", (_json(list(bearers.values())),)))
        return {name: titles.get(bearers.get(name, 0)) or spellings.get(name, name) for name in names}

    def spellings(self, name: str) -> tuple[str, ...]:
        """Every way in which this name is known: as chunks write it, as its note is called, its aliases; sorted."""
        canon = self.canonical(name)
        written = [text for (text,) in self._database.rows("SELECT DISTINCT text FROM terms WHERE canon = ?", (canon,))]
        bearer = self._names.bearers([canon]).get(canon)
        claimed = self._database.rows("SELECT text FROM claims WHERE file = ? AND rank BETWEEN 1 AND 3", (bearer,))
        return tuple(sorted({*written, *(text for (text,) in claimed)}))

    def chunks_with(self, name: str, role: str | None = None) -> Int64:
        """Ids (n,), ascending, of the chunks that state a name, in one role or in any."""
        rows = self._database.rows(
            "SELECT DISTINCT f.chunk FROM terms t JOIN fillers f ON f.term = t.id WHERE t.canon = ?1 AND t.role = coalesce(?2, t.role)"
            " ORDER BY f.chunk",
            (self.canonical(name), role),
        )
        return np.fromiter((chunk for (chunk,) in rows), dtype=np.int64, count=len(rows))

    def fillers_of(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, tuple[Stated, ...]]:
        """What chunks state, as written and in order; chunks that state nothing, or are gone, are left out."""
        found: dict[ChunkId, list[Stated]] = {}
        for chunk, role, name, text, weight in self._database.rows(_STATED, (_json(chunks),)):
            found.setdefault(ChunkId(chunk), []).append(Stated(role, name, text, weight))
        return {chunk: tuple(stated) for chunk, stated in found.items()}

    def composed_of(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, tuple[Filler, ...]]:
        """What goes into the vectors of chunks: canonical names, each once per role with its largest weight, in order."""
        return {chunk: _composed(stated) for chunk, stated in self.fillers_of(chunks).items()}

    def neighbours(self, name: str, limit: int, role: str = "entity", own: str | None = "entity") -> list[Neighbour]:
        """Names in a role that stand together with this one in its `own` role (None: any), highest score first.

        The score counts common chunks, damped where a name is everywhere.
        """
        together: dict[str, int] = dict(self._database.rows(_TOGETHER, (role, self.canonical(name), MOST_NEIGHBOURS, own)))
        if not together:
            return []
        total = int(self._database.rows("SELECT count(*) FROM chunks")[0][0])
        counts = self.frequency(list(together), role)
        scores = {other: shared * log(max(1, total) / counts[other]) for other, shared in together.items()}
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        texts = self.texts([other for other, _ in best])
        return [Neighbour(other, texts[other], together[other], counts[other], score) for other, score in best]

    def _paths(self, names: Collection[str]) -> dict[str, str]:
        bearers = self._names.bearers(names)
        paths: dict[int, str] = dict(self._database.rows(f"SELECT id, path FROM files WHERE id {_IN}", (_json(list(bearers.values())),)))
        return {name: paths[file] for name, file in bearers.items() if file in paths}


def _composed(stated: Iterable[Stated]) -> tuple[Filler, ...]:
    weights: dict[tuple[str, str], int] = {}
    for one in stated:
        key = (one.role, one.name)
        weights[key] = max(one.weight, weights.get(key, 0))
    return tuple(Filler(role, name, weight) for (role, name), weight in weights.items())


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
