"""One fact is changed, every other byte stays; what a line cannot say is refused."""

import re

import pytest
from hypothesis import given, settings

from holovault.errors import NotFoundError, UsageError
from holovault.facts import add_id, append_fact, edit_field, edit_text, fact_at, parse_facts, remove_fact, render_fact
from holovault.markdown import decode, parse
from tests.support.markdown import NOTES

NOTE = (
    "\ufeff---\r\na: 1\r\n---\r\n# Люди\r\n\r\n*\tОдин [trust:: 0.5] раз %%между%% ^abc1  \r\n* [ ] два\r\n\t- вложено\r\n\r\n"
    "## Two\r\n3) three\r\n\r\nлишнее \udcff"
).encode("utf-8", "surrogateescape")


def lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def changed(data: bytes) -> list[tuple[bytes, ...]]:
    """Old and new line of every line that differs from the note's."""
    return [pair for pair in zip(lines(NOTE), lines(data), strict=True) if pair[0] != pair[1]]


def text(line: str) -> bytes:
    return line.encode("utf-8")


def test_another_text_keeps_marker_fields_comment_id_and_blanks() -> None:
    made = edit_text(NOTE, 6, "Иван Петров")
    assert changed(made) == [(lines(NOTE)[5], text("*\tИван Петров [trust:: 0.5] %%между%% ^abc1  \r\n"))]
    assert edit_text(NOTE, 6, "Один раз") == NOTE


def test_a_text_of_several_lines_replaces_the_item_with_its_nested_ones() -> None:
    made = edit_text(NOTE, 7, "два\n- вложено\n- и ещё")
    assert lines(made)[6:9] == [text("* [ ] два\r\n"), text("  - вложено\r\n"), text("  - и ещё\r\n")]
    assert (lines(made)[:6], lines(made)[9:]) == (lines(NOTE)[:6], lines(NOTE)[8:])


def test_a_field_is_set_where_it_stands_added_before_the_id_and_removed_with_its_blank() -> None:
    assert changed(edit_field(NOTE, 6, "trust", "0.9")) == [(lines(NOTE)[5], lines(NOTE)[5].replace(b"0.5", b"0.9"))]
    assert changed(edit_field(NOTE, 6, "created", "2026-05-24"))[0][1].endswith(b" [created:: 2026-05-24] ^abc1  \r\n")
    assert changed(edit_field(NOTE, 6, "Trust", None)) == [(lines(NOTE)[5], lines(NOTE)[5].replace(b" [trust:: 0.5]", b""))]
    assert changed(edit_field(NOTE, 7, "trust", "1")) == [(lines(NOTE)[6], text("* [ ] два [trust:: 1]\r\n"))]
    assert edit_field(NOTE, 7, "trust", None) == NOTE


def test_an_id_goes_to_the_end_of_the_own_line_and_never_over_another_one() -> None:
    assert changed(add_id(NOTE, 7, "k3f9")) == [(lines(NOTE)[6], text("* [ ] два ^k3f9\r\n"))]
    assert fact_at(add_id(NOTE, 7, "k3f9"), 7).id == "k3f9"
    with pytest.raises(UsageError, match=r"\^abc1"):
        add_id(NOTE, 6, "k3f9")


def test_a_removed_fact_takes_its_lines_and_nothing_else() -> None:
    assert remove_fact(NOTE, 7) == b"".join(lines(NOTE)[:6] + lines(NOTE)[8:])


def test_a_line_where_no_fact_starts_is_refused() -> None:
    for line in (1, 4, 8, 99):
        with pytest.raises(NotFoundError):
            fact_at(NOTE, line)


def test_a_text_that_would_be_read_as_something_else_is_refused() -> None:
    for wrong in ("", "x [trust:: 1]", "x %%hidden%%", "- x", "```\nopen", "[ ] x"):
        with pytest.raises(UsageError):
            edit_text(b"- a\n- b ^b1\n", 2, wrong)


def test_utf16_is_changed_in_utf16() -> None:
    note = "- чай ^a1\n- кофе\n"
    data = b"\xff\xfe" + note.encode("utf-16-le")
    assert edit_text(data, 2, "какао") == b"\xff\xfe" + note.replace("кофе", "какао").encode("utf-16-le")


def test_a_new_fact_goes_behind_the_last_of_its_category_in_the_style_of_its_list() -> None:
    at = {"люди": (8, "* x ^n1\r\n"), "TWO": (11, "4) x ^n1\r\n"), None: (11, "4) x ^n1\r\n")}
    for category, (line, written) in at.items():
        made = append_fact(NOTE, "x ^n1", category)
        assert made == b"".join([*lines(NOTE)[:line], text(written), *lines(NOTE)[line:]])
    assert append_fact(NOTE, "x ^n1", "Новое") == NOTE + text("\r\n\r\n## Новое\r\n\r\n- x ^n1")
    assert append_fact(b"", "x", "New") == b"## New\n\n- x\n"
    assert append_fact(b"# A\n", "x", "a") == b"# A\n\n- x\n"
    assert append_fact(b"- a", "x") == b"- a\n- x"


def test_a_rendered_fact_is_read_back_as_what_was_meant_whatever_its_text_looks_like() -> None:
    for said in (
        "# x",
        "- x",
        "1. x",
        "[ ] x",
        "%%a%% b",
        "a [trust:: 1] b",
        "x ^abc",
        "<!-- c --> d",
        "> q",
        "| a |",
        "a\n b",
        "~~~",
        "ёж",
    ):
        line = render_fact(said, tags=("t",), trust=0.65, created="2026-05-24", fields=(("source", "x"),), id="k3f9")
        (fact,) = parse_facts(parse(line), "n")
        assert re.sub(r"[\\\s]", "", fact.text) == re.sub(r"\s", "", said) + "#t"
        assert (fact.id, fact.trust, fact.created, fact.fields) == ("k3f9", 0.65, "2026-05-24", (("source", "x"),))
        assert "\n" not in line
    assert render_fact("Чай #напитки", tags=("Напитки",), trust=1) == "- Чай #напитки [trust:: 1]"
    for nothing in (" \n", "…"):
        with pytest.raises(UsageError):
            render_fact(nothing)


@given(NOTES)
@settings(max_examples=40, deadline=None)
def test_in_any_note_a_change_of_one_fact_leaves_the_bytes_of_all_other_lines(note: str) -> None:
    data = note.encode("utf-8")
    found = parse_facts(parse(decode(data)), "")
    for fact in found[:3]:
        try:
            made = edit_field(data, fact.start_line, "trust", "0.25")
        except UsageError:
            continue
        old, new = re.split(rb"(?<=\n)|(?<=\r)(?!\n)", data), re.split(rb"(?<=\n)|(?<=\r)(?!\n)", made)
        inside = range(fact.start_line - 1, fact.end_line)
        assert len(old) == len(new)
        assert all(one == other for number, (one, other) in enumerate(zip(old, new, strict=True)) if number not in inside)
        assert fact_at(made, fact.start_line).trust == 0.25
        assert edit_text(data, fact.start_line, fact.text) == data
