"""A question in one language finds passages in another, also with a model that sorts texts by language first."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.embed import EmbedOutcome, ModelSpec, Vectors
from holovault.searcher.centring import LEAST, NARROWEST, Centring, centring, language_of
from holovault.searcher.nearness import centring_of, measure_centring
from holovault.store import Fingerprint
from tests.support.embeddings import direction
from tests.support.searching import DIMENSION, Desk, SynonymEmbedding, desk

SPEC = ModelSpec("test", "sorts-by-language", DIMENSION, 128, centring=True)
PLAIN = ModelSpec("test", "sorts-by-language", DIMENSION, 128)
ENGLISH = {
    f"En/{number}.md": f"# Log {number}\n\nThe {thing} stood beside the {place} for many weeks.\n"
    for number, (thing, place) in enumerate(
        (thing, place) for thing in ("lamp", "ladder", "piano", "anvil") for place in ["barn", "mill", "port", "tower"]
    )
}
RUSSIAN = {
    f"Ru/{number}.md": f"# Запись {number}\n\nТут {thing} стоял возле {place} много недель.\n"
    for number, (thing, place) in enumerate(
        (thing, place) for thing in ("фонарь", "якорь", "рояль", "молот") for place in ["сарая", "порта", "храма", "моста"]
    )
}
TARGETS = {"Ru/Кот.md": "# Наш кот\n\nКотёнок боится ветеринар.\n", "En/Garden.md": "# The garden\n\nSow the seedlings and the tomatoes.\n"}
BOTH = ENGLISH | RUSSIAN | TARGETS


class SortsByLanguage(SynonymEmbedding):
    """What a text says, plus a large part for the script that it says it in, as multilingual-e5 does."""

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        return _marked(super().embed_query(text, max_wait), text)

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        rows = super().embed_passages(texts).vectors
        return EmbedOutcome(np.stack([_marked(row, text) for row, text in zip(rows, texts, strict=True)]))


def _marked(vector: Vectors, text: str) -> Vectors:
    total = vector + 1.5 * direction(f"script {language_of(text)}")
    return np.asarray(total / np.linalg.norm(total), np.float32)


@pytest.mark.parametrize(("question", "answer"), [("kitten vet", "Ru/Кот.md"), ("рассада помидоры", "En/Garden.md")])
def test_a_question_finds_the_note_in_the_other_language(tmp_path: Path, question: str, answer: str) -> None:
    with desk(tmp_path / "with", BOTH, SortsByLanguage(SPEC)) as opened:
        assert opened.paths(question, "semantic")[0] == answer
    with desk(tmp_path / "without", BOTH, SortsByLanguage(PLAIN)) as opened:
        first = opened.paths(question, "semantic")[:1]
        assert first != [answer], "the model of this test does not sort by language, so it proves nothing"


def _set(opened: Desk) -> Fingerprint:
    """The vectors that are searched."""
    serving = opened.store.vectors.serving
    assert serving is not None
    return serving


def test_a_question_in_the_notes_own_language_finds_them_as_before(tmp_path: Path) -> None:
    with desk(tmp_path, BOTH, SortsByLanguage(SPEC)) as opened:
        assert opened.paths("котёнок ветеринар", "semantic")[0] == "Ru/Кот.md"
        assert opened.paths("seedlings tomatoes", "semantic")[0] == "En/Garden.md"


def test_letter_salad_still_finds_nothing(tmp_path: Path) -> None:
    with desk(tmp_path, BOTH, SortsByLanguage(SPEC)) as opened:
        assert opened.paths("qwzxv plrtk", "semantic") == []
        assert opened.paths("жбрщц", "semantic") == []


def test_a_related_note_may_be_in_the_other_language(tmp_path: Path) -> None:
    notes = BOTH | {"En/Cat.md": "# The pet\n\nKitten, cat and vet.\n"}
    with desk(tmp_path, notes, SortsByLanguage(SPEC)) as opened:
        assert opened.related("En/Cat.md").results[0].path == "Ru/Кот.md"


def test_a_vault_of_one_language_has_a_middle_and_no_axes(tmp_path: Path) -> None:
    with desk(tmp_path, ENGLISH | {"Ru/Кот.md": TARGETS["Ru/Кот.md"]}, SortsByLanguage(SPEC)) as opened:
        kept = centring_of(opened.store, _set(opened))
        assert len(kept.axes) == 0
        assert np.linalg.norm(kept.middle) > 0.3


def test_a_question_in_another_language_than_all_notes_finds_its_note(tmp_path: Path) -> None:
    notes = ENGLISH | {"En/Garden.md": TARGETS["En/Garden.md"]}
    with desk(tmp_path, notes, SortsByLanguage(SPEC)) as opened:
        assert opened.paths("рассада помидоры", "semantic") == ["En/Garden.md"]
        assert opened.paths("осенние выборы мэра", "semantic") == []


def test_a_vault_of_one_note_is_searched_by_meaning(tmp_path: Path) -> None:
    with desk(tmp_path, {"Ru/Кот.md": TARGETS["Ru/Кот.md"]}, SortsByLanguage(SPEC)) as opened:
        assert opened.paths("питомец", "semantic") == ["Ru/Кот.md"]


def test_what_was_measured_is_kept_with_the_index(tmp_path: Path) -> None:
    with desk(tmp_path, BOTH, SortsByLanguage(SPEC)) as opened:
        kept = centring_of(opened.store, _set(opened))
        assert kept.axes.shape == (1, DIMENSION)
        expected = direction("script LATIN") - direction("script CYRILLIC")
        assert abs(float(kept.axes[0] @ expected / np.linalg.norm(expected))) > 0.95


def test_other_vectors_have_to_be_measured_for_themselves(tmp_path: Path) -> None:
    with desk(tmp_path, BOTH, SortsByLanguage(SPEC)) as opened:
        rows = np.stack([direction(f"other {number}") for number in range(8)])
        opened.store.vectors.adopt("another model", DIMENSION, rows)
        assert centring_of(opened.store, _set(opened)).width == 1
        assert not centring_of(opened.store, _set(opened)).middle.any()


def test_a_model_that_needs_no_centring_is_not_measured(tmp_path: Path) -> None:
    with desk(tmp_path, BOTH, SortsByLanguage(PLAIN)) as opened:
        assert measure_centring(opened.store, PLAIN, _set(opened), np.zeros((1, DIMENSION), np.float32)).width == 1
        assert centring_of(opened.store, _set(opened)).width == 1


NOTHING = np.zeros((0, 4), np.float32)
CORNERS = np.eye(4, dtype=np.float32)


def passages(*groups: tuple[str, int, Sequence[float]]) -> tuple[Vectors, list[str]]:
    """So many times the same unit vector for each language."""
    rows = [np.tile(unit(mean), (count, 1)) for _, count, mean in groups]
    return np.concatenate(rows), [name for name, count, _ in groups for _ in range(count)]


def unit(row: Sequence[float]) -> Vectors:
    return np.asarray(np.array(row) / np.linalg.norm(row), np.float32)


def test_languages_differ_along_one_axis_less_than_there_are() -> None:
    two = centring(*passages(("LATIN", 50, [1, 0, 0, 0]), ("CYRILLIC", 50, [0, 1, 0, 0])), NOTHING)
    assert two.axes.shape == (1, 4)
    assert np.allclose(np.abs(two.axes[0]), [0.5**0.5, 0.5**0.5, 0, 0], atol=1e-6)
    three = centring(*passages(("LATIN", 50, [1, 0, 0, 0]), ("CYRILLIC", 50, [0, 1, 0, 0]), ("KANA", 50, [0, 0, 1, 0])), NOTHING)
    assert three.axes.shape == (2, 4)
    means = three.question(np.array([[1, 0, 0, 0.5], [0, 1, 0, 0.5], [0, 0, 1, 0.5]], np.float32))
    assert np.allclose(means, means[0], atol=1e-6)


@pytest.mark.parametrize(
    ("groups", "axes"),
    [
        ([("LATIN", 1000, [1, 0, 0, 0])], 0),
        ([("LATIN", 1000, [1, 0, 0, 0]), ("CYRILLIC", LEAST, [0, 1, 0, 0])], 0),
        ([("LATIN", 1000, [1, 0, 0, 0]), ("CYRILLIC", 60, [0, 1, 0, 0])], 1),
        ([("LATIN", 100, [1, 0, 0, 0]), ("CYRILLIC", LEAST - 1, [0, 1, 0, 0])], 0),
        ([("LATIN", 100, [1, 0, 0, 0]), ("CYRILLIC", LEAST, [0, 1, 0, 0])], 1),
        ([("LATIN", 1000, [1, 0, 0, 0]), ("", 1000, [0, 1, 0, 0])], 0),
        ([("LATIN", 1000, [1, 0, 0, 0]), ("", 5000, [0, 1, 0, 0]), ("CYRILLIC", 60, [0, 0, 1, 0])], 0),
        ([("LATIN", 100, [1, 0, 0, 0]), ("CYRILLIC", 100, [1, 0, 0, 0])], 0),
    ],
)
def test_only_languages_with_a_real_share_count(groups: list[tuple[str, int, Sequence[float]]], axes: int) -> None:
    assert len(centring(*passages(*groups), NOTHING).axes) == axes


def test_the_middle_counts_other_texts_and_the_width_is_measured_from_it() -> None:
    found = centring(*passages(("LATIN", 1, [1, 0, 0, 0])), CORNERS[1:])
    assert np.allclose(found.middle, 0.25)
    assert abs(found.width - 0.75) < 1e-6
    assert found.likeness(CORNERS[0], 1.0) == pytest.approx(1)
    assert found.likeness(CORNERS[0], 0.25) == pytest.approx(0)
    assert found.likeness(CORNERS[0], 0.0) == pytest.approx(-1 / 3)
    assert found.likeness(CORNERS[0], 1.2) == 1


def test_passages_that_are_all_the_same_have_a_width() -> None:
    assert centring(*passages(("LATIN", 9, [1, 0, 0, 0])), NOTHING).width == NARROWEST


NUMBERS = st.lists(st.floats(-1, 1, width=32), min_size=4, max_size=4).filter(lambda row: np.linalg.norm(row) > 0.1)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_what_is_left_of_a_question_lies_across_the_axes_and_likeness_is_a_product(
    first: list[float], second: list[float], question: list[float], passage: list[float]
) -> None:
    found = centring(*passages(("LATIN", 50, first), ("CYRILLIC", 50, second)), NOTHING)
    asked, stored = unit(question), unit(passage)
    left = asked - (asked @ found.axes.T) @ found.axes
    if np.linalg.norm(left) < 1e-2:
        return
    centred = found.question(asked)
    assert abs(float(np.linalg.norm(centred)) - 1) < 1e-4
    assert np.abs(found.axes @ centred).max(initial=0) < 1e-3
    assert np.allclose(found.question(centred), centred, atol=1e-3)
    assert np.allclose(found.question(np.stack([asked, stored]))[0], centred, atol=1e-5)
    product = float(centred @ found.passage(stored))
    assert found.likeness(centred, float(centred @ stored)) == pytest.approx(min(1, product), abs=1e-2)


def test_no_centring_leaves_vectors_and_cosines_alone() -> None:
    none = Centring.none(4)
    assert np.array_equal(none.question(CORNERS), CORNERS)
    assert none.likeness(CORNERS[0], 0.5) == 0.5
    assert np.array_equal(none.passage(CORNERS), CORNERS)


def test_a_vector_of_nothing_but_language_is_no_failure() -> None:
    assert np.isfinite(Centring(CORNERS[:1], CORNERS[1], 1.0).question(CORNERS[0])).all()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", ""),
        ("12:30 — 14:00 | * | 🙂", ""),
        ("The river rose two metres.", "LATIN"),
        ("Übersicht über die Kosten", "LATIN"),
        ("Рецепт хлеба: мука, вода и соль", "CYRILLIC"),
        ("Запусти `git push` и проверь, что сборка на сервере прошла без ошибок", "CYRILLIC"),
        ("git push: проверь", ""),
        ("会議は来週の月曜日に延期されました", "KANA"),
        ("机器学习的基本概念和方法", "CJK"),
        ("배포는 금요일입니다", "HANGUL"),
        ("שלום לכולם", "HEBREW"),
        ("слово " * 5000 + "word " * 200, "CYRILLIC"),
    ],
)
def test_a_text_belongs_to_the_script_that_prevails(text: str, language: str) -> None:
    assert language_of(text) == language
