"""Dates in filters: normalised text, or None for what is not a date. Must not read a clock or know a time zone."""

import re
from datetime import UTC, date, datetime

_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})")
_SPAN = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)([hdwmy])", re.IGNORECASE)
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0, "m": 30.0, "y": 365.0}
_MOST_DAYS = 36_500.0


def moment(value: str) -> str | None:
    """`YYYY-MM-DD` for a year, month or day (its first day), `YYYY-MM-DDTHH:MM:SSZ` for an RFC 3339 date-time; else None."""
    day = _DAY.fullmatch(value)
    try:
        if day:
            return date(int(day[1]), int(day[2] or 1), int(day[3] or 1)).isoformat()
        if _INSTANT.fullmatch(value):
            instant = datetime.fromisoformat(value.upper()).astimezone(UTC)
            return instant.replace(microsecond=0, tzinfo=None).isoformat() + "Z"
    except (ValueError, OverflowError):
        return None
    return None


def days(value: str) -> float | None:
    """Days of a span such as `36h`, `14d`, `2w`, `3m` (30 days) or `1y` (365); None unless in (0, 36500]."""
    span = _SPAN.fullmatch(value)
    number = float(span[1]) * _DAYS[span[2].lower()] if span else 0.0
    return number if 0 < number <= _MOST_DAYS else None
