"""One conversation of an export: a tree of nodes becomes turns, branches and documents. Pure.

Owns which nodes are turns (those in which something was said), how they hang together, and ids and dates where there are none.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from holovault.model.imports import ImportRequest
from holovault_importers.chatgpt.canvas import TOOL, Canvas
from holovault_importers.chatgpt.contents import Node, node_of
from holovault_importers.claude.fields import dict_of, list_of, text_of
from holovault_importers.claude.tree import ordered
from holovault_importers.dates import utc
from holovault_importers.turns import Call, Turns, tool_text
from holovault_importers.values import Branch, Conversation, Message, Role, Skipped

ORIGIN = "chatgpt"
_ROLES: dict[str, Role] = {"user": "human", "assistant": "assistant", "tool": "assistant"}


def conversation(value: dict[str, Any], files: Mapping[str, str], request: ImportRequest) -> Conversation | Skipped:
    """The conversation in `value`; `Skipped` where nobody said anything."""
    told = _Told(dict_of(value, "mapping"), dict(files), request)
    title = text_of(value, "title")
    if not any(node.pieces or node.call for node in told.nodes.values()):
        return Skipped("empty conversation", title or text_of(value, "conversation_id"))
    active, branches = ordered(told.messages(), told.parents(), told.nearest(text_of(value, "current_node")))
    canvas = Canvas()
    turns = told.turns(active, canvas)
    turns.dropped += told.dropped
    artifacts = canvas.finished()
    left: list[Branch] = []
    for branch in branches:
        aside = Canvas()
        said = told.turns(branch.messages, aside).messages()
        if said:
            left.append(Branch(_holder(turns, branch.after), said))
        known = {artifact.id for artifact in artifacts}
        artifacts += tuple(artifact for artifact in aside.finished() if artifact.id not in known)
    messages = turns.messages()
    identity = text_of(value, "conversation_id") or text_of(value, "id")
    moments = sorted(message.created for message in messages if message.created)
    return Conversation(
        source=ORIGIN,
        kind="chat",
        id=identity or _made_id(value, messages),
        title=title,
        created=utc(value.get("create_time")) or (moments[0] if moments else None),
        updated=utc(value.get("update_time")) or (moments[-1] if moments else None),
        messages=messages,
        branches=tuple(left),
        artifacts=artifacts,
        url=f"https://chatgpt.com/c/{identity}" if identity else None,
    )


def _holder(turns: Turns, after: str | None) -> str | None:
    """The turn that a node became a part of."""
    return next((turn.id for turn in turns.turns if after in turn.ids), None)


def _made_id(value: dict[str, Any], messages: Iterable[Message]) -> str:
    seed = [text_of(value, "title"), str(value.get("create_time")), next((message.id for message in messages), "")]
    return "made-" + hashlib.sha256(json.dumps(seed).encode("utf-8")).hexdigest()[:24]


class _Told:
    """The nodes of one conversation. Nodes in which nothing is said are passed over: their children hang on what is above."""

    def __init__(self, mapping: dict[str, Any], files: dict[str, str], request: ImportRequest) -> None:
        self.nodes: dict[str, Node] = {}
        self.dropped: list[str] = []
        self._raw = {key: dict_of(entry, "message") for key, entry in mapping.items()}
        self._request = request
        self._up: dict[str, str] = {}
        for key, entry in mapping.items():
            node = node_of(self._raw[key], files, request)
            self.dropped += node.dropped
            if node.pieces or node.call:
                self.nodes[key] = node
            for child in list_of(entry, "children"):
                if isinstance(child, str):
                    self._up.setdefault(child, key)
        for key, entry in mapping.items():
            if parent := text_of(entry, "parent"):
                self._up[key] = parent

    def messages(self) -> list[Message]:
        """A bare message for each node in which something is said."""
        return [
            Message(key, _ROLES.get(node.role, "other"), utc(self._raw[key].get("create_time")), ()) for key, node in self.nodes.items()
        ]

    def parents(self) -> dict[str, str]:
        """The nearest node above each, among those."""
        return {key: self.nearest(self._up.get(key, "")) for key in self.nodes} if self._up else {}

    def nearest(self, key: str) -> str:
        """The node itself, or the first one above it in which something is said."""
        seen: set[str] = set()
        while key and key not in self.nodes and key not in seen:
            seen.add(key)
            key = self._up.get(key, "")
        return key if key in self.nodes else ""

    def turns(self, path: Iterable[Message], canvas: Canvas) -> Turns:
        """The turns of a path, documents replayed."""
        turns = Turns()
        path = list(path)
        waiting: list[Call] = []
        for place, message in enumerate(path):
            node = self.nodes[message.id]
            pieces = list(node.pieces)
            if node.role == "tool":
                pieces = [*self._answered(node, waiting), *pieces]
            elif node.call:
                pieces = [*self._called(node, path[place + 1 : place + 2], canvas, waiting), *pieces]
            author = text_of(dict_of(self._raw[message.id], "author"), "role") or None
            turns.say(message.role, message.id, message.created, pieces, author if message.role == "other" else None)
        return turns

    def _called(self, node: Node, after: list[Message], canvas: Canvas, waiting: list[Call]) -> list[Any]:
        reply = dict_of(self._raw[after[0].id], "metadata") if after else {}
        if node.call.startswith(TOOL) and (made := canvas.play(node.call, node.call_text, reply)) is not None:
            waiting.append(Call(node.call, ""))
            return [made]
        call = Call(node.call, tool_text(node.call_text, kept=self._request.tools == "full"))
        waiting.append(call)
        return [call]

    def _answered(self, node: Node, waiting: list[Call]) -> list[Any]:
        """The call that this answers gets it; an answer without a call is one of its own."""
        for call in waiting:
            if call.name.partition(".")[0] == node.call.partition(".")[0]:
                call.output, call.failed = node.output, node.failed
                waiting.remove(call)
                return []
        return [Call(node.call, "", node.output, node.failed)]
