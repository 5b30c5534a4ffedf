"""The real fastembed in its real worker, on a small real ONNX model: vectors, prefixes, lengths, and what happens without the files."""

import socket
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
from tokenizers import Tokenizer

from holovault.chunking import chunk, window_string, windows
from holovault.config import EmbeddingConfig, Home
from holovault.embed import Embedding, EmbeddingService, Kind, ModelSpec, ModelUnavailable, Vectors, make_embedding
from holovault.embed.fastembed_provider import FastembedModel, load, open_model
from holovault.embed.registry import Record, Registry
from holovault.embed.trouble import TroubleError
from holovault.markdown import parse
from holovault.store import Store
from tests.support.fastembed_models import NAME, registered, service
from tests.support.processes import wait_until
from tests.support.tiny_model import DIMENSION, make_tiny_model

RIVERS = "the river rose in the night and took the old bridge with it"
BREAD = "flour water salt and a night of patience make a loaf of bread"
RUSSIAN = "река поднялась ночью и унесла старый мост"
CORPUS = [RIVERS, BREAD, RUSSIAN]
LIMIT = 24
FINE = 70
"""Pieces in a vocabulary so small that almost every letter is a token of its own."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def model(home: Home) -> Iterator[Embedding]:
    registered(home, CORPUS, limit=LIMIT, query_prefix="night ", passage_prefix="bridge ")
    embedding = service(home)
    yield embedding
    embedding.close()


def passage(model: EmbeddingService, text: str) -> Vectors:
    outcome = model.embed_passages([text])
    assert outcome.failed == (), outcome.reasons
    return np.array(outcome.vectors[0])


def test_vectors_have_the_models_dimension_and_length_one(model: Embedding) -> None:
    outcome = model.embed_passages([*CORPUS, RIVERS * 9])
    assert outcome.failed == ()
    assert outcome.vectors.shape == (4, DIMENSION)
    assert outcome.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(outcome.vectors, axis=1), 1, atol=1e-5)


def test_a_text_with_the_same_words_is_nearer_than_a_stranger(model: Embedding) -> None:
    asked = model.embed_query("which bridge did the river take", None)
    assert asked @ passage(model, RIVERS) > asked @ passage(model, BREAD) + 0.1


def test_a_vector_depends_on_its_text_and_not_on_its_neighbours(model: Embedding) -> None:
    texts = ["salt", RIVERS * 3, "night", BREAD, RUSSIAN]
    together = model.embed_passages(texts).vectors
    alone = np.stack([passage(model, text) for text in texts])
    assert np.einsum("ij,ij->i", together, alone).min() > 0.99999


def test_questions_and_passages_get_their_own_prefix_exactly_once(home: Home, model: Embedding, tmp_path: Path) -> None:
    bare = Home(tmp_path)
    registered(bare, CORPUS, limit=LIMIT)
    plain = service(bare)
    try:
        assert np.allclose(model.embed_query("salt", None), plain.embed_query("night salt", None), atol=1e-5)
        assert np.allclose(passage(model, "salt"), passage(plain, "bridge salt"), atol=1e-5)
        assert model.embed_query("salt", None) @ plain.embed_query("salt", None) < 0.99
    finally:
        plain.close()


@pytest.mark.parametrize("nothing", ["", " ", "\n\n\t", "\u200b", "芯片"])
def test_a_text_of_which_the_model_knows_nothing_has_a_finite_vector(model: Embedding, nothing: str) -> None:
    assert np.isfinite(passage(model, nothing)).all()
    assert np.isfinite(model.embed_query(nothing, None)).all()


def test_the_end_of_a_long_text_counts_where_fastembed_alone_drops_it(home: Home, model: Embedding) -> None:
    long = f"{BREAD} " * 3
    assert passage(model, f"{long} river bridge river bridge") @ passage(model, f"{long} flour salt flour salt") < 0.99
    record = Registry(home.models).find(NAME)
    assert record is not None
    alone = the_library_alone(replace(record, name="test/cuts"))
    first, second = alone.passage_embed([f"{long} river bridge river bridge", f"{long} flour salt flour salt"])
    assert np.allclose(first, second)


def the_library_alone(record: Record) -> TextEmbedding:
    """fastembed's own object on a tiny model, cutting as it always does."""
    known = {model["model"] for model in TextEmbedding.list_supported_models()}
    if record.name not in known:
        source = ModelSource(url="file:")
        TextEmbedding.add_custom_model(record.name, PoolingType.MEAN, True, source, DIMENSION, record.file)
    return TextEmbedding(record.name, specific_model_path=record.folder)


