"""Small words and numbers of the page: shares, dates, ages, the colour of a category.

Pure: text and numbers in, text out; `age` is told what day it is.
"""

import hashlib
import re
from datetime import date

_WIKILINK = re.compile(r"\[\[([^\]|\n]*)(?:\|([^\]\n]*))?\]\]")
HUES = 8
"""Colours of categories that the style sheet has."""


def percent(share: float) -> str:
    """`0.655` as `66 %`."""
    return f"{share * 100:.0f} %"


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 fact`, `2 facts`, `1,200 facts`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def hue(name: str) -> int:
    """The number of a category's colour: the same for the same name on every machine."""
    return hashlib.sha256(name.casefold().encode()).digest()[0] % HUES


def plain(text: str) -> str:
    """`[[Note|alias]]` as readers see it."""
    return _WIKILINK.sub(lambda link: link[2] or link[1], text)


def when(stamp: str) -> str:
    """An RFC 3339 time to the minute, or a date as it is."""
    return stamp[:16].replace("T", " ")


def age(stamp: str | None, today: date) -> str:
    """How long ago a date or time was, in words; "" where it is none."""
    try:
        days = (today - date.fromisoformat((stamp or "")[:10])).days
    except ValueError:
        return ""
    if days <= 0:
        return "today"
    for size, name in ((365, "year"), (30, "month"), (7, "week")):
        if days >= size:
            return f"{plural(days // size, name)} ago"
    return f"{plural(days, 'day')} ago"
