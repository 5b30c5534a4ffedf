"""Notes that made other indexers lose text, lose lines, or eat the memory."""

import base64
import random

from holovault.chunking import chunk, window_string, windows
from holovault.markdown import parse
from tests.support.cutting import check_chunks

FAMILY = "👩‍👩‍👧"


def test_a_token_at_byte_two_hundred_thousand_has_its_line() -> None:
    lines = [f"Line {number} is about nothing much at all." for number in range(1, 8_001)]
    lines[6_000] = "Here is zanzibarquartz."
    assert len("\n".join(lines[:6_000])) > 200_000
    (found,) = [each for each in chunk(parse("\n".join(lines))) if "zanzibarquartz" in each.text]
    assert found.start_line <= 6_001 <= found.end_line
    assert found.start_line + found.text.split("zanzibarquartz")[0].count("\n") == 6_001


def test_five_megabytes_in_one_line_are_all_there() -> None:
    sentences = "The bench stands near the window today. " * 125_000
    chunks = check_chunks(parse(f"# A\n\n{sentences}\n\nafter\n"))
    assert {(each.start_line, each.end_line) for each in chunks[1:-1]} == {(3, 3)}
    assert max(len(each.text) for each in chunks) < 10_000
    assert chunks[-1].end_line == 5


def test_five_megabytes_without_a_space_are_bounded() -> None:
    data = base64.b64encode(random.Random(1).randbytes(3_750_000)).decode()
    for text in (data, "слово" * 1_000_000, "x" * 5_000_000):
        chunks = check_chunks(parse(f"before\n{text}\nafter"))
        assert max(len(each.text) for each in chunks) < 300_000
        assert all(len(window_string(window, each.text)) < 2_000 for each in chunks[:5] for window in windows(each))


def test_twenty_thousand_rows_are_cut_at_rows() -> None:
    rows = "".join(f"| {number} | name {number} |\n" for number in range(20_000))
    chunks = check_chunks(parse(f"# T\n\n| a | b |\n|---|---|\n{rows}"))
    assert all(each.text.startswith(("# T", "| ")) and each.text.endswith(" |") for each in chunks)
    (found,) = [each for each in chunks if "| 17123 |" in each.text]
    assert found.start_line + found.text.split("| 17123 |")[0].count("\n") == 17_128


def test_no_family_is_torn_apart() -> None:
    text = FAMILY * (3_000_000 // len(FAMILY.encode()))
    chunks = check_chunks(parse(text))
    for each in chunks:
        assert each.text.replace(FAMILY, "") == ""
    for window in windows(chunks[1]):
        assert chunks[1].text[window.start : window.end].replace(FAMILY, "") == ""


def test_flags_skin_tones_and_marks_stay_whole() -> None:
    for cluster in ("🇩🇪", "👍🏽", "e\u0301\u0323", "❤\ufe0f", "नि"):
        for each in check_chunks(parse(cluster * 5_000)):
            assert each.text.replace(cluster, "") == ""


def test_images_in_base64_do_not_drown_the_text() -> None:
    image = base64.b64encode(random.Random(2).randbytes(150_000)).decode()
    text = "\n\n".join(f"Picture {number}:\n\n![p](data:image/png;base64,{image})\n\nIts caption {number}." for number in range(5))
    chunks = check_chunks(parse(text))
    assert len(chunks) < 15
    strings = [window_string(window, each.text) for each in chunks for window in windows(each)]
    assert sum(map(len, strings)) < 2_000
    assert any("Its caption 4." in string for string in strings)


def test_no_rest_of_cut_data_is_read_as_words() -> None:
    prose = "The bench stands near the window today. " * 110
    for rest in (50, 300, 500):
        line = "Q7" * ((1200 * 256 + rest) // 2)
        chunks = check_chunks(parse(f"{line} {prose}"))
        assert len(chunks) > 1
        assert not any("Q7" in window_string(window, each.text) for each in chunks for window in windows(each))


def test_marks_without_end_are_bounded() -> None:
    check_chunks(parse("a" + "\u0301" * 200_000))
    check_chunks(parse("🇩" * 50_000))
    check_chunks(parse("> " * 3_000 + "x\n" + "- " * 3_000 + "y\n" + "%%" * 3_001))


def test_ten_thousand_headings_are_cut() -> None:
    chunks = check_chunks(parse("".join(f"{'#' * (number % 6 + 1)} Heading {number}\n" for number in range(10_000))))
    assert len(chunks) > 50
