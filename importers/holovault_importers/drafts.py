"""A note as the importer would write it, before anything is known of the vault.

Owns the shape of a note (front matter, head, sections), its hashes and its text. Pure. A draft's `key` is its identity
for ever: title, path and place may change, the key does not.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LAYOUT = 1
"""Version of the layout, as `importer:` in the front matter of every note that an importer owns."""

GENERATED = re.compile(
    r"(?P<mark><!-- holovault:(?P<name>\w+) (?P<sha>[0-9a-f]{8}) -->)\r?\n(?P<made>.*?)\r?\n<!-- /holovault:(?P=name) -->", re.DOTALL
)
"""A list that is made anew with every import, and no part of what was imported; the hash tells whether a person wrote into it."""

Value = str | int | bool | tuple[str, ...]

BOOKKEEPING = ("updated", "messages", "branches", "artifacts", "previous", "next", "archived", "body_sha")
"""Properties that stay the importer's also in a note that a person has edited."""

TOLD = "told_sha"
"""Property of an edited note to which text was appended: the hash of the whole text that the export told by then."""


@dataclass(frozen=True, slots=True)
class Section:
    """A piece that only ever comes as a whole. `loose` ones (branches) may come at any time; the others only follow each other."""

    id: str
    text: str
    loose: bool = False

    @property
    def sha(self) -> str:
        """A short hash of the text; `~` marks loose ones."""
        return ("~" if self.loose else "") + sha(self.text)[:12]


@dataclass(frozen=True, slots=True)
class Draft:
    """One note. `path` is a wish; `front` are properties in order, without `body_sha`; `updated` is the original's time."""

    key: str
    kind: str
    path: str
    front: tuple[tuple[str, Value], ...]
    head: str
    sections: tuple[Section, ...]
    updated: str | None

    @property
    def body(self) -> str:
        """The note below its front matter, ending in one line end."""
        return joined((self.head, *(section.text for section in self.sections)))

    @property
    def body_sha(self) -> str:
        """The hash that tells a hand edit."""
        return body_sha(self.body)

    @property
    def front_sha(self) -> str:
        """A hash of the properties."""
        return sha(front_text(self.front))

    def text(self) -> str:
        """The whole note."""
        return f"---\n{front_text((*self.front, ('body_sha', self.body_sha)))}---\n{self.body}"


def key_of(source: str, kind: str, identity: str, part: str = "") -> str:
    """The identity of a note among all that importers made."""
    return f"{source}|{kind}|{identity}|{part}"


def joined(pieces: Iterable[str]) -> str:
    """Pieces with one blank line between them."""
    return "\n\n".join(piece.strip("\n") for piece in pieces if piece.strip()) + "\n"


def body_sha(body: str) -> str:
    """SHA-256 of a body with `\\n` line ends, without generated lists and what is blank at both ends, shortened to 32 digits."""
    return sha(GENERATED.sub(lambda found: "" if is_ours(found) else found[0], body.replace("\r\n", "\n")).strip())[:32]


def generated(name: str, made: str) -> str:
    """A list between its marks."""
    return f"<!-- holovault:{name} {sha(made.strip())[:8]} -->\n{made.strip()}\n<!-- /holovault:{name} -->"


def is_ours(found: re.Match[str]) -> bool:
    """Whether what stands between the marks of a match of GENERATED is what was made."""
    return sha(found["made"].replace("\r\n", "\n"))[:8] == found["sha"]


def sha(text: str) -> str:
    """SHA-256 of text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def front_text(front: Sequence[tuple[str, Value]]) -> str:
    """Properties as YAML, one line each: texts in JSON's quotes, which YAML reads the same."""
    return "".join(f"{key}: {yaml(value)}\n" for key, value in front)


def yaml(value: Value) -> str:
    """A value of a property on one line."""
    if isinstance(value, tuple):
        return "[" + ", ".join(yaml(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
