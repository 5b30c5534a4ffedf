"""Links, tags and block ids, and where they are none."""

import pytest

from holovault.markdown import BlockId, parse
from holovault.model import Link


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("[[Note]]", Link("Note", None, None, None, False, 1)),
        ("[[a/Note.md#Part#Sub|the alias]]", Link("a/Note.md", "Part#Sub", None, "the alias", False, 1)),
        ("[[Note#^id-1]]", Link("Note", None, "id-1", None, False, 1)),
        ("[[#Here]]", Link("", "Here", None, None, False, 1)),
        ("![[image.png|300]]", Link("image.png", None, None, "300", True, 1)),
        ("[text](my%20n%C3%B6te.md#part)", Link("my nöte.md", "part", None, "text", False, 1)),
        ("[text](<my note.md> 'title')", Link("my note.md", None, None, "text", False, 1)),
        ("[a (b)](dir/n_(x).md)", Link("dir/n_(x).md", None, None, "a (b)", False, 1)),
        ("![alt](Note)", Link("Note", None, None, "alt", True, 1)),
        ("[x](%FF.md)", Link("%FF.md", None, None, "x", False, 1)),
    ],
)
def test_a_link_is_read_with_all_its_parts(text: str, link: Link) -> None:
    assert parse(text).links == (link,)


@pytest.mark.parametrize(
    "text",
    [
        "[x](https://a.b/c.md)",
        "[x](mailto:a@b.c)",
        "[x](obsidian://open)",
        "[x](//host/p)",
        "[x](a.png)",
        "[[]]",
        "[[ ]]",
        "[x]()",
        "`[[a]]`",
        "``a ` [[b]]``",
        "    [[a]]",
        "```\n[[a]]\n```",
        "%%[[a]]%%",
        "<!-- [[a]] -->",
        "%%\n[[a]]\n\n[[b]]\n%%",
        "<div>\n[[a]]\n</div>",
        "[[a\nb]]",
    ],
)
def test_what_is_no_link_to_a_note_is_none(text: str) -> None:
    assert parse(text).links == ()


def test_links_in_tables_and_quotes_have_their_line() -> None:
    text = "---\na: 1\n---\n| a |\n|---|\n| [[T\\|x]] |\n\n> - [[Q]] and [[R]]\n"
    assert [(link.target, link.alias, link.line) for link in parse(text).links] == [("T", "x", 6), ("Q", None, 8), ("R", None, 8)]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#tag and #nested/tag.", ("tag", "nested/tag")),
        ("#Ёлка #日本語 #naïve-x_1", ("Ёлка", "日本語", "naïve-x_1")),
        ("(#in) *#bold* ,#comma", ("in", "bold", "comma")),
        ("#1984 #y1984 #1/2", ("y1984",)),
        ("#Tag #tag #TAG", ("Tag",)),
        ("#trailing/ end", ("trailing",)),
        ("word#no \\#no &#39; a/#no [[N#no]] [x](#no) https://x.y/z,#no ##no", ()),
        ("# Heading #intitle", ("intitle",)),
        ("`#no` %%#no%% <!--#no-->", ()),
        ("    #code\n", ()),
    ],
)
def test_tags_follow_obsidian(text: str, tags: tuple[str, ...]) -> None:
    assert parse(text).tags == tags


def test_block_ids_stand_at_the_end_of_a_block() -> None:
    text = "para one\nends ^p1\n\n- item ^k3f9\n- other\n\n| a |\n|---|\n\n^table-1\n\nx ^2\nmore\n\n`^no`\n\n```\n^no\n```\n\na^no\n"
    assert parse(text).block_ids == (BlockId("p1", 2), BlockId("k3f9", 4), BlockId("table-1", 10))
