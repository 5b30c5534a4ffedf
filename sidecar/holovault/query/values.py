"""Values of a parsed query. Must not parse."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Property:
    """Front matter that has `key`, and `value` there if it is not None. Both as typed; compare them folded."""

    key: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on a note, all as typed in NFC; tags without `#`, folders without outer slashes, folded.

    Values of one kind are alternatives for paths, folders, files, projects and tiers (a note has one
    of each) and all required for tags and properties (a note has many). A note matches
    `after <= modified < before`: each is a calendar day `YYYY-MM-DD` in the reader's zone or an
    instant `YYYY-MM-DDTHH:MM:SSZ`. With `facts` only facts match. `in_title` are stems that the title must contain. A note that
    matches any one value of `excluded` is out.
    """

    paths: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    properties: tuple[Property, ...] = ()
    projects: tuple[str, ...] = ()
    tiers: tuple[int, ...] = ()
    after: str | None = None
    before: str | None = None
    within_days: float | None = None
    in_title: tuple[str, ...] = ()
    excluded: "Filters | None" = None
    facts: "FactConditions | None" = None

    @property
    def empty(self) -> bool:
        """Whether every note matches."""
        return self == Filters()


@dataclass(frozen=True, slots=True)
class FactConditions:
    """Conditions that only facts can meet: one of the ids (`any`: every fact), one of the categories, and trust within both bounds."""

    ids: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    trust: tuple[float, float] = (0.0, 1.0)

    @property
    def empty(self) -> bool:
        """Whether nothing is asked of facts."""
        return self == FactConditions()


@dataclass(frozen=True, slots=True)
class Query:
    """A query understood.

    `text` is what was typed. `words` is the free text for an embedder: phrases without quotes, no
    filters, no excluded words. `terms` are at most 64 different stems of words and phrases, function
    words only if there is nothing else. `phrases` must occur and `excluded` must not, both as typed:
    ask `phrase_in`. `prefix` is the folded word still being typed, if any.
    """

    text: str
    words: str
    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    excluded: tuple[str, ...]
    prefix: str | None
    filters: Filters
