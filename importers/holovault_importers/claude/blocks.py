"""Content blocks of a message: prose, thinking, tools with their results, attachments, machinery.

Pure. Owns which block means what (see the types in `values`); pairs results with calls by id, else by their order. Never
attributes injected prompts to a person, never lets encoded data through, never loses a block of an unknown type.
"""

from collections.abc import Sequence
from typing import Any

from holovault_importers.claude.fields import dict_of, is_blob, list_of, raw, text_of
from holovault_importers.values import Attachment, Block, Text, Thinking, ToolCall, Unknown

MAX_INPUT = 1_000_000
DROPPED = frozenset({"token_budget", "injected_prompt_block", "flag", "redacted_thinking"})
_FRAME = frozenset({"start_timestamp", "stop_timestamp", "flags", "alternative_display_type"})
_PLACEHOLDERS = (
    "```\nThis block is not supported on your current device yet.\n```",
    "```\nViewing artifacts created via the Analysis Tool web feature preview isn\u2019t yet supported on mobile.\n```",
    "```\nViewing artifacts created via the Analysis Tool web feature preview isn't yet supported on mobile.\n```",
)


def blocks_of(message: dict[str, Any]) -> tuple[list[Block | dict[str, Any]], list[str]]:
    """Blocks in order, and names of dropped machinery. Calls of artifact tools stay raw (`dict`): `artifacts` replays them."""
    content = list_of(message, "content")
    found: list[Block | dict[str, Any]] = []
    dropped: list[str] = []
    results = _Results(content)
    for block in content:
        if not isinstance(block, dict):
            dropped.append("empty block")
        elif (made := _block(block, results)) is not None:
            found.append(made)
        elif text_of(block, "type") not in ("text", "thinking", "tool_result"):
            dropped.append(text_of(block, "type") or "block without type")
    if not any(isinstance(block, dict | Text | ToolCall | Thinking | Unknown) for block in found):
        flat = _flat(message)
        found += [Text(flat)] if flat else []
    return [*found, *attachments(message)], dropped


def attachments(message: dict[str, Any]) -> list[Block]:
    """Attached texts, then files of which the export has the name only; an attachment is listed in both fields, and once here."""
    found: list[Block] = []
    names: set[str] = set()
    for entry in list_of(message, "attachments"):
        name, text = text_of(entry, "file_name"), text_of(entry, "extracted_content")
        if name or text:
            names.add(name)
            found.append(Attachment(name, text or None, text_of(entry, "file_type")))
    for entry in list_of(message, "files"):
        name = text_of(entry, "file_name")
        if name and name not in names:
            names.add(name)
            found.append(Attachment(name, None))
    return found


def _flat(message: dict[str, Any]) -> str:
    text = text_of(message, "text")
    for placeholder in _PLACEHOLDERS:
        text = text.replace(placeholder, "")
    return text.strip()


class _Results:
    """The results of a message's tools, each given out once."""

    def __init__(self, content: Sequence[object]) -> None:
        blocks = [block for block in content if isinstance(block, dict)]
        self._by_id = {
            text_of(block, "tool_use_id"): block for block in blocks if block.get("type") == "tool_result" and text_of(block, "tool_use_id")
        }
        self._after: dict[int, dict[str, Any]] = {}
        waiting: list[dict[str, Any]] = []
        for block in blocks:
            if block.get("type") == "tool_use" and text_of(block, "id") not in self._by_id:
                waiting.append(block)
            elif block.get("type") == "tool_result" and not text_of(block, "tool_use_id") and waiting:
                self._after[id(waiting.pop(0))] = block
        self._used: set[int] = set()

    def of(self, call: dict[str, Any]) -> dict[str, Any]:
        """The result of a call; empty where there is none."""
        found = self._by_id.get(text_of(call, "id")) or self._after.get(id(call)) or {}
        self._used.add(id(found))
        return found

    def is_given(self, result: dict[str, Any]) -> bool:
        return id(result) in self._used


def _block(block: dict[str, Any], results: _Results) -> Block | dict[str, Any] | None:
    kind = text_of(block, "type")
    if kind == "text":
        return Text(text_of(block, "text")) if text_of(block, "text").strip() else None
    if kind == "voice_note":
        return Text("\n\n".join(part for part in (text_of(block, "title"), text_of(block, "text")) if part))
    if kind == "thinking":
        return Thinking(text_of(block, "thinking")) if text_of(block, "thinking").strip() else None
    if kind == "tool_use":
        return _call(block, results.of(block))
    if kind == "tool_result":
        return None if results.is_given(block) else _call({}, block)
    if kind in ("document", "image"):
        return Attachment(text_of(block, "title") or text_of(block, "file_name") or kind, None, kind)
    return None if kind in DROPPED else Unknown(kind or "no type", raw({key: value for key, value in block.items() if key not in _FRAME}))


def _call(block: dict[str, Any], result: dict[str, Any]) -> Block | dict[str, Any]:
    name = text_of(block, "name") or text_of(result, "name") or "tool"
    if name in ARTIFACT_TOOLS and block:
        return block
    output, sources = _output(result)
    given = block.get("input")
    text = given if isinstance(given, str) else raw(given, MAX_INPUT) if given else ""
    failed = result.get("is_error") is True or bool(text_of(dict_of(result, "meta"), "error_type"))
    return ToolCall(name, "" if is_blob(text) else text, output, failed, sources)


ARTIFACT_TOOLS = frozenset({"artifacts", "create_file", "str_replace", "view", "present_files", "Artifact"})
"""Tools whose traffic is the history of an artifact."""


def _output(result: dict[str, Any]) -> tuple[str, tuple[tuple[str, str], ...]]:
    content = result.get("content")
    if isinstance(content, str):
        return ("" if is_blob(content) else content), ()
    texts: list[str] = []
    sources: list[tuple[str, str]] = []
    for part in content if isinstance(content, list) else ():
        if text_of(part, "url"):
            sources.append((text_of(part, "title"), text_of(part, "url")))
        if (text := text_of(part, "text")) and not is_blob(text):
            texts.append(text)
    return "\n".join(texts), tuple(sources)
