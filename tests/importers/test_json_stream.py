"""JSON larger than its window: every element once, broken text told with its byte."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault_importers.jsonstream import WINDOW, BrokenJson, elements

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def _read(data: bytes) -> tuple[list[Any], BrokenJson | None]:
    found: list[Any] = []
    try:
        found.extend(element.value for element in elements(io.BytesIO(data)))
    except BrokenJson as broken:
        return found, broken
    return found, None


class Trickle(io.BytesIO):
    """Gives a few bytes at a time, so that a window ends everywhere."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(7, size or 7) if size != 0 else 0)


@given(st.lists(VALUES, max_size=6), st.booleans(), st.sampled_from([None, 1]))
def test_any_array_gives_its_elements_wherever_a_window_ends(values: list[Any], escaped: bool, indent: int | None) -> None:
    data = json.dumps(values, ensure_ascii=escaped, indent=indent).encode("utf-8", "surrogatepass")
    assert [element.value for element in elements(Trickle(data))] == json.loads(data.decode("utf-8", "replace"))


@given(st.lists(VALUES, min_size=1, max_size=5), st.data())
def test_a_cut_array_gives_what_is_whole_and_says_where_it_ends(values: list[Any], data: st.DataObject) -> None:
    whole = json.dumps(values).encode("utf-8")
    cut = data.draw(st.integers(0, len(whole) - 1))
    found, broken = _read(whole[:cut])
    assert broken is not None
    assert broken.offset <= cut
    assert found[: len(values)] == values[: len(found)] or cut < len(whole)
    assert [json.dumps(value) for value in found[:-1]] == [json.dumps(value) for value in values[: max(0, len(found) - 1)]]


def test_an_element_larger_than_the_window_is_read_whole() -> None:
    long = "слово " * WINDOW
    found, broken = _read(json.dumps([{"a": long}, 2]).encode())
    assert broken is None
    assert found == [{"a": long}, 2]


def test_the_offset_counts_bytes_and_not_characters() -> None:
    first = json.dumps("ёлка", ensure_ascii=False).encode()
    found, broken = _read(b"[" + first + b", {oops}]")
    assert found == ["ёлка"]
    assert broken is not None
    assert broken.offset == 1 + len(first) + 2


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'\xef\xbb\xbf[1, "\\ud83d", 2]', [1, "\ud83d", 2]),
        (b'["a\x01\x02b"]', ["a\x01\x02b"]),
        (b'{"conversations": [1, 2]}', [1, 2]),
        (b'{"uuid": "x"}', [{"uuid": "x"}]),
        (b" [ ] ", []),
        (b'["\xff"]', ["\ufffd"]),
    ],
    ids=["mark and lone surrogate", "control characters", "wrapped", "one object", "empty array", "bytes that are no text"],
)
def test_forms_that_other_readers_refuse(data: bytes, expected: list[Any]) -> None:
    assert _read(data) == (expected, None)


@pytest.mark.parametrize("data", [b"", b"   ", b"[1 2]", b"[1,", b'{"a":', b"[" * 200_000, b"nonsense"])
def test_text_that_is_no_json_ends_in_one_error(data: bytes) -> None:
    assert _read(data)[1] is not None


def test_one_element_without_end_does_not_fill_the_memory() -> None:
    with pytest.raises(BrokenJson, match="larger than"):
        list(elements(io.BytesIO(b'["' + b"x" * 5_000_000), largest=1 << 21))
