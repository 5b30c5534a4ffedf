"""Whether a text that was written has been lost to another program's save. Pure.

Owns the judgement. An editor that still had the old text in its window saves that: what the write added is then gone, or what it
took away is back. Somebody who goes on writing from the new text is no loss. Must not read a note.
"""

import difflib
import re
from collections.abc import Iterable

from holovault.markdown import decode, split_lines

_ALIKE = 0.6
_MOST_COMPARED = 200
_LONGEST = 400
_WORD = re.compile(r"\w+")


def overwritten(before: bytes, written: bytes, now: bytes) -> bool:
    """Whether `now` lacks what `written` had changed of `before`. Half of the new lines gone is a loss; a reworded line is not gone."""
    if now == written:
        return False
    if now == before:
        return True
    old, new, found = _lines(before), _lines(written), _lines(now)
    added, removed = new - old, old - new
    if added:
        missing = added - found
        return 2 * len(missing - _reworded(missing, found - old)) >= len(added)
    return bool(removed) and removed <= found


def _lines(data: bytes) -> set[str]:
    return {line for raw in split_lines(decode(data)) if (line := raw.strip())}


def _reworded(missing: Iterable[str], fresh: set[str]) -> set[str]:
    """Those lines of which something alike is still there, or most of their words, as when an editor orders properties anew."""
    candidates = [line[:_LONGEST] for line in sorted(fresh)[:_MOST_COMPARED]]
    words = {word for line in fresh for word in _WORD.findall(line)}
    return {line for line in missing if _share(line, words) >= _ALIKE} | {
        line for line in sorted(missing)[:_MOST_COMPARED] if difflib.get_close_matches(line[:_LONGEST], candidates, 1, _ALIKE)
    }


def _share(line: str, words: set[str]) -> float:
    own = _WORD.findall(line)
    return sum(word in words for word in own) / len(own) if own else 0.0
