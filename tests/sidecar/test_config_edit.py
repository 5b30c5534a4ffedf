"""Changing `[embedding]` in knowledge.toml: the keys change, every other byte stays, and what cannot be changed safely is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.config import load_config
from holovault.config.edit import Change, as_lines, with_embedding
from holovault.errors import ConfigError, UsageError

FILE = "knowledge.toml"
MINILM: Change = {"provider": "fastembed", "model": "my/minilm"}

CASES = [
    (None, '[embedding]\nprovider = "fastembed"\nmodel = "my/minilm"\n'),
    ("", '[embedding]\nprovider = "fastembed"\nmodel = "my/minilm"\n'),
    ("# only words", '# only words\n\n[embedding]\nprovider = "fastembed"\nmodel = "my/minilm"\n'),
    (
        '[embedding]  # mine\n# why\nprovider="bundled"   # for now\n\n# of the search\n[search]\nlimit=5\n',
        '[embedding]  # mine\n# why\nprovider="fastembed"   # for now\nmodel = "my/minilm"\n\n# of the search\n[search]\nlimit=5\n',
    ),
    (
        "[embedding]\nmodel = 'old/one' # was good\nprovider = 'fastembed'\n",
        '[embedding]\nmodel = "my/minilm" # was good\nprovider = "fastembed"\n',
    ),
    (
        '[search]\r\nlimit = 5\r\n[embedding]\r\nprovider = "none" # c\r\n',
        '[search]\r\nlimit = 5\r\n[embedding]\r\nprovider = "fastembed" # c\r\nmodel = "my/minilm"\r\n',
    ),
    ("\ufeff[search]\nlimit=5", '\ufeff[search]\nlimit=5\n\n[embedding]\nprovider = "fastembed"\nmodel = "my/minilm"\n'),
    (
        'embedding.provider = "none"\n[search]\nlimit=3\n',
        'embedding.provider = "fastembed"\nembedding.model = "my/minilm"\n[search]\nlimit=3\n',
    ),
    ('embedding = {provider = "none", window=64}\n', 'embedding = {provider = "fastembed", window=64, model = "my/minilm"}\n'),
    (
        '[[tiers]]\npath = "[embedding]/**"  # a folder\ntier = 1\n',
        '[[tiers]]\npath = "[embedding]/**"  # a folder\ntier = 1\n\n[embedding]\nprovider = "fastembed"\nmodel = "my/minilm"\n',
    ),
]


@pytest.mark.parametrize(("before", "after"), CASES, ids=range(len(CASES)))
def test_the_keys_change_and_all_else_stays(before: str | None, after: str) -> None:
    assert with_embedding(before, MINILM, FILE) == after


@pytest.mark.parametrize(("before", "after"), CASES, ids=range(len(CASES)))
def test_doing_it_again_changes_nothing(before: str | None, after: str) -> None:
    assert with_embedding(after, MINILM, FILE) == after


def test_keys_can_be_taken_out() -> None:
    text = '[embedding]\nprovider = "fastembed"\nmodel = "a/b"\nwindow = 64 # short\nquery_prefix = "q: "\n[search]\nlimit = 2\n'
    after = with_embedding(text, {"provider": "bundled", "model": None, "query_prefix": None}, FILE)
    assert after == '[embedding]\nprovider = "bundled"\nwindow = 64 # short\n[search]\nlimit = 2\n'


def test_numbers_are_numbers() -> None:
    assert with_embedding(None, {"memory_mb": 1200}, FILE) == "[embedding]\nmemory_mb = 1200\n"


@pytest.mark.parametrize("broken", ["[embedding\n", '[embedding]\nprovider = "magic"\n', "[search]\nlimit = 0\n", "embedding = 3\n"])
def test_a_file_with_mistakes_is_not_touched(broken: str) -> None:
    with pytest.raises(ConfigError):
        with_embedding(broken, MINILM, FILE)


def test_a_change_that_would_be_a_mistake_is_none() -> None:
    with pytest.raises(ConfigError, match="openai"):
        with_embedding("", {"provider": "openai"}, FILE)
    with pytest.raises(ConfigError, match="refine"):
        with_embedding('[embedding]\nrefine = "e5"\n', MINILM, FILE)


def test_the_lines_for_a_person_are_the_lines_that_are_written() -> None:
    assert as_lines(MINILM) == '[embedding]\nprovider = "fastembed"\nmodel = "my/minilm"'
    assert with_embedding("", MINILM, FILE) == as_lines(MINILM) + "\n"


def test_a_form_that_cannot_be_changed_line_by_line_is_left_to_the_person() -> None:
    text = '[embedding]\nprovider = "fastembed"\nmodel = """\nold/one"""\n'
    with pytest.raises(UsageError, match=r"put these lines into it and take out refine\.") as raised:
        with_embedding(text, {**MINILM, "refine": None}, FILE)
    assert as_lines(MINILM) in str(raised.value)


LINES = st.sampled_from(
    [
        "",
        "# провод [embedding] model = 1",
        "\t# tab",
        '[vault]\nexclude = [\n  "a", # one\n\n  "b",\n]',
        "[search]\nlimit   =   7",
        "[time]\nzone = 'UTC'",
    ]
)


@given(
    st.lists(LINES, unique=True, max_size=6),
    st.lists(LINES.filter(lambda line: not line or line.lstrip().startswith("#")), unique=True, max_size=3),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_any_surroundings_survive(around: list[str], inside: list[str], end: str, table: bool) -> None:
    body = "\n".join([*around, *(["[embedding]", "provider = 'none' # words", *inside] if table else [])])
    before = body.replace("\n", end)
    after = with_embedding(before, MINILM, FILE)
    config = load_config(after, FILE)
    assert (config.embedding.provider, config.embedding.model) == ("fastembed", "my/minilm")
    kept = [line for line in before.splitlines() if line.strip() and not line.startswith(("provider", "[embedding]"))]
    remaining = iter(after.splitlines())
    assert all(line in remaining for line in kept)
    assert ("\r\n" in after) == ("\r\n" in before) or "\n" not in body
