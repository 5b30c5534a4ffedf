"""Reading a daemon's log: its last lines across rotated files, and those that come.

Must not write, and never holds more than one file of 5 MB. A line that was cut off by a crash is shown as it is.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

ROTATED = 9
FOLLOW_S = 0.5


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry; `time` is RFC 3339 UTC, all but `message` are empty for a line that is no entry."""

    message: str
    time: str = ""
    level: str = ""
    logger: str = ""
    trace: str | None = None


def last_lines(log: Path, count: int) -> tuple[LogLine, ...]:
    """The last `count` entries of `log` and the files that it was rotated into, oldest first; empty where there is no log."""
    found: deque[str] = deque(maxlen=count)
    for path in (log, *(log.with_name(f"{log.name}.{number}") for number in range(1, ROTATED + 1))):
        missing = count - len(found)
        if missing <= 0:
            break
        for line in reversed(_lines(path)[-missing:]):
            found.appendleft(line)
    return tuple(map(_entry, found))


def follow(log: Path, pause: Callable[[float], object]) -> Iterator[tuple[LogLine, ...]]:
    """Entries that are added to `log` from this call on, across rotations, for ever; `pause` waits between two looks."""
    return _following(log, _Place.end_of(log), pause)


def _following(log: Path, place: "_Place", pause: Callable[[float], object]) -> Iterator[tuple[LogLine, ...]]:
    rest = b""
    while True:
        data, place = place.more(log)
        *whole, rest = (rest + data).split(b"\n")
        entries = tuple(_entry(line.decode("utf-8", "replace")) for line in whole if line.strip())
        if entries:
            yield entries
        if not data:
            pause(FOLLOW_S)


@dataclass(frozen=True, slots=True)
class _Place:
    """How far a log was read: which file, and how many bytes."""

    file: tuple[int, int] | None
    offset: int

    @classmethod
    def end_of(cls, log: Path) -> "_Place":
        file = _identity(log)
        return cls(file, 0 if file is None else log.stat().st_size)

    def more(self, log: Path) -> tuple[bytes, "_Place"]:
        """What was added since: to the same file, or to it under the name it was rotated to, and then to a new one."""
        left = b""
        try:
            if self.file is not None and _identity(log) != self.file:
                rotated = log.with_name(f"{log.name}.1")
                left = _after(rotated, self.offset)[0] if _identity(rotated) == self.file else b""
                return left, _Place(_identity(log), 0)
            data, end = _after(log, self.offset if log.stat().st_size >= self.offset else 0)
        except OSError:
            return left, self
        return data, _Place(_identity(log), end)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _after(path: Path, offset: int) -> tuple[bytes, int]:
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(), file.tell()


def _lines(path: Path) -> list[str]:
    try:
        data = path.read_bytes()
    except OSError:
        return []
    return [line for line in data.decode("utf-8", "replace").split("\n") if line.strip()]


def _entry(line: str) -> LogLine:
    try:
        return msgspec.json.decode(line, type=LogLine)
    except msgspec.DecodeError:
        return LogLine(line)
