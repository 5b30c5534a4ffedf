"""Laws of cutting, over Markdown made of real constructs."""

from hypothesis import given, settings
from hypothesis import strategies as st

from holovault.chunking import chunk, windows
from holovault.markdown import parse
from tests.support.cutting import check_chunks, check_windows
from tests.support.markdown import NOTES


@given(NOTES)
@settings(max_examples=150, deadline=None)
def test_every_character_belongs_to_one_chunk_within_limits(text: str) -> None:
    check_chunks(parse(text))


@given(st.lists(NOTES, min_size=3, max_size=6))
@settings(max_examples=20, deadline=None)
def test_long_notes_keep_the_laws(texts: list[str]) -> None:
    check_chunks(parse("\n\n".join(texts)))


@given(NOTES, st.sampled_from([32, 64, 128, 384]))
@settings(max_examples=60, deadline=None)
def test_windows_of_any_size_cover_their_chunk(text: str, size: int) -> None:
    for each in chunk(parse(text)):
        check_windows(each, size)


@given(NOTES)
@settings(max_examples=60, deadline=None)
def test_line_ends_do_not_change_the_cut(text: str) -> None:
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    assert chunk(parse(unix)) == chunk(parse(unix.replace("\n", "\r\n"))) == chunk(parse(unix.replace("\n", "\r")))


@given(NOTES)
@settings(max_examples=60, deadline=None)
def test_text_lines_are_the_files_lines(text: str) -> None:
    document = parse(text)
    for each in chunk(document):
        for number, line in enumerate(each.text.split("\n") if each.text else [], start=each.start_line):
            whole = document.lines[number - 1]
            assert line.strip() in whole or document.comments


@given(NOTES)
@settings(max_examples=40, deadline=None)
def test_windows_do_not_depend_on_what_a_store_forgets(text: str) -> None:
    for each in chunk(parse(text)):
        bare = type(each)(0, each.heading, each.start_line, each.end_line, each.text, each.tokens, (), each.hash)
        assert [(one.start, one.end) for one in windows(bare)] == [(one.start, one.end) for one in windows(each)]
