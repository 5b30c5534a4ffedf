"""How often and after what pause a service is asked again.

Owns the back-off. It waits on the caller's thread, outside of the line in front of the worker, so that questions go on overtaking.
Must not read a clock or make random numbers of its own.
"""

import itertools
from collections.abc import Callable
from typing import TypeVar

from holovault.embed.service import ServiceTrouble
from holovault.embed.trouble import Trouble

T = TypeVar("T")
LONGEST_S = 60.0
_FIRST_S = 1.0
_TRIES = {"busy": 6, "away": 3, "sick": 3}


class Patience:
    """`random` gives numbers in [0, 1); `wait` pauses for so many seconds and says True when it was cut short because all is over."""

    def __init__(self, random: Callable[[], float], wait: Callable[[float], bool]) -> None:
        self._random = random
        self._wait = wait

    def ask(self, work: Callable[[], T]) -> T:
        """What `work` returns; the last ServiceTrouble when asking again is useless, was done often enough or was cut short."""
        for tried in itertools.count(1):
            try:
                return work()
            except ServiceTrouble as error:
                pause = pause_after(error.trouble, tried, self._random())
                if pause is None or self._wait(pause):
                    raise
        raise AssertionError


def pause_after(trouble: Trouble, tried: int, chance: float) -> float | None:
    """Seconds before the next try after `tried` of them, at most 60; None: no further try.

    What the service asked for, and up to a second more, so that not everybody comes back at once; else 1, 2, 4 … s, of which a
    random half is cut off.
    """
    if tried >= _TRIES.get(trouble.kind, 0):
        return None
    if trouble.wait_s is not None:
        return min(LONGEST_S, trouble.wait_s + chance)
    return min(LONGEST_S, _FIRST_S * 2.0 ** (tried - 1)) * (1 + chance) / 2
