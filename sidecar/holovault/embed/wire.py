"""What parent and worker say to each other: MessagePack of these structures.

Owns both directions and the check of what comes back: NaN, a wrong shape or a vector that is not of length 1 is an error, never data.
Must not import the parent's half: the worker decodes and encodes as well.
"""

import msgspec
import numpy as np

from holovault.embed.spec import Kind, ModelSpec, Vectors
from holovault.embed.trouble import Trouble, TroubleError
from holovault.errors import WorkerError

_LENGTH_TOLERANCE = 1e-3


class Load(msgspec.Struct, frozen=True, tag="load"):
    """Load the model that `module.load(spec)` makes and answer with the vector of a short text.

    `settings` is what only the provider's own two halves understand; where there is some, it is `module.load(spec, settings)`.
    """

    module: str
    spec: ModelSpec
    settings: bytes = b""


class Embed(msgspec.Struct, frozen=True, tag="embed"):
    """Vectors of `texts`, please."""

    texts: list[str]
    kind: Kind


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """Rows of little-endian float32, one after the other."""

    rows: int
    columns: int
    data: bytes


class NoAnswer(msgspec.Struct, frozen=True, tag="trouble"):
    """Why there are no vectors this time."""

    trouble: Trouble


class BadVectors(WorkerError):
    """The worker answered, but not with unit vectors of the model's dimension."""


def encode(message: Load | Embed) -> bytes:
    """The message's bytes; half surrogate pairs, which a JSON query can hold and UTF-8 cannot, become question marks."""
    try:
        return msgspec.msgpack.encode(message)
    except UnicodeEncodeError:
        assert isinstance(message, Embed)
        return msgspec.msgpack.encode(Embed([text.encode("utf-8", "replace").decode("utf-8") for text in message.texts], message.kind))


def decode(payload: bytes) -> Load | Embed:
    """The message of the bytes; msgspec.DecodeError for anything else."""
    message: Load | Embed = msgspec.msgpack.decode(payload, type=Load | Embed)
    return message


def encode_vectors(vectors: Vectors) -> bytes:
    """An answer of any two-dimensional array, as it is: judging it is the parent's part."""
    rows, columns = vectors.shape
    return msgspec.msgpack.encode(Answer(rows, columns, np.ascontiguousarray(vectors, dtype="<f4").tobytes()))


def encode_trouble(trouble: Trouble) -> bytes:
    """An answer that says why there are no vectors."""
    return msgspec.msgpack.encode(NoAnswer(trouble))


def decode_vectors(payload: bytes, rows: int, dimension: int) -> Vectors:
    """Float32 (rows, dimension) with rows of length 1 ± .001; TroubleError when the worker says why not, BadVectors for anything else."""
    try:
        answer: Answer | NoAnswer = msgspec.msgpack.decode(payload, type=Answer | NoAnswer)
        if isinstance(answer, NoAnswer):
            raise TroubleError(answer.trouble)
        vectors = np.frombuffer(answer.data, dtype="<f4").reshape(answer.rows, answer.columns).astype(np.float32)
    except (msgspec.DecodeError, ValueError) as error:
        raise BadVectors(f"the embedding model's answer cannot be read: {error}") from error
    if vectors.shape != (rows, dimension):
        raise BadVectors(f"the embedding model gave an array of {vectors.shape}, expected {(rows, dimension)}")
    if not np.isfinite(vectors).all():
        raise BadVectors("the embedding model gave numbers that are not finite")
    lengths = np.linalg.norm(vectors, axis=1)
    if rows and float(np.abs(lengths - 1).max()) > _LENGTH_TOLERANCE:
        raise BadVectors("the embedding model gave vectors that are not of length 1")
    return vectors
