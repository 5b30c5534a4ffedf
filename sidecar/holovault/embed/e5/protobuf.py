"""Protocol buffers, as far as two kinds of file need them (https://protobuf.dev/programming-guides/encoding).

Owns the wire format: no message is known here. Written by hand because the libraries for both file formats cost more than the files:
the package `onnx` alone is 31 MB, for a model of 14.
"""

import struct
from collections.abc import Iterator

_VARINT, _BYTES, _FIXED32 = 0, 2, 5


def varint(field: int, value: int) -> bytes:
    """A field with a number ≥ 0: integer, enumeration or truth value."""
    return _number(field << 3 | _VARINT) + _number(value)


def float32(field: int, value: float) -> bytes:
    """A field with a float."""
    return _number(field << 3 | _FIXED32) + struct.pack("<f", value)


def data(field: int, value: bytes) -> bytes:
    """A field with bytes or with a message."""
    return _number(field << 3 | _BYTES) + _number(len(value)) + value


def text(field: int, value: str) -> bytes:
    """A field with a string."""
    return data(field, value.encode("utf-8"))


def find(message: bytes, field: int) -> bytes:
    """The first field of that number with bytes in it; ValueError where there is none, or where this is no message."""
    for number, value in _fields(message):
        if number == field:
            return value
    raise ValueError(f"a protocol buffer lacks field {field}")


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of every field that has bytes; those of other kinds are passed over."""
    at = 0
    while at < len(message):
        key, at = _read_number(message, at)
        match key & 7:
            case 0:
                _, at = _read_number(message, at)
            case 1:
                at += 8
            case 5:
                at += 4
            case 2:
                size, at = _read_number(message, at)
                if at + size > len(message):
                    raise ValueError("a protocol buffer ends too early")
                yield key >> 3, message[at : at + size]
                at += size
            case kind:
                raise ValueError(f"a protocol buffer has a field of kind {kind}")


def _number(value: int) -> bytes:
    if value < 0:
        raise ValueError(f"{value} is negative")
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def _read_number(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(message) or shift > 63:
            raise ValueError("a protocol buffer ends too early")
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
