"""One conversation of conversations.json as a value. Pure.

Owns defaults for what is missing: an id is made from the content, so that the same conversation has the same id next time;
a date that is not there stays away. Returns `Skipped` only for a conversation in which nobody said anything.
"""

import hashlib
import json
from typing import Any

from holovault_importers.claude.artifacts import Workbench
from holovault_importers.claude.blocks import blocks_of
from holovault_importers.claude.fields import list_of, text_of
from holovault_importers.claude.tree import NO_PARENT, ordered
from holovault_importers.dates import utc
from holovault_importers.values import Block, Branch, Conversation, Message, ProjectRef, Role, Skipped, ToolCall

ORIGIN = "claude.ai"
_ROLES: dict[str, Role] = {"human": "human", "user": "human", "assistant": "assistant"}

Raw = dict[str, list[Block | dict[str, Any]]]


def conversation(value: dict[str, Any], projects: dict[str, str]) -> Conversation | Skipped:
    """The conversation in `value`; `projects` are names by uuid, for exports that say which one it belongs to."""
    title = text_of(value, "name")
    raw: Raw = {}
    messages: list[Message] = []
    parents: dict[str, str] = {}
    entries = [entry for entry in list_of(value, "chat_messages") if isinstance(entry, dict)]
    for number, entry in enumerate(entries):
        message = _message(entry, number, raw)
        if message.id in raw and any(other.id == message.id for other in messages):
            continue
        messages.append(message)
        parent = entry.get("parent_message_uuid")
        if isinstance(parent, str):
            parents[message.id] = parent
    if not any(raw.values()):
        return Skipped("empty conversation", title or text_of(value, "uuid"))
    active, branches = ordered(messages, parents, text_of(value, "current_leaf_message_uuid"))
    identity = text_of(value, "uuid") or _made_id(value, entries)
    bench = Workbench()
    told = tuple(_told(message, raw, bench) for message in active)
    artifacts = bench.finished()
    left: list[Branch] = []
    for branch in branches:
        aside = Workbench()
        left.append(Branch(branch.after, tuple(_told(message, raw, aside) for message in branch.messages)))
        known = {artifact.id for artifact in artifacts}
        artifacts += tuple(artifact for artifact in aside.finished() if artifact.id not in known)
    project = text_of(value, "project_uuid")
    return Conversation(
        source=ORIGIN,
        kind="chat",
        id=identity,
        title=title,
        created=utc(value.get("created_at")) or next((message.created for message in told if message.created), None),
        updated=utc(value.get("updated_at")),
        messages=told,
        summary=text_of(value, "summary"),
        branches=tuple(left),
        artifacts=artifacts,
        url=f"https://claude.ai/chat/{identity}" if text_of(value, "uuid") else None,
        project=ProjectRef(project, projects[project]) if project in projects else None,
    )


def _message(entry: dict[str, Any], number: int, raw: Raw) -> Message:
    identity = text_of(entry, "uuid")
    if not identity or identity in NO_PARENT:
        identity = f"message-{number}"
    blocks, dropped = blocks_of(entry)
    raw.setdefault(identity, blocks)
    return Message(
        identity,
        _ROLES.get(text_of(entry, "sender"), "other"),
        utc(entry.get("created_at")),
        (),
        text_of(entry, "sender") or None,
        tuple(dropped),
    )


def _told(message: Message, raw: Raw, bench: Workbench) -> Message:
    """The message with its blocks, artifact tools replayed in the order of the conversation."""

    def made(block: Block | dict[str, Any]) -> Block:
        return (bench.play(block) or ToolCall(text_of(block, "name"), "")) if isinstance(block, dict) else block

    return Message(message.id, message.role, message.created, tuple(map(made, raw.get(message.id, ()))), message.author, message.dropped)


def _made_id(value: dict[str, Any], entries: list[dict[str, Any]]) -> str:
    seed = [text_of(value, "name"), str(value.get("created_at")), text_of(entries[0], "uuid") or text_of(entries[0], "text")]
    return "made-" + hashlib.sha256(json.dumps(seed).encode("utf-8")).hexdigest()[:24]
