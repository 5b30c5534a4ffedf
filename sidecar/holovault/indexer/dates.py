"""Dates of a note as RFC 3339 UTC.

Owns what `modified` and `created` mean: front matter first, then the import date, then the file's
mtime. A date alone is a calendar day in the given zone. Must not read the clock.
"""

from datetime import UTC, datetime, tzinfo

from holovault.model import FrontMatter


def moment(text: str, zone: tzinfo | None) -> datetime | None:
    """Read an ISO 8601 date or time; None where it is neither. `zone` None is the system's own."""
    text = text.strip()
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    try:
        if parsed.tzinfo is None:
            parsed = parsed.replace(tzinfo=zone) if zone else parsed.astimezone()
        return parsed.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        return None


def rfc3339(value: datetime) -> str:
    """Seconds precision, `Z` for UTC."""
    return value.astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")


def modified(front: FrontMatter, mtime_ns: int, zone: tzinfo | None) -> str:
    """The note's date of change: front matter, else import date, else mtime."""
    for text in (front.modified, front.imported):
        if text and (found := moment(text, zone)):
            return rfc3339(found)
    try:
        return rfc3339(datetime.fromtimestamp(mtime_ns / 1e9, UTC))
    except (OverflowError, ValueError, OSError):
        return "1970-01-01T00:00:00Z"


def created(front: FrontMatter, zone: tzinfo | None) -> str | None:
    """The note's own date of creation, where it states one that can be read."""
    found = moment(front.created, zone) if front.created else None
    return rfc3339(found) if found else None
