"""What is what in an export of Claude.ai: told by the shape of each element, never by a file's name.

Owns the two passes: small files first, for the names and memories of projects; then everything, one element at a time. All
packagings give the same items. Must not decide how a note looks.
"""

import posixpath
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from holovault.model.imports import ImportRequest
from holovault_importers.claude import others
from holovault_importers.claude.conversations import ORIGIN, conversation
from holovault_importers.claude.fields import dict_of, list_of, text_of
from holovault_importers.dates import utc
from holovault_importers.inputs import Unreadable
from holovault_importers.jsonstream import BrokenJson, elements
from holovault_importers.values import Item, Member, Problem, Published, Skipped

SMALL = 32_000_000
MANIFEST = (
    "{name} is only a list of links. Download each part that it names (every link works once) and import those zips; "
    "they may be given all at once."
)
OTHER_SOURCE = "{name} is an export of ChatGPT: import it with holovault import chatgpt."
_PAGE_ENDINGS = (".html", ".htm", ".md", ".svg", ".jsx", ".tsx", ".txt", ".css", ".js")
_LARGEST_PAGE = 4_000_000


@dataclass(slots=True)
class _Known:
    """What the first pass learns of projects, by uuid."""

    names: dict[str, str] = field(default_factory=dict)
    memories: dict[str, str] = field(default_factory=dict)


class ClaudeSource:
    """Exports of Claude.ai: zips of any packaging, their folders, or single JSON files."""

    name = "claude"
    origin = ORIGIN
    about = "Chats, projects, memories and artifacts of an export of Claude.ai: zips, folders or JSON files."

    def default_exports(self) -> tuple[str, ...]:
        """Nothing: an export has to be asked for and downloaded."""
        return ()

    def wants(self, name: str) -> bool:
        """JSON, and the bodies of published pages."""
        lowered = name.lower()
        return lowered.endswith(".json") or ("/versions/" in f"/{lowered}" and lowered.endswith(_PAGE_ENDINGS))

    def read(self, members: Iterable[Member], request: ImportRequest) -> Iterator[Item]:
        """All items of all members; a damaged member gives what can be read of it, then a problem."""
        members = list(members)
        known = _Known()
        for member in members:
            if member.size <= SMALL and member.name.lower().endswith(".json"):
                _learn(member, known)
        pages = _Pages(members)
        any_item = False
        links: list[Problem] = []
        for member in members:
            for item in () if _is_page(member) else self._items(member, known, pages):
                if isinstance(item, Problem) and item.sentence == MANIFEST.format(name=member.name):
                    links.append(item)
                else:
                    any_item = any_item or not isinstance(item, Problem)
                    yield item
        yield from links if not any_item else ()

    def _items(self, member: Member, known: _Known, pages: "_Pages") -> Iterator[Item]:
        number = 0
        seen = False
        try:
            with closing(member.open()) as stream:
                for number, element in enumerate(elements(stream), start=1):
                    items = list(_items_of(element.value, member, known, pages))
                    if not items and not seen and _is_of_chatgpt(element.value):
                        yield Problem(OTHER_SOURCE.format(name=member.name))
                        return
                    seen = seen or bool(items)
                    yield from items or (
                        [Skipped("not a conversation", f"{member.name}, element {number}")] if _counts(element.value, seen) else []
                    )
        except BrokenJson as broken:
            yield Problem(
                f"{member.name} cannot be read past byte {broken.offset:,}: {broken.reason}. {number:,} entries before it were read."
            )
        except Unreadable as error:
            yield Problem(f"{member.name} cannot be read past entry {number:,}: it {error}.")
        except OSError as error:
            yield Problem(f"{member.name} cannot be read past entry {number:,}: {error.strerror}.")


def _counts(value: object, seen: bool) -> bool:
    """Whether an element that is nothing stands among conversations, where it has to be accounted for."""
    return seen and not _is_ignored(value)


def _is_of_chatgpt(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def _is_ignored(value: object) -> bool:
    """Accounts and logins: personal data that no note needs."""
    return isinstance(value, dict) and any(key in value for key in ("email_address", "ip_address", "user_agent", "login_history"))


def _items_of(value: object, member: Member, known: _Known, pages: "_Pages") -> Iterator[Item]:
    if not isinstance(value, dict) or _is_ignored(value):
        return
    if "chat_messages" in value or ("uuid" in value and "name" in value and "account" in value):
        yield conversation(value, known.names)
    elif _is_memory(value):
        yield from others.memories(value, known.names)
    elif "prompt_template" in value or ("docs" in value and "name" in value):
        yield others.project(value, known.memories)
    elif "messages" in value and ("title" in value or "project" in value):
        yield others.design_chat(value, known.names)
    elif "versions" in value and "active_version" in value:
        yield pages.published(value, member)
    elif "data_files" in value:
        yield Problem(MANIFEST.format(name=member.name))


def _is_memory(value: dict[str, Any]) -> bool:
    return any(key in value for key in ("conversations_memory", "project_memories", "memory_files"))


def _learn(member: Member, known: _Known) -> None:
    try:
        with closing(member.open()) as stream:
            for element in elements(stream):
                value = element.value
                if not isinstance(value, dict):
                    continue
                if "chat_messages" in value:
                    return
                if "prompt_template" in value or "docs" in value:
                    known.names[text_of(value, "uuid")] = text_of(value, "name")
                for identity, text in dict_of(value, "project_memories").items():
                    if isinstance(text, str):
                        known.memories[identity] = text
    except (BrokenJson, Unreadable, OSError):
        return  # told by the second pass


def _is_page(member: Member) -> bool:
    return "/versions/" in f"/{member.name}" and not member.name.lower().endswith(".json")


class _Pages:
    """The bodies of published artifacts, by their folder."""

    def __init__(self, members: Iterable[Member]) -> None:
        self._by_folder: dict[str, list[Member]] = {}
        for member in members:
            if _is_page(member) and member.name.lower().endswith(_PAGE_ENDINGS):
                self._by_folder.setdefault(member.name.partition("versions/")[0].rstrip("/"), []).append(member)

    def published(self, value: dict[str, Any], member: Member) -> Item:
        """A published artifact with the text of its active version."""
        active = text_of(value, "active_version")
        versions = [version for version in list_of(value, "versions") if isinstance(version, dict)]
        title = next((text_of(version, "title") for version in versions if text_of(version, "id") == active), "")
        pages = self._by_folder.get(posixpath.dirname(member.name), [])
        page = next((page for page in pages if f"/{active}" in page.name), None)
        if page is None:
            return Skipped("published page without its text", title)
        try:
            with closing(page.open()) as stream:
                text = stream.read(_LARGEST_PAGE).decode("utf-8-sig", "replace")
        except (Unreadable, OSError):
            return Skipped("published page without its text", title)
        return Published(ORIGIN, text_of(value, "id"), title, text_of(value, "kind"), utc(value.get("updated_at")), text, len(versions))
