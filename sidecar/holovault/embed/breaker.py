"""A circuit breaker: after failures in a row nobody has to wait for the next one.

Owns the count and the pause. Must not read a clock of its own.
"""

from collections.abc import Callable


class Breaker:
    """Open after `limit` failures in a row, for `pause_s` seconds of `clock`; then one attempt is free, and its failure opens again.

    For one thread that tries and any number that ask `reason`.
    """

    def __init__(self, clock: Callable[[], float], *, limit: int = 3, pause_s: float = 30.0) -> None:
        self._clock = clock
        self._limit = limit
        self._pause_s = pause_s
        self._failures = 0
        self._open: tuple[float, str] | None = None

    def reason(self) -> str | None:
        """Why there must be no attempt just now, None when there may be one."""
        state = self._open
        return state[1] if state is not None and self._clock() < state[0] else None

    def last_reason(self) -> str | None:
        """Why it opened, until something succeeds."""
        state = self._open
        return state[1] if state is not None else None

    def succeeded(self) -> None:
        """Closed, and the count starts anew."""
        self._failures = 0
        self._open = None

    def failed(self, reason: str, *, hopeless: bool = False) -> None:
        """One more failure; a `hopeless` one opens at once."""
        self._failures = self._limit if hopeless else self._failures + 1
        if self._failures >= self._limit:
            self._open = (self._clock() + self._pause_s, reason)
