"""Records of a file with one JSON value on each line, in bounded memory, however long a line or the file is.

Owns cutting at `\\n` only (other separators are legal inside a value), and the fate of what is no record. Pure apart from reading.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

WINDOW = 1 << 18
LONGEST_LINE = 1 << 26
"""64 MB: a line above it is passed over without being kept."""
_LONG = 4096

BROKEN = "broken line"
TOO_LONG = "line of more than 64 MB"
REPEATED = "repeated line"
NO_RECORD = "line that is no record"


@dataclass(frozen=True, slots=True)
class Record:
    """One line: its object, or in `fault` why there is none."""

    value: dict[str, Any]
    fault: str = ""


def records(stream: BinaryIO) -> Iterator[Record]:
    """Every line that holds something, in order. A last line without its end, which is still being written, is left for the next time.

    A long line that came before, byte for byte, is a fault: files have been seen that repeat one thousands of times.
    """
    seen: set[bytes] = set()
    for line, is_whole in _lines(stream):
        if line is None:
            yield Record({}, TOO_LONG)
            continue
        if len(line) > _LONG:
            digest = hashlib.blake2b(line, digest_size=12).digest()
            if digest in seen:
                yield Record({}, REPEATED)
                continue
            seen.add(digest)
        try:
            value = json.loads(line.decode("utf-8-sig", "replace"), strict=False)
        except (ValueError, RecursionError):
            if is_whole:
                yield Record({}, BROKEN)
            continue
        yield Record(value) if isinstance(value, dict) else Record({}, NO_RECORD)


def _lines(stream: BinaryIO) -> Iterator[tuple[bytes | None, bool]]:
    """Lines without their end and whether they had one; None for one that is too long."""
    pieces: list[bytes] = []
    size = 0
    while data := stream.read(WINDOW):
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            size += end - start
            if size > LONGEST_LINE:
                yield None, True
            elif line := b"".join((*pieces, data[start:end])).strip(b" \t\r\0"):
                yield line, True
            pieces, size, start = [], 0, end + 1
        size += len(data) - start
        if size > LONGEST_LINE:
            pieces = []
        else:
            pieces.append(data[start:])
    if size <= LONGEST_LINE and (line := b"".join(pieces).strip(b" \t\r\0")):
        yield line, False
