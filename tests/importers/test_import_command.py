"""`holovault import` as a process: the report, JSON, Ctrl-C, a kind from another package, aliases."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.exports import at, chat, imported, project, talk, tree, write_json
from tests.support.recordings import ROOT
from tests.support.shell import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    (tmp_path / "vault").mkdir()
    return Shell(tmp_path / "home", tmp_path)


def export(shell: Shell, count: int = 2) -> str:
    chats = [chat(n, f"Chat {n}", talk(n, "Which river?", "The Volga.")) for n in range(1, count + 1)]
    return str(write_json(shell.folder / "conversations.json", chats))


def test_an_import_says_what_became_of_everything(shell: Shell) -> None:
    ended = shell.run("import", "claude", export(shell), "--vault", "vault")
    assert ended.code == 0
    assert ended.out.startswith("Examined 2: 2 new.\nNotes: 2 chat.\nContents: 4 messages.\n")
    assert "holovault search" in ended.out
    again = shell.run("import", "claude", "conversations.json", "--vault", "vault", "--dry-run")
    assert again.out.startswith("Nothing was written: this is what an import would do.\nExamined 2: 2 unchanged.\n")


def test_json_is_the_report_and_problems_are_an_exit_status(shell: Shell) -> None:
    Path(export(shell)).write_bytes(Path(export(shell)).read_bytes()[:-20])
    ended = shell.run("import", "claude", "conversations.json", "--vault", "vault", "--json")
    report = json.loads(ended.out)
    assert ended.code == 1
    assert (report["examined"], report["new"], len(report["problems"])) == (1, 1, 1)
    assert "cannot be read past byte" in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["import", "claude", "x.json", "--vault", "nowhere"], "There is no folder nowhere"),
        (["import", "claude", "x.json", "--vault", "vault", "--since", "May"], "--since is a day such as 2026-03-01"),
        (["import", "claude", "x.json", "--vault", "vault", "--since", "2026-13-45"], "--since is a day such as 2026-03-01"),
        (["import", "claude", "", "--vault", "vault"], "An export has an empty name"),
        (["import", "telegram", "x.json", "--vault", "vault"], "No such command"),
    ],
)
def test_what_cannot_be_done_is_said_with_the_next_step(shell: Shell, arguments: list[str], words: str) -> None:
    ended = shell.run(*arguments)
    assert ended.code in (2, 3) and words in ended.err


def toy_of_the_manual() -> str:
    """The importer that the manual shows, as a reader would copy it."""
    page = (ROOT / "docs/howto/add-an-importer.md").read_text("utf-8")
    return page.partition("```python\n")[2].partition("```")[0]


def test_another_package_adds_a_kind_through_its_entry_point(shell: Shell) -> None:
    site = shell.folder / "site"
    info = site / "toy_importer-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "toy_importer.py").write_text(toy_of_the_manual(), "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-importer\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[holovault.importers]\ntoy = toy_importer:IMPORTER\nbroken = not_there:IMPORTER\n", "utf-8")
    (shell.folder / "a.toy").write_text("Hello from a toy\n", "utf-8")
    paths = os.pathsep.join((str(site), *filter(None, [os.environ.get("PYTHONPATH")])))
    done = shell.run("import", "toy", "a.toy", "--vault", "vault", PYTHONPATH=paths)
    assert done.code == 0, done.err
    assert 'source: "toy"' in tree(shell.folder / "vault")["Chats/undated/Hello from a toy (00000toy).md".replace("00000toy", "toy0")]
    assert "toy" in shell.run("import", "--help", PYTHONPATH=paths).out
    broken = shell.run("import", "broken", "a.toy", "--vault", "vault", PYTHONPATH=paths)
    assert broken.code == 3 and "cannot be used: ModuleNotFoundError" in broken.err and "Update the package" in broken.err


def test_aliases_are_proposed_and_nothing_is_changed(shell: Shell) -> None:
    names = ["Holovault", "holo vault", "Holovault v2", "Bread"]
    vault = shell.folder / "vault"
    imported(vault, write_json(shell.folder / "p.json", [project(n, name, "x") for n, name in enumerate(names, start=1)]))
    before = tree(vault)
    ended = shell.run("import", "aliases", "--vault", "vault")
    assert ended.code == 0
    assert (
        ended.out.startswith("[projects.aliases]\n")
        and '"holo vault" = "Holovault"' in ended.out
        and '"Holovault v2" = "Holovault"' in ended.out
    )
    assert "Bread" not in ended.out and tree(vault) == before
    (vault / "knowledge.toml").write_text(ended.out, "utf-8")
    assert shell.run("import", "aliases", "--vault", "vault").code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="what Windows is told")
def test_ctrl_c_ends_after_the_conversation_at_hand_and_the_next_run_goes_on(shell: Shell) -> None:
    export(shell, 3000)
    command = [sys.executable, "-m", "holovault.cli", "import", "claude", "conversations.json", "--vault", "vault", "--json"]
    with subprocess.Popen(command, cwd=shell.folder, env=shell.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None and running.stdout is not None
        running.stderr.readline()  # the first line of progress: it has begun
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=60)
    report = json.loads(out)
    assert running.returncode == 130 and report["stopped"]
    done = len([path for path in tree(shell.folder / "vault") if path.startswith("Chats/")])
    assert report["new"] == done < 3000
    state = json.loads((shell.folder / "vault/_import/state.json").read_bytes())
    assert len(state["rows"]) == done


def test_an_imported_chat_an_artifact_and_a_memory_are_found_memory_first(shell: Shell) -> None:
    vault = shell.folder / "vault"
    made = {
        "type": "tool_use",
        "name": "artifacts",
        "input": {"command": "create", "id": "a", "title": "Tile code", "content": "zoomlevel = 3"},
    }
    said = talk(1, "How many zoomlevel steps has the map?", "Three of them.")
    said[1]["content"].append(made)
    memory = {"account_uuid": "acc", "conversations_memory": "**Work**\n\nThe map has a zoomlevel of three."}
    write_json(shell.folder / "e/c.json", [chat(1, "Maps", said, at(1))])
    write_json(shell.folder / "e/m.json", memory)
    imported(vault, shell.folder / "e")
    (vault / "knowledge.toml").write_text('[embedding]\nprovider = "none"\n', "utf-8")
    found = json.loads(shell.run("search", "zoomlevel map", "--vault", "vault", "--json", "--no-daemon").out)
    hits = [(hit["path"].split("/")[0], hit["tier"], hit["source"]) for hit in found["results"]]
    assert hits[0] == ("Memory", 1, "claude.ai memory")
    assert set(hits[1:]) == {("Chats", 2, "claude.ai"), ("Artifacts", 2, "claude.ai")}
    assert all(hit["start_line"] <= hit["end_line"] for hit in found["results"])
