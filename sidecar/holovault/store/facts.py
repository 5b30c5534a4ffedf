"""Facts and votes of the index.

Owns `facts` (one row for each chunk that is a fact) and `votes` (one row for each line of a feedback note), and the trust that
follows from both at reading, so that neither depends on which note was indexed first. Must not change notes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from holovault.facts import derived_id, device_of, trust_of_line
from holovault.model import DEFAULT_TRUST, FactLine
from holovault.store.database import Database, Row
from holovault.store.factkeys import conditions, keys_of
from holovault.store.texts import tag_keys, wellformed
from holovault.store.values import ChunkId, StoredNote

_PUT_FACT = (
    "INSERT OR REPLACE INTO facts (chunk, file, name, written, tag_keys, said, start, category, tags, entities, words, derived, own)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_PUT_VOTE = "INSERT INTO votes (file, line, fact, device, helpful, at) VALUES (?, ?, ?, ?, ?, ?)"
_ROWS = "SELECT a.chunk, a.name, a.written, f.path, f.hash, a.said FROM facts a JOIN files f ON f.id = a.file"
_TALLY = "SELECT fact, sum(helpful), sum(NOT helpful) FROM (SELECT DISTINCT fact, device, helpful, at FROM votes{}) GROUP BY fact"
_FIRST = (
    "SELECT a.name, f.path, json_extract(a.said, '$.start_line') FROM facts a JOIN files f ON f.id = a.file"
    " WHERE a.written AND a.name IN (SELECT name FROM facts{} GROUP BY name HAVING count(*) > 1) ORDER BY 2, 3"
)
_BY_TEXT = "SELECT 1 FROM votes WHERE fact >= '_' AND fact < '`' LIMIT 1"
_VOTED = "a.name IN (SELECT fact FROM votes) OR a.derived IN (SELECT fact FROM votes)"
_IN = "IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact as stored. `id` is derived from the text where none is `written`; `hash` is the note's, `trust` counts all votes: those
    for a written id, and those for the id derived from the text, which somebody may have used before one was written.

    `duplicate_of` is `path:line` of the first fact with the same written id, for every other one.
    """

    chunk: ChunkId
    id: str
    written: bool
    path: str
    hash: str
    line: FactLine
    helpful: int
    unhelpful: int
    trust: float
    duplicate_of: str | None = None

    @property
    def own_trust(self) -> float:
        """What the line says, .5 where it says nothing."""
        return DEFAULT_TRUST if self.line.trust is None else self.line.trust


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Facts that meet all of it; names are compared in their normal form, `tag` also finds the tags below it (`a` finds `a/b`).

    `path` is a note or a folder. Every word of `text` must be in the fact's text, category, tags or id.
    """

    category: str | None = None
    tag: str | None = None
    entity: str | None = None
    path: str | None = None
    min_trust: float = 0.0
    max_trust: float = 1.0
    text: str = ""


@dataclass(frozen=True, slots=True)
class VoteRow:
    """One vote that counts, and where it stands; `at` is as written there."""

    fact: str
    helpful: bool
    at: str
    path: str
    line: int


class Facts:
    """Every fact and every vote; reading is by id, by chunk or by filter, in the order of path and line."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, files: Sequence[tuple[int, StoredNote]], facts: Sequence[tuple[int, int, FactLine]]) -> None:
        """Take over what these notes say, instead of what they said; to be called inside the transaction that writes them.

        `facts` are chunk, file and line. Tags in the front matter are those of every fact of the note.
        """
        self.remove([number for number, _ in files])
        tags = {number: item.note.front.tags for number, item in files}
        with self._database.atomic() as connection:
            connection.executemany(_PUT_FACT, (_fact_row(chunk, file, line, tags[file]) for chunk, file, line in facts))
            connection.executemany(_PUT_VOTE, (row for number, item in files for row in _vote_rows(number, item)))

    def remove(self, files: Sequence[int]) -> None:
        """Forget what these notes said."""
        wanted = msgspec.json.encode(list(files)).decode()
        with self._database.atomic() as connection:
            connection.execute(f"DELETE FROM facts WHERE file {_IN}", (wanted,))
            connection.execute(f"DELETE FROM votes WHERE file {_IN}", (wanted,))

    def by_id(self, name: str) -> list[FactRow]:
        """The facts with this id, `^` and case apart: none, one, or several where it was copied."""
        key = name.strip().removeprefix("^").lower()
        return self._select("a.name = ?", (key,))

    def of(self, chunks: Iterable[ChunkId]) -> dict[ChunkId, FactRow]:
        """Those of the chunks that are facts."""
        return {row.chunk: row for row in self._those(list(chunks))}

    def all(self) -> list[FactRow]:
        """Every fact."""
        return self._select()

    def find(self, wanted: FactFilter) -> list[FactRow]:
        """The facts that meet a filter."""
        return self.page(wanted, 0, None)[1]

    def page(self, wanted: FactFilter, offset: int, limit: int | None) -> tuple[int, list[FactRow]]:
        """How many facts meet a filter, and those of one page of them."""
        found = self._database.rows(*_meeting(wanted))
        # where nobody voted the line alone makes the trust; where somebody did, only all votes together tell it
        trusts = {chunk: float(own) for chunk, own, _ in found}
        trusts |= {row.chunk: row.trust for row in self._those([chunk for chunk, _, voted in found if voted])}
        met = [chunk for chunk, trust in trusts.items() if wanted.min_trust <= trust <= wanted.max_trust]
        return len(met), self._those(met[offset : None if limit is None else offset + limit])

    def _those(self, chunks: Sequence[int]) -> list[FactRow]:
        return self._select(f"a.chunk {_IN}", (msgspec.json.encode(chunks).decode(),)) if chunks else []

    def duplicates(self) -> dict[str, list[FactRow]]:
        """Written ids that stand at more than one fact, with all of these."""
        names = "SELECT name FROM facts WHERE written GROUP BY name HAVING count(*) > 1"
        found: dict[str, list[FactRow]] = {}
        for row in self._select(f"a.name IN ({names})"):
            found.setdefault(row.id, []).append(row)
        return found

    def ids(self) -> frozenset[str]:
        """Every written id, and every id that was ever voted on."""
        return frozenset(name for (name,) in self._database.rows("SELECT name FROM facts WHERE written UNION SELECT fact FROM votes"))

    def votes(self, *names: str) -> list[VoteRow]:
        """The votes that count, for any of these ids or all, in the order of their times as text; of the same line twice the first."""
        keys = msgspec.json.encode([name.strip().removeprefix("^").lower() for name in names]).decode()
        where, values = (f"WHERE v.fact {_IN}", (keys,)) if names else ("", ())
        rows = self._database.rows(
            f"SELECT v.fact, v.helpful, v.at, f.path, v.line, v.device FROM votes v JOIN files f ON f.id = v.file {where}"
            " ORDER BY v.at, f.path, v.line",
            values,
        )
        first: dict[tuple[Any, ...], VoteRow] = {}
        for fact, helpful, at, path, line, device in rows:
            first.setdefault((fact, device, helpful, at), VoteRow(fact, bool(helpful), at, path, line))
        return list(first.values())

    def _select(self, where: str = "", values: tuple[str, ...] = ()) -> list[FactRow]:
        rows = self._database.rows(f"{_ROWS} WHERE {where}" if where else _ROWS, values)
        lines = [msgspec.json.decode(row[-1], type=FactLine) for row in rows]
        by_text = bool(self._database.rows(_BY_TEXT))
        names = [_names(row, line) if by_text else (row[1],) for row, line in zip(rows, lines, strict=True)]
        asked = msgspec.json.encode([name for both in names for name in both]).decode() if where else None
        tallies = {fact: (helpful, unhelpful) for fact, helpful, unhelpful in self._of_names(_TALLY, "fact", asked)}
        first: dict[str, tuple[str, int]] = {}
        for name, path, start in self._of_names(_FIRST, "name", asked):
            first.setdefault(name, (path, start))
        found = [
            _row(row, line, _sum(tallies.get(name, (0, 0)) for name in own), first.get(row[1]))
            for row, line, own in zip(rows, lines, names, strict=True)
        ]
        return sorted(found, key=lambda row: (row.path, row.line.start_line, row.chunk))

    def _of_names(self, query: str, column: str, names: str | None) -> list[Row]:
        """The query for all facts, or for those with these names."""
        if names is None:
            return self._database.rows(query.format(""))
        return self._database.rows(query.format(f" WHERE {column} {_IN}"), (names,)) if names != "[]" else []


