"""Standard input and output belong to the protocol, whatever is printed and whoever crashes.

Owns the descriptors of this process while it serves: the protocol keeps private copies of the real ones. From then on descriptor
1 leads to standard error and descriptor 0 to nothing, for Python, for C and for children alike. Must not speak the protocol.
"""

import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from holovault.mcp_server.halves import mended
from holovault.mcp_server.unread import rejection

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
    """The lines of `source`, mended; one that is no message is answered at once, and goes no further."""

    def __init__(self, source: BinaryIO, answer: Callable[[bytes], None]) -> None:
        self._source = source
        self._answer = answer
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        self._rest = self._rest or self._next()
        room = memoryview(buffer)
        given, self._rest = self._rest[: len(room)], self._rest[len(room) :]
        room[: len(given)] = given
        return len(given)

    def _next(self) -> bytes:
        """The next line that is a message; empty at the end of input."""
        while line := mended(self._source.readline()):
            rejected = rejection(line)
            if rejected is None:
                return line
            self._answer(rejected)
        return b""


def claim() -> Wire:
    """Takes both streams away from everybody. `sys.stdin` and, until `hide`, `sys.stdout` are the wire: the SDK looks for it there."""
    sys.stdout.flush()
    private = os.dup(1)
    os.dup2(2, 1)
    out = io.BufferedWriter(io.FileIO(private, "wb"))
    _claim_input(partial(_send, out))
    wire = Wire(io.TextIOWrapper(out, encoding="utf-8", newline="\n"))
    sys.stdout = wire.stream
    return wire


def _send(out: BinaryIO, message: bytes) -> None:
    # one write of the shared buffer, which locks itself: it cannot come between the bytes of another message
    out.write(message)
    out.flush()


def _claim_input(answer: Callable[[bytes], None]) -> None:
    private = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    lines = _Lines(io.BufferedReader(io.FileIO(private, "rb")), answer)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(lines), encoding="utf-8", errors="replace")
