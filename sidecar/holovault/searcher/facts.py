"""Facts among the passages: what a hit says of them, and which ones a query's filters allow.

Owns the way from a stored fact to ranking and to a hit. Must not rank.
"""

import numpy as np

from holovault.lexemes import fold
from holovault.model import FactRef
from holovault.query import FactConditions
from holovault.store import ChunkFilter, ChunkRow, FactRow, Store


def fact_ref(fact: FactRow) -> FactRef:
    """What a hit says of a fact."""
    return FactRef(fact.id, fact.trust, fact.line.category)


def fact_tags(row: ChunkRow, fact: FactRow) -> tuple[str, ...]:
    """A fact's own tags and those that the front matter gives the whole note; not the tags of its neighbours."""
    return tuple({fold(tag): tag for tag in (*fact.line.tags, *row.front.tags)}.values())


def own_date(fact: FactRow) -> str | None:
    """`created::` as an ISO 8601 time; None where the fact has no date and does not age."""
    written = fact.line.created
    return None if written is None else written.upper().replace(" +", "+").replace(" -", "-").replace(" Z", "Z")


def allowed_facts(store: Store, wanted: FactConditions) -> ChunkFilter:
    """The chunks of the facts that meet all conditions; several ids or categories are alternatives."""
    return ChunkFilter.of([row.chunk for row in store.facts.all() if _meets(row, wanted)])


def without_facts(store: Store, allowed: ChunkFilter, unwanted: FactConditions) -> ChunkFilter:
    """The chunks of `allowed` but for facts that meet any one of the conditions."""
    out = [row.chunk for row in store.facts.all() if _meets_any(row, unwanted)]
    return ChunkFilter(np.setdiff1d(allowed.ids, np.array(out, dtype=np.int64)))


def newest_facts(store: Store, allowed: ChunkFilter, limit: int) -> list[ChunkRow]:
    """The `limit` facts with the latest dates, those without one last."""
    rows = [row for row in store.facts.all() if row.chunk in allowed]
    rows.sort(key=lambda row: row.line.created or "", reverse=True)
    return store.notes.chunk_rows([row.chunk for row in rows[:limit]])


def _meets(row: FactRow, wanted: FactConditions) -> bool:
    low, high = wanted.trust
    return (
        low <= row.trust <= high
        and (not wanted.ids or "any" in wanted.ids or row.id in wanted.ids)
        and (not wanted.categories or _folded(row.line.category) in map(_folded, wanted.categories))
    )


def _meets_any(row: FactRow, unwanted: FactConditions) -> bool:
    return row.id in unwanted.ids or "any" in unwanted.ids or _folded(row.line.category) in map(_folded, unwanted.categories)


def _folded(name: str) -> str:
    return " ".join(fold(name).split())
