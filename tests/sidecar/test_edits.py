"""Exact texts for others: found as readers see the note, and not one byte beside them is touched."""

import unicodedata
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holovault.edits import changed, difference
from holovault.edits.matching import Shown
from holovault.errors import AmbiguousError, NotFoundError, UsageError
from holovault.model import NoteChange, TextEdit

FRONT = b"---\r\n# a comment stays\r\ntitle:   'odd  spacing'   # too\r\nunknown: {a: [1,2],}\r\n---\r\n"
Form = Literal["NFC", "NFD"]
FORMS: tuple[Form, ...] = ("NFC", "NFD")
NFD = unicodedata.normalize("NFD", "кофе й ёлка\n").encode()


def edit(data: bytes, *edits: TextEdit) -> bytes:
    return changed(data, NoteChange(edits=edits), "a.md").data


def refused(data: bytes, *edits: TextEdit) -> Exception:
    with pytest.raises((NotFoundError, AmbiguousError, UsageError)) as caught:
        edit(data, *edits)
    return caught.value


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "BOM"])
def test_a_note_of_windows_keeps_its_line_ends_its_mark_and_its_front_matter(mark: bytes) -> None:
    before = mark + FRONT + b"one\r\ntwo\r\nthree"
    after = edit(before, TextEdit("one\ntwo\n", "one\nand\ntwo\n"))
    assert after == mark + FRONT + b"one\r\nand\r\ntwo\r\nthree"
    assert edit(before, TextEdit("'odd  spacing'", "other")) == before.replace(b"'odd  spacing'", b"other")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_a_note_in_another_encoding_stays_in_it(codec: str) -> None:
    mark = "\ufeff".encode(codec)
    assert edit(mark + "öne\r\ntwo".encode(codec), TextEdit("two", "zwei 😀")) == mark + "öne\r\nzwei 😀".encode(codec)


def test_mixed_line_ends_stay_mixed_and_new_lines_take_the_commonest() -> None:
    assert edit(b"a\nb\r\nc\r\nd\re", TextEdit("b\nc\nd", "b\nC\nnew\nd")) == b"a\nb\r\nC\r\nnew\r\nd\re"
    assert edit(b"a\rb\nc\n", TextEdit("a\nb", "a\n\nb")) == b"a\r\r\nb\nc\n"
    assert edit(b"a\rx\nb", TextEdit("x", "")) == b"a\r\n\nb"


def test_bytes_that_are_no_text_survive_beside_an_edit() -> None:
    assert edit(b"\xff\xfebad"[1:] + b"\x80 here\n\x00", TextEdit("here", "there")) == b"\xfebad\x80 there\n\x00"
    assert "no text in utf-16-le" in str(refused(b"\xff\xfea\x00b", TextEdit("a", "b")))


@pytest.mark.parametrize("form", FORMS)
def test_accents_are_found_however_they_are_stored(form: Form) -> None:
    wanted, new = (unicodedata.normalize(form, text) for text in ("й ёлка", "й сосна"))
    assert edit(NFD, TextEdit(wanted, new)).decode() in {
        NFD.decode()[: NFD.decode().index(unicodedata.normalize("NFD", "й"))] + unicodedata.normalize(one, "й") + " сосна\n"
        for one in FORMS
    }
    assert isinstance(refused(NFD, TextEdit("и", "x")), NotFoundError)  # the letter below an accent is not that letter


def test_several_edits_are_one_whose_order_means_nothing() -> None:
    one, other = TextEdit("a", "b"), TextEdit("b", "a")
    assert edit(b"a b\n", one, other) == edit(b"a b\n", other, one) == b"b a\n"
    assert "touch the same text in line 2" in str(refused(b"\nabcabc", TextEdit("abca", "x"), TextEdit("cabc", "y")))
    assert isinstance(refused(b"a\n", one, TextEdit("missing", "x")), NotFoundError)


