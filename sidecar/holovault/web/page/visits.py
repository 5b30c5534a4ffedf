"""Visits: who may see the page, and for how long.

Owns the one-time codes, the places that visits live at and their cookies. Browsers send a cookie to every port of a
host, so a cookie is bound to a place, a path that only its visit knows: a server on another port never gets to see it.
Must not know HTTP.
"""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

CODE_S = 60.0
VISIT_S = 8 * 3_600.0
MOST = 32
"""Codes and visits kept at once; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One browser's visit: the path segment it lives at, the secret of its cookie, and when it ends (the clock's seconds)."""

    place: str
    secret: str = field(repr=False)
    until: float


class Visits:
    """Codes and visits of one daemon, in memory: a restart ends them all. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float], token: Callable[[], str] = lambda: secrets.token_urlsafe(24)) -> None:
        self._clock = clock
        self._token = token
        self._codes: dict[str, float] = {}
        self._visits: dict[str, Visit] = {}

    def code(self) -> str:
        """A code that opens one visit within the next minute."""
        code = self._token()
        self._codes[code] = self._clock() + CODE_S
        _keep_newest(self._codes)
        return code

    def enter(self, code: str) -> Visit | None:
        """A new visit for a code that is still good; a code is good once."""
        until = self._codes.pop(code, None)
        if until is None or until < self._clock():
            return None
        visit = Visit(self._token(), self._token(), self._clock() + VISIT_S)
        self._visits[visit.place] = visit
        _keep_newest(self._visits)
        return visit

    def admits(self, place: str, secret: str) -> bool:
        """Whether `secret` is the one of the visit at `place`, and the visit has not ended. Compared in constant time."""
        visit = self._visits.get(place)
        if visit is None or visit.until < self._clock():
            self._visits.pop(place, None)
            return False
        return hmac.compare_digest(visit.secret.encode(), secret.encode("utf-8", "surrogateescape"))

    def leave(self, place: str) -> None:
        """Ends a visit."""
        self._visits.pop(place, None)


def _keep_newest(kept: dict[str, float] | dict[str, Visit]) -> None:
    while len(kept) > MOST:
        del kept[next(iter(kept))]
