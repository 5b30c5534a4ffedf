"""Filters of a search tool as the filters of a query. Must not drop one in silence: what would be read as words is refused."""

import re
from collections.abc import Iterable

from holovault.errors import UsageError
from holovault.query import dates
from holovault.query.filters import FilterSet, take
from holovault.query.scan import scan

_SPACE = re.compile(r"\s+")


def composed(
    query: str,
    *,
    path: str | None = None,
    project: str | None = None,
    tier: int | None = None,
    tags: Iterable[str] = (),
    after: str | None = None,
    before: str | None = None,
) -> str:
    """The query as it is asked: filters first, so that no open quote of the words can swallow one; the last word is a whole word.

    Raises UsageError for a filter that would be read as something else.
    """
    filters = [
        *_quoted("path", path),
        *_quoted("project", project),
        *([f"tier:{tier}"] if tier is not None else []),
        *(_tag(tag) for tag in tags),
        *_date("after", after),
        *_date("before", before),
    ]
    return " ".join((*filters, query.strip(), ""))


def _quoted(name: str, value: str | None) -> list[str]:
    if value is None:
        return []
    text = f'{name}:"{_SPACE.sub(" ", value).strip()}"'
    _check(text, name, value)
    return [text]


def _tag(tag: str) -> str:
    text = f"tag:{tag.strip().removeprefix('#')}"
    _check(text, "tags", tag)
    return text


def _date(name: str, value: str | None) -> list[str]:
    if value is None:
        return []
    if dates.moment(value.strip()) is None:
        raise UsageError(f"{name} is {value[:40]!r}: give a day as 2026-05-24 or an instant as 2026-05-24T10:00:00Z.")
    return [f"{name}:{value.strip()}"]


def _check(text: str, name: str, value: str) -> None:
    items = list(scan(text))
    if len(items) != 1 or items[0].kind != "filter" or not take(items[0], FilterSet()):
        raise UsageError(
            f"{name} cannot be {value[:80]!r}: quotes have no place in a path or project, and a tag is one word without punctuation."
        )
