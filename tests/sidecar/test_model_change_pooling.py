"""A library whose update pools otherwise makes other vectors under the same name: noticed by real workers at their next start."""

from pathlib import Path

import pytest

from holovault.engine import Engine
from tests.support.changing import steps
from tests.support.engines import ask, index, open_engine
from tests.support.pooling_model import pooling_embedding
from tests.support.vaults import VaultFolder, make_vault
from tests.support.workshop import HandClock

NOTES = 40
QUESTION = "this is the eleventh of them"


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    texts: dict[str, str | bytes] = {f"n{number:02}.md": f"word{number} and rain over hill number {number}\n" for number in range(NOTES)}
    return make_vault(tmp_path / "vault", texts | {"eleven.md": f"{QUESTION}\n"})


@pytest.fixture
def pooling(tmp_path: Path) -> Path:
    file = tmp_path / "pooling"
    file.write_text("mean", encoding="utf-8")
    return file


def _found(engine: Engine) -> list[str]:
    return [hit.path for hit in ask(engine, QUESTION, "semantic", 1).results]


def test_other_pooling_at_the_next_start_is_another_set_of_vectors(vault: VaultFolder, tmp_path: Path, pooling: Path) -> None:
    with open_engine(vault.root, tmp_path / "home", embedding=pooling_embedding(pooling, HandClock())) as engine:
        index(engine)
        assert _found(engine) == ["eleven.md"]
        before = engine.status().model.fingerprint
    with open_engine(vault.root, tmp_path / "home", embedding=pooling_embedding(pooling, HandClock())) as engine:
        assert index(engine).embedded == 0
        assert _found(engine) == ["eleven.md"]
        assert engine.status().model.fingerprint == before
    pooling.write_text("first", encoding="utf-8")
    with open_engine(vault.root, tmp_path / "home", embedding=pooling_embedding(pooling, HandClock())) as engine:
        index(engine)
        assert _found(engine) == []
        assert index(engine).embedded == NOTES + 1
        assert _found(engine) == ["eleven.md"]
        assert engine.status().model.fingerprint != before
        assert engine.prune().vectors == NOTES + 1


def test_other_pooling_after_the_model_was_away_is_noticed_while_the_engine_runs(vault: VaultFolder, tmp_path: Path, pooling: Path) -> None:
    clock = HandClock()
    with open_engine(vault.root, tmp_path / "home", embedding=pooling_embedding(pooling, clock)) as engine:
        index(engine)
        assert _found(engine) == ["eleven.md"]
        pooling.write_text("first", encoding="utf-8")
        assert _found(engine) == ["eleven.md"]
        clock.now += 1_000
        engine.idle()
        assert _found(engine) == []
        assert [event.kind for event in engine.events(0, 0).events].count("model") == 0
        for _ in steps(engine):
            pass
        assert _found(engine) == ["eleven.md"]
        assert [event.kind for event in engine.events(0, 0).events].count("model") == 1
