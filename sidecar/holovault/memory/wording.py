"""What people hand over as a fact, made ready for its line: text, tags, links to entities; and when two texts are the same.

Owns those rules. How a line is written and escaped is `facts`' part. Pure: must not read or write anything.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from holovault.errors import TooLargeError, UsageError
from holovault.lexemes import normal_name
from holovault.markdown.inline import find_inline, tag_of

LONGEST = 2_000
"""Characters of a fact that is written here. What is longer is a note."""
LONGEST_NAME = 200

_TRAILING_TAGS = re.compile(r"(?:\s+#[^\s#]+)+\s*$")
_ADDED = re.compile(r"\s*\((?:\[\[[^\[\]\n]+\]\](?:, )?)+\)$")
_LINK = re.compile(r"!?\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_NAME = re.compile(r"[^\[\]|#^\\\n\r]+")
_ESCAPE = re.compile(r"\\(?=[^\w\s])")


def sentence(text: str) -> str:
    """The text on one line, white space and line ends as single spaces. Raises UsageError where nothing is said or it cannot be shown."""
    plain = " ".join(text.split())
    if not any(char.isalnum() for char in plain):
        raise UsageError("A fact needs words: say it in one sentence.")
    _check(plain)
    return plain


def lines(text: str) -> str:
    """The text with the lines that it has; for a correction, which may be of a fact that is told in several."""
    plain = "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).strip()
    if not any(char.isalnum() for char in plain):
        raise UsageError("A fact needs words. To remove it, forget it.")
    _check(plain.replace("\n", " ").replace("\t", " "))
    return plain


def _check(plain: str) -> None:
    unseen = next((char for char in plain if unicodedata.category(char) in {"Cc", "Cs"}), None)
    if unseen is not None:
        raise UsageError(f"A fact is text, and this one has the control character U+{ord(unseen):04X}. Leave it out.")
    if len(plain) > LONGEST:
        raise TooLargeError(f"A fact has at most {LONGEST:,} characters, this one has {len(plain):,}. Write a note, or several facts.")


def tag_names(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags as they are written, without `#`, each once, blanks as `-`. Raises UsageError for what Obsidian reads as no tag."""
    found: dict[str, str] = {}
    for given in tags:
        tag = "-".join(given.strip().lstrip("#").split())
        match = next(find_inline(f"#{tag}"), None)
        if match is None or match.end() != len(tag) + 1 or tag_of(match, f"#{tag}") != tag:
            raise UsageError(f"{given.strip()!r} cannot be a tag. Use letters, digits, -, _ and /, and not digits alone.")
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


def linked(text: str, entities: Sequence[str]) -> str:
    """`text` with a link for every entity: around its first mention as a whole word, else in parentheses at the end.

    Raises UsageError for a name that no link can hold.
    """
    missing: list[str] = []
    for given in entities:
        name = " ".join(given.split()).removeprefix("[[").removesuffix("]]")
        if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            raise UsageError(f"{given[:LONGEST_NAME]!r} cannot be linked: a note's name has none of [ ] | # ^ \\.")
        if normal_name(name) in {normal_name(target) for target in _targets(text)}:
            continue
        mention = re.search(rf"(?<![\w\[|]){re.escape(name)}(?!\w)", _without_links(text))
        if mention is None:
            missing.append(name)
        else:
            text = f"{text[: mention.start()]}[[{name}]]{text[mention.end() :]}"
    links = ", ".join(f"[[{name}]]" for name in dict.fromkeys(missing))
    return f"{text} ({links})" if links else text


def same_form(text: str) -> str:
    """What two facts with the same text have in common: no tags at the end, links as the words that they show, one spelling."""
    bare = _ADDED.sub("", _TRAILING_TAGS.sub("", text))
    shown = _LINK.sub(lambda match: match[2] or match[1], _ESCAPE.sub("", bare))
    return normal_name(shown).rstrip(" .!。")


def kept_tags(old: str, new: str) -> str:
    """`new` with the tags that stand at the end of `old` and are nowhere in it; only for texts of one line."""
    tail = _TRAILING_TAGS.search(old)
    if tail is None or "\n" in old or "\n" in new:
        return new
    has = {tag.casefold() for tag in _tags(new)}
    return " ".join((new, *(f"#{tag}" for tag in _tags(tail[0]) if tag.casefold() not in has)))


def _tags(text: str) -> list[str]:
    return [tag for match in find_inline(text) if match["tag"] is not None and (tag := tag_of(match, text))]


def _targets(text: str) -> list[str]:
    return [match[1].partition("#")[0].removesuffix(".md").rpartition("/")[2] for match in _LINK.finditer(text)]


def _without_links(text: str) -> str:
    """The same text, offset by offset, with links masked."""
    return _LINK.sub(lambda match: "\x00" * len(match[0]), text)
