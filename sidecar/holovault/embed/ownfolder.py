"""A person's own folder with a model: what its files say, what the person said, and what of it is kept.

Owns that decision. Only looks into the folder that was named, and runs nothing in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from holovault.config.checks import MODEL, Refused
from holovault.embed.catalogue import Known
from holovault.embed.hubwire import Seen
from holovault.embed.registry import Pooling, Record
from holovault.errors import NotFoundError, UsageError

_USUAL = ("onnx/model.onnx", "model.onnx", "model_optimized.onnx", "onnx/model_optimized.onnx", "onnx/model_quantized.onnx")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person said about a folder; None where nothing was said. `trained` is in tokens."""

    name: str
    folder: Path
    dimension: int | None = None
    trained: int | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None
    pooling: Pooling | None = None
    file: str | None = None
    licence: str | None = None


class _SentenceBert(msgspec.Struct):
    """`sentence_bert_config.json` of sentence-transformers."""

    max_seq_length: int | None = None


class _Pooling(msgspec.Struct):
    """`1_Pooling/config.json` of sentence-transformers."""

    pooling_mode_cls_token: bool = False
    pooling_mode_mean_tokens: bool = False


def check(wishes: Wishes) -> None:
    """UsageError or NotFoundError for what is wrong whatever the model is."""
    try:
        MODEL(wishes.name)
    except Refused as refused:
        raise UsageError(f"The name {refused}") from None
    folder = _folder(wishes)
    if not folder.is_dir():
        raise NotFoundError(f"There is no folder {folder}.")
    if not (folder / "tokenizer.json").is_file():
        raise NotFoundError(f"{folder} has no tokenizer.json. A model's folder holds its ONNX file and its tokenizer's files.")


def described(wishes: Wishes, seen: Seen, facts: Known | None) -> Record:
    """The record for a folder, dimension as far as anybody said. `seen` and `facts` are what fastembed and the catalogue know of the name.

    UsageError for what is missing or contradicts, NotFoundError for files that are not there.
    """
    folder = _folder(wishes)
    ours = seen.name != ""
    if ours and wishes.pooling:
        raise UsageError(f"fastembed knows {seen.name} and how it is pooled: leave out --pooling, or give the folder a name of its own.")
    return Record(
        name=seen.name or wishes.name,
        folder=str(folder),
        file=_file(folder, seen.file or wishes.file),
        dimension=wishes.dimension or seen.dimension,
        trained=wishes.trained or _trained(folder, seen, facts),
        query_prefix=_first(wishes.query_prefix, facts.query_prefix if facts else None),
        passage_prefix=_first(wishes.passage_prefix, facts.passage_prefix if facts else None),
        pooling="" if ours else wishes.pooling or _pooling(folder),
        licence=_first(wishes.licence, seen.licence),
    )


def _first(*said: str | None) -> str:
    return next((words for words in said if words is not None), "")


def _folder(wishes: Wishes) -> Path:
    return wishes.folder.expanduser().resolve()


def _file(folder: Path, wanted: str | None) -> str:
    if wanted:
        inside = (folder / wanted).resolve()
        if not inside.is_relative_to(folder) or not inside.is_file():
            raise NotFoundError(f"{folder} has no file {wanted}.")
        return wanted
    found = [name for name in _USUAL if (folder / name).is_file()] or sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*.onnx")
    )
    if len(found) == 1:
        return found[0]
    there = f" It has {_listed(found)}." if found else ""
    raise UsageError(f"Name the ONNX file in {folder} with --file.{there}")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:6]) + (" and more" if len(names) > 6 else "")


def _trained(folder: Path, seen: Seen, facts: Known | None) -> int:
    if facts:
        return facts.trained
    if seen.name:
        return seen.trained
    try:
        said = msgspec.json.decode((folder / "sentence_bert_config.json").read_bytes(), type=_SentenceBert).max_seq_length
    except (OSError, msgspec.MsgspecError):
        said = None
    if not said:
        raise UsageError(f"Say with --window how many tokens the model in {folder} was trained to read, such as 128 or 512.")
    return said


def _pooling(folder: Path) -> Pooling:
    try:
        said = msgspec.json.decode((folder / "1_Pooling" / "config.json").read_bytes(), type=_Pooling)
    except (OSError, msgspec.MsgspecError):
        return "mean"
    return "cls" if said.pooling_mode_cls_token and not said.pooling_mode_mean_tokens else "mean"
