"""Sessions of Codex, in every generation of their format."""

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.support.exports import only_note, tree, uid
from tests.support.sessions import CWD, SESSION, clock, counted, event, item, lines, message, meta, rollout, skipped, taken

Vault = Path
FORK = uid(100)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def take(vault: Vault, *records: object, **options: Any) -> Any:
    return taken("codex", vault, rollout(vault.parent / "sessions", *records), **options)


def body(vault: Vault) -> str:
    """The one session below its front matter."""
    return only_note(vault, "Code").split("\n---\n", 1)[1]


def said(second: int, text: str) -> tuple[Any, Any]:
    """A prompt as new rollouts have it: as an item and as an event."""
    return message(second, "user", text), event(second, "user_message", message=text, images=None)


def test_a_session_is_a_note_of_its_repository(vault: Vault) -> None:
    take(vault, meta(), *said(1, "Add limits"), message(2, "assistant", "I will."), event(2, "agent_message", message="I will."))
    assert f"Code/my-app/2026-08-09 Add limits ({SESSION[-8:]}).md" in tree(vault)
    assert body(vault).count("I will.") == 1 and body(vault).count("### You") == 1 and 'source: "codex"' in only_note(vault, "Code")


def test_words_of_a_program_are_no_prompts(vault: Vault) -> None:
    injected = (
        message(1, "user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>"),
        message(1, "user", "# AGENTS.md instructions for /x\n\nobey"),
        message(1, "user", "something new that no rule knows"),
        message(1, "developer", "developer words"),
    )
    report = take(
        vault, meta(), *injected, *said(2, "the real prompt"), message(3, "user", "and later ones"), message(4, "assistant", "ok")
    )
    text = body(vault)
    assert "the real prompt" in text and not [word for word in ("obey", "environment", "no rule", "later", "developer") if word in text]
    assert counted(report)["left out: prompt of a program"] == 4 and counted(report)["left out: message of developer"] == 1


def test_prompts_from_before_there_were_events_stay(vault: Vault) -> None:
    take(
        vault,
        meta(),
        message(1, "user", "old prompt"),
        message(2, "assistant", "old answer"),
        *said(3, "new prompt"),
        message(4, "assistant", "new answer"),
    )
    text = body(vault)
    assert [text.index(word) for word in ("### You", "old answer", "new answer")] == sorted(
        text.index(word) for word in ("### You", "old answer", "new answer")
    )
    assert text.count("### You") == 2


def test_what_an_editor_puts_before_a_prompt_goes(vault: Vault) -> None:
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- secret_tab.py\n\n## My request for Codex:\nfix the bug"
    take(vault, meta(), event(1, "user_message", message=text), message(2, "assistant", "ok"))
    assert "fix the bug" in body(vault) and "secret_tab" not in body(vault)


def test_an_answer_that_is_only_an_event_is_told(vault: Vault) -> None:
    take(
        vault,
        meta(),
        event(1, "user_message", message="hello", images=["data:image/png;base64,AAAA"]),
        event(2, "agent_message", message="Hi there."),
    )
    assert "Hi there." in body(vault) and "- 📎 image (left out)" in body(vault) and "base64" not in body(vault)


RESULTS: list[tuple[object, bool, str]] = [
    ("plain output", False, "plain output"),
    (json.dumps({"output": "inner", "metadata": {"exit_code": 1}}), True, "inner"),
    (json.dumps({"output": "inner", "metadata": {"exit_code": 0}}), False, "inner"),
    ("Wall time: 1 s\nProcess exited with code 2\nOutput:\nbad", True, "bad"),
    ({"content": "object output", "success": False}, True, "object output"),
    ([{"type": "input_text", "text": "list output"}], False, "list output"),
    (None, False, ""),
]


@pytest.mark.parametrize(("output", "failed", "words"), RESULTS)
def test_a_tools_result_of_any_generation(vault: Vault, output: object, failed: bool, words: str) -> None:
    call = item(2, "function_call", name="shell", arguments='{"cmd": "ls -la"}', call_id="c1")
    back = item(3, "function_call_output", call_id="c1", output=output)
    take(vault, meta(), *said(1, "go"), call, back, message(4, "assistant", "ok"), tools="full")
    text = next(text for path, text in tree(vault).items() if path.startswith("Code") and "tools.md" not in path)
    assert ("→ tools: shell ×1 (1 error)" in text) == failed
    tools = next(text for path, text in tree(vault).items() if "tools.md" in path)
    assert "ls -la" in tools and words in tools


