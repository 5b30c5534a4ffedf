"""Feedback notes merge as plain text, and a vote counts once."""

from holovault.facts import counted, counted_text, device_of, feedback_line, parse_facts, parse_feedback, trust_after, trust_of_line
from holovault.markdown import parse
from holovault.model import FactLine, VoteLine


def fact(line: str) -> FactLine:
    (found,) = parse_facts(parse(line), "n")
    return found


def test_votes_are_read_from_their_lines_and_prose_says_nothing() -> None:
    text = (
        "---\na: 1\n---\n# Laptop\r\n^K3F9 helpful 2026-05-24T10:00:00Z\r\n- ^ab1 UNHELPFUL 2026-05-24 \r\n^x1 helpful\r\n"
        "^k3f9 was helpful\n^k3f9 helpful yesterday\nhelpful ^k3f9\n^_7kq helpful 2026-05-24T10:00:00.123+03:00"
    )
    assert parse_feedback(parse(text)) == (
        VoteLine("k3f9", True, "2026-05-24T10:00:00Z", 5),
        VoteLine("ab1", False, "2026-05-24", 6),
        VoteLine("x1", True, "", 7),
        VoteLine("_7kq", True, "2026-05-24T10:00:00.123+03:00", 11),
    )
    assert parse_feedback(parse(feedback_line("k3f9", helpful=False, at="2026-05-24T10:00:00Z"))) == (
        VoteLine("k3f9", False, "2026-05-24T10:00:00Z", 1),
    )


def test_a_sync_tools_conflict_copy_belongs_to_its_device() -> None:
    copies = (
        "7kq2 (conflicted copy 2026-05-24)",
        "7kq2.sync-conflict-20260524-101010-ABCDEFG",
        "7kq2 2",
        "7kq2-DESKTOP",
        "7KQ2 (1)",
        "7kq2_x",
    )
    assert {device_of(name) for name in ("7kq2", *copies)} == {"7kq2"}
    assert device_of("ноутбук (копия)") == "ноутбук"
    assert device_of("---") == "---"


def test_trust_is_the_lines_own_plus_votes_and_stays_between_0_and_1() -> None:
    assert trust_after(None, 0, 0) == 0.5
    assert trust_after(0.65, 3, 1) == 0.7
    assert trust_after(0.9, 5, 0) == 1.0
    assert trust_after(0.1, 0, 2) == 0.0


def test_votes_that_were_folded_into_the_line_are_not_counted_again() -> None:
    line = fact(f"- a [trust:: 0.7] [counted:: {counted_text(3, 1)}] ^k3f9")
    assert counted(line) == (3, 1)
    assert trust_of_line(line, 3, 1) == 0.7
    assert trust_of_line(line, 4, 2) == 0.65
    assert trust_of_line(line, 0, 0) == 0.7
    assert trust_of_line(fact("- a [trust:: 0.7] [counted:: many]"), 1, 0) == 0.75
