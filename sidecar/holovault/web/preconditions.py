"""ETag, If-Match and If-None-Match (RFC 9110 §8.8, §13.1): a note's hash as its validator. Pure; must not read a note."""

import re
from dataclasses import dataclass

from holovault.web.problems import PreconditionError

_TAG = re.compile(r'"([0-9a-fA-F]{64})"')


@dataclass(frozen=True, slots=True)
class Intent:
    """What a PUT means: replace the note with `expected_hash`, or `create` one where there is none."""

    expected_hash: str | None
    create: bool


def etag(hash_: str) -> str:
    """The strong entity tag of a note whose raw bytes have this SHA-256."""
    return f'"{hash_}"'


def intent(if_match: str | None, if_none_match: str | None) -> Intent:
    """What the headers of a PUT ask for. Raises PreconditionError unless it is exactly one of the two."""
    if if_match is None and if_none_match is not None and if_none_match.strip() == "*":
        return Intent(None, create=True)
    if if_none_match is None and if_match is not None and (tag := _TAG.fullmatch(if_match.strip())):
        return Intent(tag[1].lower(), create=False)
    raise PreconditionError(
        'Say which version this replaces with If-Match: "hash" (64 hex digits, from ETag or hash of a read), '
        "or that it is a new note with If-None-Match: *."
    )


def expected(if_match: str | None) -> tuple[str, ...]:
    """The hashes of which one must still be true; none for `*`. Raises PreconditionError without the header."""
    given = (if_match or "").strip()
    if given == "*":
        return ()
    tags = [_TAG.fullmatch(tag.strip()) for tag in given.split(",")]
    if not all(tags):
        raise PreconditionError('Say which version you read with If-Match: "hash" (64 hex digits; several with commas), or If-Match: *.')
    return tuple(tag[1].lower() for tag in tags if tag)


def version(if_match: str | None, if_none_match: str | None) -> str | None:
    """The hash that a PATCH holds to; None where it holds to none. Raises PreconditionError where it cannot be read."""
    if if_none_match is None and (if_match is None or if_match.strip() == "*"):
        return None
    if if_none_match is None and if_match is not None and (tag := _TAG.fullmatch(if_match.strip())):
        return tag[1].lower()
    raise PreconditionError(
        'A change of a note takes If-Match: "hash" (64 hex digits, from ETag or hash of a read), or no condition at all.'
    )


def unchanged(if_none_match: str | None, hash_: str) -> bool:
    """Whether a reader already has this version, so that 304 says enough."""
    if if_none_match is None:
        return False
    tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return etag(hash_) in tags or "*" in tags
