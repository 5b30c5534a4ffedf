"""What a route says of itself: its inputs, its answer, what it may refuse. Must not know any route."""

from dataclasses import dataclass
from typing import Literal

from holovault.web.keys import Handler

Place = Literal["path", "query", "header"]
Kind = Literal["string", "integer", "number", "boolean"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One input outside the body."""

    name: str
    place: Place
    kind: Kind
    text: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """One operation. `body` and `answer` are types of the model, bytes for a note's own, None for none."""

    name: str
    method: str
    path: str
    handler: Handler
    text: str
    answer: type | None
    parameters: tuple[Parameter, ...] = ()
    body: type | None = None
    successes: tuple[int, ...] = (200,)
    problems: tuple[int, ...] = ()
    public: bool = False
