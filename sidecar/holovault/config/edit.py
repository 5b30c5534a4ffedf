"""Changing `[embedding]` in the text of knowledge.toml for a person, everything else byte for byte as it was.

Owns the change and the proof that nothing else changed. Must not read or write files; imports its TOML library only when asked to.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, cast

from holovault.config.lines import Lines
from holovault.config.load import load_config
from holovault.config.values import EmbeddingConfig
from holovault.errors import UsageError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Table

Change = Mapping[str, str | int | None]
"""Keys of `[embedding]` and what they become; None takes a key out."""

_LONE_END = re.compile(r"(?<!\r)\n")


def with_embedding(text: str | None, change: Change, source: str) -> str:
    """The text with `[embedding]` changed; `text` is None where there is no file yet.

    ConfigError where the text has problems, before or after; UsageError, with the lines to write by hand, where it is written in a way
    that cannot be changed without touching anything else.
    """
    before = load_config(text, source)
    try:
        after = _changed(text or "", change)
        config = load_config(after, source)
    except ValueError as error:
        raise _by_hand(change, source) from error
    defaults = EmbeddingConfig()
    wanted: dict[str, Any] = {key: getattr(defaults, key) if value is None else value for key, value in change.items()}
    if config != replace(before, embedding=replace(before.embedding, **wanted)) or not _else_the_same(text or "", after, change):
        raise _by_hand(change, source)
    return after


def as_lines(change: Change) -> str:
    """The change as a person would write it."""
    return "\n".join(["[embedding]", *(f"{key} = {_toml(value)}" for key, value in change.items() if value is not None)])


def _changed(text: str, change: Change) -> str:
    import tomlkit

    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    document = tomlkit.parse(body)
    if tomlkit.dumps(document) != body:
        raise ValueError("the text does not survive being read")
    after = _in_place(document, change) if "embedding" in document else _appended(body, change)
    return mark + (after if "\r\n" not in body or _LONE_END.search(body) else _LONE_END.sub("\r\n", after))


def _appended(body: str, change: Change) -> str:
    """A text without the table gets one at its end."""
    gap = "" if not body else "\n" if body.endswith("\n") else "\n\n"
    return f"{body}{gap}{as_lines(change)}\n"


def _in_place(document: "TOMLDocument", change: Change) -> str:
    """Keys that are there change where they stand; new ones follow `provider`, or the table's head."""
    import tomlkit

    table = cast("Table", document["embedding"])
    new = {key: value for key, value in change.items() if value is not None and key not in table}
    for key, value in change.items():
        if value is None:
            table.pop(key, None)
        elif key not in new:
            table[key] = value
    lines = tomlkit.dumps(document).split("\n")
    place = Lines("\n".join(lines))
    if lines[place.of(("embedding",)) - 1].lstrip().startswith("["):
        at = place.of(("embedding", "provider"))
        return "\n".join([*lines[:at], *(f"{key} = {_toml(value)}" for key, value in new.items()), *lines[at:]])
    table.update(new)  # dotted keys, or a table in braces
    return tomlkit.dumps(document)


def _else_the_same(before: str, after: str, change: Change) -> bool:
    """Whether every line that came, went or changed is blank, the table's head, or one of the keys."""
    keys = "|".join(map(re.escape, change))
    ours = re.compile(rf"\s*(\ufeff?\[embedding\]|embedding\s*=.*|(embedding\s*\.\s*)?[\"']?({keys})[\"']?\s*=.*)?")
    old, new = before.splitlines(), after.splitlines()
    touched = [
        line
        for kind, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
        for line in (*old[old_from:old_to], *new[new_from:new_to])
    ]
    return all(ours.fullmatch(line) for line in touched)


def _by_hand(change: Change, source: str) -> UsageError:
    gone = [key for key, value in change.items() if value is None]
    out = f" and take out {', '.join(gone)}" if gone else ""
    return UsageError(f"{source} is written in a way that is yours to change: put these lines into it{out}.\n{as_lines(change)}")


def _toml(value: str | int | None) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
