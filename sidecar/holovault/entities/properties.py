"""Properties as `prop:<key>`: those of the front matter and inline fields (`key:: value`, `[key:: value]`) of the text.

Owns which properties say something about a note; its dates, title, names and looks do not. Must not read YAML.
"""

import re
from collections.abc import Iterator

from holovault.entities.links import targets_in
from holovault.lexemes import normal_name
from holovault.model import Filler, FrontMatter

MOST = 100
"""Values of one note's front matter that count: each is stated by every chunk."""

MOST_INLINE = 40
"""Fields of one chunk that count."""

_LONGEST = 120
_SILENT_KEYS = """
title,aliases,alias,tags,tag,created,modified,updated,imported,cssclass,cssclasses,publish,permalink,id,uid,uuid,banner,cover,image,icon,
description,position,trust,date created,date modified,created_at,updated_at,creation date,last modified
"""
_SILENT = frozenset(key.strip() for key in _SILENT_KEYS.split(","))
_NOTHING = frozenset({"", "null", "~", "none", "n/a", "-", "?", "[]", "{}"})
_KEY = r"[^\W\d_][\w /-]{0,38}"
_FIELD = re.compile(rf"[\[(](?P<key>{_KEY})::(?P<value>[^\[\]()\n]*(?:\[\[[^\[\]\n]*\]\][^\[\]()\n]*)*)[\])]")
_LINE = re.compile(rf"^[ \t]*(?:[-*+>][ \t]+)*[*_]{{0,2}}(?P<key>{_KEY})[*_]{{0,2}}::[ \t]+(?P<value>\S[^\n]*)$", re.MULTILINE)


def properties_of(front: FrontMatter) -> Iterator[Filler]:
    """What the front matter states. A value with `[[links]]` is those notes, and they are entities as well."""
    count = 0
    for key, value in front.fields:
        for filler in of_property(key, value):
            if count == MOST:
                return
            count += filler.role != "entity"
            yield filler


def inline_fields(text: str) -> Iterator[Filler]:
    """What the fields inside running text state."""
    if "::" not in text:
        return
    found = [*_FIELD.finditer(text), *_LINE.finditer(text)][:MOST_INLINE]
    for match in sorted(found, key=lambda one: one.start()):
        yield from of_property(match["key"], match["value"])


def of_property(key: str, value: str) -> Iterator[Filler]:
    """One value of one property."""
    name = normal_name(key)
    if not name or name in _SILENT or name.rpartition(".")[2] in _SILENT:
        return
    role = f"prop:{name}"
    linked = targets_in(value)
    for target in linked:
        yield Filler(role, target)
        yield Filler("entity", target)
    text = value.strip()
    if not linked and len(text) <= _LONGEST and text.casefold() not in _NOTHING:
        yield Filler(role, text)
