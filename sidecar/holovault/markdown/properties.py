"""Properties by their meaning: title, aliases, tags, dates, project, source.

Owns which key means what, and how lists may be written. Must not read YAML; it gets flat
`(key, text)` fields.
"""

import re
from collections.abc import Sequence

from holovault.model import FrontMatter

_TAGS = ("tags", "tag")
_ALIASES = ("aliases", "alias")
_CREATED = ("created", "date", "date created", "created_at", "creation date")
_MODIFIED = ("modified", "updated", "date modified", "updated_at", "last modified")

_EMPTY = frozenset({"", "null", "Null", "NULL", "~"})
_LINK = re.compile(r"\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_BETWEEN_TAGS = re.compile(r"[,\s]+")


def front_matter(fields: Sequence[tuple[str, str]], one_line: frozenset[str] = frozenset(), error: str | None = None) -> FrontMatter:
    """All fields, and the known ones by name; keys are compared without case, the first one that says something wins.

    `one_line` names the keys (casefolded) whose value was no list: only those are split at commas.
    """
    clean = tuple((_sound(key), _sound(text)) for key, text in fields)
    by_key: dict[str, list[str]] = {}
    for key, text in clean:
        if text not in _EMPTY:
            by_key.setdefault(key.casefold(), []).append(text)
    return FrontMatter(
        title=_one(by_key, ("title",)),
        aliases=_aliases(by_key, one_line),
        tags=_tags(by_key, one_line),
        created=_one(by_key, _CREATED),
        modified=_one(by_key, _MODIFIED),
        imported=_one(by_key, ("imported",)),
        project=_one(by_key, ("project",)),
        source=_one(by_key, ("source",)),
        fields=clean,
        error=error,
    )


def _sound(text: str) -> str:
    """`text` with escaped surrogate pairs joined and lone ones replaced: everything else can be stored as UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _one(by_key: dict[str, list[str]], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        if key in by_key:
            return _LINK.sub(lambda match: match[2] or match[1], by_key[key][0]).strip() or None
    return None


def _aliases(by_key: dict[str, list[str]], one_line: frozenset[str]) -> tuple[str, ...]:
    found: list[str] = []
    for key in _ALIASES:
        for text in by_key.get(key, []):
            found += text.split(",") if key in one_line else [text]
    return tuple(dict.fromkeys(alias.strip() for alias in found if alias.strip()))


def _tags(by_key: dict[str, list[str]], one_line: frozenset[str]) -> tuple[str, ...]:
    """With or without `#`, as a list or one line with commas or spaces; the same tag in another case counts once."""
    found: dict[str, str] = {}
    for key in _TAGS:
        for text in by_key.get(key, []):
            for part in _BETWEEN_TAGS.split(text) if key in one_line else [text]:
                tag = part.strip().lstrip("#").strip("/")
                if tag:
                    found.setdefault(tag.casefold(), tag)
    return tuple(found.values())
