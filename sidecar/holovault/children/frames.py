"""Frames on a pipe: 4 bytes of payload length (big-endian), 1 byte of kind, the payload.

Owns the byte layout, the same on both ends. Must not know processes or what a payload means.
"""

import struct
from dataclasses import dataclass
from typing import IO

REQUEST, ANSWER, REFUSAL = b"Q", b"A", b"E"
LARGEST = 1 << 28
_HEADER = struct.Struct(">Ic")


class BrokenFrameError(Exception):
    """What arrived is no frame: the two ends have lost each other and one of them has to go."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: `kind` is REQUEST, ANSWER or REFUSAL (its payload is then a reason in UTF-8)."""

    kind: bytes
    payload: bytes


def write_frame(stream: IO[bytes], frame: Frame) -> None:
    """Writes the whole frame to an unbuffered stream; ValueError for a payload above 256 MiB, OSError when nobody reads."""
    if len(frame.payload) > LARGEST:
        raise ValueError(f"a frame of {len(frame.payload)} bytes is above the limit of {LARGEST}")
    rest = memoryview(_HEADER.pack(len(frame.payload), frame.kind) + frame.payload)
    while rest:
        rest = rest[stream.write(rest) :]


def read_frame(stream: IO[bytes]) -> Frame | None:
    """The next frame of an unbuffered stream, None at its end; BrokenFrameError for half a frame or other bytes."""
    header = _read(stream, _HEADER.size)
    if not header:
        return None
    length, kind = _HEADER.unpack(header)
    if kind not in (REQUEST, ANSWER, REFUSAL) or length > LARGEST:
        raise BrokenFrameError(f"the bytes {header.hex()} do not begin a frame")
    payload = _read(stream, length)
    if len(payload) != length:
        raise BrokenFrameError(f"the stream ended {length - len(payload)} bytes before the frame did")
    return Frame(kind, payload)


def _read(stream: IO[bytes], size: int) -> bytes:
    """`size` bytes, or nothing if the stream is at its end; half of them is a broken frame."""
    parts: list[bytes] = []
    missing = size
    while missing and (part := stream.read(min(missing, 1 << 20))):
        parts.append(part)
        missing -= len(part)
    if missing and parts:
        raise BrokenFrameError(f"the stream ended {missing} bytes before the frame did")
    return b"".join(parts)
