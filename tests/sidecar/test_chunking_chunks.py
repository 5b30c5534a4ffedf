"""Where a note is cut, and what a chunk says of itself."""

import hashlib

from holovault.chunking import LIMIT, MINIMUM, TARGET, chunk, estimate_tokens
from holovault.markdown import parse
from holovault.model import Chunk, Section

SENTENCE = "The bench stands near the window today. "


def prose(tokens: int) -> str:
    """About so many tokens on one line."""
    return (SENTENCE * (tokens // estimate_tokens(SENTENCE) + 1)).strip()


def cut(text: str) -> tuple[Chunk, ...]:
    return chunk(parse(text))


def ranges(text: str) -> list[tuple[int, int]]:
    return [(each.start_line, each.end_line) for each in cut(text)]


def test_a_heading_closes_a_chunk_of_two_hundred_tokens() -> None:
    text = f"# A\n\n{prose(250)}\n\n# B\n\n{prose(250)}\n"
    assert [(each.heading, each.start_line, each.end_line) for each in cut(text)] == [(("A",), 1, 3), (("B",), 5, 7)]


def test_a_heading_does_not_close_a_smaller_chunk() -> None:
    (only,) = cut(f"# A\n\n{prose(100)}\n\n## B\n\n{prose(300)}\n")
    assert only.heading == ("A",)
    assert only.sections == (Section(5, ("A", "B")),)


def test_a_heading_is_never_left_at_the_end_of_a_chunk() -> None:
    text = f"{prose(150)}\n\n# A\n\n{prose(900)}\n\n# B\n\n{prose(250)}\n"
    assert ranges(text) == [(1, 1), (3, 5), (7, 9)]


def test_blocks_are_gathered_up_to_the_target() -> None:
    chunks = cut("\n\n".join(prose(140) for _ in range(12)))
    assert len(chunks) == 3
    assert all(MINIMUM <= each.tokens <= TARGET for each in chunks)


def test_a_block_under_the_limit_stays_whole() -> None:
    assert ranges(f"{prose(300)}\n\n{prose(900)}\n\n{prose(300)}") == [(1, 1), (3, 3), (5, 5)]


def test_a_small_tail_joins_the_chunk_before_it() -> None:
    assert ranges(f"# A\n\n{prose(500)}\n\n# B\n\nshort\n") == [(1, 7)]
    assert ranges(f"# A\n\n{prose(950)}\n\n# B\n\n{prose(150)}\n") == [(1, 3), (5, 7)]


def test_a_long_list_is_cut_between_items() -> None:
    text = "\n".join(f"- {prose(60)}\n  and its second line" for _ in range(30))
    chunks = cut(text)
    assert len(chunks) > 2
    assert all(each.text.startswith("- ") for each in chunks)


def test_a_long_fence_is_cut_between_lines_without_new_fences() -> None:
    chunks = cut("```python\n" + "\n".join(f"value_{number} = compute({number})" for number in range(300)) + "\n```\n")
    assert len(chunks) > 2
    assert chunks[0].text.startswith("```python\n")
    assert chunks[1].text.startswith("value_")
    assert chunks[-1].text.endswith("\n```")
    assert sum(each.text.count("```") for each in chunks) == 2


def test_a_comment_in_a_cut_fence_is_no_heading() -> None:
    chunks = cut("# Real\n\n```python\n" + "\n".join(f"# comment {number}\nx = {number}" for number in range(300)) + "\n```\n")
    assert {each.heading for each in chunks} == {("Real",)}
    assert all(each.sections == () for each in chunks)


def test_a_wrapped_paragraph_is_cut_after_a_line_that_ends_a_sentence() -> None:
    text = "\n".join("the first half of a sentence that goes\non in the next line, and here it ends." for _ in range(80))
    chunks = cut(text)
    assert len(chunks) > 1
    assert all(each.text.endswith("ends.") for each in chunks)


def test_only_a_line_over_the_limit_is_shared() -> None:
    text = f"start\n{prose(2500)}\nend\n"
    chunks = cut(text)
    assert [(each.start_line, each.end_line) for each in chunks] == [(1, 2), (2, 2), (2, 2), (2, 3)]
    assert all(each.text.endswith((".", "end")) for each in chunks)


def test_a_sentence_over_the_limit_is_cut_between_words() -> None:
    chunks = cut("word " * 3_000)
    assert len(chunks) > 3
    assert set(" ".join(each.text for each in chunks).split()) == {"word"}
    assert sum(each.text.count("word") for each in chunks) == 3_000


def test_heading_paths_follow_the_levels() -> None:
    text = "\n\n".join(f"{mark}\n\n{prose(250)}" for mark in ("# A", "## B", "#### C", "### D", "# E", "#", "## F"))
    assert [each.heading for each in cut(text)] == [("A",), ("A", "B"), ("A", "B", "C"), ("A", "B", "D"), ("E",), (), ("F",)]


def test_text_before_the_first_heading_has_no_path() -> None:
    assert [each.heading for each in cut(f"{prose(300)}\n\n# A\n\n{prose(300)}")] == [(), ("A",)]


def test_front_matter_is_counted_but_never_shown() -> None:
    (only,) = cut("---\ntitle: hidden\n---\n\nSeen.\n")
    assert (only.text, only.start_line, only.end_line) == ("Seen.", 5, 5)


def test_comments_belong_to_lines_but_not_to_the_text() -> None:
    (only,) = cut("before %%secret%% after\n\n%%\nsecret\n\n# secret\n%%\n\nend <!-- secret -->\n<!-- secret -->\n")
    assert (only.start_line, only.end_line) == (1, 10)
    assert only.text == "before after\n\n\n\n\n\n\n\nend"


def test_a_note_of_comments_only_has_a_chunk_without_text() -> None:
    (only,) = cut("%%\nsecret\n%%\n<!-- secret -->\n")
    assert (only.text, only.tokens, only.start_line, only.end_line) == ("", 0, 1, 4)


def test_an_empty_body_has_no_chunk() -> None:
    for text in ("", "\n\n  \n", "---\na: 1\n---\n", "\ufeff"):
        assert cut(text) == ()


def test_a_chunk_names_its_block_ids_and_its_hash() -> None:
    chunks = cut(f"{prose(300)} ^first\n\n# B\n\n- {prose(300)} ^second\n")
    assert [each.block_ids for each in chunks] == [("first",), ("second",)]
    assert chunks[0].hash == hashlib.sha256(chunks[0].text.encode()).hexdigest()
    assert [each.ordinal for each in chunks] == [0, 1]


def test_a_block_id_on_a_shared_line_belongs_to_its_end() -> None:
    chunks = cut(f"{prose(2500)} ^end\n")
    assert [each.block_ids for each in chunks] == [()] * (len(chunks) - 1) + [("end",)]


def test_no_chunk_exceeds_the_limit_by_itself() -> None:
    for tokens in range(990, 1010):
        assert all(each.tokens <= LIMIT for each in cut(f"{prose(tokens)}x)(*&^%$#@!{prose(20)}"))


def test_a_line_of_just_the_limit_is_not_cut() -> None:
    """Cutting inside a line leaves two tokens of slack; a whole line needs none."""
    words = "note " * 2000
    line = next(text for end in range(len(words), 0, -1) if LIMIT - 2 < estimate_tokens(text := words[:end].rstrip()) <= LIMIT)
    chunks = chunk(parse(f"# Title\n\n{line}\n\nlast\n"))
    assert sum(piece.start_line <= 3 <= piece.end_line for piece in chunks) == 1
    assert max(piece.tokens for piece in chunks) <= LIMIT
