"""Markdown that Hypothesis writes: real constructs, put together in every order."""

from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "note",
        "заметка",
        "メモ",
        "笔记",
        "naïve",
        "C++",
        "pve-01",
        "2026.4.10",
        "👩‍👩‍👧",
        "#tag/sub",
        "[[Note#Heading|alias]]",
        "`code %%`",
        "100%",
        "*bold*",
    ]
)
SENTENCES = st.builds(
    lambda words, end: " ".join(words) + end, st.lists(WORDS, min_size=1, max_size=12), st.sampled_from([".", "!", "?", "…", "。", ""])
)
PROSE = st.builds(" ".join, st.lists(SENTENCES, min_size=1, max_size=6))
LINES = st.lists(PROSE, min_size=1, max_size=4)


def _fence(info: str, lines: list[str], mark: str, closed: bool) -> str:
    return "\n".join([mark + info, *lines, *([mark] if closed else [])])


def _list(items: list[str], marker: str, nested: bool) -> str:
    return "\n".join(f"{'  ' * (number % 3 if nested else 0)}{marker} {item}" for number, item in enumerate(items))


def _table(rows: list[str]) -> str:
    return "\n".join(["| a | b |", "|---|:-:|", *(f"| {row.replace('|', '/')} | 1 |" for row in rows)])


PARAGRAPH = st.builds("\n".join, LINES)
BLOCKS = st.one_of(
    PARAGRAPH,
    st.builds(lambda level, text: "#" * level + " " + text, st.integers(1, 6), SENTENCES),
    st.builds(lambda text, line: f"{text}\n{line}", SENTENCES, st.sampled_from(["===", "---"])),
    st.builds(_fence, st.sampled_from(["", "python"]), LINES, st.sampled_from(["```", "````", "~~~"]), st.booleans()),
    st.builds(_list, LINES, st.sampled_from(["-", "*", "1.", "- [ ]"]), st.booleans()),
    st.builds(_table, LINES),
    st.builds(lambda lines: "\n".join("> " + line for line in ["[!note] Title", *lines]), LINES),
    st.builds(lambda lines: "\n".join("    " + line for line in lines), LINES),
    st.builds(lambda text: f"<div>\n{text}\n</div>", PROSE),
    st.builds(lambda text, block: f"{text} ^id-{block}", PROSE, st.integers(0, 99)),
    st.builds(lambda text: f"%%\n{text}\n\n# hidden\n%%", PROSE),
    st.builds(lambda text: f"<!-- {text}\n-->", PROSE),
    st.builds(lambda text: f"before %%{text}%% after <!-- x --> end", PROSE.filter(lambda text: "%%" not in text)),
    st.builds(lambda text, times: (text + " ") * times, PROSE, st.integers(1, 60)),
    st.builds(lambda text, times: text * times, st.sampled_from(["x", "👩‍👩‍👧", "芯", "aB3=", "é", "\u0301", "🇩🇪"]), st.integers(1, 3000)),
    st.sampled_from(
        [
            "***",
            "\tcode with a tab",
            "- ```\n  open",
            "> - > deep",
            "%%",
            "<!--",
            "`",
            "``` ` ```",
            "|",
            "a\u2028b",
            "a\x0bb\x0cc",
            "\u3000",
            "data:image/png;base64,AAAA",
        ]
    ),
    st.text(max_size=30),
)
FRONT = st.sampled_from(
    ["", "---\ntitle: x\n---\n", "---\nfamily: [[A]]  [[B]]\n---\n", "---\n", "---\n---\n", "\ufeff---\na: 1\n---\n", "\n---\n"]
)


def _note(front: str, blocks: list[str], gap: str, line_end: str, last: str) -> str:
    text = front + gap.join(blocks) + last
    return text if line_end == "\n" else text.replace("\n", line_end)


NOTES = st.builds(
    _note,
    FRONT,
    st.lists(BLOCKS, max_size=12),
    st.sampled_from(["\n\n", "\n"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\n"]),
)
