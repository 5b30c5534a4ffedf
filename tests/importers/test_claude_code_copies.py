"""Forks, resumed sessions, sub-agents, memories and pastes of Claude Code: everything is told once, in the note it belongs to."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.exports import tree, uid
from tests.support.sessions import CWD, SESSION, answer, clock, counted, lines, result, session, skipped, step, taken, use, user

Vault = Path
FORK = uid(100)  # sorts before the session that it was made from


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def shared() -> list[dict[str, Any]]:
    return [user(1, "shared question"), answer(2, "shared answer")]


def copied(records: list[dict[str, Any]], how: str) -> list[dict[str, Any]]:
    """History as forks have it: as it was, with the new session's id, or with a note of where it came from."""
    if how == "as it was":
        return records
    if how == "under the new id":
        return [record | {"sessionId": FORK} for record in records]
    return [record | {"sessionId": FORK, "forkedFrom": {"sessionId": SESSION, "messageUuid": record["uuid"]}} for record in records]


def note_of(vault: Vault, identity: str) -> str:
    return next(text for path, text in tree(vault).items() if identity[-8:] in path)


@pytest.mark.parametrize("how", ["as it was", "under the new id", "with a note"])
def test_history_of_a_fork_is_told_once_in_its_origin(vault: Vault, how: str) -> None:
    folder = vault.parent / "projects"
    session(folder, *shared(), user(3, "went left"), answer(4, "left it is"))
    first = taken("claude-code", vault, folder)
    session(
        folder,
        *copied(shared(), how),
        step(13, "user", "went right", 2, sessionId=FORK),
        step(14, "assistant", "right it is", sessionId=FORK),
        name=FORK,
    )
    second = taken("claude-code", vault, folder)
    assert (first.new, second.new, second.unchanged) == (1, 1, 1)
    assert "shared answer" in note_of(vault, SESSION) and "left it is" in note_of(vault, SESSION)
    fork = note_of(vault, FORK)
    assert "shared" not in fork and "went right" in fork and "### Fork\n\nWhat came before is in the session" in fork


@pytest.mark.parametrize("how", ["as it was", "under the new id", "with a note"])
def test_growth_of_both_tells_history_once(vault: Vault, how: str) -> None:
    folder = vault.parent / "projects"
    fork = (*copied(shared(), how), step(13, "user", "right", 2, sessionId=FORK))
    session(folder, *shared())
    session(folder, *fork, name=FORK)
    taken("claude-code", vault, folder)
    assert "shared answer" in note_of(vault, SESSION)
    session(folder, *shared(), user(30, "left, later", 2), answer(31, "later answer"))
    report = taken("claude-code", vault, folder)
    assert sum("shared answer" in text for text in tree(vault).values()) == 1 and "later answer" in note_of(vault, SESSION)
    assert how == "under the new id" or (report.updated, report.unchanged) == (1, 1)
    assert taken("claude-code", vault, folder).unchanged == 2


def test_a_copy_with_nothing_of_its_own_is_skipped(vault: Vault) -> None:
    folder = vault.parent / "projects"
    session(folder, *shared())
    session(folder, *copied(shared(), "as it was"), name=FORK)
    report = taken("claude-code", vault, folder)
    assert report.new == 1 and skipped(report) == {"copy of another session": 1}


def test_a_backup_of_a_session_beside_it_doubles_and_shortens_nothing(vault: Vault) -> None:
    live = session(vault.parent / "live", *shared(), user(3, "later"), answer(4, "later answer"))
    backup = session(vault.parent / "backup", *shared())
    for exports in ((backup, live), (live, backup)):
        report = taken("claude-code", vault, *exports)
        assert report.examined == 1 and note_of(vault, SESSION).count("shared answer") == 1 and "later answer" in note_of(vault, SESSION)
    assert report.unchanged == 1


def test_memories_of_one_folder_at_a_time_stay_apart(vault: Vault) -> None:
    for name, cwd in (("one", "/w/maps"), ("two", "/w/bread")):
        folder = session(vault.parent / name, user(1, name, cwd=cwd), slug=f"-w-{name}") / f"-w-{name}"
        (folder / "memory").mkdir()
        (folder / "memory/MEMORY.md").write_text(f"About {name}.\n", "utf-8")
        taken("claude-code", vault, folder)
    assert "About one." in tree(vault)["Memory/maps/MEMORY.md"] and "About two." in tree(vault)["Memory/bread/MEMORY.md"]
    (folder / f"{SESSION}.jsonl").unlink()
    assert skipped(taken("claude-code", vault, folder)) == {"memory of an unknown folder": 1}


def agent(folder: Path) -> None:
    """A session with a sub-agent in a file of its own."""
    session(folder, user(1, "map the tests"), answer(2, use("t", "Agent")), result(3, "t", "found 3"), answer(4, "There are 3."))
    place = folder / "-home-anna-work-my-app" / SESSION / "subagents"
    side: dict[str, Any] = {"isSidechain": True, "agentId": "abc123"}
    lines(place / "agent-abc123.jsonl", user(51, "find tests", 0, **side), answer(52, "found 3 tests", **side))
    (place / "agent-abc123.meta.json").write_text(json.dumps({"agentType": "Explore", "description": "Map tests"}), "utf-8")


