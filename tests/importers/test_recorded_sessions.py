"""The whole tree of notes of one small set of files of each kind, as committed: recording is asked for, and a run that records fails."""

import json
from pathlib import Path

import pytest

from tests.support.exports import tree, uid, write_json
from tests.support.recordings import matches
from tests.support.sessions import (
    SESSION,
    answer,
    chatgpt,
    clock,
    event,
    item,
    lines,
    message,
    meta,
    node,
    result,
    rollout,
    session,
    taken,
    use,
    user,
)


def claude_code(folder: Path) -> None:
    """A session with tools, a compaction, a picture and a prompt taken back, its sub-agent, and a memory."""
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": uid(8), "parentUuid": None, "logicalParentUuid": uid(7)}
    slug = "-home-------------1-my-app"
    session(
        folder,
        user(1, "исправь тест\n<system-reminder>hidden</system-reminder>", cwd="/home/анна/Проект_1/my-app"),
        answer(2, "Сейчас посмотрю.", use("a", "Read"), message="m1"),
        answer(3, use("b"), message="m1"),
        result(4, "a", parent=2),
        result(5, "b", parent=3, is_error=True),
        answer(6, "# Готово\n\n```py\nassert 2", {"type": "new_block", "x": 1}, parent=4),
        user(7, [{"type": "text", "text": "теперь документация"}, picture]),
        boundary,
        user(9, "told again", isCompactSummary=True),
        answer(10, "Документация готова."),
        user(11, "taken back"),
        user(12, "спасибо %% #tag", 10),
        {"type": "custom-title", "customTitle": "Мой тест: план / CON", "sessionId": SESSION},
        slug=slug,
    )
    lines(folder / slug / SESSION / "subagents/agent-abc.jsonl", user(51, "find tests", 0, isSidechain=True, agentId="abc"))
    (folder / slug / "memory").mkdir()
    (folder / slug / "memory/MEMORY.md").write_text("---\nname: index\n---\n\n# Index\n\n- use `make test`\n", "utf-8")


def codex(folder: Path) -> None:
    """A session with an injected context, thoughts, tools and a compaction."""
    rollout(
        folder,
        meta(),
        message(1, "user", "<environment_context>\n</environment_context>"),
        message(2, "user", "Add *limits*"),
        event(2, "user_message", message="Add *limits*"),
        item(3, "reasoning", summary=[{"type": "summary_text", "text": "thought"}]),
        item(4, "function_call", name="shell", arguments='{"cmd": "ls"}', call_id="c"),
        item(5, "function_call_output", call_id="c", output=json.dumps({"output": "x", "metadata": {"exit_code": 1}})),
        message(6, "assistant", "Limits are there.\n\n## How\n- [[token]] bucket"),
        {"timestamp": clock(7), "type": "compacted", "payload": {"message": "recap"}},
        event(8, "user_message", message="thanks"),
    )


def chat_gpt(folder: Path) -> None:
    """A chat with a branch, a source, a document on the canvas and a hidden message."""
    mark = "\ue200cite\ue202turn0search0\ue201"
    reference = {"content_references": [{"matched_text": mark, "items": [{"title": "Volga", "url": "https://example.org/v"}]}]}
    document = {"content_type": "code", "text": json.dumps({"name": "plan", "type": "code/python", "content": "print('%%')"})}
    nodes = [
        node("s", "system", "rules", "root", metadata={"is_visually_hidden_from_conversation": True}),
        node("q", "user", "Какая река?", "s", metadata={"attachments": [{"id": "file-1", "name": "map.png"}]}),
        node("a", "assistant", f"Волга.{mark}\n\n# Почему", "q", 1, metadata=reference),
        node("b", "assistant", "Ока.", "q", 2),
        node("q2", "user", "Write a plan", "a", 3),
        node("c", "assistant", document, "q2", 4, recipient="canmore.create_textdoc"),
        node("t", "tool", "ok", "c", 4, name="canmore.create_textdoc", metadata={"canvas": {"textdoc_id": "d", "title": "Plan.py"}}),
        node("e", "assistant", "There it is.", "t", 5),
    ]
    write_json(folder / "conversations-000.json", [chatgpt(1, "Реки: «план» / #1", nodes)])


@pytest.mark.parametrize(("kind", "make"), [("claude-code", claude_code), ("codex", codex), ("chatgpt", chat_gpt)])
def test_the_tree_of_each_kind_is_the_recorded_one(tmp_path: Path, kind: str, make: object) -> None:
    assert callable(make)
    make(tmp_path / kind)
    taken(kind, tmp_path / "vault", tmp_path / kind)
    matches(f"tests/importers/expected/{kind}.txt", "".join(f"===== {path}\n{note}" for path, note in tree(tmp_path / "vault").items()))
