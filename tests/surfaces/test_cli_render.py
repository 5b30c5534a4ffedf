"""What people see: addresses, excerpts, numbered lines, summaries. Pure functions from values to lines."""

from dataclasses import replace

import pytest

from holovault.cli.options import Address, address
from holovault.cli.render import clean, excerpt, failures, hits, kinship, numbered, plain, report, status, why
from holovault.errors import UsageError
from holovault.model import (
    ChunkInfo,
    Explanation,
    FactRef,
    Failure,
    Hit,
    IndexReport,
    ModelStatus,
    Part,
    PathExplanation,
    ReadResult,
    Signals,
    Status,
)

HIT = Hit(
    "Дом/Ремонт.md", "Ремонт", ("Кухня", "Плитка"), 12, 18, "белая плитка\nкуплена", ((6, 12),), (), 0.8234, Signals(), 1, None, "2026", "h"
)


def test_a_hit_is_its_address_headings_score_and_excerpt() -> None:
    assert [plain(line) for line in hits([HIT], 80)] == ["Дом/Ремонт.md:12-18  Кухня › Плитка  0.823", "    белая плитка куплена"]


def test_a_hit_above_every_heading_has_no_empty_place_for_one() -> None:
    assert plain(hits([replace(HIT, heading=())], 80)[0]) == "Дом/Ремонт.md:12-18  0.823"


def test_a_fact_is_shown_with_its_id_and_trust() -> None:
    for name, shown in (("k3f9", "^k3f9 trust 0.65"), ("_a6w4", "_a6w4 trust 0.65")):
        assert plain(hits([replace(HIT, heading=(), fact=FactRef(name, 0.65, "Дом"))], 80)[0]) == f"Дом/Ремонт.md:12-18  0.823  {shown}"


def test_matches_are_marked_where_they_are_after_folding() -> None:
    line = excerpt("  one\n\n  two three", ((9, 12),), 80)[0]
    assert [(span.text, span.style) for span in line] == [("    ", ""), ("one ", ""), ("two", "match"), (" three", "")]


def test_an_excerpt_has_two_lines_within_the_width_and_shows_the_first_match() -> None:
    text = "word " * 200 + "needle " + "word " * 200
    lines = excerpt(text, ((1000, 1006),), 60)
    assert len(lines) == 2
    assert all(len(plain(line)) <= 60 for line in lines)
    assert [span.text for line in lines for span in line if span.style == "match"] == ["needle"]


def test_wide_characters_count_as_two_columns() -> None:
    lines = excerpt("芯片" * 100, (), 44)
    assert [len(plain(line).strip()) for line in lines] == [20, 20]


@pytest.mark.parametrize("matches", [((-5, 3),), ((2, 900),), ((900, 901),), ((3, 2),)])
def test_matches_outside_the_excerpt_do_no_harm(matches: tuple[tuple[int, int], ...]) -> None:
    assert plain(excerpt("some text", matches, 80)[0]).strip() == "some text"


def test_an_empty_excerpt_has_no_lines() -> None:
    assert excerpt("", (), 80) == []
    assert excerpt(" \n ", (), 80) == []


@pytest.mark.parametrize("text", ["\x1b[31mred", "\x1b]0;title\x07", "a\x00b", "\x9b2J", "\u202egnp.exe", "lone \udce9"])
def test_nothing_in_a_note_steers_the_terminal(text: str) -> None:
    shown = [clean(text), plain(excerpt(text, (), 80)[0]), plain(numbered(ReadResult("a", "h", 1, 1, 1, text))[0])]
    for line in shown:
        assert not any(char in line for char in "\x1b\x07\x00\x9b\u202e\udce9")
        assert "·" in line


def test_an_explanation_lists_its_addends_and_factors() -> None:
    found = Explanation("coverage", 0.5, (Part("lexical", 0.8, 0.5, 0.4), Part("semantic", 0.2, 0.5, 0.1)), 1.2, 1.0, 1.0, 0.6)
    lines = [plain(line) for line in hits([replace(HIT, explanation=found)], 80)]
    assert lines[2].strip() == "coverage: relevance 0.500 = lexical 0.800 × 0.50 → 0.400 + semantic 0.200 × 0.50 → 0.100"
    assert lines[3].strip() == "× tier 1.20 × trust 1.00 × decay 1.00 = 0.600"


