"""One record of a session as an entry: who, what, and which record came before. Pure.

Owns which types of records are part of a talk (user, assistant, prompts typed while busy, compactions) and what their blocks
mean. Text of tools and thoughts is let go here unless it is wanted, because it is most of a session.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from holovault.model.imports import ImportRequest
from holovault_importers.claude.fields import decoded, dict_of, raw, text_of
from holovault_importers.claude_code.wrappers import spoken
from holovault_importers.dates import utc
from holovault_importers.turns import Call, Piece, tool_text
from holovault_importers.values import LEFT_OUT, Attachment, Text, Thinking, Unknown

Kind = Literal["human", "assistant", "queued", "compaction", "recap"]
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "agent-name": "agentName"}
_SILENT = frozenset({"text", "thinking", "redacted_thinking", "fallback", "tool_reference"})


@dataclass(frozen=True, slots=True)
class Result:
    """What came back from a call."""

    call: str
    output: str
    failed: bool


@dataclass(slots=True)
class Entry:
    """A record that is part of the talk. `blocks` pair an identity (calls of tools, hashes of text) with a piece."""

    kind: Kind
    uuid: str
    parent: str
    logical: str
    message: str
    created: str | None
    sidechain: bool
    agent: str
    forked: bool
    blocks: list[tuple[str, Piece]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def title_of(record: dict[str, Any]) -> tuple[str, str] | None:
    """The kind and text of a title, where the record is one."""
    kind = text_of(record, "type")
    text = text_of(record, _TITLES[kind]) if kind in _TITLES else ""
    return (kind, text) if text.strip() else None


def entry_of(record: dict[str, Any], request: ImportRequest) -> Entry | None:
    """The entry that a record is; None for machinery."""
    kind = _kind(record)
    if kind is None:
        return None
    entry = Entry(
        kind,
        text_of(record, "uuid"),
        text_of(record, "parentUuid"),
        text_of(record, "logicalParentUuid"),
        text_of(dict_of(record, "message"), "id"),
        utc(record.get("timestamp")),
        record.get("isSidechain") is True,
        text_of(record, "agentId"),
        bool(dict_of(record, "forkedFrom")),
    )
    if kind == "queued":
        _say(entry, dict_of(record, "attachment").get("prompt"))
    elif kind == "recap":
        content = dict_of(record, "message").get("content")
        entry.blocks = [("", Text(content))] if isinstance(content, str) else [("", Text(text)) for text in _texts(content)]
    elif kind != "compaction":
        _read(entry, record, request)
    return entry


def _kind(record: dict[str, Any]) -> Kind | None:
    kind = text_of(record, "type")
    if kind == "system":
        return "compaction" if text_of(record, "subtype") == "compact_boundary" else None
    if kind == "attachment":
        attachment = dict_of(record, "attachment")
        is_prompt = text_of(attachment, "type") == "queued_command" and text_of(attachment, "commandMode") in ("", "prompt")
        return "queued" if is_prompt else None
    if kind not in ("user", "assistant") or "message" not in record:
        return None
    if kind == "user" and record.get("isCompactSummary") is True:
        return "recap"
    return "human" if kind == "user" else "assistant"


def _read(entry: Entry, record: dict[str, Any], request: ImportRequest) -> None:
    message = record["message"]
    content = message.get("content") if isinstance(message, dict) else message
    if entry.kind == "human" and _is_machine(record):
        entry.dropped.append("prompt of a program")
        content = (
            [block for block in content if isinstance(block, dict) and block.get("type") == "tool_result"]
            if isinstance(content, list)
            else []
        )
    if entry.kind == "assistant" and (record.get("isApiErrorMessage") is True or text_of(message, "model") == "<synthetic>"):
        entry.dropped.append("message of the program")
        return
    blocks = content if isinstance(content, list) else [content]
    for block in blocks:
        if isinstance(block, str):
            _say(entry, block)
        elif isinstance(block, dict):
            _block(entry, block, request)
        elif block is not None:
            entry.dropped.append("block without type")


def _is_machine(record: dict[str, Any]) -> bool:
    """Whether a program wrote in a person's name."""
    origin = text_of(dict_of(record, "origin"), "kind")
    return record.get("isMeta") is True or origin not in ("", "human") or text_of(record, "promptSource") == "system"


def _say(entry: Entry, text: object) -> None:
    """Words, without what programs put into a person's."""
    if isinstance(text, list):
        for part in text:
            _say(entry, part if isinstance(part, str) else text_of(part, "text"))
    if not isinstance(text, str) or not text.strip():
        return
    if entry.kind in ("human", "queued"):
        text, dropped = spoken(text)
        entry.dropped += dropped
    if text.strip():
        entry.blocks.append((f"text {hash(text)}", Text(text)))


def _block(entry: Entry, block: dict[str, Any], request: ImportRequest) -> None:
    kind = text_of(block, "type")
    is_full = request.tools == "full"
    if kind == "text":
        _say(entry, block.get("text"))
    elif kind == "thinking":
        if request.thinking and (text := text_of(block, "thinking")).strip():
            entry.blocks.append((f"thinking {hash(text)}", Thinking(text)))
        else:
            entry.dropped.append("thinking")
    elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
        given = block.get("input")
        given = (decoded(given) or given) if isinstance(given, str) else given
        text = "" if not is_full else given if isinstance(given, str) else raw(given, 1_000_000) if given else ""
        entry.blocks.append((text_of(block, "id"), Call(text_of(block, "name") or "tool", tool_text(text, kept=is_full))))
    elif kind.endswith("tool_result"):
        output = "\n".join(_texts(block.get("content"))) if is_full else ""
        entry.results.append(Result(text_of(block, "tool_use_id"), tool_text(output, kept=is_full), block.get("is_error") is True))
    elif kind in ("image", "document"):
        source = dict_of(block, "source")
        name = text_of(block, "title") or kind
        text = text_of(source, "data") if text_of(source, "type") == "text" else ""
        entry.blocks.append(("", Attachment(name, text or None, "" if text else LEFT_OUT)))
    elif kind in _SILENT or not kind:
        entry.dropped.append(kind or "block without type")
    else:
        entry.blocks.append(("", Unknown(kind, raw(block))))


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part if isinstance(part, str) else text_of(part, "text") for part in parts if isinstance(part, str) or text_of(part, "text")]
