"""Exact phrases in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.query import phrase_in


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("1.0.21", "see 1.0.21."),
        ("File-back Ingest Lint", "# file-back\n   INGEST lint"),
        ("ёлка", "Наша е\u0308лка, зелёная"),
        ("елка", "ЁЛКА"),
        ("芯片", "电子芯片设计"),
        ("배포", "배포는 금요일"),
        ("C++", "in C++17"),
        ("pve-01", "root@pve-01:/etc"),
        ("don't", "I don’t know"),
        ("bold text", "some **bold** text"),
        ("see the note", "see [[the note]]"),
        ("run make", "run `make` now"),
        ("one two", "one\u00a0two"),
        ("a-b", "a–b"),
        ("foo bar", "xfoo bar, foo bar"),
        ("🙂", "x🙂y"),
        ("file", "ﬁle"),
        ("python", "Python容器"),
    ],
)
def test_a_phrase_is_found_in_every_dress(phrase: str, text: str) -> None:
    assert phrase_in(phrase, text)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("1.0.21", "1021"),
        ("1.0.21", "11.0.21 1.0.210"),
        ("cat", "concatenate cats"),
        ("foo bar", "foo, bar"),
        ("й", "и"),
        ("foo_bar", "fooXbar"),
        ("हिन्द", "हिन्दी"),
        ("2*3", "23"),
        ("", "anything"),
        (" ", "any thing"),
        ("x", ""),
    ],
)
def test_another_thing_is_not_the_phrase(phrase: str, text: str) -> None:
    assert not phrase_in(phrase, text)


@given(st.lists(st.sampled_from(["суббота", "pve-01", "C++", "芯片", "don't", "e\u0308", "🙂"]), min_size=1, max_size=4), st.data())
def test_what_stands_between_spaces_is_found(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    assert phrase_in(" ".join(words[first:last]).upper(), "\n".join(words))
