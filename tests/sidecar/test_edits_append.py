"""Text as lines of its own, at the end of a note or of what stands under a heading."""

import pytest

from holovault.edits import changed
from holovault.errors import AmbiguousError, NotFoundError, UsageError
from holovault.model import Append, NoteChange

NOTE = b"---\na: 1 # c\n---\n# T\nx\n\n## Log\n- a\n\n### Sub\ny\n\n## End\n"


def append(data: bytes, text: str, *heading: str, create: bool = False) -> bytes:
    return changed(data, NoteChange(append=Append(text, heading, create)), "a.md").data


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (b"abc\n", "def", b"abc\ndef\n"),
        (b"abc\n", "def\n", b"abc\ndef\n"),
        (b"abc", "def\n", b"abc\ndef"),
        (b"abc\r\n", "d\ne", b"abc\r\nd\r\ne\r\n"),
        (b"a\rb", "c", b"a\rb\rc"),
        (b"abc\n\n\n", "def", b"abc\n\n\ndef\n"),
        (b"", "def", b"def\n"),
        (b"\xef\xbb\xbf", "def", b"\xef\xbb\xbfdef\n"),
        (b"\xff\n", "def", b"\xff\ndef\n"),
        (b"abc\n", "\ndef\n\n", b"abc\n\ndef\n\n"),
    ],
)
def test_the_end_of_a_note_stays_open_or_closed_as_it_was(before: bytes, text: str, after: bytes) -> None:
    assert append(before, text) == after


def test_text_under_a_heading_stands_above_what_is_below_it() -> None:
    assert append(NOTE, "- b", "Log") == NOTE.replace(b"- a\n", b"- a\n- b\n")
    assert append(NOTE, "z", "T", "Log", "Sub") == NOTE.replace(b"y\n", b"y\nz\n")
    assert append(NOTE, "z", "End") == NOTE + b"z\n"
    assert append(NOTE[:-1], "z", "End") == NOTE[:-1] + b"\nz"
    assert append(b"# A\n# B\n", "z", "A") == b"# A\nz\n# B\n"
    assert append(b"# A\nB\n===\n", "z", "A") == b"# A\nz\n\nB\n===\n"


def test_the_lines_that_were_written_are_told() -> None:
    def lines(data: bytes, text: str, *heading: str) -> tuple[tuple[int, int], ...]:
        return changed(data, NoteChange(append=Append(text, heading)), "a.md").lines

    assert lines(NOTE, "- b\n- c", "Log") == ((9, 10),)
    assert lines(b"abc", "def") == ((2, 2),)
    assert lines(b"", "a\nb") == ((1, 2),)


def test_a_heading_is_what_people_see_as_one() -> None:
    note = b"```\n# Log\n```\n%%\n# Log\n%%\n> # Log\n\n# **Log** [[x|of]] ^id\nend\n"
    assert append(note, "z", "Log of") == append(note, "z", "**Log** [[x|of]]") == note + b"z\n"
    with pytest.raises(NotFoundError, match="has no heading Nope") as caught:
        append(NOTE, "z", "Nope")
    assert caught.value.quoted == "4: T\n7: T > Log\n10: T > Log > Sub\n13: T > End"


def test_of_several_headings_with_one_name_the_path_chooses() -> None:
    note = b"# Log\n# A\n## Log\n# B\n## Log\n"
    assert append(note, "z", "Log") == note.replace(b"# Log\n# A", b"# Log\nz\n# A")
    assert append(note, "z", "B", "Log") == note + b"z\n"
    with pytest.raises(AmbiguousError, match="2 headings Log: lines 2, 4"):
        append(b"# A\n## Log\n# B\n## Log\n", "z", "Log")


@pytest.mark.parametrize(
    ("before", "heading", "after"),
    [
        (b"", ("Log",), b"## Log\n\nz\n"),
        (b"text", ("Log",), b"text\n\n## Log\n\nz"),
        (b"# Title\ntext\n", ("Log",), b"# Title\ntext\n\n## Log\n\nz\n"),
        (b"# A\n# B\n", ("Log",), b"# A\n# B\n\n# Log\n\nz\n"),
        (b"### A\r\n", ("B", "C"), b"### A\r\n\r\n### B\r\n\r\n#### C\r\n\r\nz\r\n"),
        (b"# A\n## X\nx\n# B\n", ("A", "Y"), b"# A\n## X\nx\n\n## Y\n\nz\n\n# B\n"),
    ],
)
def test_a_heading_that_is_missing_is_made_where_it_belongs(before: bytes, heading: tuple[str, ...], after: bytes) -> None:
    made = append(before, "z", *heading, create=True)
    assert made == after
    assert append(made, "more", *heading, create=True).count(heading[-1].encode()) == 1


@pytest.mark.parametrize(
    ("before", "heading", "words"),
    [
        (b"```\nopen", ("Log",), "not closed"),
        (b"###### A\n", ("A", "B"), "deeper than 6"),
        (b"x", ("",), "one line"),
        (b"x", ("a",) * 7, "6 names at most"),
        (b"x", ("a\nb",), "one line"),
        (b"x", ("a" * 301,), "one line"),
    ],
)
def test_a_heading_that_cannot_be_made_is_refused(before: bytes, heading: tuple[str, ...], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        append(before, "z", *heading, create=True)


def test_nothing_cannot_be_appended() -> None:
    for text in ("", "\n"):
        with pytest.raises(UsageError, match="no text to append"):
            append(b"x", text)
