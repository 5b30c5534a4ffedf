"""Contradictions: few wrong alarms on planted pairs in two languages, and nothing decided by a machine."""

from pathlib import Path

import pytest

from holovault.lexemes import Analyzer
from holovault.memory.calendar import Day, day_of
from holovault.memory.contradictions import Comparer, Difference
from holovault.memory.statements import Statement, read_statement
from holovault.model import Fact, ForgetRequest
from tests.support.planted_facts import AGREEING, CONTRADICTING, UNSEEN_AGREEING, UNSEEN_CONTRADICTING
from tests.support.remembering import remembering

ANALYZER = Analyzer(("en", "ru"))


def difference(one: str, other: str) -> Difference | None:
    return Comparer(ANALYZER).difference(read_statement(one, ANALYZER), read_statement(other, ANALYZER))


def score(wrong: list[tuple[str, str]], right: list[tuple[str, str]]) -> tuple[float, float]:
    """Precision and recall over pairs that contradict each other and pairs that do not."""
    hits = sum(difference(*pair) is not None for pair in wrong)
    alarms = sum(difference(*pair) is not None for pair in right)
    return hits / max(1, hits + alarms), hits / len(wrong)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_planted_pairs_are_told_apart(language: str) -> None:
    assert score(CONTRADICTING[language], AGREEING[language]) == (1.0, 1.0)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_pairs_that_the_rules_were_not_made_with_raise_few_false_alarms(language: str) -> None:
    precision, recall = score(UNSEEN_CONTRADICTING[language], UNSEEN_AGREEING[language])
    assert precision >= 0.9
    assert recall >= 0.5


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_order_of_two_facts_does_not_matter(language: str) -> None:
    for one, other in (*CONTRADICTING[language], *AGREEING[language]):
        there, back = difference(one, other), difference(other, one)
        assert (there is None) == (back is None)
        assert there is None or back is None or (there.first, there.second) == (back.second, back.first)


@pytest.mark.parametrize(
    ("one", "other", "kind", "values"),
    [
        ("Ivan lives in Moscow", "Ivan lives in Berlin", "name", ("Moscow", "Berlin")),
        ("У [[pve-01]] 32 ГБ памяти", "У [[pve-01]] 64 ГБ памяти", "number", ("32", "64")),
        ("Maria was born on 1990-05-12", "Maria was born on May 14, 1990", "date", ("1990-05-12", "May 14, 1990")),
        ("Пётр курит", "Пётр не курит", "negation", ("yes", "not")),
    ],
)
def test_a_pair_says_in_what_it_differs(one: str, other: str, kind: str, values: tuple[str, str]) -> None:
    found = difference(one, other)
    assert found is not None
    assert (found.kind, (found.first, found.second)) == (kind, values)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-05-24", Day(2026, 5, 24)),
        ("24.05.26", Day(2026, 5, 24)),
        ("24 мая 2026", Day(2026, 5, 24)),
        ("May 24, 2026", Day(2026, 5, 24)),
        ("24th of May", Day(None, 5, 24)),
        ("мае 2026", Day(2026, 5)),
        ("1999", Day(1999)),
        ("пятницу", Day(weekday=5)),
        ("31.13.2020", None),
        ("2020-02", Day(2020, 2)),
    ],
)
def test_dates_are_read_in_the_spellings_of_people(text: str, day: Day | None) -> None:
    assert day_of(text) == day


def test_listed_pairs_leave_the_notes_as_they_are(tmp_path: Path) -> None:
    pairs = [pair for language in ("en", "ru") for pair in CONTRADICTING[language][:3]]
    one, other = ("".join(f"- {pair[side]}\n" for pair in pairs) for side in (0, 1))
    with remembering(tmp_path, {"Memory/Facts/A.md": one, "Memory/Facts/Sub/B.md": other}) as (vault, engine):
        before = vault.notes()
        found = engine.facts.contradictions(4)
        assert (found.total, len(found.pairs)) == (len(pairs), 4)
        assert [pair.one.text for pair in found.pairs] == [pair[0] for pair in pairs[:4]]
        assert {pair.other.path for pair in found.pairs} == {"Memory/Facts/Sub/B.md"}
        assert vault.notes() == before
        engine.facts.forget(ForgetRequest(found.pairs[0].one.id))
        assert engine.facts.contradictions(4).total == len(pairs) - 1


def test_a_copied_line_contradicts_nothing(tmp_path: Path) -> None:
    with remembering(tmp_path, {"Memory/Facts/A.md": "- Ivan lives in Oslo ^a1\n- Ivan lives in Oslo ^a2\n"}) as (_, engine):
        assert engine.facts.contradictions(10).total == 0


def test_a_long_series_of_measurements_is_not_compared_pair_by_pair() -> None:
    compared = 0

    class Counting(Comparer):
        def difference(self, one: Statement, other: Statement) -> Difference | None:
            nonlocal compared
            compared += 1
            return super().difference(one, other)

    days = [f"2026-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)]
    facts = [made(number, f"The weight of Tom on {day} was {number}.5 kg") for number, day in enumerate(days)]
    facts.append(made(len(facts), f"The weight of Tom on {days[7]} was 70 kg"))
    assert [(pair.first, pair.second) for pair in Counting(ANALYZER).pairs(facts)] == [("7.5", "70")]
    assert compared < len(facts)


def made(number: int, text: str) -> Fact:
    """A fact of its own line."""
    return Fact(f"f{number}", text, "Work", (), (), 0.5, 0.5, 0, 0, None, "Memory/Facts/A.md", number + 1, number + 1, "", "")
