"""What keeps a model from answering, in a form that tells who is to blame and what to do.

Owns the five kinds. A local model simply raises; one behind a network raises TroubleError, so that a service that is away costs no
text its vector. Must stay light: the worker imports it.
"""

from dataclasses import dataclass
from typing import Literal

TroubleKind = Literal["denied", "busy", "away", "sick", "text"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """`reason` is a sentence without a secret or a note's text; `wait_s` is how long the service asked to be left alone.

    denied: nobody may ask again before a person did something (key, address, quota); asking on is useless.
    busy:   asking again later is all it takes (HTTP 429).
    away:   no answer, or one that is not the service's; no text is to blame.
    sick:   an answer that cannot be used; either the service or one of the texts is to blame.
    text:   the service will not read one of the texts.
    """

    reason: str
    kind: TroubleKind
    wait_s: float | None = None


class TroubleError(Exception):
    """Raised by an Embedder in the worker; the parent gets the Trouble itself."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        super().__init__(trouble.reason)
