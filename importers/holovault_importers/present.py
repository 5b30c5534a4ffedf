"""A note as it lies in the vault, seen by an importer: its property lines, its body, and whose it is.

Pure: text in, values out. Keeps every byte: what is not replaced on purpose comes out as it went in.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from holovault.markdown import parse_front_matter
from holovault.markdown.front import find_block
from holovault_importers.drafts import TOLD, body_sha, key_of, yaml

_LINE = re.compile(r"^(?P<key>[A-Za-z_][\w -]*):")


@dataclass(frozen=True, slots=True)
class Present:
    """`path`, `hash` of all bytes, `front` and `body` as text; `key` is the importer's identity in it, None where it has none."""

    path: str
    hash: str
    text: str
    front: str
    body: str
    key: str | None
    body_sha: str | None
    updated: str | None
    told_sha: str | None = None

    @property
    def is_untouched(self) -> bool:
        """Whether the body is the one that the importer wrote."""
        return self.body_sha is not None and body_sha(self.body) == self.body_sha

    @property
    def line_end(self) -> str:
        """The line end that the note uses."""
        return "\r\n" if "\r\n" in self.text else "\n"


@dataclass(frozen=True, slots=True)
class Trace:
    """What is kept of a note that carries an importer's key while a whole vault is looked through.

    `body_sha` is that of the last text which the export told for it; `turns` counts its marks.
    """

    path: str
    key: str
    body_sha: str
    updated: str | None
    is_untouched: bool
    turns: int


def trace(note: Present) -> Trace | None:
    """The trace of a note; None where it is no importer's."""
    if note.key is None:
        return None
    return Trace(note.path, note.key, note.told_sha or note.body_sha or "", note.updated, note.is_untouched, note.body.count("<!-- turn "))


def present(path: str, data: bytes, digest: str) -> Present:
    """Read a note. One that is not UTF-8 has no identity and is never touched."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Present(path, digest, "", "", "", None, None, None)
    block = find_block(text)
    if block is None:
        return Present(path, digest, text, "", text, None, None, None)
    fields = dict(parse_front_matter(text).front.fields)
    key = None
    if fields.get("importer") and fields.get("source_id"):
        key = key_of(fields.get("source", ""), fields.get("type", ""), fields["source_id"], fields.get("part", ""))
        key += "~new" * _level(fields.get("version", ""))
    front, body = text[: block.body], text[block.body :]
    return Present(path, digest, text, front, body, key, fields.get("body_sha"), fields.get("updated"), fields.get(TOLD))


def _level(version: str) -> int:
    """How many times newer text was put beside an edited note: `new` is once, `new 2` twice."""
    word, _, number = version.partition(" ")
    return (int(number) if number.isdigit() and len(number) < 4 else 1) if word == "new" else 0


def with_properties(front: str, changes: Mapping[str, object]) -> str:
    """Front matter with these properties; lines of others stay byte for byte. None takes a property out."""
    lines = front.splitlines(keepends=True)
    end = lines[0][len(lines[0].rstrip("\r\n")) :] or "\n"
    kept: list[str] = []
    left = dict(changes)
    dropping = False
    for line in lines[1:-1]:
        found = _LINE.match(line)
        if found is None and dropping:
            continue  # the list or text of a property that was replaced
        dropping = found is not None and found["key"].strip() in changes
        if not dropping:
            kept.append(line)
        elif found is not None and (value := left.pop(found["key"].strip(), None)) is not None:
            kept.append(f"{found['key'].strip()}: {_yaml(value)}{end}")
    kept += [f"{key}: {_yaml(value)}{end}" for key, value in left.items() if value is not None]
    return "".join((lines[0], *kept, lines[-1]))


def _yaml(value: object) -> str:
    return yaml(value if isinstance(value, str | int | bool | tuple) else str(value))
