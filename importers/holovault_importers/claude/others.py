"""Everything in an export that is no conversation: projects, memories, design chats, published artifacts. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from holovault_importers.claude.conversations import ORIGIN
from holovault_importers.claude.fields import dict_of, list_of, raw, text_of
from holovault_importers.dates import utc
from holovault_importers.values import (
    AccountMemory,
    Attachment,
    Block,
    Conversation,
    Item,
    MemoryFile,
    Message,
    Project,
    ProjectDoc,
    ProjectRef,
    Skipped,
    Text,
    Thinking,
    ToolCall,
    Unknown,
)


def project(value: dict[str, Any], memories: Mapping[str, str]) -> Project:
    """A project with its documents; `memories` are the memories of projects by uuid."""
    identity = text_of(value, "uuid")
    return Project(
        ORIGIN,
        identity,
        text_of(value, "name"),
        text_of(value, "description"),
        text_of(value, "prompt_template"),
        memories.get(identity, ""),
        utc(value.get("created_at")),
        utc(value.get("updated_at")),
        tuple(_doc(entry, number) for number, entry in enumerate(list_of(value, "docs")) if isinstance(entry, dict)),
    )


def _doc(entry: dict[str, Any], number: int) -> ProjectDoc:
    name = text_of(entry, "filename") or text_of(entry, "file_name")
    content = entry.get("content")
    return ProjectDoc(
        text_of(entry, "uuid") or f"{number}-{name}", name, content if isinstance(content, str) else None, utc(entry.get("created_at"))
    )


def memories(value: dict[str, Any], projects: Mapping[str, str]) -> Iterator[Item]:
    """The account's memory, its files, and memories of projects that the export does not have otherwise."""
    account = text_of(value, "account_uuid") or "account"
    if text_of(value, "conversations_memory").strip():
        yield AccountMemory(ORIGIN, account, text_of(value, "conversations_memory"))
    for identity, text in dict_of(value, "project_memories").items():
        if identity not in projects and isinstance(text, str) and text.strip():
            yield Project(ORIGIN, identity, f"Project {identity[-8:]}", "", "", text, None, None)
    for entry in list_of(value, "memory_files"):
        path = text_of(entry, "path")
        if path and text_of(entry, "content").strip():
            yield MemoryFile(ORIGIN, f"{account}:{path}", path, text_of(entry, "content"), utc(entry.get("updated_at")))
        else:
            yield Skipped("empty memory file", path)


def design_chat(value: dict[str, Any], projects: Mapping[str, str]) -> Conversation | Skipped:
    """A conversation of Claude Design."""
    told: list[Message] = []
    for number, entry in enumerate(list_of(value, "messages")):
        if isinstance(entry, dict):
            told += _design_messages(entry, number)
    title = text_of(value, "title") or text_of(value, "name")
    if not any(message.blocks for message in told):
        return Skipped("empty conversation", title)
    owner = dict_of(value, "project")
    identity = text_of(owner, "uuid")
    ref = ProjectRef(identity, projects.get(identity) or text_of(owner, "name")) if text_of(owner, "name") or identity in projects else None
    created, updated = utc(value.get("created_at")), utc(value.get("updated_at"))
    return Conversation(ORIGIN, "design-chat", text_of(value, "uuid"), title, created, updated, tuple(told), project=ref)


def _design_messages(entry: dict[str, Any], number: int) -> list[Message]:
    """A message and, where a person broke into the answer, that person's words and the rest of the answer."""
    content = dict_of(entry, "content") or entry
    identity = text_of(entry, "uuid") or text_of(content, "id") or f"message-{number}"
    created = utc(entry.get("created_at")) or utc(content.get("timestamp"))
    human = (text_of(entry, "role") or text_of(content, "role")) in ("user", "human")
    blocks: list[Block] = [Text(text_of(content, "content"))] if text_of(content, "content").strip() else []
    blocks += [
        _design_attachment(part) for part in list_of(content, "attachments") if isinstance(part, dict) and part.get("hidden") is not True
    ]
    done: list[Message] = []
    for position, block in enumerate(list_of(content, "contentBlocks")):
        if text_of(block, "type") == "user_interjection":
            said = dict_of(block, "message")
            done.append(Message(f"{identity}-{position}", "assistant", created, tuple(blocks)))
            done.append(
                Message(
                    text_of(said, "id") or f"{identity}-said-{position}",
                    "human",
                    utc(said.get("timestamp")),
                    (Text(text_of(said, "content")),),
                )
            )
            blocks = []
        elif isinstance(block, dict):
            blocks += _design_block(block)
    return [*done, Message(identity, "human" if human else "assistant", created, tuple(blocks))]


def _design_attachment(part: dict[str, Any]) -> Attachment:
    return Attachment(text_of(part, "name"), text_of(part, "content") or None, text_of(part, "type"))


def _design_block(block: dict[str, Any]) -> list[Block]:
    kind, text = text_of(block, "type"), text_of(block, "text")
    if kind == "text":
        return [Text(text)] if text.strip() else []
    if kind == "thinking":
        return [Thinking(text)] if text.strip() else []
    if kind == "tool_call":
        call = dict_of(block, "toolCall")
        given = call.get("input")
        return [ToolCall(text_of(call, "name") or "tool", given if isinstance(given, str) else raw(given), text_of(call, "output"))]
    if kind == "error":
        return [Text(f"Error: {text_of(block, 'message') or text}")]
    return [Unknown(kind or "no type", raw(block))]
