"""`refine = "e5"` with the two real models: the bundled one answers first, the finer one fills in behind it and takes over."""

from pathlib import Path

import pytest

from holovault.engine import Engine
from tests.support.changing import steps, unsaid
from tests.support.e5_model import INSTALLED, REASON, home
from tests.support.engines import ask, open_engine
from tests.support.vaults import make_vault

NOTES: dict[str, str | bytes] = {
    "Backup.md": "# Backup\n\nEvery night the laptop copies its documents to the disk in the cellar.\n",
    "Sleep.md": "# Sleep\n\nNo coffee after two, no screens after ten, and the bedroom at eighteen degrees.\n",
    "Кот.md": "# Кот\n\nКота зовут Барсик, прививки делаем в сентябре у ветеринара.\n",
}
QUESTIONS = (("keeping files safe in case the hardware dies", "Backup.md"), ("the pet and its vaccinations", "Кот.md"))


@pytest.mark.skipif(not INSTALLED, reason=REASON)
def test_the_finer_model_fills_in_behind_the_bundled_one_and_takes_over_while_every_question_is_answered(tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault", NOTES, '[embedding]\nprovider = "bundled"\nrefine = "e5"\n')
    with open_engine(vault.root, home().root) as engine:
        engine.catch_up(None)
        seen = [_said(engine)]
        for _ in steps(engine):
            _answers(engine)
            seen.append(_said(engine))
        assert list(dict.fromkeys(seen)) == ["bundled, 0 of e5 behind it", "bundled, 3 of e5 behind it", "e5 alone"]
        assert seen == sorted(seen), "a model that had taken over went back"
        _answers(engine)
        assert engine.status().model.provider == "e5"
    with open_engine(vault.root, home().root) as engine:
        assert _said(engine) == "e5 alone"
        assert list(steps(engine)) == []
        _answers(engine)


def _said(engine: Engine) -> str:
    """Which model serves, and how many windows of which one are brought in, as the status says."""
    status = engine.status()
    behind = f", {status.filling.embedded} of {status.filling.provider} behind it" if status.filling else " alone"
    return f"{status.model.provider}{behind}"


def _answers(engine: Engine) -> None:
    """Every question finds its note by meaning, with all vectors of the model that serves."""
    for question, path in QUESTIONS:
        found = ask(engine, question, "semantic", 3)
        assert [hit.path for hit in found.results[:1]] == [path], engine.status()
        assert unsaid(found) == ()
