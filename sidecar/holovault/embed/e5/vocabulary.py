"""The tokenizer of multilingual-e5-small (that of XLM-R: https://arxiv.org/abs/1911.02116) as a SentencePiece model.

Owns which ids a text becomes. The pieces and their scores come with the weights, the table of characters with the bundled model.
What differs from the model's original tokenizer, and how it was measured: docs/decisions/0006-e5-without-a-network.md.
"""

from collections.abc import Callable
from pathlib import Path

from holovault.embed.e5.protobuf import data, find, float32, text, varint
from holovault.embed.e5.weights import Vocabulary

_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3
_UNIGRAM = 1
_MASK = "<mask>"
_TRAINER, _NORMALIZER, _CHARACTERS = 2, 3, 2
_CHARACTERS_OF_XLM_R: dict[int, str | None] = {
    **dict.fromkeys([*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F]),
    **dict.fromkeys([0x200C, 0x200D], " "),
}
"""What XLM-R's table of characters does and the bundled model's does not: control characters go, joiners of zero width separate."""


def sentencepiece_model(vocabulary: Vocabulary, other: bytes) -> bytes:
    """The model file. `other` is a SentencePiece model whose table of characters is `nmt_nfkc`, as XLM-R's is but for 33 of them.

    ValueError where it has none.
    """
    special = {vocabulary.begin: _CONTROL, vocabulary.end: _CONTROL, vocabulary.padding: _CONTROL, vocabulary.unknown: _UNKNOWN}
    pieces = zip(vocabulary.pieces, vocabulary.scores, strict=True)
    parts = [
        data(1, text(1, piece) + float32(2, score) + varint(3, special.get(number, _CONTROL if piece == _MASK else _NORMAL)))
        for number, (piece, score) in enumerate(pieces)
    ]
    ids = ((40, vocabulary.unknown), (41, vocabulary.begin), (42, vocabulary.end), (43, vocabulary.padding))
    trainer = varint(3, _UNIGRAM) + varint(4, len(parts)) + b"".join(varint(field, number) for field, number in ids)
    characters = find(find(other, _NORMALIZER), _CHARACTERS)
    normalizer = text(1, "nmt_nfkc") + data(_CHARACTERS, characters) + varint(3, 1) + varint(4, 1) + varint(5, 1)
    return b"".join([*parts, data(_TRAINER, trainer), data(_NORMALIZER, normalizer)])


class Tokenizer:
    """Ids of texts. ImportError where the SentencePiece library is missing, OSError and RuntimeError for a file that is no model."""

    def __init__(self, model: Path) -> None:
        from sentencepiece import SentencePieceProcessor

        processor = SentencePieceProcessor(model_proto=model.read_bytes())
        self.begin: int = processor.bos_id()
        self.end: int = processor.eos_id()
        self._encode: Callable[[str], list[int]] = processor.encode

    def ids(self, text: str) -> list[int]:
        """The text's ids without marks around them; white space at its ends counts for nothing."""
        return self._encode(text.translate(_CHARACTERS_OF_XLM_R))
