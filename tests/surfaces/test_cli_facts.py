"""The commands about facts: what they print, how they end, the same with and without a daemon."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer

from holovault.cli.entry import make
from holovault.model import FactHistory, FactList, Remembered
from tests.support.shell import Ended, Shell
from tests.support.vaults import NO_MODEL, make_vault

FACTS = "- Ivan lives in Oslo [trust:: 0.7] ^k3f9\n- Ivan lives in Rome\n"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    vault = make_vault(tmp_path / "vault", {"Memory/Facts/People.md": FACTS}, NO_MODEL)
    return Shell(tmp_path / "home", vault.root)


def run(shell: Shell, *words: str) -> Ended:
    return shell.here(*words, "--vault", str(shell.folder))


def test_facts_live_their_life_on_the_command_line(shell: Shell) -> None:
    assert shell.run("up", "--vault", str(shell.folder)).code == 0
    try:
        made = run(shell, "remember", "Чай", "зелёный", "--category", "Кухня", "--tag", "tea", "--trust", "0.9", "--json")
        fact = msgspec.json.decode(made.out, type=Remembered).fact
        assert (fact.text, fact.trust, fact.path) == ("Чай зелёный #tea", 0.9, "Memory/Facts/Кухня.md")
        assert run(shell, "remember", "чай зеленый").out.startswith("This is known already:\n^" + fact.id)
        assert run(shell, "feedback", f"^{fact.id}", "unhelpful").out.startswith("Counted as unhelpful: trust 0.90 → 0.80.")
        assert f"{fact.id}  0.9 → 0.8" in run(shell, "facts", "--fold").out
        assert run(shell, "correct", fact.id, "Чай чёрный").out.splitlines()[-1] == "    it said: Чай зелёный #tea"
        history = msgspec.json.decode(run(shell, "facts", fact.id, "--json").out, type=FactHistory)
        assert (history.fact.text, [vote.vote for vote in history.votes]) == ("Чай чёрный #tea", ["unhelpful"])
        stale = run(shell, "forget", fact.id, "--expect", fact.item)
        assert (stale.code, stale.err.partition(":")[0]) == (3, "STALE")
        assert stale.err.endswith("  | It says now:\n  | Чай чёрный #tea\n")
        asked = run(shell, "facts", "--json")
    finally:
        assert run(shell, "stop").code == 0
    assert shell.run("facts", "--no-daemon", "--json", "--vault", str(shell.folder)).out == asked.out
    assert len(msgspec.json.decode(asked.out, type=FactList).facts) == 3
    assert run(shell, "forget", fact.id, "--expect", history.fact.item).code == 0


def test_exit_status_tells_no_from_wrong_from_impossible(shell: Shell) -> None:
    for words, code in (("facts --query nothing", 1), ("facts zzzz", 3), ("facts k3f9 --fold", 2), ("remember -", 2)):
        assert run(shell, *words.split()).code == code, words
    pairs = run(shell, "facts", "--contradictions")
    assert (pairs.code, pairs.out.splitlines()[0]) == (0, "name: Oslo or Rome")


def test_a_vault_without_facts_says_how_to_write_one_and_a_filter_that_none_passes_says_that(shell: Shell) -> None:
    assert run(shell, "facts", "--query", "nothing").err == "No fact is like that.\n"
    (shell.folder / "Memory/Facts/People.md").unlink()
    assert 'holovault remember "…"' in run(shell, "facts").err


@pytest.mark.parametrize("command", ["facts", "remember", "correct", "forget", "feedback"])
def test_every_command_about_facts_answers_as_json_on_request(command: str) -> None:
    group: Any = typer.main.get_command(make())
    found = group.commands[command]
    assert found.help
    assert {"--json", "--vault", "--no-daemon"} <= {spelling for parameter in found.params for spelling in parameter.opts}
