"""Encoded data inside text: base64, hexadecimal, `data:` URIs.

Owns what counts as data instead of words: an unbroken run of 512 or more of `[A-Za-z0-9+/=_-]`, and a
`data:` URI. Data is kept in chunks but squeezed where a model reads. Must not weigh or cut.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

BLOB_LENGTH = 512
"""Code points from which a run of base64 characters is data."""

WHOLE_LENGTH = 1 << 16
"""Code points up to which a `data:` URI is never cut; in a longer one only its base64 run counts as data."""

SQUEEZED = "…"

_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
_RUN = re.compile(r"[A-Za-z0-9+/=_-]*")
_URI = re.compile(r"data:[a-z]+/[a-z0-9.+-]{1,80}[^,\s\"'<>()\[\]]{0,200},[^\s\"'<>()\[\]]*")


@dataclass(frozen=True, slots=True)
class Blob:
    """Code points `start`…`end` (exclusive) that are data; a `whole` one must not be cut."""

    start: int
    end: int
    whole: bool


def find_blobs(text: str) -> list[Blob]:
    """All data in `text`, in order, without overlap."""
    if len(text) < BLOB_LENGTH and "data:" not in text:
        return []
    uris = list(_uris(text))
    starts = [uri.start for uri in uris]
    runs = (run for run in _runs(text) if not _overlaps(run, uris, starts))
    return sorted((*uris, *runs), key=lambda blob: blob.start)


def _overlaps(run: Blob, uris: list[Blob], starts: list[int]) -> bool:
    index = bisect_left(starts, run.end) - 1
    return index >= 0 and uris[index].end > run.start


def squeeze(text: str) -> str:
    """`text` with one ellipsis for each piece of data."""
    blobs = find_blobs(text)
    if not blobs:
        return text
    parts: list[str] = []
    at = 0
    for blob in blobs:
        parts += (text[at : blob.start], SQUEEZED)
        at = blob.end
    return "".join((*parts, text[at:]))


def _uris(text: str) -> Iterator[Blob]:
    at = text.find("data:")
    while at >= 0:
        match = _URI.match(text, at)
        if match and match.end() - at <= WHOLE_LENGTH:
            yield Blob(at, match.end(), True)
        at = text.find("data:", match.end() if match else at + 5)


def _runs(text: str) -> Iterator[Blob]:
    """Runs are found by looking at every 512th code point: one of them lies in each run."""
    at = 0
    for probe in range(BLOB_LENGTH - 1, len(text), BLOB_LENGTH):
        if probe < at or text[probe] not in _CHARACTERS:
            continue
        behind = text[max(at, probe - BLOB_LENGTH) : probe]
        start = probe - (len(behind) - len(behind.rstrip(_CHARACTERS)))
        match = _RUN.match(text, probe)
        at = match.end() if match else probe
        if at - start >= BLOB_LENGTH:
            yield Blob(start, at, False)