def test_a_related_note_says_in_one_line_what_relates_it() -> None:
    by = {"lexical": 0.3, "links": 1.0, "entities": 0.5, "structure": 0.2}
    found = Explanation("coverage", 0.5, tuple(Part(lane, value, 0.5, value / 2) for lane, value in by.items()), 1.0, 1.0, 1.0, 0.5)
    near = replace(HIT, explanation=found, via=("Settings", "Search"), links=("links-here", "linked-from-here"))
    far = replace(HIT, explanation=replace(found, parts=(Part("semantic", 0.4, 0.6, 0.24), Part("links", 0.0, 0.2, 0.0))))
    assert [plain(line).strip() for line in hits([near], 80, kinship)][2:] == [
        "links here; linked from here; names in common: Settings, Search; near by words"
    ]
    assert [plain(line).strip() for line in hits([far], 80, kinship)][2:] == ["near in meaning"]


def test_lines_are_numbered_as_in_the_file_whatever_their_ends() -> None:
    found = ReadResult("a.md", "h", 9, 11, 20, "nine\r\n\rten? no, eleven\n")
    assert [plain(line) for line in numbered(found)] == [" 9  nine", "10  ", "11  ten? no, eleven"]


def test_an_unusual_line_separator_ends_no_line() -> None:
    assert len(numbered(ReadResult("a.md", "h", 1, 1, 1, "one\u2028still one\x0cstill one\n"))) == 1


def test_a_report_adds_up_for_the_reader_and_names_failures() -> None:
    done = IndexReport(10, 1, 2, 3, 4, 0, 50, 80, 7, 8, (Failure("bad.md", "read", "permission denied", "2026"),), 1.26)
    assert [plain(line) for line in report(done)] == [
        "10 files: 1 added, 2 changed, 3 renamed, 4 removed, 0 unchanged",
        "50 chunks, 80 windows: 7 embedded, 8 reused; 1.3 s",
        "1 failed:",
        "  bad.md  read: permission denied  since 2026",
    ]


def test_many_failures_are_cut_and_counted() -> None:
    lines = [plain(line) for line in failures([Failure(f"{number}.md", "read", "no", "2026") for number in range(25)])]
    assert lines[0] == "25 failed:"
    assert lines[-1] == "  and 5 more: see them all with --json"
    assert len(lines) == 22


def test_a_status_says_how_far_indexing_is_and_why_the_model_failed() -> None:
    model = ModelStatus("bundled", "use", "f", 512, "failed", "killed")
    found = Status("/v", "indexing", 1, 2, 3, 1, 2, 7, model, 88.4, "daemon", 42, "0.1.0", "native", 5, 9)
    text = "\n".join(plain(line) for line in status(found))
    for part in (
        "indexing (5 of 9 notes)",
        "1 files, 2 chunks, 3 windows",
        "1 windows embedded, 2 pending",
        "failed: killed",
        "pid 42",
        "88 MB",
    ):
        assert part in text


def test_a_status_says_how_fast_meaning_grows_how_long_it_takes_and_which_model_comes() -> None:
    model = ModelStatus("bundled", "use", "f", 512, "ready", embedded=3, failed=2)
    coming = ModelStatus("e5", "small", "g", 384, "warming", embedded=120, pending=3_280)
    found = Status("/v", "embedding", 1, 2, 3, 3, 0, 7, model, 88.4, "daemon", 42, "0.1.0", "native", rate=45.04, eta_s=7_300.0)
    assert "45 a second, about 2 h 2 min left" in "\n".join(plain(line) for line in status(found))
    text = [plain(line) for line in status(replace(found, filling=coming))]
    assert any("3 windows embedded, 0 pending, 2 failed: try them again with holovault index --retry-failed" in line for line in text)
    assert any("e5 small, warming; 120 windows embedded, 3280 pending, 45 a second, about 2 h 2 min left" in line for line in text)
    assert "a second" not in "\n".join(plain(line) for line in status(replace(found, eta_s=None)))
    assert "about 40 s left" in "\n".join(plain(line) for line in status(replace(found, eta_s=40.2)))


def test_an_explanation_of_a_path_names_rules_and_chunks() -> None:
    chunks = (ChunkInfo(1, 9, ("Top",), 120, 2, 1),)
    text = "\n".join(
        plain(line) for line in why(PathExplanation("a.md", False, "[vault] exclude", 2, "Chats/**", "x", "Projects/x", None, chunks))
    )
    for part in ("no: [vault] exclude", "2 (Chats/**)", "x (Projects/x)", "1-9  Top  120 tokens, 1 of 2 windows embedded"):
        assert part in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.md", Address("a.md", 1, None)),
        ("a.md:7", Address("a.md", 7, 7)),
        ("a b/c.md:7-12", Address("a b/c.md", 7, 12)),
        ("10:30.md", Address("10:30.md", 1, None)),
        ("10:30.md:2-3", Address("10:30.md", 2, 3)),
        ("a.md:7-", Address("a.md:7-", 1, None)),
    ],
)
def test_an_address_is_a_note_and_perhaps_its_lines(text: str, expected: Address) -> None:
    assert address(text) == expected


def test_an_empty_address_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        address("")
