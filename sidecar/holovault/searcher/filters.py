"""From what a query says to what the store selects by: alternatives, calendar days and "within" become plain conditions.

Must not decide what a filter matches; the store does.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from functools import reduce
from itertools import product

import numpy as np

from holovault.query import Filters
from holovault.searcher.facts import allowed_facts, without_facts
from holovault.store import ChunkFilter, FileQuery, Property, Store

DAY = len("2026-01-01")


def select(store: Store, filters: Filters, now: datetime, zone: tzinfo | None) -> ChunkFilter | None:
    """The chunks whose notes pass, None where all do, and of them the facts that were asked for.

    `now` is aware; `zone` is the reader's, None the system's.
    """
    if filters.empty:
        return None
    allowed = reduce(_either, (store.filter(query) for query in file_queries(filters, now, zone)))
    if filters.facts is not None:
        allowed = ChunkFilter(np.intersect1d(allowed.ids, allowed_facts(store, filters.facts).ids))
    if filters.excluded is not None and filters.excluded.facts is not None:
        allowed = without_facts(store, allowed, filters.excluded.facts)
    return allowed


def file_queries(filters: Filters, now: datetime, zone: tzinfo | None) -> Iterator[FileQuery]:
    """Conditions of which a note must meet one: several paths or file names are alternatives."""
    excluded = (
        None if filters.excluded is None else _query(filters.excluded, filters.excluded.paths, filters.excluded.files, now, zone, None)
    )
    for path, file in product(_alternatives(filters.paths), _alternatives(filters.files)):
        yield _query(filters, path, file, now, zone, excluded)


def _alternatives(values: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((one,) for one in values) or ((),)


def _query(
    filters: Filters, paths: tuple[str, ...], files: tuple[str, ...], now: datetime, zone: tzinfo | None, excluded: FileQuery | None
) -> FileQuery:
    return FileQuery(
        paths=paths,
        folders=filters.folders,
        files=files,
        tags=filters.tags,
        properties=tuple(Property(item.key, item.value) for item in filters.properties),
        projects=filters.projects,
        tiers=filters.tiers,
        after=_after(filters, now, zone),
        before=None if filters.before is None else _instant(filters.before, zone),
        title_terms=filters.in_title,
        excluded=excluded,
    )


def _after(filters: Filters, now: datetime, zone: tzinfo | None) -> str | None:
    """The later of `after:` and the begin of `within:`."""
    begins = [] if filters.after is None else [_instant(filters.after, zone)]
    if filters.within_days is not None:
        begins.append(_utc(now - timedelta(days=filters.within_days)))
    return max(begins, default=None)


def _instant(text: str, zone: tzinfo | None) -> str:
    """A calendar day as the instant at which it begins where the reader is."""
    if len(text) > DAY:
        return text
    day = datetime.fromisoformat(text)
    try:
        return _utc(day.astimezone() if zone is None else day.replace(tzinfo=zone))
    except (OverflowError, OSError):
        return f"{text}T00:00:00Z"


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def _either(one: ChunkFilter, other: ChunkFilter) -> ChunkFilter:
    return ChunkFilter(np.union1d(one.ids, other.ids))
