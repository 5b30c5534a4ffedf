"""A vault whose model is a remote service that comes and goes: words always answer, and in the end every passage has its vector."""

from pathlib import Path

import pytest

from holovault.model import SearchResponse
from tests.support.engines import ask, first, index, open_engine
from tests.support.openai_server import Asked, Behaviour, cut_in_half, openai_server, status, with_numbers
from tests.support.remote_shop import config_for, remote_shop

KEY = "sk-of-the-vault-0815"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    for number, animal in enumerate(("badger", "heron", "otter", "lynx", "marten", "ibex")):
        (root / f"{animal}.md").write_text(f"# {animal}\n\nThe {animal} was seen {number} times.\n", encoding="utf-8")
    return root


def why_no_meaning(response: SearchResponse) -> str:
    return " ".join(gap.reason for gap in response.degraded if gap.lane == "semantic")


@pytest.mark.parametrize("trouble", [status(500), status(401), cut_in_half, with_numbers([0.0] * 8)], ids=["500", "401", "cut", "zeros"])
def test_a_service_that_fails_costs_meaning_for_a_while_and_no_passage(
    vault: Path, tmp_path: Path, trouble: Behaviour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    with openai_server(always=trouble) as server:
        config = config_for(server.base_url, key_name="A_KEY", timeout_s=2.0)
        with (
            remote_shop(config, tmp_path) as shop,
            open_engine(vault, tmp_path / "home", embedding=shop.embedding) as engine,
        ):
            index(engine)
            assert first(engine, "heron").path == "heron.md"
            assert why_no_meaning(ask(engine, "heron"))
            waiting = engine.status()
            assert waiting.pending == 6
            assert any(f"{server.base_url}/embeddings" in failure.reason for failure in waiting.failures)
            assert KEY not in repr(waiting)
            server.always = None
            shop.clock.now += 31
            index(engine)
            assert engine.status().pending == 0
            assert why_no_meaning(ask(engine, "heron")) == ""
            assert [failure for failure in engine.status().failures if failure.stage == "embed"] == []


def test_one_passage_that_the_service_refuses_is_listed_and_found_by_words(vault: Path, tmp_path: Path) -> None:
    def judge(asked: Asked) -> Behaviour | None:
        return status(400) if any("otter" in text for text in asked.texts) and len(server.asked) > 1 else None

    with (
        openai_server(judge=judge) as server,
        remote_shop(config_for(server.base_url), tmp_path) as shop,
        open_engine(vault, tmp_path / "home", embedding=shop.embedding) as engine,
    ):
        index(engine)
        assert [failure.path for failure in engine.status().failures] == ["otter.md"]
        assert first(engine, "seen otter", "lexical").path == "otter.md"
        assert engine.status().pending == 0
