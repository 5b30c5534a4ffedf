"""Documents on the canvas: every version replayed, the last one kept. Pure.

Owns the calls `canmore.create_textdoc` and `canmore.update_textdoc`. An update names a pattern of the program's own making, so it
is never run as one: a pattern for everything and literal text are understood, anything else makes the document partial.
"""

import re
from dataclasses import dataclass
from typing import Any

from holovault_importers.claude.fields import decoded, dict_of, list_of, text_of
from holovault_importers.values import Artifact, ArtifactMention

TOOL = "canmore."
_ALL = frozenset({".*", "^.*$", "(?s).*", "(?s)^.*$", r"[\s\S]*", r"^[\s\S]*$"})
_ESCAPED = re.compile(r"\\([^\w\s]|\s)")
_SPECIAL = re.compile(r"(?<!\\)[.^$*+?{}\[\]()|]|\\[A-Za-z0-9]")


@dataclass(slots=True)
class _Document:
    title: str
    kind: str
    text: str
    versions: int = 0
    partial: bool = False


class Canvas:
    """The documents of one conversation while its messages are read in order."""

    def __init__(self) -> None:
        self._documents: dict[str, _Document] = {}
        self._current = ""

    def play(self, recipient: str, text: str, reply: dict[str, Any]) -> ArtifactMention | None:
        """One call; `reply` is the metadata of its answer, which names the document. None where it only comments, or is broken."""
        given = decoded(text)
        about = dict_of(reply, "canvas")
        identity = text_of(about, "textdoc_id")
        if not isinstance(given, dict):
            return None
        if recipient == "canmore.create_textdoc" and isinstance(given.get("content"), str):
            return self._create(identity or text_of(given, "name") or "document", given, about)
        if recipient == "canmore.update_textdoc":
            return self._update(identity if identity in self._documents else self._current, given)
        return None

    def finished(self) -> tuple[Artifact, ...]:
        """The last version of each, in the order of their creation."""
        return tuple(
            Artifact(
                key, document.title, _kind(document.kind), _language(document.kind), document.text, document.versions, document.partial
            )
            for key, document in self._documents.items()
            if document.text.strip()
        )

    def _create(self, key: str, given: dict[str, Any], about: dict[str, Any]) -> ArtifactMention:
        title = text_of(about, "title") or text_of(given, "name") or "Document"
        known = self._documents.setdefault(key, _Document(title, text_of(given, "type"), ""))
        known.text = text_of(given, "content")
        self._current = key
        return self._mention(key, "create")

    def _update(self, key: str, given: dict[str, Any]) -> ArtifactMention | None:
        if key not in self._documents:
            return None
        self._current = key
        for update in list_of(given, "updates"):
            self._replace(self._documents[key], text_of(update, "pattern"), text_of(update, "replacement"), every=update_all(update))
        return self._mention(key, "update")

    def _replace(self, document: _Document, pattern: str, replacement: str, *, every: bool) -> None:
        literal = _ESCAPED.sub(r"\1", pattern)
        if pattern in _ALL:
            document.text = replacement
        elif pattern and pattern in document.text:
            document.text = document.text.replace(pattern, replacement, -1 if every else 1)
        elif pattern and not _SPECIAL.search(pattern) and literal in document.text:
            document.text = document.text.replace(literal, replacement, -1 if every else 1)
        else:
            document.partial = True

    def _mention(self, key: str, command: str) -> ArtifactMention:
        document = self._documents[key]
        document.versions += 1
        return ArtifactMention(key, document.title, document.versions, command)


def update_all(update: object) -> bool:
    """Whether an update means every place."""
    return isinstance(update, dict) and update.get("multiple") is True


def _kind(kind: str) -> str:
    return "text/markdown" if kind in ("", "document") else kind


def _language(kind: str) -> str | None:
    return kind.partition("/")[2] or None if kind.startswith("code") else None
