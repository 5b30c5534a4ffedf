"""Phrases: whether exact words stand in a text. Must not stem."""

import re
import unicodedata

from holovault.lexemes import fold
from holovault.lexemes.shape import UNSPACED

_SIGNS = (("“", '"'), ("”", '"'), ("„", '"'), ("«", '"'), ("»", '"'), ("–", "-"), ("—", "-"), ("−", "-"), ("[[", ""), ("]]", ""))
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b]")
_EMPHASIS = re.compile(r"[*`~=_](?:(?<!\w[*`~=_])[*`~=_]*|[*`~=_]*(?!\w))")
_UNSPACED = re.compile(f"[{UNSPACED}]")


def phrase_in(phrase: str, text: str) -> bool:
    """Whether the phrase stands in the text on word boundaries: `1.0.21` is not in `11.0.21`, `芯片` is in `电子芯片`.

    Case, spelling variants (`fold`), kinds of space, quote and dash, and Markdown emphasis around words make no difference. An
    empty phrase is nowhere.
    """
    wanted = _comparable(phrase)
    return bool(wanted) and _stands_in(wanted, _comparable(text))


def _comparable(text: str) -> str:
    plain = _CONTROL.sub(" ", fold(text))
    for sign, usual in _SIGNS:
        plain = plain.replace(sign, usual)
    return " ".join(_EMPHASIS.sub("", plain).split())


def _stands_in(wanted: str, text: str) -> bool:
    first, last = _in_word(wanted[0]), _in_word(wanted[-1])
    found = text.find(wanted)
    while found >= 0:
        end = found + len(wanted)
        if not (first and found and _in_word(text[found - 1])) and not (last and end < len(text) and _in_word(text[end])):
            return True
        found = text.find(wanted, found + 1)
    return False


def _in_word(char: str) -> bool:
    """Whether words go on across this character; in scripts written without spaces they may end anywhere."""
    return unicodedata.category(char)[0] in "LMN" and not _UNSPACED.match(char)
