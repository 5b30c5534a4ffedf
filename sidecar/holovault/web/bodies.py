"""Reading what a client sent: bodies with a size and a time limit, parameters with a type.

aiohttp waits for a stalled body for ever; here every read has one total time limit. Must not call the engine.
"""

import asyncio
from typing import TypeVar

import msgspec
from aiohttp import hdrs, web

from holovault.errors import TooLargeError, UsageError
from holovault.web.keys import SETTINGS
from holovault.web.problems import BodyTimeoutError, MediaTypeError

T = TypeVar("T")


async def read_body(request: web.Request) -> bytes:
    """The raw body. Raises TooLargeError over the limit, BodyTimeoutError when it does not arrive in time."""
    settings = request.app[SETTINGS]
    if request.headers.get(hdrs.CONTENT_ENCODING, "identity").lower() != "identity":
        raise MediaTypeError("Bodies are read as they are: send this one without Content-Encoding.")
    if (request.content_length or 0) > settings.body_limit:
        raise _too_large(settings.body_limit)
    try:
        async with asyncio.timeout(settings.body_timeout):
            return await request.read()
    except TimeoutError:
        raise BodyTimeoutError(f"The body did not arrive within {settings.body_timeout:g} s. Send it again, at once.") from None
    except web.HTTPRequestEntityTooLarge:
        raise _too_large(settings.body_limit) from None


async def read_json(request: web.Request, kind: type[T]) -> T:
    """The body as a value of the model; an unknown field is ignored, a wrong one raises UsageError."""
    body = await read_body(request)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"The body is not a {kind.__name__}: {error}. Its schema is at /v1/openapi.json.") from error


def from_query(request: web.Request, kind: type[T], renamed: dict[str, str] | None = None) -> T:
    """The query string as a value of the model, numbers and booleans read from their text."""
    names = renamed or {}
    fields = {names.get(name, name): _text_or_null(value) for name, value in request.query.items()}
    try:
        return msgspec.convert(fields, type=kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"The parameters are not a {kind.__name__}: {error}. They are described at /v1/openapi.json.") from error


def number(request: web.Request, name: str, kind: type[T], low: float, high: float) -> T | None:
    """One number of the query string between `low` and `high`, or None where it is not given."""
    text = request.query.get(name)
    if text is None or text == "":
        return None
    try:
        value = msgspec.convert(text, type=kind, strict=False)
        # Written so that NaN fails as well.
        if low <= float(text) <= high:
            return value
    except (msgspec.ValidationError, ValueError):
        pass
    raise UsageError(f"{name} must be a number between {low:g} and {high:g}, not {text[:40]!r}.")


def _text_or_null(value: str) -> str | None:
    return None if value == "null" else value


def _too_large(limit: int) -> TooLargeError:
    return TooLargeError(f"The body is over the limit of {limit:,} bytes. Send less, or split the note.")
