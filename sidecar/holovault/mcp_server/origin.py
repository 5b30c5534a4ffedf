"""Whose words a passage is, in a few words. Must not trust what a note says of itself beyond naming it."""

from urllib.parse import urlsplit

from holovault.mcp_server.boundary import name

_LONGEST = 60


def origin_of(tier: int, source: str | None) -> str:
    """For tier 1 the person's own note, for tier 2 raw material; a `source:` in the front matter is named, an address by its host."""
    said = _said(source)
    if tier == 1:
        return f"note, taken from {said}" if said else "own note"
    return f"raw material from {said}" if said else "raw material"


def _said(source: str | None) -> str:
    text = name((source or "").strip())
    try:
        host = urlsplit(text).hostname
    except ValueError:
        host = None
    return (host or text)[:_LONGEST]
