"""From the body of an answer to unit vectors, or to what is wrong with it.

Owns the form of the answer and every check of its numbers. Must not open connections; never repeats what a body says.
"""

import base64
import binascii

import msgspec
import numpy as np

from holovault.embed.spec import Vectors
from holovault.embed.trouble import Trouble, TroubleError, TroubleKind

_NO_DIRECTION = "gave a vector with numbers that are not finite, or of length 0"


class _Row(msgspec.Struct):
    embedding: str | list[float]
    index: int | None = None


class _Body(msgspec.Struct):
    data: list[_Row]


def unit(vectors: Vectors) -> Vectors:
    """The rows with length 1."""
    exact = vectors.astype(np.float64)
    return np.asarray(exact / np.linalg.norm(exact, axis=1, keepdims=True), dtype=np.float32)


def vectors_of(body: bytes, count: int, dimension: int | None, where: str) -> Vectors:
    """Float32 rows as they came, in the order of the texts, (count, dimension); any one dimension for None. `where` begins a sentence.

    TroubleError says what is wrong: the wrong dimension is final, anything else may be one bad answer or one bad text.
    """
    rows = _in_order(_read(body, where), count, where)
    numbers = [_numbers(row.embedding, where) for row in rows]
    wanted = len(numbers[0]) if dimension is None else dimension
    for row in numbers:
        if len(row) != wanted:
            raise _trouble(
                where, f"gives vectors of {len(row)} numbers instead of {wanted}: set dimensions to what the model gives", "denied"
            )
    vectors = np.stack(numbers)
    if not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
        raise _trouble(where, _NO_DIRECTION)
    return vectors


def _read(body: bytes, where: str) -> list[_Row]:
    try:
        return msgspec.json.decode(body, type=_Body).data
    except msgspec.ValidationError:
        raise _trouble(where, "answered with JSON that holds no list of vectors") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        if b"NaN" in body or b"Infinity" in body:
            raise _trouble(where, _NO_DIRECTION) from None
        raise _trouble(where, "answered with something that is no JSON, or with the first part of it only") from None


def _in_order(rows: list[_Row], count: int, where: str) -> list[_Row]:
    if len(rows) != count or not rows:
        raise _trouble(where, f"gave {len(rows)} vectors for {count} texts")
    if all(row.index is None for row in rows):
        return rows
    places = {row.index: row for row in rows}
    if set(places) != set(range(count)):
        raise _trouble(where, "gave vectors whose numbers do not say which text is whose")
    return [places[number] for number in range(count)]


def _numbers(embedding: str | list[float], where: str) -> Vectors:
    if isinstance(embedding, list):
        with np.errstate(over="ignore"):
            return np.asarray(embedding, dtype=np.float32)
    try:
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float32)
    except (binascii.Error, ValueError):
        raise _trouble(where, "gave a vector whose base64 cannot be read") from None


def _trouble(where: str, words: str, kind: TroubleKind = "sick") -> TroubleError:
    return TroubleError(Trouble(f"{where} {words}", kind))
