"""One node of a conversation as pieces of a turn: prose, code, tools, pictures, machinery. Pure.

Owns which type of content means what. What a person never saw (hidden messages, instructions of the program) is left out and
counted, and never told as somebody's words.
"""

from dataclasses import dataclass, field
from typing import Any

from holovault.model.imports import ImportRequest
from holovault_importers.chatgpt.citations import readable
from holovault_importers.claude.fields import dict_of, list_of, raw, text_of
from holovault_importers.prose import fenced
from holovault_importers.turns import Piece, tool_text
from holovault_importers.values import LEFT_OUT, Attachment, Text, Thinking, ToolCall, Unknown

_HIDDEN = frozenset({"user_editable_context", "model_editable_context", "reasoning_recap", "app_pairing_content", "system_error_hidden"})
_PICTURES = ("image_asset_pointer", "video_container_asset_pointer", "audio_asset_pointer", "real_time_user_audio_video_asset_pointer")
_TEXTS = frozenset({"text", "multimodal_text"})


@dataclass(slots=True)
class Node:
    """What a node says. `call` is the tool it speaks to, `output` what a tool answered; `dropped` names what was left out."""

    role: str
    pieces: list[Piece] = field(default_factory=list)
    call: str = ""
    call_text: str = ""
    output: str = ""
    failed: bool = False
    dropped: list[str] = field(default_factory=list)


def node_of(message: dict[str, Any], files: dict[str, str], request: ImportRequest) -> Node:
    """The content of a message; `files` are texts of uploaded files by their ids."""
    author = dict_of(message, "author")
    metadata, content = dict_of(message, "metadata"), dict_of(message, "content")
    node = Node(text_of(author, "role"))
    kind = text_of(content, "content_type") or "text"
    if metadata.get("is_visually_hidden_from_conversation") is True:
        node.dropped.append("hidden message")
    elif kind in _HIDDEN:
        node.dropped.append(kind)
    elif node.role == "tool":
        _tool(node, text_of(author, "name"), kind, content, metadata, request)
    else:
        recipient = text_of(message, "recipient")
        if node.role == "assistant" and recipient not in ("", "all", "assistant"):
            node.call, node.call_text = recipient, _plain(content)
        else:
            _said(node, kind, content, metadata, request)
        node.pieces += _attached(metadata, files)
    return node


def _said(node: Node, kind: str, content: dict[str, Any], metadata: dict[str, Any], request: ImportRequest) -> None:
    if kind == "thoughts":
        texts = [_thought(thought) for thought in list_of(content, "thoughts")]
        _think(node, "\n\n".join(text for text in texts if text), request)
    elif kind == "code":
        if text := text_of(content, "text").strip("\n"):
            language = text_of(content, "language")
            node.pieces.append(Text(fenced(text, "" if language == "unknown" else language)))
    elif kind in _TEXTS:
        for part in list_of(content, "parts"):
            _part(node, part, metadata)
        if not node.pieces and (text := readable(text_of(content, "text"), metadata)).strip():
            node.pieces.append(Text(text))
    elif kind in ("tether_quote", "tether_browsing_display", "execution_output", "system_error"):
        node.pieces.append(
            ToolCall(kind, "", tool_text(_plain(content), kept=request.tools == "full"), kind == "system_error", _page(content))
        )
    else:
        words = [part for part in list_of(content, "parts") if isinstance(part, str) and part.strip()]
        node.pieces += [Text(readable(text, metadata)) for text in words]
        known = ("content_type", "parts") if words else ("content_type",)
        node.pieces.append(Unknown(kind, raw({key: value for key, value in content.items() if key not in known})))


def _part(node: Node, part: object, metadata: dict[str, Any]) -> None:
    if isinstance(part, str):
        if (text := readable(part, metadata)).strip():
            node.pieces.append(Text(text))
        return
    kind = text_of(part, "content_type")
    if kind == "audio_transcription":
        node.pieces += [Text(text_of(part, "text"))] if text_of(part, "text").strip() else []
    elif kind in _PICTURES:
        node.pieces.append(Attachment(kind.partition("_")[0].replace("real", "voice"), None, LEFT_OUT))
    elif text_of(part, "text").strip() and kind in ("", "text"):
        node.pieces.append(Text(readable(text_of(part, "text"), metadata)))
    elif isinstance(part, dict):
        node.pieces.append(Unknown(kind or "part without type", raw(part)))
    elif part is not None:
        node.dropped.append("part without type")


def _tool(node: Node, name: str, kind: str, content: dict[str, Any], metadata: dict[str, Any], request: ImportRequest) -> None:
    node.call = name or "tool"
    node.output = tool_text(_plain(content), kept=request.tools == "full")
    node.failed = kind == "system_error" or text_of(dict_of(metadata, "aggregate_result"), "status").startswith("failed")
    pictures = [part for part in list_of(content, "parts") if text_of(part, "content_type") in _PICTURES]
    node.pieces += [Attachment("image", None, LEFT_OUT) for _ in pictures]


def _attached(metadata: dict[str, Any], files: dict[str, str]) -> list[Piece]:
    return [
        Attachment(name, files.get(text_of(attachment, "id")), text_of(attachment, "mimeType") or text_of(attachment, "mime_type"))
        for attachment in list_of(metadata, "attachments")
        if (name := text_of(attachment, "name"))
    ]


def _think(node: Node, text: str, request: ImportRequest) -> None:
    if request.thinking and text:
        node.pieces.append(Thinking(text))
    else:
        node.dropped.append("thinking")


def _thought(thought: object) -> str:
    summary, text = text_of(thought, "summary"), text_of(thought, "content")
    return "\n\n".join(part for part in (f"**{summary}**" if summary else "", text) if part.strip())


def _plain(content: dict[str, Any]) -> str:
    parts = [part if isinstance(part, str) else text_of(part, "text") for part in list_of(content, "parts")]
    texts = [*parts, *(text_of(content, key) for key in ("text", "result", "summary"))]
    return "\n".join(text for text in texts if text.strip())


def _page(content: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return ((text_of(content, "title"), text_of(content, "url")),) if text_of(content, "url") else ()
