"""What is what in an export of ChatGPT: told by the shape of each element, never by a file's name.

Owns the two passes (texts of uploaded files are known before conversations ask for them, and read when they do) and the other
files of an export, which are nobody's notes. Must not decide how a note looks.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

from holovault.model.imports import ImportRequest
from holovault_importers.chatgpt.conversations import ORIGIN, conversation
from holovault_importers.claude.fields import dict_of, list_of, text_of
from holovault_importers.inputs import Unreadable
from holovault_importers.jsonstream import BrokenJson, elements
from holovault_importers.values import Item, Member, Problem, Skipped

OTHER_SOURCE = "{name} is an export of Claude.ai: import it with holovault import claude."
_TEXT_ENDINGS = (
    ".txt",
    ".md",
    ".csv",
    ".tsv",
    ".json",
    ".py",
    ".js",
    ".ts",
    ".html",
    ".css",
    ".xml",
    ".yaml",
    ".yml",
    ".toml",
    ".tex",
    ".srt",
)
_LARGEST_TEXT = 2_000_000
_UPLOAD = ("file-", "file_")


class ChatGptSource:
    """Exports of ChatGPT: zips, numbered or not, their folders, or single JSON files."""

    name = "chatgpt"
    origin = ORIGIN
    about = "Chats, branches, canvas documents and attached texts of an export of ChatGPT: zips, folders or JSON files."

    def default_exports(self) -> tuple[str, ...]:
        """Nothing: an export has to be asked for and downloaded."""
        return ()

    def wants(self, name: str) -> bool:
        """JSON, and uploaded files."""
        base = posixpath.basename(name)
        return name.lower().endswith(".json") or base.startswith(_UPLOAD)

    def read(self, members: Iterable[Member], request: ImportRequest) -> Iterator[Item]:
        """All items of all members; a damaged member gives what can be read of it, then a problem."""
        members = list(members)
        uploads = [member for member in members if posixpath.basename(member.name).startswith(_UPLOAD)]
        for member in members:
            if not posixpath.basename(member.name).startswith(_UPLOAD):
                yield from _items(member, uploads, request)


def _items(member: Member, uploads: list[Member], request: ImportRequest) -> Iterator[Item]:
    number = 0
    seen = False
    try:
        with closing(member.open()) as stream:
            for number, element in enumerate(elements(stream), start=1):
                value = element.value
                if isinstance(value, dict) and isinstance(value.get("mapping"), dict):
                    seen = True
                    yield conversation(value, _texts(value, uploads), request)
                elif isinstance(value, dict) and "chat_messages" in value:
                    yield Problem(OTHER_SOURCE.format(name=member.name))
                    return
                elif seen:
                    yield Skipped("not a conversation", f"{member.name}, element {number}")
    except BrokenJson as broken:
        yield Problem(f"{member.name} cannot be read past byte {broken.offset:,}: {broken.reason}. {number:,} entries before it were read.")
    except Unreadable as error:
        yield Problem(f"{member.name} cannot be read past entry {number:,}: it {error}.")
    except OSError as error:
        yield Problem(f"{member.name} cannot be read past entry {number:,}: {error.strerror}.")


def _texts(value: dict[str, Any], uploads: list[Member]) -> Mapping[str, str]:
    """The texts of files that a conversation names, as far as the export has them and they are texts."""
    found: dict[str, str] = {}
    if not uploads:
        return found
    for entry in dict_of(value, "mapping").values():
        for attachment in list_of(dict_of(dict_of(entry, "message"), "metadata"), "attachments"):
            identity, name = text_of(attachment, "id"), text_of(attachment, "name")
            if identity and name.lower().endswith(_TEXT_ENDINGS) and (text := _text(identity, uploads)) is not None:
                found[identity] = text
    return found


def _text(identity: str, uploads: list[Member]) -> str | None:
    member = next((upload for upload in uploads if _is_named(posixpath.basename(upload.name), identity)), None)
    if member is None or member.size > _LARGEST_TEXT:
        return None
    try:
        with closing(member.open()) as stream:
            return stream.read(_LARGEST_TEXT).decode("utf-8-sig")
    except (Unreadable, OSError, UnicodeDecodeError):
        return None


def _is_named(base: str, identity: str) -> bool:
    """Whether a file's name begins with an id, and the id ends there."""
    return base.startswith(identity) and base[len(identity) : len(identity) + 1] in ("", "-", "_", ".")