def _names(row: Row, line: FactLine) -> tuple[str, ...]:
    """The ids under which votes for a fact may stand."""
    name, written = row[1:3]
    return (name, derived_id(line.text)) if written else (name,)


def _sum(tallies: Iterable[tuple[int, int]]) -> tuple[int, int]:
    helpful, unhelpful = zip(*tallies, strict=True)
    return sum(helpful), sum(unhelpful)


def _row(row: Row, line: FactLine, tally: tuple[int, int], first: tuple[str, int] | None) -> FactRow:
    chunk, name, written, path, digest, _ = row
    copied = written and first is not None and first != (path, line.start_line)
    duplicate = f"{first[0]}:{first[1]}" if copied and first is not None else None
    return FactRow(ChunkId(chunk), name, bool(written), path, digest, line, *tally, trust_of_line(line, *tally), duplicate)


def _fact_row(chunk: int, file: int, line: FactLine, tags: Sequence[str]) -> tuple[Any, ...]:
    said = msgspec.json.encode(line).decode()
    keys, name = wellformed(tag_keys((*line.tags, *tags))), wellformed(line.id or derived_id(line.text))
    return chunk, file, name, line.id is not None, keys, said, *keys_of(line, name)


def _meeting(wanted: FactFilter) -> tuple[str, tuple[str, ...]]:
    """The query for the facts that meet all but trust, by path and line, and its values: chunk, trust of the line, whether votes count."""
    asked = list(conditions(wanted.category, wanted.tag, wanted.entity, wanted.path, wanted.text))
    where = " AND ".join(("1", *(condition for condition, _ in asked)))
    voted = "0" if (wanted.min_trust, wanted.max_trust) == (0.0, 1.0) else _VOTED
    query = f"SELECT a.chunk, a.own, {voted} FROM facts a JOIN files f ON f.id = a.file WHERE {where} ORDER BY f.path, a.start, a.chunk"
    return query, tuple(value for _, values in asked for value in values)


def _vote_rows(file: int, item: StoredNote) -> Iterator[tuple[Any, ...]]:
    device = wellformed(device_of(item.state.path.rpartition("/")[2].removesuffix(".md")))
    for vote in item.note.votes:
        yield file, vote.line, vote.fact, device, vote.helpful, vote.at
