"""How text becomes comparable inside the store. Pure: text in, text out.

Owns the forms that filters and link look-ups compare (NFC, casefolded), the small JSON columns, and the
instant that a written date means.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from holovault.model import FrontMatter, Section

SEPARATOR = "\n"
KEY_END = "\x1f"
_SECTIONS = msgspec.json.Decoder(tuple[tuple[int, tuple[str, ...]], ...])
_NAMES = msgspec.json.Decoder(tuple[str, ...])


def fold(text: str) -> str:
    """Case and Unicode form taken away."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def path_key(path: str) -> str:
    """A path as filters compare it, without slashes at its ends."""
    return fold(path).strip("/")


def name_key(path: str) -> str:
    """The file name of a path, as filters compare it."""
    return path_key(path).rpartition("/")[2]


def tag_key(tag: str) -> str:
    """A tag without `#` and case."""
    return fold(tag).strip("#/")


def tag_keys(tags: Iterable[str]) -> str:
    """Every tag and every tag it is nested in, each between separators."""
    keys: dict[str, None] = {}
    for tag in tags:
        parts = tag_key(tag).split("/")
        keys.update(dict.fromkeys("/".join(parts[:depth]) for depth in range(1, len(parts) + 1)))
    return enclosed(keys)


def property_keys(front: FrontMatter) -> str:
    """Every field as `key␟value`, and each item of a value that is a list in commas, between separators."""
    keys: dict[str, None] = {}
    for key, value in front.fields:
        head = one_line(fold(key)) + KEY_END
        keys[head + one_line(fold(value))] = None
        keys.update(dict.fromkeys(head + one_line(fold(item)) for item in value.strip("[]").split(",")))
    return enclosed(keys)


def one_line(text: str) -> str:
    """Runs of white space as one space, so that no value contains a separator."""
    return " ".join(text.replace(KEY_END, " ").split())


def enclosed(keys: Iterable[str]) -> str:
    """Keys between separators; empty when there are none."""
    joined = SEPARATOR.join(keys)
    return f"{SEPARATOR}{joined}{SEPARATOR}" if joined else ""


def target_key(target: str) -> str:
    """A link's target as look-ups compare it: folded, no `.md`, no leading `./`, `../` or `/`."""
    key = path_key(target)
    while key.startswith(("./", "../")):
        key = key.partition("/")[2]
    return key.removesuffix(".md")


def link_targets(path: str) -> list[str]:
    """What a link to this path may say: the path without `.md`, and every tail of it."""
    parts = target_key(path).split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


def instant(text: str | None) -> float | None:
    """Seconds since the epoch of an RFC 3339 time or a date (UTC where no zone is written); none if it is neither."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def names(column: str) -> tuple[str, ...]:
    """A JSON column of strings."""
    return () if column == "[]" else _NAMES.decode(column)


def sections(column: str) -> tuple[Section, ...]:
    """The headings inside a chunk."""
    return () if column == "[]" else tuple(Section(line, heading) for line, heading in _SECTIONS.decode(column))


def json_sections(values: Sequence[Section]) -> str:
    """Headings inside a chunk as a JSON column."""
    return msgspec.json.encode([(one.line, [wellformed(name) for name in one.heading]) for one in values]).decode() if values else "[]"


def json_names(values: Sequence[str]) -> str:
    """Strings as a JSON column; what is no Unicode text (lone surrogates) becomes a replacement mark."""
    return msgspec.json.encode([wellformed(value) for value in values]).decode() if values else "[]"


def wellformed(text: str) -> str:
    """The text with lone surrogates, which YAML escapes can make, replaced: SQLite and JSON take Unicode only."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def optional(text: str | None) -> str | None:
    """`wellformed`, or none."""
    return None if text is None else wellformed(text)


def json_front(front: FrontMatter) -> str:
    """Front matter as a JSON column."""
    try:
        return msgspec.json.encode(front).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_wellformed_all(msgspec.to_builtins(front))).decode()


def _wellformed_all(value: object) -> object:
    if isinstance(value, str):
        return wellformed(value)
    if isinstance(value, dict):
        return {key: _wellformed_all(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_wellformed_all(item) for item in value]
    return value