def test_a_text_that_stands_there_another_number_of_times_is_refused_with_its_lines() -> None:
    told = str(refused(b"a\nb\na\n", TextEdit("a", "c")))
    assert "stands 2 times in a.md, not 1: lines 1, 3" in told and "count=2" in told
    assert edit(b"a\nb\na\n", TextEdit("a", "c", 2)) == b"c\nb\nc\n"
    assert "1 times in a.md, not 2: line 1." in str(refused(b"a", TextEdit("a", "c", 2)))
    assert "overlaps itself" in str(refused(b"aaa", TextEdit("aa", "b", 2)))
    assert isinstance(refused(b"aaa", TextEdit("aa", "b")), AmbiguousError)
    assert "more than 100,000 times" in str(refused(b"a" * 100_100, TextEdit("a", "b")))
    assert "lines 1, 2" in (many := str(refused(b"a\n" * 1000, TextEdit("a", "b")))) and "and further on" in many and "1000 times" in many


def test_a_text_that_is_not_there_comes_with_the_lines_that_are_most_like_it() -> None:
    error = refused(b"# Title\nThe quick brown fox\nno\nThe quick red fox\n", TextEdit("The quick brown  fox jumps", "x"))
    assert isinstance(error, NotFoundError)
    assert error.quoted == "2: The quick brown fox\n4: The quick red fox"
    assert "brown" not in str(error)  # a note's text is data and no part of a sentence
    assert getattr(refused(b"quick \xff brown", TextEdit("quick  brown", "x")), "quoted", "") == "1: quick \ufffd brown"
    assert getattr(refused(b"nothing alike", TextEdit("completely other words", "x")), "quoted", "") is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (NoteChange(), "either edits or a text"),
        (NoteChange(edits=(TextEdit("", "x"),)), "is empty"),
        (NoteChange(edits=(TextEdit("a", "a"),)), "are the same"),
        (NoteChange(edits=(TextEdit("a\r\n", "a\n"),)), "are the same"),
        (NoteChange(edits=(TextEdit("a", "b", 0),)), "1 to 100,000"),
        (NoteChange(edits=(TextEdit("a", "\ud800"),)), "surrogate"),
        (NoteChange(edits=(TextEdit("\udcff", "b"),)), "surrogate"),
        (NoteChange(edits=(TextEdit("a", "b"),) * 1001), "more than 1000"),
    ],
)
def test_a_change_that_says_nothing_is_refused(change: NoteChange, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        changed(b"a\n\xff", change, "a.md")


PIECES = [*"ab \n\r", "\r\n", "é", "e\u0301", "й", "и\u0306", "\u0301", "Å", "각", "\u1100\u1161", "😀"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@settings(max_examples=400)
@given(TEXTS, st.data())
def test_what_an_edit_did_not_replace_keeps_its_bytes(own: str, data: st.DataObject) -> None:
    shown = Shown(own)
    assert shown.text == unicodedata.normalize("NFC", own.replace("\r\n", "\n").replace("\r", "\n"))
    first = data.draw(st.integers(0, len(shown.text)))
    last = data.draw(st.integers(first, len(shown.text)))
    old, new = shown.text[first:last], "<new\ntext>"
    begin, end = shown.own(first), shown.own(last)
    if not old or begin is None or end is None or len(list(shown.places(old))) != 1:
        return
    after = edit(own.encode(), TextEdit(unicodedata.normalize("NFD", old), new)).decode()
    assert after.startswith(own[:begin]) and after.endswith(own[end:])
    assert Shown(after).text == unicodedata.normalize("NFC", shown.text[:first] + new + shown.text[last:])


@settings(max_examples=100)
@given(st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_around_an_edit_survive(before: bytes, after: bytes) -> None:
    data = b"x" + before + b"\n<<here>>\n" + after
    assert edit(data, TextEdit("<<here>>", "[[there]]")) == data.replace(b"<<here>>", b"[[there]]")


def test_a_difference_is_short_and_has_the_notes_line_numbers() -> None:
    before = b"".join(b"line %d\n" % number for number in range(1, 5000))
    assert difference(before, before.replace(b"line 3000\n", b"other\n")) == (
        "@@ -2998,5 +2998,5 @@\n line 2998\n line 2999\n-line 3000\n+other\n line 3001\n line 3002"
    )
    long = difference(before, b"x" * 5000) or ""
    assert len(long.splitlines()) == 31 and "more lines differ" in long
    assert max(map(len, (difference(b"a", b"x" * 5000) or "").splitlines())) == 160
    assert difference(b"a\r\n", b"a\n") is None
