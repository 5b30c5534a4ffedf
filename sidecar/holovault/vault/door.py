"""The vault: the only door to people's files.

Owns which paths may be read and written, and puts the parts together: `places` (where), `excludes` (whether),
`scanner` (what is there), `contents` (read), `writer` (write). Must not parse notes or know the index.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from holovault.config import VaultConfig
from holovault.errors import (
    DiskError,
    NotFoundError,
    PathForbiddenError,
    StaleError,
    TooLargeError,
    UsageError,
)
from holovault.model import FileState, WriteResult
from holovault.vault.contents import data_of, fingerprint, opened, sha256, unreadable
from holovault.vault.excludes import Excludes, ObsidianFilters, load_obsidian, stamp_of
from holovault.vault.folders import Folder, open_folder
from holovault.vault.leftovers import Sweep, Sweeper
from holovault.vault.locks import WriteLock
from holovault.vault.names import checked, fault_of, has_unseen, is_note_name, nfc
from holovault.vault.places import Place, Places
from holovault.vault.scanner import Scan, Walk, missing
from holovault.vault.swaps import Swap, system_swap
from holovault.vault.writer import Writer, stale

_READ_TRIES = 3
_CHANGE_TRIES = 3

Identity = tuple[int, int]

Change = Callable[[bytes], bytes]
"""From a note's bytes to those that it shall have."""


class _OvertakenError(Exception):
    """The note was written by somebody else between reading and replacing it."""

    def __init__(self, by: StaleError) -> None:
        self.by = by
        super().__init__()


