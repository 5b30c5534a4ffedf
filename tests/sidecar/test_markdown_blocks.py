"""Blocks with the file's line numbers, whatever the parser is fed."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token

from holovault.markdown import Block, parse
from holovault.markdown.grammar import NESTING, BlockParser
from tests.support.markdown import NOTES

KINDS = {"paragraph_open": "paragraph", "table_open": "table"}
STARTS = {
    "heading_open",
    "fence",
    "code_block",
    "bullet_list_open",
    "ordered_list_open",
    "list_item_open",
    "blockquote_open",
    "html_block",
    "hr",
    "paragraph",
    "table",
}


def outline(tokens: Sequence[Token]) -> list[tuple[str, int, int, str]]:
    named = ((KINDS.get(token.type, token.type), token) for token in tokens if token.map)
    return [
        (kind, token.map[0], token.map[1], token.tag * (kind == "heading_open")) for kind, token in named if kind in STARTS and token.map
    ]


def walk(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from walk(block.children)


def kinds(text: str) -> list[tuple[str, int, int]]:
    return [(block.kind, block.start_line, block.end_line) for block in parse(text).blocks]


@given(NOTES)
@settings(max_examples=150, deadline=None)
def test_the_blocks_are_those_of_the_stock_parser(text: str) -> None:
    source = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    stock = MarkdownIt("commonmark", {"maxNesting": NESTING}).enable("table").disable(["reference", "inline"])
    assert outline(BlockParser().tokens(source)) == outline(stock.parse(source))


def test_every_kind_has_its_lines() -> None:
    text = (
        "---\ntitle: x\n---\n# H\n\ntext\nmore\n\n```py\n# no\n```\n\n    code\n\n- a\n- b\n\n| a |\n|---|\n| 1 |\n\n"
        "> [!note]\n> q\n\n<div>\n</div>\n\n***\n\nSetext\n---\n"
    )
    assert kinds(text) == [
        ("heading", 4, 4),
        ("paragraph", 6, 7),
        ("fence", 9, 11),
        ("code", 13, 13),
        ("list", 15, 16),
        ("table", 18, 20),
        ("quote", 22, 23),
        ("html", 25, 26),
        ("hr", 28, 28),
        ("heading", 30, 31),
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_numbers_do_not_depend_on_the_line_end(line_end: str) -> None:
    text = "\ufeff---\na: 1\n---\n# One\n\ntext\u2028same line\x0bsame\x0csame\n\n## Two\n".replace("\n", line_end)
    assert kinds(text) == [("heading", 4, 4), ("paragraph", 6, 6), ("heading", 8, 8)]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("# A **bold** _move_ ##", "A bold move"),
        ("## `__init__` and snake_case", "__init__ and snake_case"),
        ("# [[Note#Part|alias]] and [[Other]]", "alias and Other"),
        ("# [text](https://x.y/z) ![img](a.png)", "text img"),
        ("# Title ^block-1", "Title"),
        ("# Title %%secret%% <!-- secret -->", "Title"),
        ("# 2 * 3 = 6 <br/> `Vec<T>` Vec<T>", "2 * 3 = 6 Vec<T> Vec<T>"),
        ("# \\#hash \\*star", "#hash *star"),
        ("Two\nlines\n===", "Two lines"),
    ],
)
def test_a_heading_is_plain_text(raw: str, text: str) -> None:
    assert [block.text for block in parse(raw).blocks] == [text]


def test_a_heading_of_megabytes_becomes_a_short_address() -> None:
    heading = parse("# " + "long " * 1_000_000 + "\n\ntext").blocks[0]
    assert (heading.kind, len(heading.text)) == ("heading", 300)


def test_a_heading_inside_a_comment_is_none() -> None:
    document = parse("# Real\n\n%%\n# Hidden\n```\n%%\n\n## After\n\n<!-- open\n\n## Hidden too\n-->\n\ntext\n")
    assert [block.text for block in document.blocks if block.kind == "heading"] == ["Real", "After"]
    assert document.first_heading == "Real"


def test_comment_marks_in_code_open_no_comment() -> None:
    document = parse("`%%` a\n\n```\n%%\n```\n\n# Seen\n\n~~~\n%% <!--\n~~~\n")
    assert document.comments == ()
    assert document.blocks[2].text == "Seen"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("a %%b%% c", ["%%b%%"]),
        ("a %%b\n\nc%% d", []),
        ("%%b\n\nc%% d", ["%%b\n\nc%%"]),
        ("%%\nall the rest\n\n# x", ["%%\nall the rest\n\n# x"]),
        ("%%timeit\nx", []),
        ("100%% sure", []),
        ("a <!-- b --> c <!---> d", ["<!-- b -->", "<!--->"]),
        ("<!-- b\n\n%% --> c %%d%%", ["<!-- b\n\n%% -->", "%%d%%"]),
        ("``%%`` %%a `b%% `c", ["%%a `b%%"]),
        ("> %%\n> a\n> %%\n> b", ["%%\n> a\n> %%"]),
    ],
)
def test_comments_end_where_obsidian_ends_them(text: str, hidden: list[str]) -> None:
    document = parse(text)
    assert [document.body[span.start : span.end] for span in document.comments] == hidden


def test_a_list_deeper_than_the_limit_loses_no_heading() -> None:
    text = "\n".join("  " * depth + "- x" for depth in range(200)) + "\n\n# After\n\ntext\n"
    document = parse(text)
    assert [block.text for block in document.blocks if block.kind == "heading"] == ["After"]


def test_pathological_notes_are_parsed() -> None:
    for text in (
        ">" * 20_000 + " x\n" + "> " * 5_000 + "y\n",
        "".join(">" * 30 + f" line {number}\n" for number in range(300)),
        "- " * 20_000 + "x",
        "`" * 20_000 + " " + " ".join("`" * length for length in range(1, 300)),
        "[" * 50_000 + "](" * 50_000,
        "".join(f"[a{number}]: x\n" for number in range(5_000)),
        "*" * 200_000,
        "%%" * 50_001,
        "|" * 100_000 + "\n" + "|-" * 50_000,
        "<!--" * 20_000,
    ):
        document = parse(text)
        assert document.blocks[-1].end_line <= len(document.lines)


def test_twenty_thousand_rows_are_one_table() -> None:
    text = "intro\n\n| a | b |\n|---|---|\n" + "".join(f"| {number} | x |\n" for number in range(20_000)) + "\n# After\n"
    assert kinds(text) == [("paragraph", 1, 1), ("table", 3, 20_004), ("heading", 20_006, 20_006)]


def test_a_line_of_megabytes_keeps_the_structure_around_it() -> None:
    text = "<!-- " + "x" * 3_000_000 + " --> tail\n# One\n\n" + "y " * 1_000_000 + "\n\n# Two\n"
    document = parse(text)
    assert [(block.text, block.start_line) for block in document.blocks if block.kind == "heading"] == [("One", 2), ("Two", 6)]


def test_children_lie_inside_their_parents() -> None:
    for block in walk(parse("1. a\n\n   > q\n   > - b\n   >   c\n2. d\n\n- [ ] e\n").blocks):
        assert all(block.start_line <= child.start_line <= child.end_line <= block.end_line for child in block.children)
