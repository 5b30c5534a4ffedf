"""From a chunk to the windows a model reads.

Owns the window's text boundaries and the exact string that is embedded. Boundaries depend on the
chunk's text and the size alone, so they can be found again from a stored chunk. Must not know
documents.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from holovault.chunking.blobs import find_blobs, squeeze
from holovault.chunking.breaks import AFTER_END, ENDS, Cutter
from holovault.chunking.tokens import SCALE, estimate_tokens, weigh
from holovault.model import Chunk, Window

SMALL = 24
"""Tokens below which a window joins a neighbour, if the two together stay within 1.25 × size."""

SEPARATOR = " › "

_BLOCK_START = r"[ \t]*(?:\n|[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|[>|]|```|~~~)"
_UNIT_END = re.compile(rf"[{ENDS}\n](?:{AFTER_END}|(?<=\n)(?={_BLOCK_START})\s*)")
_LINE_END = re.compile(r"\n\s*")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}\s")


@dataclass(frozen=True, slots=True)
class _Unit:
    start: int
    end: int
    weight: int


def windows(chunk: Chunk, size: int = 128) -> tuple[Window, ...]:
    """Cut a chunk's text into windows of at most about `size` tokens, greedily at sentences, without overlap.

    Together they hold every character that is not white space. The prefix comes on top: at most `size / 4` tokens.
    """
    joined = _join_small(list(_fill(_units(chunk.text, size), chunk.text, size * SCALE)), size)
    lines = [section.line for section in chunk.sections]
    prefixes = [_prefix(heading, size // 4) for heading in (chunk.heading, *(section.heading for section in chunk.sections))]
    found: list[Window] = []
    line, counted = chunk.start_line, 0
    for number, unit in enumerate(joined):
        body = chunk.text[unit.start : unit.end]
        start, end = unit.start + len(body) - len(body.lstrip()), unit.start + len(body.rstrip())
        line += chunk.text.count("\n", counted, start)
        counted = start
        prefix = prefixes[bisect_right(lines, line)]
        last = line + chunk.text.count("\n", start, end)
        found.append(Window(number, start, end, line, last, prefix, _key(_string(prefix, chunk.text[start:end])), size))
    return tuple(found)


def window_string(window: Window, chunk_text: str) -> str:
    """The exact string for the model: heading path, line break, text; each piece of encoded data (an unbroken run of 512
    or more of `[A-Za-z0-9+/=_-]`, a `data:` URI) is one ellipsis."""
    return _string(window.prefix, chunk_text[window.start : window.end])


def _string(prefix: str, text: str) -> str:
    return f"{prefix}\n{squeeze(text)}" if prefix else squeeze(text)


def _key(string: str) -> str:
    return hashlib.sha256(string.encode("utf-8", "surrogatepass")).hexdigest()


def _prefix(heading: tuple[str, ...], budget: int) -> str:
    """The heading path, shortened at its front to `budget` tokens."""
    path = SEPARATOR.join(heading)
    if not path:
        return ""
    if estimate_tokens(path) <= budget:
        return path
    for first in range(1, len(heading)):
        path = "…" + SEPARATOR + SEPARATOR.join(heading[first:])
        if estimate_tokens(path) <= budget:
            return path
    last = heading[-1]
    behind = np.cumsum(weigh(last)[::-1], dtype=np.int64)
    kept = int(np.searchsorted(behind, max(budget - 3, 1) * SCALE, side="right"))
    return "…" + last[len(last) - max(kept, 1) :].lstrip()


def _units(text: str, size: int) -> Iterator[_Unit]:
    """Sentences, list items, rows; what is longer than a window is cut at lines and then wherever it must.

    Data weighs what a model sees of it: one token.
    """
    weights, limit, blobs = weigh(text), size * SCALE, find_blobs(text)
    for blob in blobs:
        weights[blob.start + 1 : blob.end] = 0
    edges = _edges(_UNIT_END, text, 0, len(text))
    sums = np.add.reduceat(weights, edges[:-1], dtype=np.int64).tolist() if text else []
    cutter: Cutter | None = None
    for (start, end), weight in zip(pairwise(edges), sums, strict=True):
        if weight <= limit:
            yield _Unit(start, end, weight)
            continue
        cutter = cutter or Cutter(text, weights, blobs)
        for line_start, line_end in pairwise(_edges(_LINE_END, text, start, end)):
            for piece_start, piece_end in cutter.pieces(line_start, line_end, limit):
                yield _Unit(piece_start, piece_end, int(weights[piece_start:piece_end].sum(dtype=np.int64)))


def _edges(pattern: re.Pattern[str], text: str, start: int, end: int) -> list[int]:
    """`start`, the ends of all matches, and `end`."""
    edges = [start, *(match.end() for match in pattern.finditer(text, start, end))]
    return edges if edges[-1] == end else [*edges, end]


def _fill(units: Iterator[_Unit], text: str, limit: int) -> Iterator[_Unit]:
    """Greedy: as many units as fit. A heading at the end moves on to the window of what it heads."""
    open_units: list[_Unit] = []
    weight = 0
    for unit in units:
        if open_units and weight + unit.weight > limit:
            kept = _headings_at_end(open_units, text)
            weight = sum(each.weight for each in open_units[kept:])
            if not kept or weight + unit.weight > limit:
                kept, weight = len(open_units), 0
            yield _merged(open_units[:kept])
            open_units = open_units[kept:]
        open_units.append(unit)
        weight += unit.weight
    if any(text[unit.start : unit.end].strip() for unit in open_units):
        yield _merged(open_units)


def _headings_at_end(units: list[_Unit], text: str) -> int:
    kept = len(units)
    while kept and _HEADING.match(text, units[kept - 1].start):
        kept -= 1
    return kept


def _merged(units: list[_Unit]) -> _Unit:
    return _Unit(units[0].start, units[-1].end, sum(unit.weight for unit in units))


def _join_small(units: list[_Unit], size: int) -> list[_Unit]:
    """A window that is too small to mean something joins the one before it, or the next one."""
    joined: list[_Unit] = []
    for unit in units:
        small = joined and min(unit.weight, joined[-1].weight) < SMALL * SCALE
        if small and 4 * (joined[-1].weight + unit.weight) <= 5 * size * SCALE:
            joined[-1] = _merged([joined[-1], unit])
        else:
            joined.append(unit)
    return joined
