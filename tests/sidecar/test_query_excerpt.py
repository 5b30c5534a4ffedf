"""Excerpts: the right passage, its marks in the right places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.lexemes import Analyzer
from holovault.query import Excerpt, best_excerpt
from tests.support.texts import TEXTS

ANALYZER = Analyzer()


def excerpt(text: str, words: str, *phrases: str, length: int = 80, weights: dict[str, float] | None = None) -> Excerpt:
    terms = frozenset(term.term for term in ANALYZER.analyze(words))
    return best_excerpt(text, terms, phrases, ANALYZER, length, weights)


def marked(found: Excerpt) -> list[str]:
    return [found.text[start:end] for start, end in found.matches]


FILLER = "Nothing of interest stands here and goes on for a while. " * 20


def test_the_passage_with_most_different_words_wins() -> None:
    found = excerpt(f"backup backup backup. {FILLER} Restore the postgres backup at night. {FILLER}", "postgres backup restore")
    assert marked(found) == ["Restore", "postgres", "backup"]
    assert "Restore the postgres backup at night." in found.text


def test_rare_words_outweigh_common_ones() -> None:
    text = f"red green. {FILLER} pve-01. {FILLER}"
    assert "red" in excerpt(text, "red green 01").text
    assert "pve-01" in excerpt(text, "red green 01", weights={"red": 0.1, "green": 0.1, "01": 5.0}).text


def test_an_exact_phrase_wins_and_is_one_match() -> None:
    text = f"Lint, then ingest the file-back. {FILLER} Run File-back\n  Ingest Lint today. {FILLER}"
    found = excerpt(text, "file-back ingest lint", "file-back ingest lint")
    assert marked(found) == ["File-back Ingest Lint"]


def test_inflected_words_and_identifiers_are_marked_whole() -> None:
    found = excerpt("В субботу: переезд на pve-01 (старый ﬁle).", "суббота pve-01 file")
    assert marked(found) == ["субботу", "pve-01", "ﬁle"]


def test_overlapping_pairs_are_one_match() -> None:
    assert marked(excerpt("关于电子芯片设计的笔记", "芯片设计")) == ["芯片设计"]


def test_a_line_is_one_line_and_marks_stay_in_place() -> None:
    found = excerpt("\n\n# Title\n\n| one   |\ttwo |\x00\n", "one two")
    assert found == Excerpt("# Title | one | two |", ((10, 13), (16, 19)), 2)


def test_a_text_without_a_match_shows_its_begin() -> None:
    found = excerpt("First words here. " + FILLER, "absent", length=30)
    assert found.text.startswith("First words here.")
    assert (found.matches, found.start) == ((), 0)


def test_cuts_fall_between_words() -> None:
    text = "alpha beta gamma delta epsilon needle zeta eta theta iota kappa lambda"
    found = excerpt(text, "needle", length=32)
    assert set(found.text.split()) <= set(text.split())
    assert "needle" in found.text
    assert text[found.start :].startswith(found.text)


def test_a_passage_begins_with_its_sentence() -> None:
    found = excerpt(f"{FILLER}Here we go: the needle is found. {FILLER}", "needle", length=100)
    assert found.text.startswith("Here we go: the needle")


@pytest.mark.parametrize("length", range(5, 16))
def test_a_family_is_not_torn_apart(length: int) -> None:
    assert excerpt("👨‍👩‍👧" * 4, "absent", length=length).text == "👨‍👩‍👧" * (length // 5)


@pytest.mark.parametrize("length", [120, 121, 122, 123, 124, 125])
def test_a_match_after_unbroken_pictographs_is_shown_whole(length: int) -> None:
    found = excerpt("👩‍👩‍👧" * 400 + "\n\nAfter them comes a papaya.", "papaya", length=length)
    assert marked(found) == ["papaya"]
    assert found.text.startswith("👩")


def test_where_nothing_else_fits_a_part_is_shown() -> None:
    assert excerpt("👨‍👩‍👧", "absent", length=3).text == "👨‍👩"


def test_nothing_gives_nothing() -> None:
    assert excerpt("", "x", "y") == Excerpt("", (), 0)
    assert excerpt(" \n\x00 ", "x") == Excerpt("", (), 4)


@pytest.mark.parametrize("length", [0, 1, 3])
def test_a_match_longer_than_the_excerpt_is_cut(length: int) -> None:
    found = excerpt("see identifier-of-great-length there", "identifier-of-great-length", length=length)
    assert found.text == "identifier-of-great-length"[: max(length, 1)]
    assert found.matches == ((0, max(length, 1)),)


@given(TEXTS, TEXTS, st.integers(0, 60))
def test_an_excerpt_is_a_stretch_of_its_text(text: str, words: str, length: int) -> None:
    found = excerpt(text, words, words[:5], length=length)
    assert len(found.text) <= max(length, 1)
    blank = str.maketrans(dict.fromkeys((*range(32), 127), " "))
    assert " ".join(text[found.start :].translate(blank).split()).startswith(found.text)
    assert found.text == " ".join(found.text.split())
    ends = [end for span in found.matches for end in span]
    assert ends == sorted(set(ends))
    assert all(0 <= start < end <= len(found.text) for start, end in found.matches)


@given(TEXTS, TEXTS)
def test_a_whole_text_shows_every_match(text: str, words: str) -> None:
    terms = {term.term for term in ANALYZER.analyze(words)}
    wanted = [text[term.start : term.end] for term in ANALYZER.find(text, terms)]
    found = excerpt(text, words, length=len(text) + 1)
    assert len(found.matches) <= len(wanted)
    assert bool(found.matches) == bool(wanted)
    assert all(any(" ".join(word.split()) in mark for mark in marked(found)) for word in wanted)
