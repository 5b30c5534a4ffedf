"""What a model gets to read."""

import hashlib

from holovault.chunking import chunk, estimate_tokens, window_string, windows
from holovault.markdown import parse
from tests.support.samples import SAMPLES


def strings(text: str, size: int = 128) -> list[str]:
    return [window_string(window, each.text) for each in chunk(parse(text)) for window in windows(each, size)]


def test_the_key_is_the_hash_of_the_exact_string() -> None:
    (each,) = chunk(parse("# A\n\n" + SAMPLES["en"]))
    for window in windows(each):
        assert window.key == hashlib.sha256(window_string(window, each.text).encode()).hexdigest()


def test_a_sentence_at_the_end_of_a_full_chunk_is_read() -> None:
    text = "The bench stands near the window today. " * 105 + "The quartermaster hid the emeralds."
    (each,) = chunk(parse(text))
    assert each.tokens > 900
    assert strings(text)[-1].endswith("The quartermaster hid the emeralds.")


def test_windows_end_at_sentences_in_every_script() -> None:
    for sentence in (
        "The bench stands near the window. ",
        "Верстак стоит у окна. ",
        "作業台は窓の近くにあります。",
        "工作台在窗户旁边！",
        "أين يقف المنضدة؟ ",
    ):
        found = strings(sentence * 40)
        assert len(found) > 1
        assert all(string.strip().endswith(sentence.strip()) for string in found)


def test_an_abbreviation_ends_no_window() -> None:
    text = "We need shelves, e.g. wide ones, i.e. those of oak, approx. two metres long and cheap. " * 20
    assert all(string.strip().endswith("cheap.") for string in strings(text))


def test_list_items_and_rows_are_not_torn() -> None:
    text = "\n".join(f"- item number {number} with some words" for number in range(60))
    assert all(string.startswith("- item") for string in strings(text))


def test_the_prefix_is_the_path_where_the_window_begins() -> None:
    filler = "The bench stands near the window today. " * 4
    text = f"# One\n\n## Two\n\n{filler}\n\n## Three\n\n{filler}\n\n### Four\n\n{filler}"
    (each,) = chunk(parse(text))
    found = windows(each, 48)
    assert [window.prefix for window in found] == ["One", "One › Three", "One › Three › Four"]
    assert window_string(found[1], each.text).startswith("One › Three\n## Three\n\nThe bench")


def test_a_heading_is_not_the_end_of_a_window() -> None:
    filler = "The bench stands near the window today. " * 5
    found = strings("\n\n".join(f"## Part {number}\n\n{filler}" for number in range(3)), 64)
    assert [string.split("\n")[0] for string in found] == ["Part 0", "Part 1", "Part 2"]


def test_a_long_path_is_shortened_at_its_front() -> None:
    names = [f"Heading number {level} with a rather long name" for level in range(1, 7)]
    (each,) = chunk(parse("\n".join("#" * level + " " + name for level, name in enumerate(names, start=1)) + "\n\ntext " * 30))
    prefix = windows(each, 64)[-1].prefix
    assert prefix == "… › " + names[-1]
    assert estimate_tokens(windows(each, 16)[-1].prefix) <= 4


def test_a_note_without_headings_has_no_prefix() -> None:
    assert strings("Just text.") == ["Just text."]


def test_a_small_last_window_joins_the_one_before() -> None:
    sentence = "The bench stands near the window today. "
    per = estimate_tokens(sentence)
    full = 128 // per
    assert len(strings(sentence * (full + 1))) == 1
    assert len(strings(sentence * (full * 2))) == 2


def test_encoded_data_is_squeezed() -> None:
    text = f"Before ![plan](data:image/png;base64,{'iVBORw0KGgo' * 3_000}) after.\n\nkey {'A1b2' * 2_000} end.\n"
    assert strings(text) == ["Before ![plan](…) after.\n\nkey … end."]


def test_an_unbroken_word_is_cut_within_the_size() -> None:
    for text in ("слово" * 2_000, "芯" * 3_000, "a.b" * 3_000):
        (first, *_) = strings(text)
        assert 100 <= estimate_tokens(first) <= 129
