"""What a change of model leaves behind and what is told of it: failures, room, speed, and the way from the quick model to the finer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from holovault.model import IndexRequest
from tests.support.changing import NEW, NOTES, OLD, NamedEmbedding, Works, changing_vault, engine_of, finds, steps, text, want, word
from tests.support.engines import index, open_engine
from tests.support.vaults import VaultFolder


@pytest.fixture
def works() -> Works:
    return Works()


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    return changing_vault(tmp_path / "vault")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def failing(works: Works) -> Iterator[Works]:
    def prepare(model: NamedEmbedding) -> None:
        if model.spec.name == "new":
            model.refused.add("weather")

    works.prepare = prepare
    yield works


def test_a_model_that_fails_on_everything_does_not_take_over(vault: VaultFolder, home: Path, failing: Works) -> None:
    with engine_of(vault.root, home, failing) as engine:
        index(engine)
        want(engine, vault.root, NEW)
        report = index(engine)
        assert engine.status().model.name == "old"
        assert finds(engine, 7) == ()
        assert any("does not take over" in failure.reason for failure in report.failed)
        failing.last("new").refused.clear()
        engine.index(_retrying())
        assert engine.status().model.name == "new"
        assert engine.status().failures == ()


def _retrying() -> IndexRequest:
    return IndexRequest(wait=True, retry_failed=True)


def test_failed_windows_are_counted_with_their_reason_and_tried_again_on_request(vault: VaultFolder, home: Path, works: Works) -> None:
    works.prepare = lambda model: model.refused.add(word(9))
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        status = engine.status()
        assert (status.model.failed, status.pending, status.embedded) == (1, 0, NOTES - 1)
        assert [(one.path, one.stage, "the test says so" in one.reason) for one in status.failures] == [("n009.md", "embed", True)]
        works.last("old").refused.clear()
        assert index(engine).embedded == 0
        assert engine.index(_retrying()).embedded == 1
        assert engine.status().failures == ()
        assert finds(engine, 9) == ()


def test_pruning_takes_the_sets_that_are_not_used_and_frees_their_bytes(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        index(engine)
        assert engine.prune().models == ()
        want(engine, vault.root, NEW)
        for _ in steps(engine):
            pass
        gone = engine.prune()
        assert (gone.models, gone.vectors) == (("test/old",), NOTES)
        assert gone.bytes > NOTES * 64 * 2 / 2
        assert finds(engine, 7) == ()
        assert engine.prune().models == ()
        want(engine, vault.root, OLD)
        for _ in steps(engine):
            assert finds(engine, 7) == ()
        assert len(works.embedded("old")) == 2 * NOTES
    with open_engine(vault.root, home, embedding=works.last("old")) as engine:
        assert engine.status().model.name == "old"


def test_refine_begins_with_the_bundled_model_and_ends_with_the_finer_one(vault: VaultFolder, home: Path, works: Works) -> None:
    vault.config('[embedding]\nprovider = "bundled"\nrefine = "e5"\n')
    with engine_of(vault.root, home, works) as engine:
        engine.catch_up(None)
        assert engine.status().model.name == "old"
        assert works.embedded("finer") == []
        assert finds(engine, 7) == ()
        for _ in steps(engine):
            assert finds(engine, 7) == ()
        assert works.running == ["finer"]
        engine.write("n500.md", f"{text(500)}\n".encode(), None, create=True)
        for _ in steps(engine):
            pass
        assert finds(engine, 500) == ()
        assert text(500) not in works.embedded("old")
    with engine_of(vault.root, home, works) as engine:
        assert works.running[-1:] == ["finer"]
        assert len([model for model in works.made if not model.closed]) == 1
        assert finds(engine, 500) == ()
        assert list(steps(engine)) == []


def test_status_tells_speed_and_time_left(vault: VaultFolder, home: Path, works: Works) -> None:
    with engine_of(vault.root, home, works) as engine:
        assert engine.status().rate is None
        index(engine)
        assert engine.status().eta_s is None
        want(engine, vault.root, NEW)
        coming = engine.status().filling
        assert coming is not None
        assert (coming.embedded, coming.pending) == (0, NOTES), "what is not begun is no less to do"
        next(steps(engine))
        status = engine.status()
        assert status.filling is not None
        assert status.filling.embedded + status.filling.pending == NOTES
        assert status.rate is not None
        assert status.eta_s == pytest.approx(status.filling.pending / status.rate, rel=0.05)
        assert status.state == "embedding"
