"""Cutting in a child process, so that parsing never holds the daemon's interpreter.

Owns the choice between cutting here and in a child, the frames between the two, and what becomes of
a note that kills the child. Run as a module it *is* the child. Must not touch files or the store.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from holovault.children import Child, serve
from holovault.errors import WorkerError
from holovault.indexer.cutting import CutInput, CutOutcome, CutSettings, Knife

CHILD_MODULE = "holovault.indexer.cutter"
HERE_BYTES = 48_000
"""Up to this many bytes are cut in-process: a saved note is searchable sooner than a child starts."""
TIMEOUT_S = 120.0
MEMORY_MB = 700


@dataclass(frozen=True, slots=True)
class _Order:
    settings: CutSettings
    items: tuple[CutInput, ...]


class Cutter(Protocol):
    """Anything that turns notes into their parts, one outcome per input, in order."""

    def cut(self, items: Sequence[CutInput]) -> list[CutOutcome]: ...

    def go_home(self) -> None:
        """Give back all memory; the next `cut` starts anew."""


class LocalCutter:
    """Cuts in the calling thread."""

    def __init__(self, settings: CutSettings) -> None:
        self._knife = Knife(settings)
        self._lock = threading.Lock()

    def cut(self, items: Sequence[CutInput]) -> list[CutOutcome]:
        with self._lock:
            return [self._knife.outcome(item) for item in items]

    def go_home(self) -> None:
        """Nothing is held outside this process."""


class ChildCutter:
    """Cuts big batches in one child process, small ones here."""

    def __init__(self, settings: CutSettings, log: Path | None = None, module: str = CHILD_MODULE, memory_mb: int = MEMORY_MB) -> None:
        self._settings = settings
        self._local = LocalCutter(settings)
        self._child = Child(module, name="cutter", env={}, memory_mb=memory_mb, log=log, low_priority=True)

    def cut(self, items: Sequence[CutInput]) -> list[CutOutcome]:
        if sum(len(item.data) for item in items) <= HERE_BYTES:
            return self._local.cut(items)
        try:
            return self._request(items)
        except (WorkerError, ValueError) as fault:
            if len(items) == 1:
                return [CutOutcome(None, f"the note could not be parsed: {fault}")]
            half = len(items) // 2
            return self.cut(items[:half]) + self.cut(items[half:])

    def _request(self, items: Sequence[CutInput]) -> list[CutOutcome]:
        payload = msgspec.msgpack.encode(_Order(self._settings, tuple(items)))
        outcomes = msgspec.msgpack.decode(self._child.request(payload, TIMEOUT_S), type=list[CutOutcome])
        if len(outcomes) != len(items):
            raise WorkerError(f"the cutter answered {len(outcomes)} of {len(items)} notes")
        return outcomes

    def go_home(self) -> None:
        self._child.stop()

    def close(self) -> None:
        self._child.close()


class CutterPool:
    """Several child cutters for a first index: batches run side by side when the caller has threads."""

    def __init__(self, cutters: Sequence[ChildCutter]) -> None:
        self._free = list(cutters)
        self._all = tuple(cutters)
        self._available = threading.Condition()

    def __len__(self) -> int:
        return len(self._all)

    def cut(self, items: Sequence[CutInput]) -> list[CutOutcome]:
        with self._available:
            while not self._free:
                self._available.wait()
            cutter = self._free.pop()
        try:
            return cutter.cut(items)
        finally:
            with self._available:
                self._free.append(cutter)
                self._available.notify()

    def go_home(self) -> None:
        for cutter in self._all:
            cutter.go_home()

    def close(self) -> None:
        """End the children for good."""
        for cutter in self._all:
            cutter.close()


def _main() -> None:
    knives: dict[CutSettings, Knife] = {}

    def handle(payload: bytes) -> bytes:
        order = msgspec.msgpack.decode(payload, type=_Order)
        knife = knives.setdefault(order.settings, Knife(order.settings))
        return msgspec.msgpack.encode([knife.outcome(item) for item in order.items])

    serve(handle)


if __name__ == "__main__":
    _main()
