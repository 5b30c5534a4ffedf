"""The models on this machine: looking them up, fetching them, taking a person's own folder, removing them.

Owns what happens in the home's `models` folder, step by step, so that a model is either on the list with all of its files or not there.
What needs fastembed or the network happens in a helper process (`hub`). Must not touch a vault or decide which model it uses.
"""

import difflib
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from holovault.embed.catalogue import CATALOGUE, known
from holovault.embed.helper import DamagedError, Helper
from holovault.embed.hubwire import Done, Fetch, Look, Measure, Measured, Plan, Planned, Seen
from holovault.embed.ownfolder import Wishes, check, described
from holovault.embed.registry import Record, Registry
from holovault.errors import BusyError, DiskError, NotFoundError, UsageError, UserError

Progress = Callable[[int, int], None]
"""Bytes that are there, of so many."""

_PARTS = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "preprocessor_config.json")
_LOOK_S, _FETCH_S, _MEASURE_S = 60.0, 24 * 3600.0, 600.0
_SPARE = 1.05
_DOWNLOADS = "fastembed"
_PLAN = "plan.json"


@dataclass(frozen=True, slots=True)
class Removed:
    """What `remove` did: the folder of a person's own model stays where it is."""

    name: str
    folder: str
    megabytes: int
    files_kept: bool


class Shelf:
    """The models of one `models` folder; `helper` gives the process that one command asks, and ends it."""

    def __init__(self, models: Path, helper: Callable[[], AbstractContextManager[Helper]]) -> None:
        self.registry = Registry(models)
        self._models = models
        self._helper = helper

    def download(self, name: str, progress: Progress) -> Record:
        """The model with all of its files on disk, fetched unless they are there; an interrupted download goes on where it stopped.

        UserError where the hub cannot be reached or the files cannot be used, NotFoundError for a name that fastembed does not know.
        """
        if record := self._whole(name):
            return record
        with self._helper() as ask:
            seen = self._seen(ask, name)
            with self._alone(seen.name):
                # Another command may have fetched it meanwhile, and a daemon may have it loaded.
                if record := self._whole(seen.name):
                    return record
                record = self._fetch(ask, seen, progress)
                self.registry.put(record)
        return record

    def add(self, wishes: Wishes) -> Record:
        """Puts a person's own folder on the list, after the model in it has embedded something.

        UsageError for what is missing or contradicts the files, UserError where the model cannot be run.
        """
        check(wishes)
        with self._helper() as ask:
            seen = ask(Look(wishes.name), Seen, _LOOK_S)
            record = described(wishes, seen, known(wishes.name))
            measured = ask(Measure(record, record.folder), Measured, _MEASURE_S)
        record = _measured(record, measured, wishes.dimension)
        self.registry.put(record)
        return record

    def remove(self, name: str) -> Removed:
        """Takes a model off the list, and its files off the disk if they were downloaded.

        NotFoundError where there is none, BusyError while it is being fetched.
        """
        if self.registry.find(name) is None and not self._staging(name).exists():
            raise NotFoundError(f"There is no model {name} on this machine. See what there is with: holovault model list")
        with self._alone(name):
            return self._taken_off(name, self.registry.find(name), self._staging(name))

    def megabytes(self, record: Record) -> int:
        """What the model's folder takes on disk."""
        return _megabytes(_size(self.registry.place(record)))

    def started(self, name: str) -> bool:
        """Whether a download of this name was interrupted."""
        return self._staging(name).exists()

    def _taken_off(self, name: str, record: Record | None, staging: Path) -> Removed:
        ours = [staging]
        if record is not None:
            self.registry.drop(name)
            ours += [self.registry.place(record)] if record.downloaded else []
        size = sum(_size(folder) for folder in ours)
        for folder in ours:
            _delete(folder)
        kept = record is not None and not record.downloaded
        place = self.registry.place(record) if record else staging
        return Removed(record.name if record else name, str(place), _megabytes(size), kept)

    def _whole(self, name: str) -> Record | None:
        """The record of a model whose weights are on the disk."""
        record = self.registry.find(name)
        return record if record is not None and self.registry.on_disk(record) else None

    def _seen(self, ask: Helper, name: str) -> Seen:
        seen = ask(Look(name), Seen, _LOOK_S)
        if not seen.name:
            raise NotFoundError(_unknown(name))
        if not seen.repository:
            raise UserError(f"The hub does not have {seen.name}. Bring its files and run: holovault model add {seen.name} FOLDER")
        return seen

    def _fetch(self, ask: Helper, seen: Seen, progress: Progress) -> Record:
        needed = {seen.file, *seen.more, "tokenizer.json"}
        plan = ask(Plan(seen.repository, tuple({*needed, *_PARTS})), Planned, _LOOK_S)
        if missing := needed - {file.path for file in plan.files}:
            raise UserError(
                f"The hub's {seen.repository} lacks {', '.join(sorted(missing))}, so {seen.name} cannot be fetched. Update fastembed."
            )
        staging = self._staging(seen.name)
        _same_version(staging, plan)
        total = sum(file.size for file in plan.files)
        self._room_for(total - _size(staging))
        for file in plan.files:
            self._fetch_file(
                ask, Fetch(seen.repository, plan.revision, file, str(staging)), lambda: progress(_loaded(staging, plan), total)
            )
        progress(total, total)
        facts = known(seen.name)
        record = Record(
            name=seen.name,
            folder=f"{_DOWNLOADS}/{_safe(seen.name)}",
            file=seen.file,
            dimension=seen.dimension,
            trained=facts.trained if facts else seen.trained,
            query_prefix=facts.query_prefix if facts else "",
            passage_prefix=facts.passage_prefix if facts else "",
            licence=seen.licence,
            revision=plan.revision,
        )
        record = _measured(record, ask(Measure(record, str(staging)), Measured, _MEASURE_S), None)
        _move(staging, self.registry.place(record))
        return record

    def _fetch_file(self, ask: Helper, request: Fetch, look: Callable[[], None]) -> None:
        """Once more where the bytes that arrived were not the right ones: what was wrong is gone by then."""
        try:
            ask(request, Done, _FETCH_S, look)
        except DamagedError:
            ask(request, Done, _FETCH_S, look)

    def _staging(self, name: str) -> Path:
        facts = known(name)
        return self._models / _DOWNLOADS / f"{_safe(facts.name if facts else name)}.part"

    def _room_for(self, size: int) -> None:
        free = shutil.disk_usage(self._models).free
        if free < size * _SPARE:
            raise DiskError(
                f"{self._models} has {_megabytes(free)} MB left, and the model needs {_megabytes(size)}. Make room and try again."
            )

    @contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        lock = self._models / _DOWNLOADS / f"{_safe(name)}.lock"
        turn = FileLock(lock, timeout=0)
        try:
            lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            turn.acquire()
        except Timeout:
            raise BusyError(f"Another command is fetching {name} just now. Wait for it, then try again.") from None
        except OSError as error:
            raise _unwritable(lock.parent, error) from error
        try:
            yield
        finally:
            turn.release()


