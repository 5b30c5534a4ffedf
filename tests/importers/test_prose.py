"""A message cannot change the note around it: seen by the vault's own parser, for known hazards and for any text."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holovault.markdown import parse
from holovault_importers.prose import callout, fenced, harmless, hidden, inline, title_line
from holovault_importers.safety import trimmed

MARKS = [
    "#",
    "##",
    "```",
    "~~~",
    "````js",
    "%%",
    "[[",
    "]]",
    "<!--",
    "-->",
    "<div>",
    "</div>",
    "<script>",
    "---",
    "===",
    "> ",
    "- ",
    "1. ",
    "    ",
    "$$",
    "`",
    "``",
    "\\",
    "^id",
    "#tag",
    "a",
    "слово",
    "|",
    "|---|",
    "\n",
    "\n\n",
    " ",
    "\t",
    "<?",
    "[x]: y",
    "<%",
    "dataviewjs",
]
HOSTILE = st.lists(st.sampled_from(MARKS), max_size=24).map("".join)


def _note(message: str) -> str:
    """A message between two others, as a note has them."""
    return f"# Title\n\n## 1 · before\n\n### You\n\n{message}\n\n### Claude\n\nsentinel paragraph\n\n## 2 · after\n"


@given(HOSTILE)
@example("```\nopen")
@example("- ```\n  open in a list")
@example("> ~~~\n> open in a quote")
@example("<!-- never closed")
@example("%%\nhidden")
@example("text\n---")
@example("<div>\n```\nx")
@example("<script>\n# x")
@example("`a\n\n# b`")
@example("1. a\n\n   # deep\n\n   ```\n   x")
@example("$$\nx")
def test_any_message_leaves_the_outline_and_the_next_message_alone(message: str) -> None:
    document = parse(_note(harmless(message)))
    outline = [(block.level, block.text) for block in document.blocks if block.kind == "heading" and block.level <= 3]
    assert outline == [(1, "Title"), (2, "1 · before"), (3, "You"), (3, "Claude"), (2, "2 · after")]
    assert any(block.kind == "paragraph" and document.lines[block.start_line - 1] == "sentinel paragraph" for block in document.blocks)
    assert document.comments == () and document.links == () and document.tags == () and document.block_ids == ()


@given(st.text(max_size=300))
def test_any_text_is_valid_and_has_one_kind_of_line_end(message: str) -> None:
    made = harmless(message)
    made.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ufeff]", made)
    assert made == made.strip("\n")


@given(HOSTILE)
def test_code_inside_fences_stays_as_it_was(code: str) -> None:
    inside = trimmed(code)
    made = harmless(f"before\n\n{fenced(code)}\n\nafter")
    assert fenced(inside) in made


@given(HOSTILE)
def test_a_fence_is_closed_by_nothing_inside_it(code: str) -> None:
    document = parse(_note(fenced(code)))
    assert [block.kind for block in document.blocks[3:5]] == ["fence", "heading"]


@given(HOSTILE)
def test_nothing_inside_a_comment_ends_it(traffic: str) -> None:
    document = parse(_note("%%\n\n" + fenced(hidden(traffic)) + "\n\n%%"))
    assert len(document.comments) == 1


@given(HOSTILE)
def test_a_callout_holds_all_of_its_text(message: str) -> None:
    document = parse(_note(callout("note", "t", harmless(message))))
    assert [block.kind for block in document.blocks[3:5]] == ["quote", "heading"]


@given(HOSTILE)
def test_a_heading_made_of_a_prompt_is_one_plain_line(message: str) -> None:
    document = parse(f"## 1 · {title_line(message)}\n\n# {inline(message)} x\n")
    assert [block.kind for block in document.blocks] == ["heading", "heading"]
    assert document.links == () and document.tags == () and document.comments == ()


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("# One\n###### Six", "#### One\n###### Six"),
        ("plain # not a heading", "plain # not a heading"),
        ("Setext\n===", "Setext\n\\==="),
        ("Setext\n---", "Setext\n\n---"),
        ("```dataviewjs\ndv.x()\n```", "```text dataviewjs\ndv.x()\n```"),
        ("run `$= dv.x()` now", "run \\`$= dv.x()\\` now"),
        ("keep `#tag [[x]] <b>` as it is", "keep `#tag [[x]] <b>` as it is"),
        ("see <https://example.org/#a> and a<b", "see <https://example.org/#a> and a\\<b"),
        ("C# and F#, issue #12, #tag", "C# and F#, issue \\#12, \\#tag"),
        ("50%% [[a]] <!-- c -->", "50%\\% [\\[a]] <\\!-- c -->"),
        ("line \nnext\t\n", "line\nnext"),
        ("a ^k3f9", "a \\^k3f9"),
        ("<details><summary>x</summary>", "\\<details>\\<summary>x<\\/summary>"),
    ],
)
def test_marks_are_escaped_and_nothing_else(message: str, expected: str) -> None:
    assert harmless(message) == expected


@pytest.mark.parametrize("piece", ["`a``b", "#a", "<a", "[[", "%%", "> - ", "~~~", "$$", " ", "x\n---\n"])
def test_very_long_messages_take_no_more_than_their_length(piece: str) -> None:
    # Twenty times the text may not take hundreds of times the work: the suite's time limit would end a quadratic pass.
    assert len(harmless(piece * 40_000)) >= 0
