"""Scanning: a query's characters into items. Must not judge whether a filter's value makes sense."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_QUOTED = r"\"[^\"]{0,1000}\"|“[^“”]{0,1000}”"
_ITEM = re.compile(
    rf"""
      (?P<phrase>-?(?:{_QUOTED}))
    | (?P<property>-?\[ (?P<key>{_QUOTED}|[^\s\[\]:"][^\[\]:"]{{0,99}}) (?P<colon>:(?:{_QUOTED}|[^\[\]"]{{0,400}}))? \](?!\S) )
    | (?P<filter>-?(?P<name>[A-Za-z]{{2,10}}):(?P<value>(?:{_QUOTED})(?!\S)|\S+))
    | (?P<tag>-?\#\S+)
    | (?P<word>\S+)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Item:
    """One item: `kind` is phrase, property, filter, tag or word; `source` the exact characters without the `-` of `negated`.

    `name` and `value` are set for filters and properties, `value` also for phrases and tags; None means "not given".
    """

    kind: str
    source: str
    negated: bool
    name: str = ""
    value: str | None = None


def scan(text: str) -> Iterator[Item]:
    """The items of a query in order; whitespace separates them, and a closing quote ends one. Any text has a reading."""
    for match in _ITEM.finditer(text):
        kind = match.lastgroup if match.lastgroup in {"phrase", "tag", "word"} else "property" if match["property"] else "filter"
        source = match[0]
        negated = len(source) > 1 and source[0] == "-" and source[1] != "-"
        source = source[1:] if negated else source
        match kind:
            case "phrase":
                yield Item(kind, source, negated, value=source[1:-1])
            case "tag":
                yield Item(kind, source, negated, value=source[1:])
            case "property":
                value = unquoted(match["colon"][1:]) if match["colon"] else None
                yield Item(kind, source, negated, unquoted(match["key"]), value)
            case "filter":
                yield Item(kind, source, negated, match["name"].lower(), unquoted(match["value"]))
            case _:
                yield Item("word", source, negated)


def unquoted(value: str) -> str:
    """The value without the quotes around it and without outer whitespace."""
    quoted = len(value) > 1 and value[0] + value[-1] in {'""', "“”"}
    return (value[1:-1] if quoted else value).strip()
