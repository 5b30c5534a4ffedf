"""A zip that was cut off: its members from the front, as far as their bytes go.

Owns reading local headers (APPNOTE.TXT 4.3.7), for archives whose table of contents is missing. Members that end early
give what there is and then end. Must not be used where the table of contents can be read.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

_HEADER = struct.Struct("<4sHHHHHIIIHH")
_SIGNATURE = b"PK\x03\x04"
_BLOCK = 1 << 16
_STORED, _DEFLATED = 0, 8


@dataclass(frozen=True, slots=True)
class Remnant:
    """A member found by its local header: where its data starts and how it is packed; `size` is 0 where only its end would tell."""

    archive: Path
    name: str
    size: int
    start: int
    packed: int
    method: int

    def open(self) -> BinaryIO:
        """What there is of the member."""
        return cast(BinaryIO, _Stream(self))


def intact_members(path: Path) -> Iterator[Remnant]:
    """The members of a cut archive in order, the last one perhaps not whole."""
    total = path.stat().st_size
    at = 0
    while at < total:
        found = _header(path, at)
        if found is None:
            return
        yield found
        at = _end(found, total)


def _header(path: Path, at: int) -> Remnant | None:
    with path.open("rb") as file:
        file.seek(at)
        head = file.read(_HEADER.size)
        if len(head) < _HEADER.size or not head.startswith(_SIGNATURE):
            return None
        _, _, flags, method, _, _, _, packed, size, name_length, extra = _HEADER.unpack(head)
        name = file.read(name_length).decode("utf-8" if flags & 0x800 else "cp437", "replace")
    if method not in (_STORED, _DEFLATED) or flags & 1 or (method == _STORED and flags & 8):
        return None
    streamed = bool(flags & 8) or packed == 0xFFFFFFFF
    return Remnant(
        path, name.replace("\\", "/"), 0 if streamed else size, at + _HEADER.size + name_length + extra, -1 if streamed else packed, method
    )


def _end(member: Remnant, total: int) -> int:
    """Where the next header may stand."""
    if member.packed >= 0:
        return member.start + member.packed
    stream = _Stream(member)
    with stream:
        while stream.read(_BLOCK):
            pass
        end = stream.consumed
    if end < 0:
        return total
    with member.archive.open("rb") as file:  # a descriptor of 12 to 24 bytes follows
        file.seek(end)
        ahead = file.read(28).find(_SIGNATURE)
    return end + ahead if ahead >= 0 else total


class _Stream:
    """Unpacks a member; ends where the data does. `consumed` is the offset behind the packed data, -1 where that was cut off."""

    def __init__(self, member: Remnant) -> None:
        self._member = member
        self._file = member.archive.open("rb")
        self._file.seek(member.start)
        self._left = member.packed
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS) if member.method == _DEFLATED else None
        self._ready = b""
        self._done = False
        self.consumed = -1

    def read(self, size: int = -1) -> bytes:
        pieces: list[bytes] = []
        got = 0
        while not self._done and (size < 0 or got < size):
            data = self._ready or self._next()
            self._ready = b""
            if size >= 0 and len(data) > size - got:
                data, self._ready = data[: size - got], data[size - got :]
            pieces.append(data)
            got += len(data)
            if self._done and not self._ready:
                break
        return b"".join(pieces)

    def _next(self) -> bytes:
        if self._inflate is not None and self._inflate.unconsumed_tail:
            return self._unpacked(self._inflate.unconsumed_tail)
        data = self._file.read(_BLOCK if self._left < 0 else min(_BLOCK, self._left))
        self._left -= len(data) if self._left >= 0 else 0
        if not data:
            self._done = True
            return b""
        return data if self._inflate is None else self._unpacked(data)

    def _unpacked(self, data: bytes) -> bytes:
        assert self._inflate is not None
        try:
            unpacked = self._inflate.decompress(data, _BLOCK * 16)
        except zlib.error:
            self._done = True
            return b""
        if self._inflate.eof:
            self.consumed = self._file.tell() - len(self._inflate.unused_data)
            self._done = True
        return unpacked

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> "_Stream":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
