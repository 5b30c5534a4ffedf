"""What counts as a fact in a note, and what its line says."""

from itertools import pairwise

from hypothesis import given, settings

from holovault.facts import derived_id, is_derived, new_id, parse_facts
from holovault.markdown import parse
from holovault.model import FactLine
from tests.support.markdown import NOTES


def facts(text: str, name: str = "Notes") -> list[FactLine]:
    return list(parse_facts(parse(text), name))


def only(text: str) -> FactLine:
    (fact,) = facts(text)
    return fact


def test_a_list_item_is_a_fact_with_fields_tags_links_id_category_and_lines() -> None:
    text = (
        "---\nsource: hand\n---\n- before [trust:: 0.65] #People/близкие ^K3F9\n\n# Люди\n\n"
        "1. [[Люди/Иван Петров#Дом|Ваня]] живёт в Берлине (trust:: .4) [created:: 2026-05-24] [источник:: чат] ^ab1  \n"
    )
    first, second = facts(text)
    assert first == FactLine(
        "k3f9",
        "before #People/близкие",
        "before [trust:: 0.65] #People/близкие ^K3F9",
        "Notes",
        4,
        4,
        tags=("People/близкие",),
        trust=0.65,
    )
    assert (second.id, second.category, second.start_line, second.end_line) == ("ab1", "Люди", 8, 8)
    assert second.text == "[[Люди/Иван Петров#Дом|Ваня]] живёт в Берлине"
    assert (second.trust, second.created, second.fields) == (0.4, "2026-05-24", (("источник", "чат"),))
    assert (second.entities, second.problems) == (("Иван Петров",), ())


def test_bullets_numbers_and_tasks_are_facts_and_quotes_code_and_comments_are_none() -> None:
    text = (
        "- a\n* b\n+ c\n1. d\n2) e\n- [x] f\n- [ ] g\n\n> - quoted\n\n```\n- fenced\n```\n\n    - indented code\n\n<!--\n- hidden\n-->\n\n"
        "%%\n- hidden too\n%%\n\n- \n- [trust:: .5]\n- %%said nothing%%\n- ```\n  code\n  ```\n\nplain text\n"
    )
    assert [fact.text for fact in facts(text)] == ["a", "b", "c", "d", "e", "f", "g"]


def test_nested_items_belong_to_the_fact_above_and_their_marks_are_not_its_own() -> None:
    fact = only("- [[Иван]] [trust:: .9] ^p1\n  - любит чай [trust:: .1] ^n1\n    - зелёный\n\n  и кофе #напитки\n")
    assert fact.text == "[[Иван]]\n- любит чай [trust:: .1] ^n1\n  - зелёный\n\nи кофе #напитки"
    assert (fact.id, fact.trust, fact.start_line, fact.end_line) == ("p1", 0.9, 1, 5)
    assert fact.tags == ("напитки",)
    assert fact.problems == ("`^n1` stands at a nested item, which belongs to the fact above it; it is not that fact's id.",)


def test_line_ends_tabs_and_trailing_spaces_change_nothing_that_is_said() -> None:
    text = "## Дом\n\n-\tчай [trust:: 0,7] ^t1 \n\t- чёрный\t\n-  multi\ncontinued [created:: 2026-05-24 10:30]\n"
    wanted = facts(text)
    assert [(fact.id, fact.text, fact.trust, fact.created) for fact in wanted] == [
        ("t1", "чай\n- чёрный", 0.7, None),
        (None, "multi\ncontinued", None, "2026-05-24 10:30"),
    ]
    assert facts(text.replace("\n", "\r\n")) == wanted
    assert facts("\ufeff" + text.replace("\n", "\r")) == wanted


def test_what_cannot_be_read_is_a_problem_and_counts_as_not_written() -> None:
    told = {
        "[trust:: abc]": "no number",
        "[trust:: 1.5]": "not between 0 and 1",
        "[trust:: -0.1]": "not between 0 and 1",
        "[trust:: 65%]": "no number",
        "[trust:: nan]": "no number",
        "[created:: 2026-13-01]": "no date",
        "[created:: 24.05.2026]": "no date",
    }
    for field, reason in told.items():
        fact = only(f"- said {field} ^x1")
        assert (fact.text, fact.id, fact.trust, fact.created) == ("said", "x1", None, None)
        assert reason in fact.problems[0]
    twice = only("- said [trust:: .3] [Trust:: .4]")
    assert twice.trust == 0.3
    assert twice.problems == ("`trust::` is there twice; the first one counts.",)


def test_dates_with_a_time_are_kept_as_written_and_a_daily_note_is_its_date() -> None:
    for date in ("2026-05-24T10:00:00Z", "2026-05-24 10:00", "2026-05-24T10:00:00.5+03:00"):
        assert only(f"- a [created:: {date}]").created == date
    assert only("- a [created:: [[2026-05-24]]]").created == "2026-05-24"


def test_an_id_counts_at_the_end_only_and_a_copied_one_stands_twice() -> None:
    middle, first, copy, own_line = facts("- a ^mid b\n- c ^dup1\n- d ^dup1\n- e\n  ^own1\n")
    assert (middle.id, middle.text) == (None, "a ^mid b")
    assert (first.id, copy.id, own_line.id) == ("dup1", "dup1", "own1")
    assert own_line.text == "e"


def test_code_comments_and_escapes_hide_fields_and_other_colons_are_text() -> None:
    fact = only("- use `[trust:: .9]` and (std::vector) or \\[trust:: 1] %%[trust:: .1]%% [see:: [[A]] and `b`]")
    assert (fact.trust, fact.text) == (None, "use `[trust:: .9]` and (std::vector) or \\[trust:: 1]")
    assert fact.fields == (("see", "[[A]] and `b`"),)
    assert fact.entities == ()


def test_a_new_id_is_short_free_and_longer_where_short_ones_are_used_up() -> None:
    draws = iter([19, 3, 15, 9, 19, 3, 15, 9, 1, 2, 3, 4, 10, 11, 12, 13])
    below = lambda size: next(draws) % size  # noqa: E731
    assert new_id(below, frozenset()) == "k3f9"
    assert new_id(below, {"k3f9"}) == "abcd"
    assert len(new_id(lambda size: 11, {"b" * 4, "b" * 5})) == 6


def test_a_fact_without_an_id_has_one_that_follows_its_text() -> None:
    assert derived_id("чай  и\nкофе") == derived_id("чай и кофе") != derived_id("чай и кофе!")
    assert is_derived(derived_id("a"))
    assert not is_derived("k3f9")


@given(NOTES)
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_and_facts_lie_apart_and_in_order(text: str) -> None:
    document = parse(text)
    found = parse_facts(document, "n")
    edges = [line for fact in found for line in (fact.start_line, fact.end_line)]
    assert edges == sorted(edges)
    assert all(one.end_line < other.start_line for one, other in pairwise(found))
    assert all(fact.text.strip() and document.body_line <= fact.start_line <= fact.end_line <= len(document.lines) for fact in found)
