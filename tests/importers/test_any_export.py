"""No JSON of an export's shape stops an import: every field of a rich export replaced by anything."""

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from holovault.model import ImportRequest
from holovault_importers.claude import ClaudeSource
from holovault_importers.inputs import InputFile
from holovault_importers.render import Options, Renderer
from holovault_importers.render.messages import Style
from holovault_importers.values import Contents, Problem, Skipped
from tests.support.exports import ACCOUNT, at, chat, project, talk, text, tool, turn, uid, write_json

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "uuid", "name", "content"]), inner, max_size=3)
    ),
    max_leaves=6,
)
BLOCKS = [
    text("# words"),
    *tool("artifacts", {"command": "create", "id": "a", "title": "A", "content": "x"}),
    *tool("web_search", {"query": "q"}, [{"type": "knowledge", "title": "T", "url": "https://example.org", "text": "page"}]),
    {"type": "thinking", "thinking": "hm"},
    {"type": "document", "title": "d.pdf"},
]
DESIGN = {
    "contentBlocks": [
        {"type": "tool_call", "toolCall": {"name": "n", "input": {}, "output": "o"}},
        {"type": "user_interjection", "message": {"content": "x"}},
    ]
}
EXPORT: list[Any] = [
    chat(
        1,
        "Chat",
        [turn(1, "human", "q", attachments=[{"file_name": "a", "extracted_content": "b"}]), turn(2, "assistant", BLOCKS, 1, uid(1))],
    ),
    chat(2, "Tree", talk(2, "a", "b", "c")),
    project(7, "Atlas", "x", [{"uuid": "d", "filename": "a.md", "content": "y"}]),
    {
        "account_uuid": ACCOUNT,
        "conversations_memory": "**A**\n\nb",
        "project_memories": {uid(8): "m"},
        "memory_files": [{"path": "/a/b.md", "content": "c"}],
    },
    {
        "uuid": uid(9),
        "title": "D",
        "created_at": at(0),
        "project": {"name": "P", "uuid": "u"},
        "messages": [{"uuid": "m", "role": "assistant", "content": DESIGN}],
    },
    {"id": "p", "active_version": "v", "versions": [{"id": "v", "title": "t"}]},
]


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return (
        [path, *(place for key, item in inside for place in _places(item, (*path, key)))]
        if path
        else [p for k, i in inside for p in _places(i, (k,))]
    )


PLACES = _places(EXPORT)


class _Anywhere:
    def project(self, identity: str, name: str) -> str:
        return "Projects/x"

    def link(self, key: str, path: str) -> str:
        return path


@settings(max_examples=120)
@given(st.lists(st.tuples(st.sampled_from(PLACES), ANYTHING), min_size=1, max_size=4))
def test_any_value_in_any_place_costs_at_most_its_own_item(tmp_path_factory: Any, changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    export = copy.deepcopy(EXPORT)
    for place, value in changes:
        holder: Any = export
        for key in place[:-1]:
            holder = (
                holder[key]
                if (isinstance(holder, dict) and key in holder) or (isinstance(holder, list) and isinstance(key, int) and key < len(holder))
                else None
            )
        if isinstance(holder, dict) or (isinstance(holder, list) and isinstance(place[-1], int) and place[-1] < len(holder)):
            holder[place[-1]] = value
    file: Path = write_json(tmp_path_factory.mktemp("any") / "c.json", export)
    renderer = Renderer(Options(Style(thinking=True, tools="full", redact=True)), _Anywhere(), Contents())
    member = InputFile("c.json", file.stat().st_size, lambda: file.open("rb"))
    touched = {place[0] for place, _ in changes}
    drafts = 0
    for item in ClaudeSource().read([member], ImportRequest(())):
        assert not isinstance(item, Problem)
        for draft in () if isinstance(item, Skipped) else renderer.drafts(item):
            draft.text().encode("utf-8")
            assert draft.path.endswith(".md") and ".." not in draft.path.split("/")
            drafts += 1
    assert drafts >= sum(number not in touched for number in range(5))
    json.dumps(export)
