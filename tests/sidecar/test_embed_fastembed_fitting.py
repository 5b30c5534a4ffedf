"""What is too long for a model is cut into pieces that fit, and nothing is lost; the catalogue says what fastembed says."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.config import EmbeddingConfig
from holovault.embed.catalogue import CATALOGUE, DEFAULT, SHORTEST_WINDOW, known, window_of
from holovault.embed.fastembed_provider import spec
from holovault.embed.fitting import Spans, pieces

MARKS = 2


def letters(text: str) -> Spans:
    """One token for each character that is not white space, as a very fine tokenizer would."""
    return [(at, at + 1) for at, char in enumerate(text) if not char.isspace()]


def measure(text: str) -> int:
    return MARKS + len(letters(text))


def three_per_character(text: str) -> int:
    return MARKS + 3 * len(text)


def one_span(text: str) -> Spans:
    """A tokenizer that says nothing about where its tokens are."""
    return [(0, len(text))]


@given(st.text(max_size=400), st.integers(min_value=MARKS + 1, max_value=60))
def test_every_piece_fits_and_together_they_are_the_text(text: str, limit: int) -> None:
    found = pieces(text, limit, measure, letters)
    assert "".join(found) == text
    assert all(measure(piece) <= limit for piece in found)


@given(st.text(min_size=1, max_size=300), st.integers(min_value=MARKS + 3, max_value=40))
def test_a_tokenizer_of_bytes_without_places_is_served_as_well(text: str, limit: int) -> None:
    found = pieces(text, limit, three_per_character, one_span)
    assert "".join(found) == text
    assert all(three_per_character(piece) <= limit for piece in found)


def test_a_text_that_fits_is_sent_as_it_is() -> None:
    assert pieces("to be or not", 12, measure, letters) == ["to be or not"]
    assert pieces("", 12, measure, letters) == [""]


def test_pieces_are_about_equal_and_begin_with_a_word() -> None:
    text = "alpha bravo charlie delta echo foxtrot golf hotel india juliet"
    found = pieces(text, 30, measure, letters)
    assert found == ["alpha bravo charlie delta ", "echo foxtrot golf hotel india juliet"] or len(found) == 2
    assert all(not piece[0].isspace() for piece in found)
    sizes = [measure(piece) for piece in found]
    assert max(sizes) < 2 * min(sizes)


def test_one_character_that_does_not_fit_is_an_error_and_not_a_loop() -> None:
    with pytest.raises(ValueError, match=r"one character is 5 tokens .* reads 4"):
        pieces("ab", 4, three_per_character, one_span)


def test_windows_leave_room_for_headings_and_marks_within_the_trained_length() -> None:
    assert window_of(128, 128) == 96
    assert window_of(128, 512) == 128
    assert window_of(512, 512) == 384
    assert window_of(64, 128) == 64
    assert window_of(128, 20) == SHORTEST_WINDOW


def test_the_default_is_the_multilingual_model_that_was_trained_on_128_tokens() -> None:
    found = spec(EmbeddingConfig(provider="fastembed"), None)
    assert found is not None
    assert (found.name, found.dimension, found.window) == (DEFAULT, 384, 96)
    assert DEFAULT == "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"


def test_prefixes_in_knowledge_toml_go_before_those_of_the_catalogue() -> None:
    config = EmbeddingConfig(provider="fastembed", model="intfloat/multilingual-e5-large", query_prefix="ask: ", passage_prefix="")
    found = spec(config, None)
    assert found is not None
    assert (found.query_prefix, found.passage_prefix) == ("ask: ", "")


def test_names_are_found_in_any_case_and_keep_the_form_they_have() -> None:
    found = known("intfloat/Multilingual-E5-Large")
    assert found is not None
    assert (found.name, found.query_prefix, found.passage_prefix) == ("intfloat/multilingual-e5-large", "query: ", "passage: ")
    assert known("nobody/knows-it") is None


def test_the_catalogue_says_of_every_model_what_fastembed_says() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from fastembed import TextEmbedding

        listed = {model["model"]: model for model in TextEmbedding.list_supported_models()}
    assert set(listed) >= {DEFAULT, "BAAI/bge-small-en-v1.5"}
    for model in CATALOGUE:
        if model.name in listed:
            theirs = listed[model.name]
            assert (model.dimension, model.licence) == (theirs["dim"], theirs["license"]), model.name
            assert abs(model.megabytes - 1000 * theirs["size_in_GB"]) < 10, model.name
            assert str(model.trained) in theirs["description"] or model.trained < 512 or model.name == "jinaai/jina-clip-v1", model.name


def test_every_name_is_there_once() -> None:
    assert len({model.name.casefold() for model in CATALOGUE}) == len(CATALOGUE)
