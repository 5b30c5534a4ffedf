"""The whole tree of notes of one small export, as committed: recording is asked for, and a run that records fails."""

import os
from pathlib import Path

import pytest

from tests.support.exports import ACCOUNT, ROOT, at, chat, imported, project, talk, text, tool, tree, turn, uid, write_json
from tests.support.recordings import matches

EXPECTED = "tests/importers/expected/claude.txt"
WHOLE = "tests/importers/expected/synthetic.txt"


def _export(folder: Path) -> Path:
    artifact = {
        "command": "create",
        "id": "fmt",
        "type": "application/vnd.ant.code",
        "language": "python",
        "title": "Format",
        "content": "print('%%')",
    }
    answer = [
        text("Так:\n\n# Шаги\n1. читать\n2. писать"),
        *tool("artifacts", artifact),
        *tool("web_search", {"query": "x"}),
        {"type": "new", "x": 1},
    ]
    pasted = [{"file_name": "", "file_type": "txt", "extracted_content": "вставка\n```\nкод"}]
    messages = [
        turn(1, "human", "Как устроен *поиск*?", 0, ROOT, attachments=pasted),
        turn(2, "assistant", answer, 1, uid(1)),
        turn(3, "assistant", "Первый ответ", 1, uid(1)),
        turn(4, "human", "Спасибо", 20, uid(2)),
    ]
    chats = [
        chat(1, "Поиск: BM25 / «план»", messages, summary="Обзор поиска"),
        chat(2, "Rivers", talk(2, "Which?", "The Volga."), project_uuid=uid(7)),
    ]
    write_json(folder / "conversations.json", chats)
    write_json(
        folder / "projects.json",
        [project(7, "Atlas", "Be brief.\n## Rules\n- maps", [{"uuid": "d1", "filename": "plan.md", "content": "# Plan\n\nsteps"}])],
    )
    files = [
        {"path": "/people/Анна.md", "content": "# Анна\n- любит карты", "updated_at": at(0)},
        {"path": "/topics/maps.md", "content": "tiles"},
    ]
    memory = "**Work context**\n\nDraws maps.\n\n**Communication style**\n\nBrief."
    whole = {
        "account_uuid": ACCOUNT,
        "conversations_memory": memory,
        "project_memories": {uid(7): "**Purpose**\n\nTiles."},
        "memory_files": files,
    }
    write_json(folder / "memories.json", [whole])
    return folder


def test_the_tree_of_an_export_is_the_recorded_one(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "knowledge.toml").write_text('[topics]\nsearch = ["поиск*", "BM25"]\n', "utf-8")
    imported(vault, _export(tmp_path / "export"))
    matches(EXPECTED, "".join(f"===== {path}\n{note}" for path, note in tree(vault).items()))


def test_the_tree_does_not_depend_on_the_order_of_runs(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    export = _export(tmp_path / "export")
    imported(first, export)
    for name in ("memories.json", "projects.json", "conversations.json"):
        imported(second, export / name)
    chats = {path: note for path, note in tree(first).items() if path.startswith(("Memory", "Artifacts"))}
    assert {path: tree(second)[path] for path in chats} == chats
    assert imported(second, export).new == 0


@pytest.mark.data
@pytest.mark.skipif("HOLOVAULT_DATA" not in os.environ, reason="HOLOVAULT_DATA names a folder with exports and sessions")
def test_the_tree_of_the_export_with_all_hazards_is_the_recorded_one(tmp_path: Path) -> None:
    export = next(Path(os.environ["HOLOVAULT_DATA"]).rglob("synthetic-2026-08"), None)
    if export is None:
        pytest.skip("no export with all hazards there")
    vault = tmp_path / "vault"
    report = imported(vault, export)
    told = "".join(f"{tally.count} {tally.name}\n" for tally in (*report.skipped, *report.kinds, *report.contents, *report.unknown))
    matches(WHOLE, told + "".join(f"===== {path}\n{note}" for path, note in tree(vault).items()))
    assert imported(vault, export).unchanged == report.new