def test_sub_agents_are_counted_and_kept_only_with_all_tools(vault: Vault) -> None:
    folder = vault.parent / "projects"
    agent(folder)
    report = taken("claude-code", vault, folder)
    assert report.new == 1 and skipped(report) == {"sub-agent (kept with --tools full)": 1}
    full = taken("claude-code", vault, folder, tools="full")
    (name,) = (path for path in tree(vault) if "agent abc123" in path)
    assert "Explore Map tests — agent abc123" in name and not full.skipped
    assert "### Task" in tree(vault)[name] and "### You" not in tree(vault)[name] and "found 3 tests" in tree(vault)[name]


def test_sub_agents_inside_a_session_of_old_are_no_part_of_the_talk(vault: Vault) -> None:
    side: dict[str, Any] = {"isSidechain": True}
    records = (
        user(1, "go"),
        answer(2, use("t", "Task")),
        user(51, "sub task", 0, **side),
        answer(52, "sub answer", **side),
        result(3, "t", parent=2),
        answer(4, "main answer"),
    )
    folder = session(vault.parent / "projects", *records)
    report = taken("claude-code", vault, folder)
    assert skipped(report) == {"sub-agent (kept with --tools full)": 1}
    assert "sub" not in note_of(vault, SESSION).partition("## 1")[2] and "main answer" in note_of(vault, SESSION)
    taken("claude-code", vault, folder, tools="full")
    assert any("sub answer" in text for text in tree(vault).values())


def test_pasted_text_comes_back_from_the_history_of_prompts(vault: Vault) -> None:
    home = vault.parent / "home"
    session(home / "projects", user(1, "look: [Pasted text #1 +3 lines]"), answer(2, "ok"), user(3, "and [Pasted text #1 +3 lines]"))
    stamps = [1786298401000, 1786298403000]
    pastes = [
        {
            "display": "x [Pasted text #1 +3 lines]",
            "pastedContents": {"1": {"content": text}},
            "timestamp": stamp,
            "project": CWD,
            "sessionId": SESSION,
        }
        for text, stamp in (("first paste", stamps[0]), ("second paste", stamps[1]))
    ]
    other = {
        "display": "[Pasted text #1 +3 lines]",
        "pastedContents": {"1": {"content": "foreign"}},
        "timestamp": stamps[0],
        "sessionId": FORK,
    }
    lines(home / "history.jsonl", other, *pastes, {"display": "/clear"}, "[]")
    lines(home / "todos/x.jsonl", {"type": "user", "message": {"content": "not a session"}})
    report = taken("claude-code", vault, home)
    text = note_of(vault, SESSION)
    assert text.index("first paste") < text.index("### Claude") < text.index("second paste") and "foreign" not in text
    assert report.examined == 1


def test_a_repositorys_memory_is_memory_of_the_first_tier(vault: Vault) -> None:
    folder = session(vault.parent / "projects", user(1, "go"))
    memory = folder / "-home-anna-work-my-app" / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("# Index\n\n- [tiles](tiles.md)\n", "utf-8")
    (memory / "tiles.md").write_text("---\nname: tiles\ntype: project\n---\n\nTiles are 256 wide.\n", "utf-8")
    (memory / "empty.md").write_text("---\nname: x\n---\n", "utf-8")
    report = taken("claude-code", vault, folder)
    notes = tree(vault)
    assert "Tiles are 256 wide." in notes["Memory/my-app/tiles.md"] and "name: tiles" not in notes["Memory/my-app/tiles.md"]
    assert 'source: "claude-code memory"' in notes["Memory/my-app/MEMORY.md"] and skipped(report) == {"empty memory": 1}


def test_the_same_again_writes_nothing_and_a_longer_session_appends(vault: Vault) -> None:
    folder = session(vault.parent / "projects", user(1, "go"), answer(2, "ok"))
    taken("claude-code", vault, folder)
    stamps = {path: path.stat().st_mtime_ns for path in vault.rglob("*") if path.is_file()}
    assert taken("claude-code", vault, folder).unchanged == 1
    assert {path: path.stat().st_mtime_ns for path in vault.rglob("*") if path.is_file()} == stamps
    (note,) = (vault / "Code").rglob("*.md")
    before = note.read_text("utf-8").split("\n")
    session(folder, user(1, "go"), answer(2, "ok"), user(3, "more"), answer(4, "done"))
    assert taken("claude-code", vault, folder).updated == 1
    after = note.read_text("utf-8").split("\n")
    head = before.index("# go")
    assert after[after.index("# go") :][: len(before) - head - 1] == before[head:-1]
    note.write_text(note.read_text("utf-8").replace("done", "done by hand"), "utf-8")
    session(folder, user(1, "go"), answer(2, "ok"), user(3, "more"), answer(4, "done"), user(5, "last"), answer(6, "end"))
    assert taken("claude-code", vault, folder).appended == 1
    assert "done by hand" in note.read_text("utf-8") and note.read_text("utf-8").endswith("end\n")


def test_a_session_that_was_cleaned_away_keeps_its_note(vault: Vault) -> None:
    folder = session(vault.parent / "projects", user(1, "go"), answer(2, "ok"))
    taken("claude-code", vault, folder)
    before = tree(vault)
    next(folder.rglob("*.jsonl")).unlink()
    session(folder, step(50, "user", "new", 0, sessionId=uid(901), timestamp=clock(9)), name=uid(901))
    report = taken("claude-code", vault, folder)
    assert report.archived == 0 and report.new == 1 and counted(report)["messages"] == 1
    assert {path: tree(vault)[path] for path in before if path.startswith("Code")} == {
        path: text for path, text in before.items() if path.startswith("Code")
    }
