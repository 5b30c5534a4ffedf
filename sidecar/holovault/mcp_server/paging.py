"""Cursors: where a search goes on. Opaque to an agent; a cursor of another search or a damaged one is refused. Pure."""

import base64
import binascii
import hashlib
from dataclasses import dataclass

import msgspec

from holovault.errors import UsageError


@dataclass(frozen=True, slots=True)
class Cursor:
    """`offset` hits were shown of the search `digest`, when the index had `generation`."""

    generation: int
    offset: int
    digest: str

    def text(self) -> str:
        """The cursor as the agent passes it back."""
        return base64.urlsafe_b64encode(msgspec.msgpack.encode(self)).decode("ascii").rstrip("=")


def digest_of(query: str, mode: str) -> str:
    """What makes two searches the same one: 8 hex digits."""
    return hashlib.sha256(f"{mode}\n{query}".encode("utf-8", "surrogatepass")).hexdigest()[:8]


def cursor_from(text: str | None, digest: str) -> Cursor | None:
    """The cursor that `text` is, null for none. Raises UsageError where it is none, or that of another search."""
    if not text:
        return None
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        cursor = msgspec.msgpack.decode(raw, type=Cursor)
    except (msgspec.DecodeError, binascii.Error, ValueError):
        raise UsageError("cursor is not one that search gave: leave it out to begin anew.") from None
    if cursor.digest != digest or cursor.offset < 0:
        raise UsageError("cursor belongs to another search: repeat the same query, mode and filters, or leave it out.")
    return cursor