def _measured(record: Record, found: Measured, claimed: int | None) -> Record:
    """The record with what the model turned out to be; UsageError where a claim is not true."""
    if claimed and claimed != found.dimension:
        raise UsageError(
            f"{record.name} gives vectors of {found.dimension} numbers, not {claimed}: leave out --dimension, or check the folder."
        )
    trained = min(record.trained, found.limit)
    return replace(record, dimension=found.dimension, trained=trained, memory_mb=found.megabytes)


def _same_version(staging: Path, plan: Planned) -> None:
    """Files of another version than the plan's are no start: then the folder begins empty."""
    note = staging / _PLAN
    if staging.exists() and (not note.is_file() or note.read_text(encoding="utf-8") != plan.revision):
        _delete(staging)
    try:
        staging.mkdir(mode=0o700, parents=True, exist_ok=True)
        note.write_text(plan.revision, encoding="utf-8")
    except OSError as error:
        raise _unwritable(staging, error) from error


def _loaded(staging: Path, plan: Planned) -> int:
    """Bytes of the plan's files that have arrived, those still on their way included."""
    places = (staging / file.path for file in plan.files)
    return sum(_length(place) or _length(place.with_name(f"{place.name}.part")) for place in places)


def _move(staging: Path, place: Path) -> None:
    (staging / _PLAN).unlink(missing_ok=True)
    _delete(place)
    try:
        staging.rename(place)
    except OSError as error:
        raise DiskError(f"{staging} cannot be renamed to {place.name}: {error.strerror or error}. Run the command again.") from error


def _delete(folder: Path) -> None:
    try:
        if folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        words = f"{folder} cannot be removed: {error.strerror or error}. If a daemon has the model loaded, stop it first: holovault stop"
        raise DiskError(words) from error


def _unwritable(folder: Path, error: OSError) -> DiskError:
    words = f"{folder} cannot be written: {error.strerror or error}."
    return DiskError(f"{words} Look at its permissions and at the room on its disk, then run the command again.")


def _size(folder: Path) -> int:
    return sum(_length(path) for path in folder.rglob("*")) if folder.is_dir() else 0


def _length(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0  # renamed a moment ago


def _megabytes(size: int) -> int:
    return round(size / 1_000_000)


def _safe(name: str) -> str:
    """The name of a model as the name of one folder, on every system."""
    return re.sub(r"[^a-z0-9._-]+", "--", name.casefold()).strip(".")


def _unknown(name: str) -> str:
    close = difflib.get_close_matches(name.casefold(), [model.name.casefold() for model in CATALOGUE], n=1)
    meant = known(close[0]) if close else None
    guess = f"Did you mean {meant.name}?" if meant else "`holovault model list` shows what there is."
    return f"fastembed has no model {name}. {guess} A folder of your own comes in with `holovault model add`."
