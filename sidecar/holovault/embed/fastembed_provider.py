"""Provider `fastembed`: ONNX and static models that fastembed runs (https://github.com/qdrant/fastembed, Apache-2.0).

Owns its spec, its loading, and the promise that no text is cut: fastembed shortens what is too long without a word, so its truncation
is switched off and what is too long is read in pieces of about one length, whose vectors are averaged. `load` is for the worker alone and
reads a model from its folder, never from a network.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from holovault.embed.catalogue import DEFAULT, known, sorts_by_language, window_of
from holovault.embed.fitting import Spans, pieces
from holovault.embed.registry import Record, Registry
from holovault.embed.spec import Kind, ModelSpec, Vectors
from holovault.embed.trouble import Trouble, TroubleError
from holovault.errors import DiskError

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Tokenizer

    from holovault.config import EmbeddingConfig

PROVIDER = "fastembed"
BATCH = 1
"""Texts at a time. Measured with all-MiniLM-L6-v2 on one core: 21 windows a second and 188 MB by ones, 17 and 210 by fours, 14 and 235
by eights, because a batch is padded to its longest text; and a question waits for one window, not for four."""
LEAST_TEXT = 8
"""Tokens that must be left for a text after its prefix and the model's own marks."""


def spec(config: "EmbeddingConfig", models: Path | None) -> ModelSpec | None:
    """The spec of the configured model, from `models.json` or the catalogue; None where neither knows it. DiskError as for Registry."""
    name = config.model or DEFAULT
    record = Registry(models).find(name) if models else None
    found = record or known(name)
    if found is None:
        return None
    return ModelSpec(
        provider=PROVIDER,
        name=found.name,
        dimension=found.dimension,
        window=window_of(config.window, found.trained),
        query_prefix=found.query_prefix if config.query_prefix is None else config.query_prefix,
        passage_prefix=found.passage_prefix if config.passage_prefix is None else config.passage_prefix,
        pooling=record.pooling if record else "",
        centring=sorts_by_language(found.name),
    )


def absent(name: str | None, models: Path | None) -> str | None:
    """Why the model cannot be loaded from this machine's disk, with the next step; None when it can."""
    name = name or DEFAULT
    if models is None:
        return f"there is no folder for the model {name}"
    try:
        record = Registry(models).find(name)
    except DiskError as error:
        return str(error)
    if record is None and known(name):
        return f"the model {name} is not on this machine: `holovault model download {name}` fetches it"
    if record is None:
        return f"nothing is known of the model {name} here: `holovault model list` shows what there is, `holovault model add` adds a folder"
    if not Registry(models).on_disk(record):
        return f"the files of the model {name} are gone from {Registry(models).place(record)}: download or add it again"
    return None


def load(spec: ModelSpec, *settings: bytes) -> "FastembedModel":
    """The model of the `models` folder that `settings` names, in 0.3 to 10 s; TroubleError where it is not there or cannot be read."""
    models = Path(settings[0].decode("utf-8"))
    reason = absent(spec.name, models)
    record = Registry(models).find(spec.name)
    if reason or record is None:
        raise TroubleError(Trouble(str(reason), "denied"))
    return open_model(spec, record, Registry(models).place(record))


def open_model(spec: ModelSpec, record: Record, folder: Path) -> "FastembedModel":
    """The model in `folder`. TroubleError where fastembed is not installed; ValueError and whatever fastembed raises for bad files."""
    try:
        import onnxruntime
        from fastembed import TextEmbedding
    except ImportError as error:
        words = f'fastembed cannot be used here ({error}): install it, or set provider = "bundled" in [embedding]'
        raise TroubleError(Trouble(words, "denied")) from error
    cast(Any, onnxruntime).disable_telemetry_events()  # Windows; elsewhere the worker's environment says it before the library starts
    name = _registered(TextEmbedding, spec, record) if spec.pooling else spec.name
    still = record.file.endswith(".safetensors")
    options: dict[str, Any] = {} if still else {"threads": 1, "enable_cpu_mem_arena": False}
    model = TextEmbedding(name, specific_model_path=str(folder), cache_dir=str(folder), **options)
    return FastembedModel(spec, model, record.trained)


def _registered(library: "type[TextEmbedding]", spec: ModelSpec, record: Record) -> str:
    """The library's name for a model that it does not know by itself, made known to it: another reading of the files is another name."""
    from fastembed.common.model_description import ModelSource, PoolingType

    name = f"{spec.name}@{spec.pooling}/{record.file}"
    if all(model["model"] != name for model in library.list_supported_models()):
        library.add_custom_model(
            model=name,
            pooling=PoolingType[spec.pooling.upper()],
            normalization=True,
            sources=ModelSource(url="file:"),
            dim=spec.dimension,
            model_file=record.file,
        )
    return name


class FastembedModel:
    """An Embedder. A text of which the model knows nothing has a fixed direction of its own, near no other text."""

    def __init__(self, spec: ModelSpec, model: "TextEmbedding", trained: int) -> None:
        self.spec = spec
        self._model = model
        self._tokenizer = cast("Tokenizer", cast(Any, model.model).tokenizer)
        shortened = self._tokenizer.truncation
        self.limit: int = min(trained, shortened["max_length"]) if shortened else trained
        self._tokenizer.no_truncation()
        for kind in ("query", "passage"):
            if (taken := self.tokens("", kind)) + LEAST_TEXT > self.limit:
                raise ValueError(f"the {kind} prefix takes {taken} of the {self.limit} tokens that {spec.name} reads")

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Unit float32 rows (n, dimension)."""
        if not texts:
            return np.zeros((0, self.spec.dimension), np.float32)
        parts = [pieces(text, self.limit, lambda piece: self.tokens(piece, kind), self._spans) for text in texts]
        sent = [self._prefix(kind) + piece for part in parts for piece in part]
        ask = self._model.query_embed if kind == "query" else self._model.passage_embed
        rows = _unit(np.stack([np.asarray(row, np.float32).reshape(-1) for row in ask(sent, batch_size=BATCH)]))
        if len(rows) == len(texts):
            return rows
        starts = np.cumsum([0, *(len(part) for part in parts[:-1])])
        return _unit(np.add.reduceat(rows, starts))

    def tokens(self, text: str, kind: Kind) -> int:
        """How many tokens the model reads for a text, its prefix and the model's own marks included."""
        return sum(self._tokenizer.encode(self._prefix(kind) + text).attention_mask)

    def _prefix(self, kind: Kind) -> str:
        return self.spec.query_prefix if kind == "query" else self.spec.passage_prefix

    def _spans(self, text: str) -> Spans:
        read = self._tokenizer.encode(text, add_special_tokens=False)
        return [span for span, real in zip(read.offsets, read.attention_mask, strict=True) if real]


def _unit(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    nowhere = np.random.default_rng(0).standard_normal(rows.shape[1])
    rows = np.where(lengths > 1e-9, rows, nowhere)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
