"""Times of exports as RFC 3339 UTC seconds. Pure; never asks for the machine's zone or clock.

A time without zone is UTC. What is no time, or lies before 2000 or after 2200, is None: a made-up date is worse than none.
"""

from datetime import UTC, datetime


def utc(value: object) -> str | None:
    """`2026-03-29T07:06:34Z` of ISO text or of seconds since 1970."""
    try:
        if isinstance(value, bool):
            return None
        if isinstance(value, int | float):
            moment = datetime.fromtimestamp(value, UTC)
        elif isinstance(value, str):
            moment = datetime.fromisoformat(value.strip())
        else:
            return None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    if not 2000 <= moment.year <= 2200:
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def day(moment: str | None) -> str | None:
    """The calendar day of such a time."""
    return moment[:10] if moment else None


def shown(moment: str) -> str:
    """The time as a heading has it: `2026-03-29 07:06Z`."""
    return f"{moment[:10]} {moment[11:16]}Z"
