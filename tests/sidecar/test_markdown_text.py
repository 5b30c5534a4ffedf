"""What a line is, and that every file has a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.markdown import decode, parse, split_lines


def test_a_line_ends_at_the_three_line_ends_and_nothing_else() -> None:
    text = "a\nb\r\nc\rd\u2028e\x0bf\x0cg\x85h\x1ci"
    assert split_lines(text) == ["a\n", "b\r\n", "c\r", "d\u2028e\x0bf\x0cg\x85h\x1ci"]


@given(st.text(alphabet=st.sampled_from("a\r\n\u2028\x0c ")))
def test_joined_lines_are_the_text_again(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert len(parse(text).lines) == len(split_lines(text.removeprefix("\ufeff")))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_decides_the_encoding_and_is_dropped(encoding: str) -> None:
    text = "Zürich, Ёлка, 芯片 👩‍👩‍👧\n"
    marks = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
    assert decode(marks.get(encoding, b"") + text.encode(encoding)) == text


def test_bytes_that_are_no_text_become_replacement_characters() -> None:
    assert decode(b"ok \xff\xfe\x80 ok") == "ok \ufffd\ufffd\ufffd ok"
    assert decode(b"\xff\xfe\x00\xd8") == "\ufffd"


@given(st.binary(max_size=50))
def test_any_bytes_have_a_text_that_can_be_written_as_utf8(data: bytes) -> None:
    decode(data).encode("utf-8")
