"""Rollouts that Codex packed with Zstandard.

Owns the library for it, which is loaded when a packed file is met, and the limit of what one may ask for in memory.
"""

from typing import Any, BinaryIO, cast

from holovault_importers.inputs import Unreadable

LARGEST_WINDOW = 1 << 27


def unpacked(stream: BinaryIO) -> BinaryIO:
    """The unpacked bytes of a stream. Raises Unreadable where they are damaged; the text ends a sentence."""
    import zstandard

    reader = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW).stream_reader(stream, read_across_frames=True)
    return cast(BinaryIO, _Unpacked(reader, zstandard.ZstdError))


class _Unpacked:
    def __init__(self, reader: Any, error: type[Exception]) -> None:
        self._reader = reader
        self._error = error
        self._read = 0

    def read(self, size: int = -1) -> bytes:
        try:
            data: bytes = self._reader.read(size)
        except self._error as error:
            raise Unreadable(f"is damaged after {self._read:,} bytes") from error
        self._read += len(data)
        return data