@dataclass(frozen=True, slots=True)
class NoteBytes:
    """A note's bytes, and the file as it was when they were read."""

    data: bytes
    state: FileState


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Vault:
    """One vault. Paths are vault-relative, `/`-separated, NFC; all methods may be called from any thread.

    The root need not exist yet: `present` says whether it is there.
    """

    def __init__(
        self,
        root: Path,
        config: VaultConfig,
        now: Callable[[], datetime] = _utc_now,
        *,
        swap: Swap | None = None,
        lock_wait_s: float = 10.0,
    ) -> None:
        self._places = Places(root)
        self._config = config
        self._now = now
        self._limit = config.max_note_mb * 1_000_000
        self._excludes = Excludes(config.exclude, load_obsidian(self.root, ObsidianFilters()))
        lock = WriteLock(self._places.root, lock_wait_s)
        self._writer = Writer(self._places.root, lock, swap or system_swap(), now)
        self._sweeper = Sweeper(self._places.root, lock, self._writer, now)
        self._alive: Identity | None = None
        self.present()

    @property
    def root(self) -> Path:
        """The real path of the vault's folder."""
        return Path(self._places.root)

    def present(self) -> bool:
        """Whether the vault is there. A mount point whose drive was taken away (another folder, and an empty one) is not."""
        try:
            found = os.stat(self._places.root)
            with os.scandir(self._places.root) as listing:
                empty = next(listing, None) is None
        except OSError:
            return False
        identity = (found.st_dev, found.st_ino)
        if not empty:
            self._alive = identity
        return not empty or self._alive in (None, identity)

    def scan(self, known: Mapping[str, FileState] | None = None) -> Scan:
        """Everything that is a note now. `known` are the notes of the index.

        Raises VaultMissingError where the root is away, also where it is a bare empty folder in which this
        process has never seen anything although notes are known: an unmounted drive looks like that.
        """
        self._refresh()
        walk = Walk(self._places, self._excludes, self._now().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"))
        scan = walk.run()
        if not self.present() or (known and not walk.entries and self._alive is None):
            raise missing(self._places.given)
        return scan

    def excluded_by(self, path: str) -> str | None:
        """The rule that keeps a path out of the search, in words; None where none does. Never raises."""
        return self._excludes.rule_for(nfc(path))

    def rules_changed(self) -> bool:
        """True where Obsidian's excluded files are others than those in use; the next scan takes them over."""
        try:
            return stamp_of(self.root) != self._excludes.obsidian.stamp
        except OSError:
            return False

    def is_note(self, path: str) -> bool:
        """Whether a path has the form of a note: inside the vault and ending in `.md`. Asks neither disk nor rules."""
        return fault_of(nfc(path)) is None and is_note_name(path)

    def exists(self, path: str) -> bool:
        """Whether a scan would see a file here. True too where the disk does not answer: that is no evidence of absence."""
        try:
            place = self._places.locate(path)
            with open_folder(self._places.root, place.folder) as folder:
                return not place.linked and stat.S_ISREG(folder.stat(place.name).st_mode)
        except PathForbiddenError:
            return False
        except OSError as error:
            return not isinstance(unreadable(path, error), NotFoundError)

    def resolve(self, path: str) -> Path:
        """The real file behind a vault-relative path; it need not exist. Raises PathForbiddenError for every way out."""
        return self._places.full(self._places.locate(path))

    def note_path(self, disk: Path | str) -> str:
        """The vault-relative NFC path of a path on disk ("" for the root). Raises PathForbiddenError for paths elsewhere."""
        return self._places.note_path(disk)

    def read(self, path: str) -> NoteBytes:
        """The bytes of a note and its state.

        Raises NotFoundError (certainly not there), PathForbiddenError (outside or excluded), TooLargeError,
        DiskError (could not be read) or VaultMissingError.
        """
        place = self._admitted(path, "read")
        try:
            return self._read(place)
        except NotFoundError:
            if not self.present():
                raise missing(self._places.given) from None
            raise

    def write(self, path: str, data: bytes, expected_hash: str | None, *, create: bool) -> WriteResult:
        """Create a note (`create`), or replace the one whose bytes hash to `expected_hash`; durable when this returns.

        A link is written through. The result's path is the real note's. Raises StaleError (with the current
        hash), NotFoundError, PathForbiddenError, UsageError, TooLargeError, DiskError, BusyError or
        VaultMissingError; the note is then as it was.
        """
        place = self._admitted(path, "written")
        self._acceptable(place, data, expected_hash, create)
        with self._there():
            if expected_hash is not None:
                return self._writer.replace(place, data, expected_hash.strip().lower())
            return self._writer.create(place, data) if create else self._unread(place)

    def change(self, path: str, change: Change, expected_hash: str | None) -> WriteResult:
        """Replace a note by what `change` makes of its bytes, as they are when it is replaced; durable when this returns.

        `change` is called again where another writer was faster, for the last time with all others kept out; it must
        not write, and what it raises is raised here. With `expected_hash` it is called for that version only. Raises
        what `write` raises; the note is then as it was.
        """
        place = self._admitted(path, "written")
        with self._there():
            for _ in range(_CHANGE_TRIES):
                with suppress(_OvertakenError):
                    return self._changed(place, change, expected_hash, self._writer.replace)
            with self._writer.alone() as replace:
                try:
                    return self._changed(place, change, expected_hash, replace)
                except _OvertakenError as error:
                    raise error.by from None

    def sweep(self, scan: Scan | None = None) -> Sweep:
        """Clear what killed writers left behind, as found by `scan` (None: look now). Displaced hand edits become notes."""
        return self._sweeper.sweep((scan or self.scan()).leftovers)

    @contextmanager
    def _there(self) -> Iterator[None]:
        """A write fails otherwise where the whole vault is away than where one note is."""
        if not self.present():
            raise missing(self._places.given)
        try:
            yield
        except (StaleError, NotFoundError, DiskError):
            if not self.present():
                raise missing(self._places.given) from None
            raise

    def _changed(
        self, place: Place, change: Change, expected_hash: str | None, replace: Callable[[Place, bytes, str], WriteResult]
    ) -> WriteResult:
        found = self._read(place)
        if expected_hash is not None and found.state.hash != expected_hash.strip().lower():
            raise stale(place.path, found.state.hash)
        data = change(found.data)
        self._acceptable(place, data, found.state.hash, False)
        try:
            return replace(place, data, found.state.hash)
        except StaleError as error:
            if expected_hash is not None or error.current_hash is None:
                raise
            raise _OvertakenError(error) from error

    def _refresh(self) -> None:
        obsidian = load_obsidian(self.root, self._excludes.obsidian)
        if obsidian is not self._excludes.obsidian:
            self._excludes = Excludes(self._config.exclude, obsidian)

    def _admitted(self, path: str, verb: str) -> Place:
        """The place of a note that may be touched, under the name asked for and under its real one."""
        self._admit(checked(path), verb)
        place = self._places.locate(path)
        if place.linked:
            self._admit(place.real_path, verb)
        return place

    def _admit(self, path: str, verb: str) -> None:
        if not is_note_name(path):
            raise UsageError(f"{path} is no note: only files whose names end in .md are {verb}.")
        if rule := self._excludes.rule_for(path):
            raise PathForbiddenError(f"{path} is not {verb}, because it is excluded ({rule}).")

    def _read(self, place: Place) -> NoteBytes:
        for attempt in range(_READ_TRIES):
            with self._folder(place) as folder, opened(folder, place.name, place.path) as (descriptor, before):
                data = data_of(descriptor, before, place.path, self._limit)
                after = os.fstat(descriptor)
            if attempt == _READ_TRIES - 1 or (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size):
                break
        # The state from before the bytes were read: the next scan then notices whatever happened since.
        state = FileState(place.path, place.disk, sha256(data), before.st_size, before.st_mtime_ns, before.st_ctime_ns, before.st_ino)
        return NoteBytes(data, state)

    def _folder(self, place: Place) -> Folder:
        try:
            return open_folder(self._places.root, place.folder)
        except OSError as error:
            raise unreadable(place.path, error) from error

    def _acceptable(self, place: Place, data: bytes, expected_hash: str | None, create: bool) -> None:
        if create and expected_hash is not None:
            raise UsageError(f"{place.path}: say either that the note is new, or which hash it has now, not both.")
        if len(data) > self._limit:
            limit = f"{self._config.max_note_mb} MB"
            raise TooLargeError(
                f"{place.path} would be larger than {limit}. Write less, or raise max_note_mb in [vault] of knowledge.toml."
            )
        if create and has_unseen(place.path):
            raise UsageError(f"{place.path!a} has control characters. Choose another name for the new note.")
        if create and self._is_dangling(place):
            raise PathForbiddenError(f"{place.path} is a link to nothing. Nothing was written; name the note it should lead to.")

    def _is_dangling(self, place: Place) -> bool:
        return place.linked and os.path.islink(os.path.join(self._places.root, place.disk)) and not self._places.full(place).exists()

    def _unread(self, place: Place) -> WriteResult:
        """A replacement without a hash: refused, with what the writer has to know."""
        with self._folder(place) as folder:
            current = fingerprint(folder, place.name, place.path).hash
        raise StaleError(f"{place.path} exists. Nothing was written; read it first and write with the hash that reading gave.", current)
