"""What came back for one request, whatever it is.

Owns the value. Must not judge it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reply:
    """`address` was asked and answered, itself or through a redirect on its origin.

    `expected` bytes were announced (None: not said), `received` arrived; `broken` says why the rest did not, None for a whole body.
    `location` is where a redirect leads, resolved; `retry_after` is the header as it stands.
    """

    address: str
    status: int
    body: bytes
    received: int
    expected: int | None = None
    broken: str | None = None
    content_type: str = ""
    retry_after: str | None = None
    location: str | None = None
