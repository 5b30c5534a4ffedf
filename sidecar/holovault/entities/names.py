"""Names in running text, in any script that has capitals.

Owns when capitals mean a name. Precision goes before recall: a name is two capitalised words or more (`Иван Петров`, `New York`), a
hyphenated one (`Anna-Maria`), or an abbreviation in Latin capitals that a note uses more than once. Capitals that the beginning of a
sentence, a headline, markup or a shout explains are no evidence; a name that begins a sentence counts where it stands inside another one
of the same note.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from holovault.entities.running import Running
from holovault.entities.words import ARTICLES, CALENDAR, COMMON_ABBREVIATIONS, FUNCTION_WORDS, GERMAN, OPENERS, PARTICLES

MOST_WORDS = 5
"""Words of a name; a longer row of capitals is a title."""


def _capitals() -> str:
    """Body of a character class: the capitals of Latin, Greek, Cyrillic and Armenian."""
    return "".join(
        chr(code) for code in chain(range(0x41, 0x590), range(0x1E00, 0x2000)) if unicodedata.category(chr(code)) in ("Lu", "Lt")
    )


_UP = _capitals()
_LETTER = r"[^\W\d_]"
_WORD = rf"[{_UP}]{_LETTER}*(?:['’-]{_LETTER}+)*"
_INITIAL = rf"[{_UP}]\."
_BEYOND_LATIN = "\u0370"
_SPACE = r"[ \u00a0]"
_SMALL = rf"(?:(?:{'|'.join(PARTICLES)}){_SPACE}){{0,2}}"
_NEXT = rf"(?:{_INITIAL}{_SPACE}?)*{_WORD}"
# What must not stand before is asked after the first letter: a pattern that begins with a class of letters is found much faster.
_FREE = r"(?<![\w.@#$&/\\'’-].)"
_ROW = re.compile(
    rf"[{_UP}]{_FREE}(?:"
    rf"(?:\.{_SPACE}?{_NEXT}|{_LETTER}*(?:['’-]{_LETTER}+)*{_SPACE}{_SMALL}{_NEXT})(?:{_SPACE}{_SMALL}{_NEXT})*"
    rf"|{_LETTER}+(?:-[{_UP}]{_LETTER}+)+"
    rf")(?![\w-])"
)
_PART = re.compile(rf"{_INITIAL}|{_WORD}|\w+")
_SHORT = re.compile(rf"[A-Z]{_FREE}[A-Z]{{2,5}}(?![\w/\\.-]?\w)")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_MARKER = re.compile(r"(?:[ \t]*(?:[-*+>|]|\d{1,4}[.)]|\[[^\]]?\](?!\()))*[ \t]*")
_INSIDE = frozenset(",;)»”’")
_AFTER = re.compile(r"\.\w|\(|::|_|@")
_SMALL_WORD = re.compile(rf"(?<!\w)(?![{_UP}]){_LETTER}{{2,}}(?!\w)")
_SPOKEN = re.compile(rf"{_LETTER}+")
_END = re.compile(r"[\n.:;!?]|\Z")
_POSSESSIVE = re.compile(r"['’][sS]$")


@dataclass(frozen=True, slots=True)
class _Found:
    """A possible name; `sure` where nothing else explains its capitals. `rest` is what is left of it without its first word."""

    text: str
    sure: bool
    rest: str = ""


def names_in(chunks: Sequence[Running]) -> list[list[str]]:
    """The names that each chunk of one note mentions, as written, in order of appearance.

    None in a note in a language that capitalises every noun: there, only structure tells names.
    """
    found = [list(_names(chunk.spoken)) for chunk in chunks]
    used = [[word for word in _SHORT.findall(chunk.spoken) if word not in COMMON_ABBREVIATIONS] for chunk in chunks]
    if not any(found) and not any(used):
        return [[] for _ in chunks]
    text = "\n".join([chunk.spoken for chunk in chunks])
    names = frozenset[str]() if _capitalises_nouns(text) else _sure(found, text)
    counts = Counter(chain.from_iterable(used))
    short = {word for word, count in counts.items() if count > 1 and not _writes_small(text, word)}
    return [
        list(dict.fromkeys((*(name for one in rows for name in (one.text, one.rest) if name in names), *(w for w in words if w in short))))
        for rows, words in zip(found, used, strict=True)
    ]


def _sure(found: Sequence[Sequence[_Found]], text: str) -> frozenset[str]:
    """Names that something vouches for. One whose words the note all writes small elsewhere is a label or a phrase, not a name."""
    sure = {one.text for rows in found for one in rows if one.sure}
    return frozenset(name for name in sure if not all(_writes_small(text, word) for word in _SPOKEN.findall(name)))


def _writes_small(text: str, word: str) -> bool:
    """Whether a text has the word without capitals, as a word of its own."""
    small, place = word.lower(), -1
    while (place := text.find(small, place + 1)) >= 0:
        if not text[place - 1 : place].isalnum() and not text[place + len(small) : place + len(small) + 1].isalnum():
            return True
    return False


def _capitalises_nouns(text: str) -> bool:
    """Whether a note is in German: one word in twenty-five is one of the commonest there."""
    return 25 * sum(text.count(word) for word in GERMAN) > text.count(" ")


def _names(text: str) -> Iterator[_Found]:
    label, end = False, -1
    for match in _ROW.finditer(text):
        if _AFTER.match(text, match.end()):
            continue
        if match.start() >= end:
            end = _END.search(text, match.end()).end()  # type: ignore[union-attr]  # the end of the text is one
            label = _is_label(text[_start(text, match.start()) : end])
        if not label:
            line = text.rfind("\n", 0, match.start()) + 1
            yield from _of_row(match[0], begins=_begins(text[line : match.start()]))


def _start(text: str, place: int) -> int:
    """Where the line or the part of a sentence begins that holds a place."""
    return max(text.rfind(sign, 0, place) for sign in "\n.:;!?") + 1


def _of_row(row: str, *, begins: bool) -> Iterator[_Found]:
    """The names in a row of capitalised words: calendar words part it, function words at its ends are none of it."""
    names: list[list[str]] = [[]]
    parts = _PART.findall(row)
    for word in parts:
        plain = _POSSESSIVE.sub("", word)
        if plain.casefold() in CALENDAR or _parts(plain):
            names.append([])
        else:
            if len(parts) > 2 and len(names[-1]) == 1 and _is_of_another(names[-1][0], plain):
                names.append([])
            names[-1].append(plain)
            if plain != word:
                names.append([])
    for place, words in enumerate(names):
        begun = begins and not place
        trimmed = _trimmed(words, begun=begun)
        if begun and (trimmed[:1] == words[:1] or any(word.casefold() in OPENERS for word in words[:1])):
            yield _Found(" ".join(trimmed), sure=False, rest=" ".join(_trimmed(trimmed[1:], begun=True)))
        elif _is_name(trimmed):
            yield _Found(" ".join(trimmed), sure=True)


def _parts(word: str) -> bool:
    """A word between two names: a single letter, a Cyrillic abbreviation (`США`), or a describing `English-speaking`."""
    if len(word) == 1:
        return True
    beyond = word[0] >= _BEYOND_LATIN and word.isupper() and not word.endswith(".")
    return beyond or any(part[:1].islower() and len(part) > 2 for part in word.split("-")[1:])


def _is_of_another(first: str, second: str) -> bool:
    """Two Russian words of different cases: `президент Чили Себастьян Пиньера` is not one name; a patronymic goes with its name."""
    return first[-1] in "аяиыеую" and second[-1] in "бвгджзйклмнпрстфхцчшщ" and second[0] >= _BEYOND_LATIN and not second.endswith("ич")


def _trimmed(words: Sequence[str], *, begun: bool) -> list[str]:
    """Without what is no part of a name at both ends; inside a sentence, `All` in capitals may be one."""
    kept = list(words)
    while kept and _is_no_name(kept[0], begun=begun):
        kept.pop(0)
    while kept and (_is_no_name(kept[-1], begun=begun) or kept[-1] in PARTICLES):
        kept.pop()
    return kept


def _is_no_name(word: str, *, begun: bool) -> bool:
    if word in COMMON_ABBREVIATIONS:
        return True
    return word.casefold() in (FUNCTION_WORDS if begun or word[0] >= _BEYOND_LATIN else ARTICLES)


def _is_name(words: Sequence[str]) -> bool:
    """Two capitalised words or more, initials aside one at least, or one of hyphenated capitals; never all in capitals."""
    big = [word for word in words if word not in PARTICLES]
    full = [word for word in big if not word.endswith(".") and len(word) > 1]
    if not full or len(big) > MOST_WORDS or all(word.isupper() for word in full):
        return False
    if len(big) == 1:
        parts = full[0].split("-")
        return len(parts) > 1 and all(part[:1].isupper() and part[1:].islower() for part in parts)
    return len({part[:1] < _BEYOND_LATIN for word in full for part in word.split("-")}) == 1


def _begins(before: str) -> bool:
    """Whether what stands before on its line explains a capital: a beginning, the end of a sentence, an opening sign, markup, a dash.

    Words with capitals alone are a beginning still: most labels are written like that.
    """
    marker = _MARKER.match(before)
    before = before[marker.end() if marker else 0 :].rstrip()
    if not before or not (before[-1].isalnum() or before[-1] in _INSIDE):
        return True
    return all(word[0].isupper() and word.casefold() not in FUNCTION_WORDS for word in _SPOKEN.findall(before))


def _is_label(text: str) -> bool:
    """A line or a part of a sentence that names a thing itself: headline, button, shout.

    It has no small words but function words, or nearly every longer word is capitalised, or half of them are all capitals.
    """
    if all(word.casefold() in FUNCTION_WORDS for word in _SMALL_WORD.findall(text)):
        return True
    words = _LONG_WORD.findall(text)
    raised = sum(word[0].isupper() for word in words)
    shouted = sum(word.isupper() for word in words)
    return (len(words) > 3 and raised > 0.8 * len(words)) or (len(words) > 1 and shouted >= 0.5 * len(words))