def test_all_kinds_of_calls_are_counted_on_one_line(vault: Vault) -> None:
    calls = (
        item(2, "custom_tool_call", name="apply_patch", input="*** Begin", call_id="c1"),
        item(2, "custom_tool_call_output", call_id="c1", output="ok"),
        item(2, "local_shell_call", action={"type": "exec", "command": ["ls"]}, call_id="c2", status="completed"),
        item(2, "web_search_call", action={"type": "search", "query": "q"}, status="completed"),
        item(2, "function_call", name="apply_patch", call_id="c3", summary="old"),
    )
    report = take(vault, meta(), *said(1, "go"), *calls)
    assert "→ tools: apply\\_patch ×2, local\\_shell ×1, web\\_search ×1" in body(
        vault
    ) or "apply_patch ×2, local_shell ×1, web_search ×1" in body(vault)
    assert counted(report)["tool calls"] == 4 and "*** Begin" not in body(vault)


def test_thoughts_are_left_out_and_counted_or_kept_folded(vault: Vault) -> None:
    thought = item(2, "reasoning", summary=[{"type": "summary_text", "text": "**Look around**"}], encrypted_content="gAAAA")
    report = take(
        vault, meta(), *said(1, "go"), thought, event(2, "agent_reasoning", text="**Look around**"), message(3, "assistant", "ok")
    )
    assert "Look around" not in body(vault) and counted(report)["left out: thinking"] == 1
    other = vault.parent / "other"
    taken("codex", other, vault.parent / "sessions", thinking=True)
    assert only_note(other, "Code").count("> **Look around**") == 1 and "gAAAA" not in only_note(other, "Code")


def test_turns_that_were_rolled_back_are_left_out(vault: Vault) -> None:
    back = event(5, "thread_rolled_back", num_turns=1)
    report = take(
        vault,
        meta(),
        *said(1, "first"),
        message(2, "assistant", "one"),
        *said(3, "wrong"),
        message(4, "assistant", "mistake"),
        back,
        *said(6, "right"),
    )
    assert "wrong" not in body(vault) and "mistake" not in body(vault) and "one" in body(vault) and "right" in body(vault)
    assert counted(report)["left out: taken back"] == 2


def test_a_compaction_is_a_divider(vault: Vault) -> None:
    compacted = {"timestamp": clock(3), "type": "compacted", "payload": {"message": "all told again", "replacement_history": []}}
    take(vault, meta(), *said(1, "early"), message(2, "assistant", "one"), compacted, *said(4, "late"))
    assert body(vault).index("one") < body(vault).index("### Compaction") < body(vault).index("late") and "told again" not in body(vault)


def test_unknown_items_are_kept_folded_and_unknown_records_counted(vault: Vault) -> None:
    report = take(
        vault,
        meta(),
        *said(1, "go"),
        item(2, "hologram", depth=3),
        event(2, "new_event"),
        {"timestamp": clock(3), "type": "new_record", "payload": {}},
        "[1]",
        '{"cut',
    )
    assert [(tally.name, tally.count) for tally in report.unknown] == [("hologram", 1)] and "Unknown block: hologram" in body(vault)
    found = counted(report)
    assert found["left out: event new_event"] == found["left out: record new_record"] == found["left out: broken line"] == 1


def test_bare_items_of_the_second_generation(vault: Vault) -> None:
    first = {"id": SESSION, "timestamp": clock(0), "instructions": None, "git": {"branch": "main"}}
    bare = [
        first,
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "bare prompt"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "bare answer"}]},
    ]
    take(vault, *bare)
    assert "bare prompt" in body(vault) and "→ tools: shell ×1\n\nbare answer" in body(vault)
    assert any(path.startswith("Code/Other/") for path in tree(vault))


def test_the_one_object_of_the_first_generation(vault: Vault) -> None:
    whole = {
        "session": {"id": SESSION, "timestamp": clock(0)},
        "items": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "first of all"}]}],
    }
    file = vault.parent / "sessions/rollout-2025-04-20-x.json"
    file.parent.mkdir()
    file.write_text(json.dumps(whole), "utf-8")
    assert taken("codex", vault, vault.parent / "sessions").new == 1
    assert "first of all" in body(vault)


