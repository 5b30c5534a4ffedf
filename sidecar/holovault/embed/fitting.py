"""A text that is longer than a model reads becomes pieces that are not, so that no word is silently dropped.

Owns where a text is cut. Must not know a tokenizer: it is handed the two functions it needs.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

Spans = Sequence[tuple[int, int]]


def pieces(text: str, limit: int, measure: Callable[[str], int], spans: Callable[[str], Spans]) -> list[str]:
    """`text` in as few pieces of about equal length as fit: `measure(piece) <= limit` for each, and joined they are the text.

    `measure` counts what the model would read, prefix and marks included; `spans` gives the code points of each token. A cut is made
    at white space where there is some nearby. ValueError where not even one character fits.
    """
    size = measure(text)
    if size <= limit:
        return [text]
    if len(text) < 2:
        raise ValueError(f"one character is {size} tokens with its prefix, and the model reads {limit}")
    count = -(-size // limit)
    edges = [0, *_cuts(text, count, spans(text)), len(text)]
    parts = [text[start:end] for start, end in pairwise(edges)]
    return [piece for part in parts for piece in pieces(part, limit, measure, spans)]


def _cuts(text: str, count: int, tokens: Spans) -> list[int]:
    """At least one position inside the text, ascending."""
    starts = [tokens[number * len(tokens) // count][0] for number in range(1, count)] if len(tokens) >= count else []
    cuts = sorted({_near_space(text, start, len(text) // (4 * count)) for start in starts} - {0, len(text)})
    return cuts or [len(text) // 2]


def _near_space(text: str, at: int, reach: int) -> int:
    """The start of the nearest word at or before `at`, not further than `reach` characters away; else `at` itself."""
    for back in range(min(at, len(text) - 1), max(at - reach, 0), -1):
        if text[back - 1].isspace() and not text[back].isspace():
            return back
    return at
