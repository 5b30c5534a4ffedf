"""One entry in somebody else's JSON file, everything else byte for byte as it was. Pure.

Owns finding the place of a member in the text. A text that is not plain JSON (comments, a trailing comma, a duplicate key on
the way) is refused: it is the person's to change.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class _Member:
    """A key of an object in the text: where the key begins, where its value is."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class _Object:
    """An object in the text, from `{` to behind `}`, and its members in order."""

    start: int
    end: int
    members: tuple[_Member, ...]

    def member(self, key: str) -> _Member | None:
        found = [member for member in self.members if member.key == key]
        if len(found) > 1:
            raise ValueError(f"the key {key} is there twice")
        return found[0] if found else None


def with_entry(text: str, table: str, name: str, entry: Mapping[str, Any]) -> str:
    """`text` with `{table: {name: entry}}` in it. Raises ValueError where the text is not an object of plain JSON."""
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    body = body if body.strip() else "{}\n"
    before = json.loads(body)
    if isinstance(before, dict) and isinstance(before.get(table), dict) and before[table].get(name) == dict(entry):
        return text
    root = _object(body, _skip(body, 0))
    place = root.member(table)
    if place is None:
        after = _added(body, root, table, {name: entry})
    else:
        servers = _object(body, place.value)
        old = servers.member(name)
        after = _added(body, servers, name, entry) if old is None else body[: old.value] + _dumped(body, entry, 2) + body[old.end :]
    wanted = {**before, table: {**before.get(table, {}), name: dict(entry)}}
    return mark + _proven(after, wanted)


def without_entry(text: str, table: str, name: str) -> str:
    """`text` without the entry and what it leaves empty; the same text where there is none. Raises ValueError like `with_entry`."""
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    before = json.loads(body)
    root = _object(body, _skip(body, 0))
    place = root.member(table)
    servers = None if place is None else _object(body, place.value)
    if servers is None or servers.member(name) is None:
        return text
    left = {key: value for key, value in before[table].items() if key != name}
    if left:
        return mark + _proven(_removed(body, servers, name), {**before, table: left})
    others = {key: value for key, value in before.items() if key != table}
    return mark + _proven(_removed(body, root, table), others) if others else ""


def entries(text: str, table: str) -> dict[str, Any]:
    """The entries of a table; empty where there is none. Raises ValueError like `with_entry`."""
    body = text.removeprefix("\ufeff")
    root = json.loads(body) if body.strip() else {}
    found = root.get(table, {}) if isinstance(root, dict) else None
    if not isinstance(found, dict):
        raise ValueError(f"{table} is not an object")
    return found


def _removed(text: str, parent: _Object, key: str) -> str:
    """`text` without one of several members of `parent`."""
    number = next(number for number, member in enumerate(parent.members) if member.key == key)
    member = parent.members[number]
    if number + 1 < len(parent.members):
        return text[: member.start] + text[parent.members[number + 1].start :]
    return text[: parent.members[number - 1].end] + text[member.end :]


def _added(text: str, into: _Object, key: str, value: Mapping[str, Any]) -> str:
    depth = _depth(text, into.start) + 1
    line = f"{_end_of_line(text)}{_indent(text) * depth}"
    member = f"{json.dumps(key, ensure_ascii=False)}: {_dumped(text, value, depth)}"
    if into.members:
        last = into.members[-1].end
        return f"{text[:last]},{line}{member}{text[last:]}"
    close = f"{_end_of_line(text)}{_indent(text) * (depth - 1)}"
    return f"{text[: into.start + 1]}{line}{member}{close}{text[into.end - 1 :]}"


def _dumped(text: str, value: Mapping[str, Any], depth: int) -> str:
    indent = _indent(text)
    lines = json.dumps(value, ensure_ascii=False, indent=indent).split("\n")
    return f"{_end_of_line(text)}{indent * depth}".join(lines)


def _proven(text: str, wanted: object) -> str:
    if json.loads(text) != wanted:
        raise ValueError("it cannot be changed without changing something else")
    return text


def _object(text: str, at: int) -> _Object:
    if text[at : at + 1] != "{":
        raise ValueError("it is not an object where one belongs")
    members: list[_Member] = []
    here = _skip(text, at + 1)
    while text[here] != "}":
        key, after = _DECODER.raw_decode(text, here)
        value = _skip(text, _skip(text, after) + 1)
        _, end = _DECODER.raw_decode(text, value)
        members.append(_Member(key, here, value, end))
        here = _skip(text, end)
        here = _skip(text, here + 1) if text[here] == "," else here
    return _Object(at, here + 1, tuple(members))


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _depth(text: str, at: int) -> int:
    """How many objects and arrays are open before `at`: braces outside of strings."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", text[:at])
    return sum((character in "{[") - (character in "}]") for character in bare)


def _indent(text: str) -> str:
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def _end_of_line(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