def test_a_packed_rollout_is_read_and_a_damaged_one_says_so(vault: Vault) -> None:
    records = (meta(), *said(1, "packed prompt"), message(2, "assistant", "x" * 5000))
    data = b"".join(json.dumps(record).encode("utf-8") + b"\n" for record in records)
    file = vault.parent / f"rollout-{SESSION}.jsonl.zst"
    file.write_bytes(zstandard.ZstdCompressor().compress(data))
    assert taken("codex", vault, file).new == 1
    assert "packed prompt" in body(vault)
    file.write_bytes(b"no zstandard at all")
    assert "is damaged" in taken("codex", vault, file).problems[0]


@pytest.mark.parametrize("with_meta", [True, False])
def test_history_of_a_fork_is_told_once(vault: Vault, with_meta: bool) -> None:
    folder = vault.parent / "sessions"
    history = (*said(1, "shared question"), message(2, "assistant", "shared answer"))
    rollout(folder, meta(), *history, *said(3, "went left"))
    fork = {"timestamp": clock(5), "type": "session_meta", "payload": {"id": FORK, "forked_from_id": SESSION, "cwd": CWD, "source": "cli"}}
    rollout(folder, fork, *((meta(),) if with_meta else ()), *history, *said(6, "went right"), name=f"rollout-2026-08-09T18-00-05-{FORK}")
    assert taken("codex", vault, folder).new == 2
    notes = {path: text for path, text in tree(vault).items() if path.startswith("Code")}
    assert sum("shared answer" in text for text in notes.values()) == 1
    (forked,) = (text for path, text in notes.items() if FORK[-8:] in path)
    assert "went right" in forked and "### Fork" in forked


def test_a_fork_whose_origin_is_not_there_tells_all(vault: Vault) -> None:
    fork = meta(FORK)
    fork["payload"]["forked_from_id"] = SESSION
    take(vault, fork, *said(1, "shared question"), message(2, "assistant", "ok"))
    assert "shared question" in body(vault)


def test_sub_agents_are_counted_and_kept_only_with_all_tools(vault: Vault) -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": SESSION, "depth": 1}}}
    first = {
        "timestamp": clock(0),
        "type": "session_meta",
        "payload": {"id": FORK, "cwd": CWD, "source": spawned, "agent_role": "explorer"},
    }
    records = (first, *said(1, "Explore it"), message(2, "assistant", "Explored."))
    assert skipped(take(vault, *records)) == {"sub-agent (kept with --tools full)": 1}
    assert take(vault, *records, tools="full").new == 1
    assert "### Task" in body(vault) and "### You" not in body(vault) and "# Explore it — agent explorer" in body(vault)


def test_a_session_in_progress_goes_on_and_the_same_again_writes_nothing(vault: Vault) -> None:
    folder = rollout(vault.parent / "sessions", meta(), *said(1, "q1"), message(2, "assistant", "a1"))
    (file,) = folder.rglob("*.jsonl")
    with file.open("ab") as more:
        more.write(b'{"timestamp": "cut')
    taken("codex", vault, folder)
    stamps = {path: path.stat().st_mtime_ns for path in vault.rglob("*") if path.is_file()}
    again = taken("codex", vault, folder)
    assert again.unchanged == 1 and "left out: broken line" not in counted(again)
    assert {path: path.stat().st_mtime_ns for path in vault.rglob("*") if path.is_file()} == stamps
    (note,) = (vault / "Code").rglob("*.md")
    note.write_text(note.read_text("utf-8").replace("a1", "a1 by hand"), "utf-8")
    rollout(folder, meta(), *said(1, "q1"), message(2, "assistant", "a1"), *said(3, "q2"), message(4, "assistant", "a2"))
    assert taken("codex", vault, folder).appended == 1
    assert "a1 by hand" in note.read_text("utf-8") and note.read_text("utf-8").endswith("a2\n")


def test_files_that_are_no_rollouts_are_skipped(vault: Vault) -> None:
    lines(vault.parent / "sessions/other.jsonl", {"metric": 1})
    assert skipped(taken("codex", vault, vault.parent / "sessions")) == {"not a session": 1}