class Overheard:
    """The real library, and every text that it was sent."""

    def __init__(self, library: TextEmbedding) -> None:
        self.model = library.model
        self.sent: list[str] = []

    def query_embed(self, texts: list[str], batch_size: int) -> Iterable[object]:
        return self.passage_embed(texts, batch_size)

    def passage_embed(self, texts: list[str], batch_size: int) -> Iterable[object]:
        self.sent.extend(texts)
        return self.model.embed(texts, batch_size=batch_size)


NOTE = f"""# {RUSSIAN}

{RIVERS}. {BREAD}. {RUSSIAN}.

## {"Überschrift " * 12}

| река | ночь |
| --- | --- |
| {RUSSIAN} | {"=" * 90} |

- {"x" * 300}
- 芯片芯片芯片芯片芯片芯片芯片芯片芯片芯片芯片芯片
- 👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦 e\u0301e\u0301e\u0301

```python
{"def read(path: str) -> bytes: return open(path, 'rb').read()" * 5}
```
"""


@pytest.mark.parametrize("kind", ["query", "passage"])
@pytest.mark.parametrize("limit", [LIMIT, 128])
def test_nothing_that_is_sent_is_longer_than_the_model_reads(tmp_path: Path, kind: Kind, limit: int) -> None:
    name = f"test/strict-{kind}-{limit}"
    folder = make_tiny_model(tmp_path / "tiny", CORPUS, limit=limit, vocabulary=FINE)
    record = Record(name, str(folder), "model.onnx", DIMENSION, limit, pooling="mean")
    spec = ModelSpec("fastembed", name, DIMENSION, limit * 3 // 4, "ночь ", "night ", "mean")
    heard = Overheard(the_library_alone(record))
    strict = FastembedModel(spec, cast(Any, heard), limit)
    texts = [window_string(window, part.text) for part in chunk(parse(NOTE)) for window in windows(part, spec.window)]
    assert strict.embed(texts, kind).shape == (len(texts), DIMENSION)
    counter = Tokenizer.from_file(str(folder / "tokenizer.json"))
    sizes = [len(counter.encode(text).ids) for text in heard.sent]
    assert max(sizes) <= limit
    assert max(len(counter.encode(text).ids) for text in texts) > limit, "the windows alone would have been too long"
    prefix = "ночь " if kind == "query" else "night "
    assert "".join(text.removeprefix(prefix) for text in heard.sent) == "".join(texts)


def test_a_prefix_that_leaves_no_room_is_an_error(tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path / "tiny", CORPUS, limit=16, vocabulary=FINE)
    record = Record("test/crowded", str(folder), "model.onnx", DIMENSION, 16, pooling="mean")
    with pytest.raises(ValueError, match="the query prefix takes"):
        open_model(ModelSpec("fastembed", "test/crowded", DIMENSION, 16, RIVERS, "", "mean"), record, folder)


def test_another_pooling_is_another_fingerprint_even_under_the_same_name(home: Home, model: Embedding, tmp_path: Path) -> None:
    other = Home(tmp_path / "home")
    registered(other, CORPUS, limit=LIMIT, query_prefix="night ", passage_prefix="bridge ", pooling="cls")
    changed = service(other)
    try:
        before, after = model.probes(), changed.probes()
        assert changed.spec.identity != model.spec.identity
    finally:
        changed.close()
    assert np.einsum("ij,ij->i", before, after).max() < 0.999
    with Store.open(tmp_path / "index", 1, 1) as store:
        first = store.vectors.adopt(model.spec.identity, DIMENSION, before)
        assert store.vectors.adopt(model.spec.identity, DIMENSION, model.probes()) == first
        assert store.vectors.adopt(model.spec.identity, DIMENSION, after) != first


def test_a_model_that_is_not_downloaded_is_refused_with_the_command_and_taken_when_it_is_there(tmp_path: Path) -> None:
    home = Home(tmp_path)
    embedding = service(home, "sentence-transformers/all-MiniLM-L6-v2")
    try:
        assert embedding.spec.dimension == 384
        with pytest.raises(
            ModelUnavailable, match=r"not on this machine: `holovault model download sentence-transformers/all-MiniLM-L6-v2`"
        ):
            embedding.embed_query("salt", None)
        assert embedding.status().state == "failed"
        assert embedding.rss_mb() == 0
    finally:
        embedding.close()


def test_files_that_come_back_are_used_without_a_restart(tmp_path: Path) -> None:
    home = Home(tmp_path)
    record = registered(home, CORPUS, limit=LIMIT)
    weights = Path(record.folder) / record.file
    away = weights.rename(tmp_path / "away.onnx")
    embedding = service(home)
    try:
        with pytest.raises(ModelUnavailable, match=r"are gone from .*tiny"):
            embedding.embed_query("salt", None)
        away.rename(weights)
        assert embedding.embed_query("salt", None).shape == (DIMENSION,)
        assert embedding.status().state == "ready"
    finally:
        embedding.close()


@pytest.mark.parametrize(
    ("broken", "content"), [("model.onnx", b"no network"), ("tokenizer.json", b"{}"), ("tokenizer_config.json", b"{}")]
)
def test_damaged_files_are_a_reason_and_not_a_crash(tmp_path: Path, broken: str, content: bytes) -> None:
    home = Home(tmp_path)
    record = registered(home, CORPUS, limit=LIMIT)
    (Path(record.folder) / broken).write_bytes(content)
    embedding = service(home)
    try:
        with pytest.raises(ModelUnavailable, match="the embedding model failed"):
            embedding.embed_query("salt", None)
    finally:
        embedding.close()


def test_a_model_that_nobody_knows_costs_vectors_and_names_the_way(tmp_path: Path) -> None:
    for home in (Home(tmp_path), None):
        embedding = make_embedding(EmbeddingConfig(provider="fastembed", model="nobody/knows-it"), None, home)
        assert embedding.spec is None
        assert (embedding.status().provider, embedding.status().name, embedding.status().state) == (
            "fastembed",
            "nobody/knows-it",
            "failed",
        )
        with pytest.raises(ModelUnavailable):
            embedding.embed_query("salt", None)
        embedding.close()


def test_a_broken_list_of_models_costs_vectors_and_says_which_file(tmp_path: Path) -> None:
    home = Home(tmp_path)
    (home.models / "models.json").write_text("[", encoding="utf-8")
    embedding = make_embedding(EmbeddingConfig(provider="fastembed"), None, home)
    assert "models.json cannot be read" in (embedding.status().reason or "")
    embedding.close()


def heard_by(server: socket.socket) -> list[bytes]:
    """The first bytes of every caller so far, except those of other programs that look for a daemon of ours behind a reused port."""
    server.settimeout(0)
    said: list[bytes] = []
    while True:
        try:
            caller, _ = server.accept()
        except BlockingIOError:
            return [words for words in said if b"/v1/" not in words]
        with caller:
            caller.settimeout(5)
            said.append(caller.recv(400))


def test_loading_and_embedding_open_no_connection_and_leave_no_trace(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hub:
        address = f"http://127.0.0.1:{hub.getsockname()[1]}"
        for name in ("HF_ENDPOINT", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, address)
        for name in ("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME"):
            monkeypatch.setenv(name, str(tmp_path))
        for name in ("CI", "ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HF_HUB_OFFLINE", "0")
        fresh = service(home)
        try:
            assert fresh.embed_query("salt", None).shape == (DIMENSION,)
        finally:
            fresh.close()
        assert heard_by(hub) == []
    assert list(tmp_path.rglob("*")) == []


def test_an_unloaded_model_leaves_no_process_and_loads_again(home: Home) -> None:
    embedding = service(home, idle_unload_s=0.001)
    try:
        first = embedding.embed_query("salt", None)
        assert embedding.rss_mb() > 20
        assert wait_until(embedding.unload_if_idle)
        assert embedding.rss_mb() == 0
        assert np.allclose(embedding.embed_query("salt", None), first, atol=1e-6)
    finally:
        embedding.close()


def test_the_worker_refuses_a_model_that_left_the_list(home: Home, tmp_path: Path) -> None:
    with pytest.raises(TroubleError, match="nothing is known of the model gone/model"):
        load(ModelSpec("fastembed", "gone/model", 8, 96), str(tmp_path).encode())
