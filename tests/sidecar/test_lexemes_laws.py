"""What holds for any text whatever: places, order, alphabet, bounded memory of words."""

import re
import sqlite3
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holovault.lexemes import Analyzer, Term, fold
from holovault.lexemes.languages import KNOWN, Stemmer
from tests.support.texts import TEXTS, WORDS

ANALYZER = Analyzer()
LEGAL = re.compile(r"[a-z0-9\-_+./#@:&'\x80-\U0010ffff]{1,64}")


@given(TEXTS)
def test_index_text_is_the_analysis_joined(text: str) -> None:
    assert ANALYZER.index_text(text) == " ".join(term.term for term in ANALYZER.analyze(text))


@given(TEXTS)
def test_a_term_has_only_legal_characters(text: str) -> None:
    for term in ANALYZER.analyze(text):
        assert LEGAL.fullmatch(term.term)
        assert not any(char.isspace() or char.isupper() for char in term.term)
        term.term.encode("utf-8")


@given(TEXTS)
def test_places_lie_in_the_text_and_no_part_precedes_its_whole(text: str) -> None:
    text = unicodedata.normalize("NFKC", text)
    found = ANALYZER.analyze(text)
    assert all(0 <= term.start < term.end <= len(text) for term in found)
    for index, term in enumerate(found):
        later = found[index + 1 : index + 12]
        assert not any(
            other.start <= term.start and term.end <= other.end and other.end - other.start > term.end - term.start for other in later
        )


@given(TEXTS)
def test_a_place_alone_gives_its_term_again(text: str) -> None:
    for term in ANALYZER.analyze(text):
        assert term.term in {again.term for again in ANALYZER.analyze(text[term.start : term.end])}


@given(TEXTS)
def test_decomposed_text_has_the_same_terms(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert ANALYZER.index_text(unicodedata.normalize("NFD", composed)) == ANALYZER.index_text(composed)


@given(TEXTS, st.sets(st.integers(0, 40), max_size=6))
def test_finding_some_terms_gives_what_the_whole_analysis_has_of_them(text: str, chosen: set[int]) -> None:
    found = ANALYZER.analyze(text)
    terms = {term.term for place, term in enumerate(found) if place in chosen} | {"nowhere"}
    assert ANALYZER.find(text, terms) == [term for term in found if term.term in terms]


@pytest.mark.parametrize("language", sorted(KNOWN))
@given(
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12) | st.text("абвгдежзийклмнопрстуфхцчшщъыьэюя", min_size=1, max_size=12)
)
def test_a_stem_begins_as_its_word(language: str, word: str) -> None:
    stemmer = Stemmer((language,))
    stem = stemmer.stem(word)
    same = stemmer.steady if len(stem) > stemmer.steady else 1
    assert stem[:same] == word[:same]


@given(st.text("cdeint", min_size=1, max_size=8))
def test_a_long_stem_is_found_in_every_word_that_has_it(word: str) -> None:
    [term] = ANALYZER.analyze(word)
    for spelling in (word, word.capitalize(), word.upper()):
        assert ANALYZER.find(f"x {spelling}.", {term.term}) == [Term(term.term, 2, 2 + len(word))]


@given(TEXTS, TEXTS)
def test_what_stands_around_a_text_does_not_change_its_terms(one: str, other: str) -> None:
    assert ANALYZER.index_text(f"{one} {other}").split() == [*ANALYZER.index_text(one).split(), *ANALYZER.index_text(other).split()]


@given(TEXTS)
def test_the_stems_of_words_are_the_terms(text: str) -> None:
    words = ANALYZER.words(text)
    assert {stem for _, stem in words} == {term.term for term in ANALYZER.analyze(text)}
    assert all(word and word == fold(word) for word, _ in words)


@given(WORDS)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet="aЯёÉß’«–•×°€→ 1", max_size=12))
def test_the_short_way_of_folding_is_the_long_way(text: str) -> None:
    assert f"{fold(text)}ก" == fold(f"{text}ก")


@settings(max_examples=30)
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_full_text_search_sees_exactly_our_terms(texts: list[str]) -> None:
    rows = [ANALYZER.index_text(text) for text in texts]
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize = \"ascii tokenchars '-_+.#/@:&'''\")")
        db.execute("CREATE VIRTUAL TABLE seen USING fts5vocab(notes, instance)")
        db.executemany("INSERT INTO notes VALUES (?)", [(row,) for row in rows])
        seen = db.execute('SELECT term FROM seen ORDER BY doc, "offset"').fetchall()
    db.close()
    assert [term for (term,) in seen] == [term for row in rows for term in row.split()]


def test_a_crowd_of_words_does_not_change_the_answer() -> None:
    analyzer = Analyzer()
    crowd = " ".join(f"слово{number} word-{number}" for number in range(20_000))
    assert analyzer.index_text(crowd) == " ".join(term.term for term in analyzer.analyze(crowd))
    recent = crowd[len(crowd) // 2 :]
    assert analyzer.index_text(recent) == Analyzer().index_text(recent)
    assert analyzer.index_text("Суббота pve-01") == "суббот pve-01 pve 01"


def test_one_endless_line_is_analysed() -> None:
    assert set(ANALYZER.index_text("x:" * 50_000).split()) == {"x"}
    assert ANALYZER.index_text("-" * 100_000) == ""
    assert ANALYZER.index_text("." * 100_000 + "a") == "a"
    assert len(ANALYZER.index_text("芯" * 100_000).split()) == 99_999
    assert set(ANALYZER.index_text("a-b." * 50_000).split()) == {"a-b", "a", "b"}
