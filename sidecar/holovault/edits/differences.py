"""What differs, in a few lines: for a conflict, and for a text that is not found.

Owns the limits: a difference is at most thirty lines, nearest lines are at most three, and no line is longer than 160 characters.
Their text is the vault's: callers pass it on as data. Must not decide what happens with a conflict.
"""

import difflib
import heapq
import re
import unicodedata
from collections.abc import Iterator, Sequence

from holovault.markdown import decode, split_lines

MOST_LINES = 30
LINE_LENGTH = 160
NEAREST = 3
_COMPARED_LINES = 2_000
_SEARCHED = 5_000_000
_CANDIDATES = 60
_ALIKE = 0.45
_WORD = re.compile(r"\w+")


def difference(before: bytes, after: bytes) -> str | None:
    """A unified diff of two versions of a note; None where a reader would see none. Of long notes the changed middle is compared."""
    old, new = ([line.rstrip("\r\n") for line in split_lines(decode(data))] for data in (before, after))
    skipped = _common(old, new)
    kept = _common(old[skipped:][::-1], new[skipped:][::-1])
    first = max(0, skipped - 2)
    old, new = (lines[first : len(lines) - max(0, kept - 2)][:_COMPARED_LINES] for lines in (old, new))
    if old == new:
        return None
    lines = [_short(line) for line in _headless(difflib.unified_diff(old, new, lineterm="", n=2), first)]
    more = len(lines) - MOST_LINES
    return "\n".join([*lines[:MOST_LINES], *([f"… {more} more lines differ"] if more > 0 else [])])


def nearest(text: str, wanted: str) -> str | None:
    """The numbered lines of `text` that are most like the first line of `wanted` that has words; None where none is."""
    line = next((line for line in wanted.split("\n") if line.strip()), "")
    words = set(_WORD.findall(_folded(line)))
    if not words:
        return None
    numbered = enumerate(split_lines(text[:_SEARCHED]), start=1)
    shared = ((len(words.intersection(_WORD.findall(_folded(found)))), -number, found.rstrip("\r\n")) for number, found in numbered)
    candidates = heapq.nlargest(_CANDIDATES, (entry for entry in shared if entry[0]))
    rated = ((_alike(line, found), number, found) for _, number, found in candidates)
    best = heapq.nlargest(NEAREST, (entry for entry in rated if entry[0] >= _ALIKE))
    return "\n".join(_short(f"{-number}: {found}") for _, number, found in sorted(best, key=lambda entry: -entry[1])) or None


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _headless(lines: Iterator[str], skipped: int) -> Iterator[str]:
    """Without the two lines that name files, and with the line numbers of the whole note."""
    for index, line in enumerate(lines):
        if index >= 2:
            yield _moved(line, skipped) if line.startswith("@@") else line


def _moved(head: str, skipped: int) -> str:
    return re.sub(r"([-+])(\d+)", lambda found: f"{found[1]}{int(found[2]) + skipped}", head)


def _alike(line: str, other: str) -> float:
    return difflib.SequenceMatcher(None, _folded(line)[:400], _folded(other)[:400], autojunk=False).ratio()


def _folded(line: str) -> str:
    return " ".join(unicodedata.normalize("NFC", line).casefold().split())


def _short(line: str) -> str:
    """Bytes that are no text are shown as U+FFFD: what cannot be encoded would never reach its reader."""
    line = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in line[: LINE_LENGTH + 1])
    return line if len(line) <= LINE_LENGTH else line[: LINE_LENGTH - 1] + "…"
