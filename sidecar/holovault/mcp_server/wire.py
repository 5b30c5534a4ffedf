"""Standard input and output belong to the protocol, whatever is printed and whoever crashes.

Owns the descriptors of this process while it serves: the protocol keeps private copies of the real ones. From then on descriptor
1 leads to standard error and descriptor 0 to nothing, for Python, for C and for children alike. Must not speak the protocol.
"""

import io
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from holovault.mcp_server.halves import mended

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


@dataclass(frozen=True, slots=True)
class Wire:
    """The private copy of standard output. Keep it: what loses its last reference is closed."""

    stream: io.TextIOWrapper

    def hide(self) -> None:
        """From now on `print` leads to standard error. Called once the protocol has taken the stream."""
        sys.stdout = sys.stderr


class _Lines(io.RawIOBase):
    """The lines of `source`, mended."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        self._rest = self._rest or mended(self._source.readline())
        room = memoryview(buffer)
        given, self._rest = self._rest[: len(room)], self._rest[len(room) :]
        room[: len(given)] = given
        return len(given)


def claim() -> Wire:
    """Takes both streams away from everybody. `sys.stdin` and, until `hide`, `sys.stdout` are the wire: the SDK looks for it there."""
    _claim_input()
    sys.stdout.flush()
    private = os.dup(1)
    os.dup2(2, 1)
    wire = Wire(io.TextIOWrapper(io.BufferedWriter(io.FileIO(private, "wb")), encoding="utf-8", newline="\n"))
    sys.stdout = wire.stream
    return wire


def _claim_input() -> None:
    private = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    lines = _Lines(io.BufferedReader(io.FileIO(private, "rb")))
    sys.stdin = io.TextIOWrapper(io.BufferedReader(lines), encoding="utf-8", errors="replace")
