"""Artifacts: every version replayed from create, update and rewrite; the last one is kept.

Pure. Three generations of the format: the tool `artifacts` (keyed by id), files (`create_file`, `str_replace`, keyed by path),
published pages. A replacement is literal. Where its old text is not found, the artifact is partial: nothing is invented.
"""

import posixpath
from dataclasses import dataclass
from typing import Any

from holovault_importers.claude.fields import dict_of, text_of
from holovault_importers.values import Artifact, ArtifactMention


@dataclass(slots=True)
class _Work:
    title: str
    kind: str
    language: str | None
    text: str
    versions: int = 0
    partial: bool = False


class Workbench:
    """All artifacts of one conversation while its messages are read in order."""

    def __init__(self) -> None:
        self._works: dict[str, _Work] = {}

    def play(self, block: dict[str, Any]) -> ArtifactMention | None:
        """One call of an artifact tool; None where it only looks at something or cannot be understood."""
        name, given = text_of(block, "name"), dict_of(block, "input")
        if name == "artifacts":
            return self._artifact(given)
        if name == "create_file":
            return self._set(text_of(given, "path"), "create", text_of(given, "file_text"), posixpath.basename(text_of(given, "path")))
        if name == "str_replace":
            return self._update(text_of(given, "path"), text_of(given, "old_str"), text_of(given, "new_str"))
        return None

    def finished(self) -> tuple[Artifact, ...]:
        """The last version of each, in the order of their creation."""
        return tuple(
            Artifact(key, work.title or key, work.kind, work.language, work.text, work.versions, work.partial)
            for key, work in self._works.items()
            if work.text.strip()
        )

    def _artifact(self, given: dict[str, Any]) -> ArtifactMention | None:
        key, command = text_of(given, "id") or text_of(given, "title") or "artifact", text_of(given, "command")
        if command == "update":
            return self._update(key, text_of(given, "old_str"), text_of(given, "new_str"))
        if command in ("create", "rewrite") or (not command and text_of(given, "content")):
            language = text_of(given, "language") or None
            return self._set(key, command or "create", text_of(given, "content"), text_of(given, "title"), text_of(given, "type"), language)
        return None

    def _set(self, key: str, command: str, text: str, title: str, kind: str = "", language: str | None = None) -> ArtifactMention | None:
        if not key:
            return None
        work = self._works.setdefault(key, _Work(title, kind, language, ""))
        work.text = text
        work.title, work.kind, work.language = title or work.title, kind or work.kind, language or work.language
        return self._mention(key, work, command)

    def _update(self, key: str, old: str, new: str) -> ArtifactMention | None:
        if not key:
            return None
        work = self._works.setdefault(key, _Work(posixpath.basename(key), "", None, "", partial=True))
        if old and old in work.text:
            work.text = work.text.replace(old, new, 1)
        else:
            work.partial = True
        return self._mention(key, work, "update")

    def _mention(self, key: str, work: _Work, command: str) -> ArtifactMention:
        work.versions += 1
        return ArtifactMention(key, work.title or key, work.versions, command)
