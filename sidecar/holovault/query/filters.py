"""Filters: which items of a query are conditions. Must not decide what happens to items that are not."""

import re
import unicodedata
from dataclasses import dataclass, field

from holovault.lexemes import fold
from holovault.query.dates import days, moment
from holovault.query.scan import Item
from holovault.query.values import FactConditions, Filters, Property

_QUOTE = re.compile('["“”]')
_TIER = re.compile("[1-9][0-9]?")
_TRUST = re.compile(r"([<>]?)=?(\d(?:[.,]\d{0,6})?|[.,]\d{1,6})")
_NUMBER = re.compile("[0-9/]*")
_TAG_END = re.compile(r"[.,;:!?)\]}»”…/]+$")
_NOT_IN_TAG = re.compile(r"[\s#\"'`()\[\]{}<>,;:!?*%$^&=|\\@~+.]")


@dataclass(slots=True)
class FilterSet:
    """Filters of one sign being gathered, without duplicates and in the order typed."""

    paths: dict[str, None] = field(default_factory=dict)
    folders: dict[str, None] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)
    tags: dict[str, None] = field(default_factory=dict)
    properties: dict[Property, None] = field(default_factory=dict)
    projects: dict[str, None] = field(default_factory=dict)
    tiers: dict[int, None] = field(default_factory=dict)
    after: str | None = None
    before: str | None = None
    within_days: float | None = None
    facts: dict[str, None] = field(default_factory=dict)
    categories: dict[str, None] = field(default_factory=dict)
    trust: tuple[float, float] = (0.0, 1.0)

    def frozen(self, in_title: tuple[str, ...] = (), excluded: Filters | None = None) -> Filters:
        """The gathered filters as a value."""
        facts = FactConditions(tuple(self.facts), tuple(self.categories), self.trust)
        return Filters(
            tuple(self.paths),
            tuple(self.folders),
            tuple(self.files),
            tuple(self.tags),
            tuple(self.properties),
            tuple(self.projects),
            tuple(self.tiers),
            self.after,
            self.before,
            self.within_days,
            in_title,
            excluded if excluded and not excluded.empty else None,
            None if facts.empty else facts,
        )


def take(item: Item, into: FilterSet) -> bool:
    """Add the item's condition, or say False: it is none, or its value makes no sense. Times cannot be negated; the last one counts."""
    value = _plain(item.value or "")
    if _QUOTE.search(value):
        return False
    match item.kind, item.name:
        case "property", _:
            return _take_property(item, into)
        case ("tag", _) | ("filter", "tag"):
            return _take_tag(value, into)
        case "filter", "path":
            return _add(into.paths, value.replace("\\", "/"))
        case "filter", "folder":
            return _add(into.folders, value.replace("\\", "/").strip("/"))
        case "filter", "file":
            return _add(into.files, value)
        case "filter", "project":
            return _add(into.projects, value)
        case "filter", "tier":
            return _take_tier(value, into)
        case "filter", "fact":
            return _add(into.facts, value.removeprefix("^").lower())
        case "filter", "category":
            return _add(into.categories, value)
        case "filter", "trust":
            return not item.negated and _take_trust(value, into)
        case "filter", ("after" | "before" | "within"):
            return not item.negated and _take_time(item.name, value, into)
    return False


def _plain(value: str) -> str:
    return unicodedata.normalize("NFC", value).strip()


def _add(values: dict[str, None], value: str) -> bool:
    if value:
        values[value] = None
    return bool(value)


def _take_tag(value: str, into: FilterSet) -> bool:
    """Obsidian's tags: no spaces or punctuation but `-`, `_` and `/`, and not a number alone (help.obsidian.md/tags)."""
    tag = _TAG_END.sub("", value.removeprefix("#"))
    if _NUMBER.fullmatch(tag) or _NOT_IN_TAG.search(tag):
        return False
    return _add(into.tags, fold(tag.strip("/")))


def _take_property(item: Item, into: FilterSet) -> bool:
    """`[key]` alone must be one word, and not the `[x]` of a task: brackets are also just brackets."""
    key, value = _plain(item.name), _plain(item.value or "")
    bare = item.value is None
    if not key or (bare and (" " in key or key in {"x", "X", "-"})):
        return False
    into.properties[Property(key, value or None)] = None
    return True


def _take_tier(value: str, into: FilterSet) -> bool:
    if not _TIER.fullmatch(value):
        return False
    into.tiers[int(value)] = None
    return True


def _take_trust(value: str, into: FilterSet) -> bool:
    """`0.6` and `>0.6` are at least that, `<0.4` at most that."""
    match = _TRUST.fullmatch(value)
    if match is None or (bound := float(match[2].replace(",", "."))) > 1:
        return False
    low, high = into.trust
    into.trust = (low, bound) if match[1] == "<" else (bound, high)
    return True


def _take_time(name: str, value: str, into: FilterSet) -> bool:
    if name == "within":
        span = days(value)
        into.within_days = span or into.within_days
        return span is not None
    when = moment(value)
    if when and name == "after":
        into.after = when
    elif when:
        into.before = when
    return when is not None
