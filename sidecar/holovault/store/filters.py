"""Which chunks a query's filters allow.

Owns the translation of `FileQuery` into SQL over the folded columns of `files`; a fact's tags are its own. Values are bound, and
compared with `instr`: nothing that a person types is a wildcard.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from threading import Lock

import numpy as np

from holovault.store import texts
from holovault.store.database import Database
from holovault.store.texts import KEY_END, SEPARATOR
from holovault.store.values import ChunkFilter, FileQuery, Property

_KEPT = 8


@dataclass(frozen=True, slots=True)
class Condition:
    """One SQL condition on `files f` and `facts a` (the chunk's own, if it is one) and its values."""

    sql: str
    values: tuple[str | int | float, ...] = ()


def conditions(query: FileQuery) -> list[Condition]:
    """What a note must meet, one condition per value except for alternatives (folders, projects, tiers)."""
    found = [Condition("instr(f.path_key, ?) > 0", (texts.fold(part),)) for part in query.paths]
    found += [Condition("instr(f.name_key, ?) > 0", (texts.fold(part),)) for part in query.files]
    found += [Condition("instr(coalesce(a.tag_keys, f.tag_keys), ?) > 0", (texts.enclosed([texts.tag_key(tag)]),)) for tag in query.tags]
    found += [Condition("instr(f.property_keys, ?) > 0", (_property(wanted),)) for wanted in query.properties]
    found += [Condition("instr(' ' || f.title_terms || ' ', ?) > 0", (f" {term} ",)) for term in query.title_terms]
    found += _alternatives("substr(f.path_key, 1, {}) = ?", [texts.path_key(folder) for folder in query.folders])
    if query.projects:
        found.append(_one_of("f.project_key", [texts.path_key(project) for project in query.projects]))
    if query.tiers:
        found.append(_one_of("f.tier", query.tiers))
    return found + _dates(query)


def _alternatives(sql: str, folders: list[str]) -> list[Condition]:
    named = [folder + "/" for folder in folders if folder]  # the root holds every note
    if not named or len(named) < len(folders):
        return []
    return [Condition("(" + " OR ".join(sql.format(len(folder)) for folder in named) + ")", tuple(named))]


def _one_of(column: str, values: Iterable[str | int]) -> Condition:
    wanted = tuple(values)
    return Condition(f"coalesce({column} IN ({', '.join('?' * len(wanted))}), 0)", wanted)


def _dates(query: FileQuery) -> list[Condition]:
    found = []
    for sql, text in (("f.modified_at >= ?", query.after), ("f.modified_at < ?", query.before)):
        if text is not None:
            moment = texts.instant(text)
            # a date that is none can be met by no note
            found.append(Condition("0") if moment is None else Condition(f"coalesce({sql}, 0)", (moment,)))
    return found


def _property(wanted: Property) -> str:
    head = SEPARATOR + texts.one_line(texts.fold(wanted.key)) + KEY_END
    return head if wanted.value is None else head + texts.one_line(texts.fold(wanted.value)) + SEPARATOR


def filter_sql(query: FileQuery) -> Condition:
    """The statement that lists the ids of allowed chunks in one text with commas, and its values."""
    wanted = conditions(query)
    unwanted = [] if query.excluded is None else conditions(query.excluded)
    clauses = [condition.sql for condition in wanted] + [f"NOT {condition.sql}" for condition in unwanted]
    values = tuple(chain.from_iterable(condition.values for condition in (*wanted, *unwanted)))
    where = " AND ".join(clauses) or "1"
    tables = "files f CROSS JOIN chunks c ON c.file = f.id"
    if " a." in where or "(a." in where:
        tables += " LEFT JOIN facts a ON a.chunk = c.id"
    return Condition(f"SELECT group_concat(c.id) FROM {tables} WHERE {where}", values)


class Filters:
    """Evaluates filters, and remembers the last few until the index changes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._kept: OrderedDict[tuple[int, FileQuery], ChunkFilter] = OrderedDict()

    def __call__(self, query: FileQuery) -> ChunkFilter:
        """The chunks of the notes that meet `query`."""
        key = (self._database.generation, query)
        with self._lock:
            if key in self._kept and not self._database.in_transaction:
                self._kept.move_to_end(key)
                return self._kept[key]
        statement = filter_sql(query)
        # one row with all ids: fetching a hundred thousand rows costs more than finding them
        listed = self._database.rows(statement.sql, statement.values)[0][0]
        allowed = ChunkFilter(np.sort(np.fromstring(listed or "", dtype=np.int64, sep=",")))
        if not self._database.in_transaction:
            with self._lock:
                self._kept[key] = allowed
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
        return allowed
