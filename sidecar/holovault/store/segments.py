"""Files of vectors for scanning: written once, mapped read-only, thrown away.

Owns the file's layout: a 64-byte header, float32 rows, sign-bit codes by column, the slot of each row.
SQLite has the durable copy of every vector; a segment that is missing, short or garbled is simply not
used, and what it held is written again. A mapped file is never changed.
"""

import os
import secrets
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from holovault.store.codes import Codes, sign_codes, words_of
from holovault.store.values import Float32, Int64

_PATTERN = "vectors-*.seg"
_HEADER = struct.Struct("<8sIIQQ32x")
_MAGIC = b"HOLOSEG1"
_VERSION = 2


@dataclass(frozen=True, slots=True)
class Segment:
    """`matrix` (rows, dimension) and `codes` (words, rows) are read-only maps; `slots` is a copy. `check_sum` covers codes and slots."""

    name: str
    matrix: Float32
    codes: Codes
    slots: Int64
    check_sum: int

    @property
    def rows(self) -> int:
        return len(self.slots)


def write_segment(folder: Path, slots: Int64, matrix: Float32, middle: Float32) -> Segment:
    """Write rows, and their codes seen from `middle`, under a new name and map them.

    It does not exist for anybody until its name is in SQLite.
    """
    name = f"vectors-{secrets.token_hex(8)}.seg"
    codes = sign_codes(matrix, middle)
    check_sum = _check_sum(codes, slots)
    descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with open(descriptor, "wb") as file:
        file.write(_HEADER.pack(_MAGIC, _VERSION, matrix.shape[1], len(slots), check_sum))
        file.write(np.ascontiguousarray(matrix, dtype="<f4").data)
        file.write(codes.astype("<u8", copy=False).data)
        file.write(slots.astype("<i8", copy=False).data)
    segment = open_segment(folder, name, matrix.shape[1], len(slots), check_sum)
    if segment is None:
        raise OSError(f"{folder / name} does not read back as it was written")
    return segment


def open_segment(folder: Path, name: str, dimension: int, rows: int, check_sum: int) -> Segment | None:
    """Map a segment, or none if it is not the file that SQLite describes."""
    path = folder / name
    places = _places(dimension, rows)
    try:
        if path.stat().st_size != places[-1]:
            return None
        raw = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    except (OSError, ValueError):
        return None
    if _HEADER.unpack(raw[: _HEADER.size].tobytes()) != (_MAGIC, _VERSION, dimension, rows, check_sum):
        return None
    matrix = raw[places[0] : places[1]].view("<f4").reshape(rows, dimension)
    codes = raw[places[1] : places[2]].view("<u8").reshape(words_of(dimension), rows)
    slots = np.array(raw[places[2] : places[3]].view("<i8"), dtype=np.int64)
    if _check_sum(codes, slots) != check_sum:
        return None
    return Segment(name, matrix, codes, slots, check_sum)


def _places(dimension: int, rows: int) -> tuple[int, int, int, int]:
    floats = _HEADER.size + 4 * dimension * rows
    codes = floats + 8 * words_of(dimension) * rows
    return _HEADER.size, floats, codes, codes + 8 * rows


def _check_sum(codes: Codes, slots: Int64) -> int:
    return zlib.crc32(np.ascontiguousarray(slots).data, zlib.crc32(np.ascontiguousarray(codes).data))


def sample(rows: int, count: int = 8) -> list[int]:
    """Rows to compare with the durable copy: the first, the last and some between."""
    return sorted({round(place * (rows - 1) / max(1, count - 1)) for place in range(min(rows, count))})


def remove_unlisted(folder: Path, listed: Iterable[str]) -> None:
    """Delete segment files that nobody uses; one that this system will not delete while mapped goes at a later opening."""
    keep = set(listed)
    for path in folder.glob(_PATTERN):
        if path.name not in keep:
            try:
                path.unlink(missing_ok=True)
            except PermissionError:
                continue
