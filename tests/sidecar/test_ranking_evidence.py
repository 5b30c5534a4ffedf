"""Whether anything was found: nonsense and absent topics give nothing, and what was found keeps no junk tail."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from holovault.ranking import DEFAULT_SCALE, Bar, Candidate, Scale, found

BAR = Bar(DEFAULT_SCALE, meaning=True, noise=0.05)


def test_meaning_below_the_floor_without_words_finds_nothing() -> None:
    assert found([Candidate(1, semantic=0.24), Candidate(2, semantic=0.1)], BAR) == ()


def test_meaning_above_the_floor_is_found_without_a_word() -> None:
    hit = Candidate(1, semantic=0.4)
    assert found([hit, Candidate(2, semantic=0.06)], BAR) == (hit,)


def test_letter_salad_that_lies_nearer_to_salad_than_to_any_passage_finds_nothing() -> None:
    salad = replace(BAR, noise=0.6)
    assert found([Candidate(1, semantic=0.42), Candidate(2, semantic=0.38)], salad) == ()


def test_a_word_that_the_model_does_not_know_is_found_by_the_word() -> None:
    unknown_to_model = replace(BAR, noise=0.54)
    hit = Candidate(1, lexical=7.0, semantic=0.3, coverage=1.0)
    assert found([hit, Candidate(2, semantic=0.5)], unknown_to_model) == (hit,)


def test_a_stray_word_beside_foreign_meaning_is_no_find() -> None:
    assert found([Candidate(1, lexical=8.0, semantic=0.15, coverage=0.2)], BAR) == ()


def test_words_and_meaning_together_clear_a_bar_that_neither_clears_alone() -> None:
    both = Candidate(1, lexical=8.0, semantic=0.2, coverage=0.4)
    assert found([both], BAR) == (both,)
    assert found([replace(both, coverage=0.0, lexical=None)], BAR) == ()
    assert found([replace(both, semantic=0.0)], BAR) == ()


def test_without_a_model_a_question_finds_the_note_that_has_some_of_its_words() -> None:
    words = Bar(DEFAULT_SCALE, meaning=False)
    some, stray = Candidate(1, lexical=5.0, coverage=0.3), Candidate(2, lexical=3.0, coverage=0.08)
    assert found([some, stray], words) == (some,)
    assert found([stray], words) == ()


def test_a_query_in_another_language_has_a_lower_bar() -> None:
    hit = Candidate(1, semantic=0.25)
    assert found([hit], BAR) == ()
    assert found([hit], replace(BAR, foreign=1.0)) == (hit,)


def test_a_passage_without_a_vector_yet_is_judged_by_its_words() -> None:
    pending = Candidate(1, lexical=8.0, coverage=0.35)
    assert found([pending], BAR) == (pending,)


@given(st.lists(st.builds(Candidate, st.integers(), semantic=st.none() | st.floats(-1, 1), coverage=st.floats(0, 1))), st.floats(0, 1))
def test_more_evidence_never_turns_a_find_into_none(candidates: list[Candidate], more: float) -> None:
    better = [replace(candidate, coverage=max(candidate.coverage, more)) for candidate in candidates]
    assert len(found(better, BAR)) >= len(found(candidates, BAR))


@given(st.floats(-0.3, 0.8), st.floats(0.01, 1), st.floats(-1, 1), st.floats(0, 1))
def test_the_scale_rises_with_the_cosine_between_zero_and_one(floor: float, width: float, cosine: float, step: float) -> None:
    scale = Scale(floor, floor + width)
    assert 0 <= scale.value(cosine) <= scale.value(cosine + step) <= 1
    assert abs(scale.value(scale.floor) - 1 / 3) < 1e-6
