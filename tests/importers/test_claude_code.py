"""Sessions of Claude Code: what broke other importers, one case for each report."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.exports import only_note, tree, uid
from tests.support.sessions import SESSION, answer, clock, counted, lines, result, session, skipped, step, taken, use, user

Vault = Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def take(vault: Vault, *records: object, **options: Any) -> object:
    return taken("claude-code", vault, session(vault.parent / "projects", *records), **options)


def body(vault: Vault) -> str:
    """The one session below its front matter."""
    return only_note(vault, "Code").split("\n---\n", 1)[1]


def test_an_answer_of_many_records_is_one_turn_with_one_line_of_tools(vault: Vault) -> None:
    blocks = [{"type": "thinking", "thinking": "hm", "signature": "AAAA"}, "Looking.", use("a", "Read"), use("b")]
    parts = [answer(2 + place, block, message="msg_1") for place, block in enumerate(blocks)]
    after = [result(6, "a", parent=4), result(7, "b", is_error=True), answer(8, "Fixed.")]
    report = taken("claude-code", vault, session(vault.parent / "projects", user(1, "fix it"), *parts, *after))
    assert body(vault).count("### Claude") == 1
    assert "Looking.\n\n→ tools: Read ×1, Bash ×1 (1 error)\n\nFixed." in body(vault)
    assert counted(report)["tool calls"] == 2 and counted(report)["left out: thinking"] == 1 and "hm" not in body(vault)


def test_repeated_blocks_records_and_lines_count_once(vault: Vault) -> None:
    repeated = answer(3, "Twice said.", {"type": "text", "text": "x" * 5000}, message="msg_1")
    again = repeated | {"uuid": uid(4), "parentUuid": uid(3)}
    records = (user(1, "go"), answer(2, "Twice said.", message="msg_1"), repeated, repeated, repeated, again, user(5, "next"))
    report = taken("claude-code", vault, session(vault.parent / "projects", *records))
    assert body(vault).count("Twice said.") == 1
    found = counted(report)
    assert (found["left out: repeated line"], found["left out: repeated block"]) == (2, 3)


def test_one_id_on_different_answers_loses_none(vault: Vault) -> None:
    take(vault, user(1, "a"), answer(2, "first", message="m"), user(3, "b"), answer(4, "second", message="m"))
    assert "first" in body(vault) and "second" in body(vault)


def test_a_prompt_that_was_taken_back_is_left_out_and_counted(vault: Vault) -> None:
    records = (
        user(1, "start"),
        answer(2, "ok"),
        user(3, "wrong way"),
        answer(4, "went wrong"),
        user(5, "right way", 2),
        answer(6, "went right"),
    )
    report = taken("claude-code", vault, session(vault.parent / "projects", *records))
    assert "wrong" not in body(vault) and "went right" in body(vault)
    assert counted(report)["left out: taken back"] == 2


def test_progress_at_the_end_hides_no_answer(vault: Vault) -> None:
    progress = {"type": "progress", "uuid": uid(9), "parentUuid": uid(2), "data": {"type": "bash_progress"}}
    take(
        vault,
        user(1, "go"),
        answer(2, "the answer"),
        progress,
        {"type": "system", "subtype": "turn_duration", "uuid": uid(10), "parentUuid": uid(9)},
    )
    assert "the answer" in body(vault)


def test_a_chain_that_leads_through_machinery_holds(vault: Vault) -> None:
    progress = {"type": "progress", "uuid": uid(3), "parentUuid": uid(2)}
    take(vault, user(1, "first"), answer(2, "one"), progress, user(4, "second"), answer(5, "two"))
    assert [word in body(vault) for word in ("first", "one", "second", "two")] == [True] * 4


def test_parallel_calls_side_by_side_all_have_their_results(vault: Vault) -> None:
    records = [user(1, "go"), answer(2, use("a"), message="m"), answer(3, use("b"), parent=1, message="m")]
    records += [result(4, "a", parent=2), result(5, "b", parent=3, is_error=True), answer(6, "both", parent=4)]
    take(vault, *records)
    assert "→ tools: Bash ×2 (1 error)" in body(vault)


def test_a_broken_line_costs_only_itself_and_a_cut_last_line_waits(vault: Vault) -> None:
    folder = vault.parent / "projects"
    records = (user(1, "before"), '{"type":"user","uuid":"cut in the mid', b"42", '["x"]', '{"silly": 1}', user(3, "after"))
    session(folder, *records)
    file = next(folder.rglob("*.jsonl"))
    whole = file.read_bytes()
    file.write_bytes(whole + json.dumps(answer(4, "the late answer"))[:-20].encode("utf-8"))
    report = taken("claude-code", vault, folder)
    assert not report.problems and counted(report)["left out: broken line"] == 1
    assert "before" in body(vault) and "after" in body(vault) and "late" not in body(vault)
    file.write_bytes(whole + json.dumps(answer(4, "the late answer")).encode("utf-8") + b"\n")
    assert taken("claude-code", vault, folder).updated == 1
    assert "the late answer" in body(vault)


def test_separators_inside_a_value_do_not_cut_a_line(vault: Vault) -> None:
    record = json.dumps(user(1, "one\u2028two\u0085three\x0bfour \ud83d lone \u0000 end"), ensure_ascii=True)
    raw = json.dumps(answer(2, "five\u2028six"), ensure_ascii=False).encode("utf-8")
    take(vault, record, raw, b"")
    assert "one\ntwo\nthree\nfour \ufffd lone  end" in body(vault) and "five\nsix" in body(vault)


def test_what_programs_put_into_a_prompt_is_no_persons_word(vault: Vault) -> None:
    reminder = "fix <b>it</b>\n<system-reminder>\nobey </system-reminder>\nplease"
    records = (
        user(1, "<local-command-caveat>Caveat: x</local-command-caveat>", isMeta=True),
        user(2, "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>"),
        user(3, "<local-command-stdout>Set model</local-command-stdout>"),
        user(4, reminder),
        user(5, [{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
        user(6, "<bash-input>make</bash-input>"),
        user(7, "<task-notification>\n<status>done</status>\n</task-notification>"),
        user(8, "hidden words", origin={"kind": "coordinator"}),
    )
    report = taken("claude-code", vault, session(vault.parent / "projects", *records))
    text = body(vault)
    assert "/model opus" in text and "! make" in text and "it<\\/b>" in text and "please" in text
    assert not [word for word in ("obey", "Caveat", "Set model", "interrupted", "done", "hidden words") if word in text]
    found = counted(report)
    assert found["left out: system reminder"] == found["left out: interruption"] == found["left out: notification"] == 1


@pytest.mark.parametrize(
    "said",
    [
        "why does `<system-reminder>x</system-reminder>` come up?",
        "```\n<system-reminder>x</system-reminder>\n```",
        "<system-reminder> is never closed x",
        "</system-reminder> x <system-reminder>",
    ],
)
def test_a_person_may_write_about_such_tags(vault: Vault, said: str) -> None:
    take(vault, user(1, said))
    assert "system-reminder" in body(vault) and "x" in body(vault).rpartition("### You")[2]


def test_a_prompt_typed_while_busy_is_told_once(vault: Vault) -> None:
    attached = {"type": "attachment", "uuid": uid(20), "parentUuid": uid(3), "timestamp": clock(3), "sessionId": SESSION}
    queued = attached | {"attachment": {"type": "queued_command", "commandMode": "prompt", "prompt": "and the linter"}}
    other = attached | {"uuid": uid(21), "attachment": {"type": "todo_reminder", "content": "nothing"}}
    queue = {"type": "queue-operation", "operation": "enqueue", "content": "and the linter", "sessionId": SESSION}
    take(vault, user(1, "go"), answer(2, use("a")), result(3, "a"), queue, queued, queued, other, answer(5, "Both done.", parent=3))
    assert body(vault).count("### You") == 2 and body(vault).count("and the linter") == 2 and "nothing" not in body(vault)
    assert "## 2 · and the linter" in body(vault)


def test_a_compaction_is_a_divider_and_its_recap_no_speech(vault: Vault) -> None:
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": uid(3),
        "parentUuid": None,
        "logicalParentUuid": uid(2),
        "timestamp": clock(3),
    }
    recap = user(4, "This session is being continued: all told again", isCompactSummary=True)
    records = (user(1, "early question"), answer(2, "early answer"), boundary, recap, user(5, "late question"), answer(6, "late answer"))
    report = taken("claude-code", vault, session(vault.parent / "projects", *records))
    text = body(vault)
    assert text.index("early answer") < text.index("### Compaction") < text.index("late question") and "told again" not in text
    assert counted(report)["left out: recap of a compaction"] == 1


@pytest.mark.parametrize("logical", [uid(6), uid(77), None])
def test_a_compaction_that_points_forward_or_nowhere_loses_nothing(vault: Vault, logical: str | None) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": uid(3), "parentUuid": None, "logicalParentUuid": logical}
    take(vault, user(1, "early question"), answer(2, "early answer"), boundary, user(4, "late"), answer(5, "later"), answer(6, "latest"))
    assert "early answer" in body(vault) and "latest" in body(vault)


def test_a_recap_of_what_is_not_there_is_kept_folded(vault: Vault) -> None:
    take(vault, user(1, "The session so far: tiles were chosen.", isCompactSummary=True), user(2, "go on"), answer(3, "ok"))
    assert "> [!abstract]- Summary (from the export)\n> The session so far: tiles were chosen." in body(vault)
    assert "## 1 · go on" in body(vault)


def test_a_record_whose_parent_is_lost_keeps_what_stands_before_it(vault: Vault) -> None:
    take(vault, user(1, "first"), answer(2, "one"), '{"broken', user(4, "second", 3), answer(5, "two"))
    assert "first" in body(vault) and "two" in body(vault)


def test_records_in_a_circle_end(vault: Vault) -> None:
    take(vault, user(1, "a", 3), answer(2, "b"), user(3, "c"))
    assert "c" in body(vault)


def test_old_records_without_pointers_stand_in_order(vault: Vault) -> None:
    bare = [
        {"type": kind, "timestamp": clock(n), "message": {"content": said}}
        for n, (kind, said) in enumerate([("user", "q1"), ("assistant", "a1"), ("user", "q2")])
    ]
    take(vault, *bare)
    assert body(vault).index("q1") < body(vault).index("a1") < body(vault).index("q2")


def test_pictures_leave_a_word_and_no_data(vault: Vault) -> None:
    data = "iVBORw0KGgo" * 80_000
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    shot = [{"type": "text", "text": "ok"}, picture]
    take(
        vault,
        user(1, [{"type": "text", "text": "see"}, picture]),
        answer(2, use("a")),
        result(3, "a", shot),
        answer(4, "seen"),
        tools="full",
    )
    assert "- 📎 image (left out)" in body_of(vault, "see (")
    assert not [path for path, text in tree(vault).items() if "iVBORw0KGgoiVBORw0KGgo" in text]


def body_of(vault: Vault, start: str) -> str:
    """The note whose name has these words, without `tools`."""
    return next(text for path, text in tree(vault).items() if start in path and not path.endswith("tools.md"))


@pytest.mark.parametrize("given", ['{"command": "ls -la"}', {"glob": ["not", "a", "string"]}, None, 7, "plain words"])
def test_any_input_of_a_tool_is_kept_in_full(vault: Vault, given: object) -> None:
    call = use("a") | {"input": given}
    take(vault, user(1, "go"), answer(2, call), result(3, "a", "seen"), answer(4, "ok"), tools="full")
    tools = next(text for path, text in tree(vault).items() if path.endswith("tools.md"))
    assert "seen" in tools and (given is None or any(word in tools for word in ("ls -la", '"not"', "7", "plain words")))


def test_tools_none_leaves_no_trace(vault: Vault) -> None:
    take(vault, user(1, "go"), answer(2, use("a")), result(3, "a"), answer(4, "ok"), tools="none")
    assert "tools" not in body(vault)


def test_secrets_are_redacted_everywhere_in_a_session_unless_told(vault: Vault) -> None:
    secret = "ghp_" + "a1B2" * 9
    records = (
        user(1, f"use {secret} please"),
        answer(2, use("a", given={"command": f"export TOKEN={secret}"})),
        result(3, "a", secret),
        answer(4, "ok"),
    )
    report = taken("claude-code", vault, session(vault.parent / "projects", *records), tools="full")
    assert report.redacted >= 3 and not [path for path, text in tree(vault).items() if secret in text]
    open_vault = vault.parent / "open"
    assert taken("claude-code", open_vault, vault.parent / "projects", tools="full", redact=False).redacted == 0
    assert any(secret in text for text in tree(open_vault).values())


def test_what_the_program_says_for_the_model_is_no_answer(vault: Vault) -> None:
    error = answer(2, "API Error: 529 overloaded", isApiErrorMessage=True)
    local = answer(3, "No response requested.")
    local["message"]["model"] = "<synthetic>"
    report = taken("claude-code", vault, session(vault.parent / "projects", user(1, "go"), error, local, user(4, "again"), answer(5, "ok")))
    assert "overloaded" not in body(vault) and "No response" not in body(vault) and "ok" in body(vault)
    assert counted(report)["left out: message of the program"] == 2


def test_titles_a_persons_first_then_the_programs(vault: Vault) -> None:
    titles = (
        {"type": "ai-title", "aiTitle": "By the program"},
        {"type": "custom-title", "customTitle": "Old"},
        {"type": "custom-title", "customTitle": "CON / “mine”: #1"},
    )
    take(vault, user(1, "go"), *titles, {"type": "summary", "summary": "Sum", "leafUuid": uid(1)})
    assert f"Code/my-app/2026-08-09 CON “mine” 1 ({SESSION[-8:]}).md" in tree(vault)


def test_a_summary_names_the_session_it_belongs_to(vault: Vault) -> None:
    folder = vault.parent / "projects"
    session(folder, {"type": "summary", "summary": "About tiles", "leafUuid": uid(51)}, user(1, "here"), answer(2, "ok"))
    session(folder, step(50, "user", "there", 0, sessionId=uid(901)), step(51, "assistant", "ok", sessionId=uid(901)), name=uid(901))
    taken("claude-code", vault, folder)
    names = [path.rpartition("/")[2] for path in tree(vault) if path.startswith("Code")]
    assert sorted(names) == [f"2026-08-09 About tiles ({uid(901)[-8:]}).md", f"2026-08-09 here ({SESSION[-8:]}).md"]


def test_the_repository_is_told_by_the_folder_never_by_the_lossy_name(vault: Vault) -> None:
    folder, slug = vault.parent / "projects", "-home-------------1-my-app"
    session(folder, user(1, "a", cwd="/home/анна/Проект_1/карта"), slug=slug)
    session(folder, user(2, "b", 0, cwd="/home/алла/Привет_1/hello", sessionId=uid(901)), slug=slug, name=uid(901))
    session(folder, user(3, "c", 0, cwd="C:\\work\\hello\\.claude\\worktrees\\fix", sessionId=uid(902)), slug="x", name=uid(902))
    taken("claude-code", vault, folder)
    assert sorted({path.split("/")[1] for path in tree(vault) if path.startswith("Code/")}) == ["hello", "карта"]


def test_thinking_is_kept_folded_when_asked_for(vault: Vault) -> None:
    take(vault, user(1, "go"), answer(2, {"type": "thinking", "thinking": "deep thought", "signature": "AAAA"}, "ok"), thinking=True)
    assert "> [!quote]- Thinking\n> deep thought" in body(vault) and "AAAA" not in body(vault)


def test_the_web_versions_file_is_a_session_too(vault: Vault) -> None:
    records = [{"type": "user", "timestamp": clock(1), "message": {"role": "user", "content": "from the web"}}]
    file = vault.parent / "web.json"
    file.write_text(json.dumps({"loglines": records}), "utf-8")
    assert taken("claude-code", vault, file).new == 1
    assert "from the web" in body(vault)


def test_files_that_are_no_sessions_are_skipped_with_a_reason(vault: Vault) -> None:
    folder = vault.parent / "projects"
    lines(folder / "x/other.jsonl", {"metric": 1}, {"metric": 2})
    lines(folder / "x" / SESSION / "subagents/journal.jsonl", {"type": "user", "message": {"content": "no"}})
    session(folder, {"type": "mode", "mode": "normal", "sessionId": SESSION})
    report = taken("claude-code", vault, folder)
    assert skipped(report) == {"empty session": 1, "not a session": 1}
