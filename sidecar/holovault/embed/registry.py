"""Which models of fastembed's kind lie on this machine, and how each of them is read: `models.json` in the home's `models` folder.

Owns that file. A vault's knowledge.toml only names a model, because what comes with a vault must not lead out of it; where the model
lies and how it is pooled is written here, by the person's own command. Must not load a model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from holovault.errors import DiskError

Pooling = Literal["", "mean", "cls"]
FILE = "models.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Record:
    """One model on disk. `folder` is absolute, or relative to the `models` folder for what was downloaded; `file` is the weights in it.

    `trained` is in tokens. `pooling` is empty where fastembed knows the model and pools as it always does. `revision` is the hub's name
    for the version that was downloaded, empty for a person's own folder.
    """

    name: str
    folder: str
    file: str
    dimension: int
    trained: int
    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: Pooling = ""
    licence: str = ""
    revision: str = ""
    memory_mb: int = 0

    @property
    def downloaded(self) -> bool:
        """Whether the files are ours to remove."""
        return bool(self.revision)


@dataclass(frozen=True, slots=True)
class _Contents:
    version: int = _VERSION
    models: tuple[Record, ...] = ()


class Registry:
    """The records of one `models` folder; every call reads the file anew, because another process may have written it."""

    def __init__(self, models: Path) -> None:
        self.models = models
        self._path = models / FILE

    def all(self) -> Mapping[str, Record]:
        """Records by lower-case name. Raises DiskError where the file is not ours."""
        try:
            contents = msgspec.json.decode(self._path.read_bytes(), type=_Contents)
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError) as error:
            raise DiskError(f"{self._path} cannot be read: {error}. Move it away, then add or download your models again.") from error
        if contents.version > _VERSION:
            raise DiskError(f"{self._path} was written by a newer Holovault. Update this one, or move the file away.")
        return {record.name.casefold(): record for record in contents.models}

    def find(self, name: str) -> Record | None:
        """The record of a name, upper and lower case alike."""
        return self.all().get(name.casefold())

    def place(self, record: Record) -> Path:
        """The folder of the model's files."""
        return self.models / record.folder

    def on_disk(self, record: Record) -> bool:
        """Whether the weights are where the record says."""
        return (self.place(record) / record.file).is_file()

    def put(self, record: Record) -> None:
        """Adds the record, in place of one with the same name."""
        self._change({record.name.casefold(): record})

    def drop(self, name: str) -> None:
        """Forgets a name; nothing on disk but the file itself changes."""
        self._change({name.casefold(): None})

    def _change(self, changes: Mapping[str, Record | None]) -> None:
        # Imported here: the embed worker only reads.
        from filelock import FileLock

        from holovault.config import private_folder, write_private

        private_folder(self.models)
        with FileLock(self.models / f"{FILE}.lock", timeout=30):
            merged = {**self.all(), **changes}
            kept = sorted((record for record in merged.values() if record), key=lambda record: record.name.casefold())
            write_private(self._path, msgspec.json.format(msgspec.json.encode(_Contents(models=tuple(kept)))))
