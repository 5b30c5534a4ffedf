"""One item of a rollout as pieces of a turn. Pure.

Owns which items are prose, thoughts and uses of tools, in all generations of the format, and which text a program put into a
person's mouth.
"""

import json
import re
from typing import Any

from holovault.model.imports import ImportRequest
from holovault_importers.claude.fields import decoded, dict_of, list_of, raw, text_of
from holovault_importers.turns import Call, Piece, tool_text
from holovault_importers.values import LEFT_OUT, Attachment, Text, Thinking, Unknown

CALLS = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "web_search_call",
        "tool_search_call",
        "mcp_tool_call",
        "image_generation_call",
    }
)
OUTPUTS = frozenset(
    {"function_call_output", "custom_tool_call_output", "local_shell_call_output", "mcp_tool_call_output", "tool_search_output"}
)
SILENT = frozenset({"ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other"})
_INJECTED = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions|INSTRUCTIONS|turn_aborted|skill|skills_instructions|subagent_notification|"
    r"collaboration_mode|personality_spec|model_switch|apps_instructions|plugins_instructions|user_shell_command|hook_prompt|goal_context)\b"
    r"|# AGENTS\.md instructions)"
)
_IDE = re.compile(r"\A\s*# Context from my IDE setup:.*?^## My request for Codex:\s*", re.DOTALL | re.MULTILINE)
_EXIT = re.compile(r"\A(?:[^\n]*\n){0,6}?(?:Process exited with code|Exit code:)\s+([1-9]\d*)\b")


def is_injected(text: str) -> bool:
    """Whether a program wrote this in a person's name."""
    return _INJECTED.match(text) is not None


def request_of(text: str) -> str:
    """What was asked, without what an editor put before it."""
    return _IDE.sub("", text)


def message_pieces(payload: dict[str, Any]) -> list[Piece]:
    """The prose and pictures of a message."""
    content = payload.get("content")
    if isinstance(content, str):
        return [Text(content)] if content.strip() else []
    pieces: list[Piece] = []
    for part in list_of(payload, "content"):
        kind = text_of(part, "type")
        if text := text_of(part, "text") or text_of(part, "refusal"):
            pieces += [Text(text)] if text.strip() else []
        elif kind in ("input_image", "output_image", "input_audio", "input_file"):
            pieces.append(Attachment(text_of(part, "filename") or kind.partition("_")[2], None, LEFT_OUT))
        elif isinstance(part, dict) and kind not in ("input_text", "output_text", "text", "refusal"):
            pieces.append(Unknown(kind or "part without type", raw(part)))
    return pieces


def event_pieces(payload: dict[str, Any]) -> list[Piece]:
    """What a person typed, as the event of it tells."""
    text = request_of(text_of(payload, "message"))
    pictures = [*list_of(payload, "images"), *list_of(payload, "local_images")]
    return [*([Text(text)] if text.strip() else []), *(Attachment("image", None, LEFT_OUT) for _ in pictures)]


def call_of(payload: dict[str, Any], request: ImportRequest) -> Call:
    """A use of a tool."""
    kind = text_of(payload, "type")
    name = text_of(payload, "name") or text_of(payload, "tool") or kind.removesuffix("_call")
    given = payload.get("arguments", payload.get("input", payload.get("action")))
    if isinstance(given, str):
        given = decoded(given) or given
    text = "" if request.tools != "full" or not given else given if isinstance(given, str) else raw(given, 1_000_000)
    failed = text_of(payload, "status") in ("failed", "incomplete")
    return Call(name, tool_text(text, kept=request.tools == "full"), "", failed)


def answer(call: Call, payload: dict[str, Any], request: ImportRequest) -> None:
    """What came back, put into its call."""
    output, failed = _output(payload.get("output", payload.get("result")))
    call.output = tool_text(output, kept=request.tools == "full")
    call.failed = call.failed or failed or payload.get("success") is False


def thoughts(payload: dict[str, Any]) -> list[Thinking]:
    """What a model thought, as far as it can be read."""
    parts = [*list_of(payload, "summary"), *list_of(payload, "content")]
    return [Thinking(text) for part in parts if (text := text_of(part, "text")).strip()]


def _output(output: object) -> tuple[str, bool]:
    """The text of a result, and whether it says that something went wrong."""
    if isinstance(output, str):
        inner = decoded(output)
        if isinstance(inner, dict) and ("output" in inner or "metadata" in inner):
            code = dict_of(inner, "metadata").get("exit_code")
            return text_of(inner, "output"), isinstance(code, int) and code != 0
        return output, _EXIT.match(output) is not None
    if isinstance(output, dict):
        text = text_of(output, "content") or text_of(output, "text") or text_of(output, "output")
        return text or json.dumps(output, ensure_ascii=False, default=str), output.get("success") is False
    parts = output if isinstance(output, list) else []
    return "\n".join(text for part in parts if (text := text_of(part, "text"))), False
