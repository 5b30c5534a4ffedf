"""Front matter as fields; whatever is wrong with it costs the body nothing."""

import pytest

from holovault.markdown import parse, parse_front_matter
from holovault.model import FrontMatter


def front(yaml: str) -> FrontMatter:
    return parse_front_matter(f"---\n{yaml}\n---\nbody\n").front


def test_known_properties_are_read_and_all_are_fields() -> None:
    read = front(
        "title: On Birds\naliases: [Vögel, Птицы]\ntags:\n  - a/b\n  - c\ndate: 2026-05-24\nupdated: 2026-05-25T10:00:00+02:00\n"
        "project: '[[Birds]]'\nsource: claude.ai\nimported: 2026-06-01\nrating: 4.50\ndone: yes"
    )
    assert (read.title, read.aliases, read.tags) == ("On Birds", ("Vögel", "Птицы"), ("a/b", "c"))
    assert (read.created, read.modified, read.imported) == ("2026-05-24", "2026-05-25T10:00:00+02:00", "2026-06-01")
    assert (read.project, read.source, read.error) == ("Birds", "claude.ai", None)
    assert ("rating", "4.50") in read.fields
    assert ("done", "yes") in read.fields


@pytest.mark.parametrize(
    "yaml", ["tags: [a, b/c]", "tags: a, b/c", "tags: a b/c", "tags: '#a #b/c'", "tags:\n- '#a'\n- b/c", "Tag: a,b/c", "tags: a A b/c"]
)
def test_tags_are_read_however_they_are_written(yaml: str) -> None:
    assert front(yaml).tags == ("a", "b/c")


def test_only_a_single_line_of_aliases_is_split_at_commas() -> None:
    assert front("alias: One, Two").aliases == ("One", "Two")
    assert front("aliases:\n- Doe, John").aliases == ("Doe, John",)


def test_nested_values_are_flattened() -> None:
    assert front("a:\n  b: [1, [2, 3]]\n  c: x\nup: [[Note]]").fields == (
        ("a.b", "1"),
        ("a.b", "2"),
        ("a.b", "3"),
        ("a.c", "x"),
        ("up", "Note"),
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("body", 1),
        ("---", 1),
        ("---\nno end", 1),
        ("---\n---\nbody", 3),
        ("---\na: 1\n---", 4),
        ("---\r\na: 1\r\n---\r\nbody", 4),
        ("---\ra: 1\r---\rb", 4),
        ("\ufeff---\na: 1\n---\nb", 4),
        (" ---\na: 1\n---\n", 1),
        ("---\na: |\n  ---x\n---  \nb", 5),
        ("----\na\n----", 1),
    ],
)
def test_the_body_starts_after_the_closing_line(text: str, line: int) -> None:
    assert parse_front_matter(text).body_line == line
    assert parse(text).body_line == line


@pytest.mark.parametrize(
    "yaml",
    [
        "family: [[Smith]]  [[Jones]]",
        "a:\n\tb: c",
        "title: {{title}}",
        "a: 'open",
        "x: \x07",
        "&a [*a]",
        "a: !!int [",
        "? [a]\n: b",
        "a: " + "[" * 5000,
    ],
)
def test_broken_yaml_is_an_error_and_stays_out_of_the_body(yaml: str) -> None:
    document = parse(f"---\ntags: kept\n{yaml}\n---\nThe body.\n")
    assert document.front.error is not None
    assert document.front.error.startswith("line ")
    assert document.body == "The body.\n"


def test_a_broken_block_without_a_property_keeps_its_text() -> None:
    read = front("'open quote\nand more")
    assert read.error is not None
    assert read.fields == (("", "'open quote and more"),)


def test_a_broken_property_does_not_cost_the_others() -> None:
    read = front("title: Kept\nfamily: [[Smith]]  [[Jones]]\ntags: [a, b]")
    assert (read.title, read.tags) == ("Kept", ("a", "b"))
    assert ("family", "[[Smith]] [[Jones]]") in read.fields
    assert read.error is not None
    assert "line 3" in read.error


@pytest.mark.parametrize(("yaml", "texts"), [("- a\n- b", ["a", "b"]), ("just a sentence", ["just a sentence"])])
def test_yaml_without_properties_is_an_error_whose_text_is_kept(yaml: str, texts: list[str]) -> None:
    read = front(yaml)
    assert read.error is not None
    assert [text for _, text in read.fields] == texts


def test_a_tag_never_constructs_an_object() -> None:
    read = front("a: !!python/object/apply:os.getcwd []\nb: !!binary aGk=\nc: 2026-05-24")
    assert read.error is None
    assert read.fields == (("b", "aGk="), ("c", "2026-05-24"))


def test_the_last_of_two_equal_keys_wins() -> None:
    assert front("title: one\ntitle: two").title == "two"


def test_aliases_that_multiply_are_bounded_and_said() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12))
    read = front(bomb)
    assert len(read.fields) == 10_000
    assert read.error is not None
    assert "10000 values" in read.error


def test_a_megabyte_of_yaml_is_read() -> None:
    read = front(
        "\n".join(
            f"key{number}: value {number} with some words to fill the line up to a hundred characters or so" for number in range(9_000)
        )
    )
    assert read.error is None
    assert read.fields[-1][0] == "key8999"


@pytest.mark.parametrize("yaml", ['a: "\\ud83d\\ude00 \\ud800"', "a: \ud800", 'a: "\\U0001F600"'])
def test_fields_can_always_be_written_as_utf8(yaml: str) -> None:
    for key, text in front(yaml).fields:
        assert key == "a"
        text.encode("utf-8")


def test_links_in_properties_are_links_of_the_note() -> None:
    links = parse('---\nup: "[[Parent|the parent]]"\n---\n').links
    assert [(link.target, link.alias, link.line) for link in links] == [("Parent", "the parent", 2)]
