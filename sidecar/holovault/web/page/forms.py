"""What a browser sends: form fields, and whether htmx asks for a part instead of a page. Must not call the engine."""

from collections.abc import Collection
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
from aiohttp import web

from holovault.errors import UsageError

T = TypeVar("T")


def fields_of(body: bytes) -> dict[str, str]:
    """The fields of a form in application/x-www-form-urlencoded. Raises UsageError for bytes that are none."""
    try:
        return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, strict_parsing=bool(body), max_num_fields=50, errors="strict"))
    except ValueError as error:
        raise UsageError("The form did not arrive as it was sent. Send it again.") from error


def query_of(request: web.Request, kind: type[T], names: Collection[str], limit: int) -> T:
    """The filters of an address as a query of the model; empty ones do not narrow. Raises UsageError for one that cannot be used."""
    given = {name: value for name, value in request.query.items() if name in names and value}
    try:
        return msgspec.convert({**given, "limit": limit}, type=kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"These filters cannot be used: {error}.") from error


def from_htmx(request: web.Request) -> bool:
    """Whether a part of a page is asked for."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Boosted") != "true"
