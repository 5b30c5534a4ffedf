"""What was written in the last ten minutes, kept until it is sure that no stale window of an editor saved over it.

Owns two folders beside the index, never in the vault. `written/` holds the last write of each note for ten minutes. Where another
program's save lost it, both texts become files in `overwritten/`, listed until the note has the written text again, is no
note any more, a person removes the folder, or seven days have passed. Must not change a note.
"""

import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import msgspec

from holovault.config import private_folder, write_private
from holovault.engine.overwrites import overwritten
from holovault.errors import NotFoundError, PathForbiddenError, UserError
from holovault.indexer import rfc3339
from holovault.model import Failure
from holovault.vault import Vault

_log = logging.getLogger(__name__)

WATCHED_S = 600.0
LISTED_S = 7 * 24 * 3600.0
MOST_NOTES = 256
MOST_BYTES = 64_000_000
WRITTEN = "written.md"
OVER_IT = "saved over it.md"


@dataclass(frozen=True, slots=True)
class _Kept:
    """One acknowledged write. `at` is seconds since the epoch."""

    path: str
    at: float
    before: bytes
    written: bytes


@dataclass(frozen=True, slots=True)
class _About:
    path: str
    written_at: str
    seen: float
    hash: str


class Written:
    """The last writes of one vault. All methods may be called from any thread; none raises because a copy could not be kept."""

    def __init__(self, folder: Path, vault: Callable[[], Vault], now: Callable[[], datetime], most: int = MOST_NOTES) -> None:
        self._watched = folder / "written"
        self._lost = folder / "overwritten"
        self._vault = vault
        self._now = now
        self._most = most
        self._turn = threading.Lock()

    def keep(self, path: str, before: bytes, written: bytes) -> None:
        """Remember a write that is about to be acknowledged."""
        kept = _Kept(path, self._now().timestamp(), before, written)
        if before == written:
            return
        try:
            private_folder(self._watched)
            write_private(self._place(path), msgspec.msgpack.encode(kept))
            self._bound()
        except (OSError, UserError) as fault:
            _log.warning("the copy of a write could not be kept: %s", type(fault).__name__)

    def look(self, paths: Iterable[str]) -> None:
        """These notes have changed: has one of them lost what was written into it?"""
        for path in paths:
            self._judge(self._place(path))

    def tidy(self) -> None:
        """Let go of what is older than ten minutes, after a last look, and of losses that are none any more."""
        now = self._now().timestamp()
        for place in _files(self._watched):
            kept = _load(place)
            if kept is None or now - kept.at > WATCHED_S or not self._stands(kept.path):
                self._judge(place)
        for folder in _files(self._lost):
            about = _about(folder)
            if about is None or now - about.seen > LISTED_S or not self._stands(about.path) or self._is_restored(about):
                shutil.rmtree(folder, ignore_errors=True)

    def losses(self) -> tuple[Failure, ...]:
        """Every written text that another program saved over, with where both texts are."""
        return tuple(
            Failure(about.path, "overwritten", _told(about, folder), rfc3339(datetime.fromtimestamp(about.seen, UTC)))
            for folder in _files(self._lost)
            if (about := _about(folder)) is not None
        )

    def _judge(self, place: Path) -> None:
        with self._turn:  # one loss is listed once
            self._judged(place)

    def _judged(self, place: Path) -> None:
        kept = _load(place)
        if kept is None:
            return self._drop(place)
        try:
            found = self._vault().read(kept.path)
        except (NotFoundError, PathForbiddenError):
            return None if self._stands(kept.path) else self._drop(place)  # moved or deleted by a person
        except UserError:
            return None
        late = found.state.mtime_ns / 1e9 - kept.at > WATCHED_S
        if not late and overwritten(kept.before, kept.written, found.data):
            return self._drop(place) if self._listed(kept, found.data) else None
        if late or self._now().timestamp() - kept.at > WATCHED_S:
            return self._drop(place)
        return None

    def _listed(self, kept: _Kept, found: bytes) -> bool:
        now = self._now()
        digest = sha256(kept.written).hexdigest()
        folder = self._lost / f"{now:%Y-%m-%d %H%M%S} {digest[:8]}"
        about = _About(kept.path, rfc3339(datetime.fromtimestamp(kept.at, UTC)), now.timestamp(), digest)
        try:
            private_folder(self._lost)
            private_folder(folder)
            write_private(folder / WRITTEN, kept.written)
            write_private(folder / OVER_IT, found)
            write_private(folder / "about.json", msgspec.json.encode(about))
        except (OSError, UserError) as fault:
            _log.warning("a written text was saved over, and both versions cannot be kept yet: %s", type(fault).__name__)
            return False
        _log.warning("a written text was saved over by another program: %s", kept.path)
        return True

    def _stands(self, path: str) -> bool:
        """Whether a path is still a note; true too where nobody can say, because the vault is away."""
        vault = self._vault()
        return not vault.present() or (vault.excluded_by(path) is None and vault.exists(path))

    def _is_restored(self, about: _About) -> bool:
        with suppress(UserError):
            return self._vault().read(about.path).state.hash == about.hash
        return False

    def _place(self, path: str) -> Path:
        return self._watched / f"{sha256(path.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.kept"

    def _drop(self, place: Path) -> None:
        with suppress(OSError):
            place.unlink(missing_ok=True)

    def _bound(self) -> None:
        sized = sorted(
            ((found.st_mtime_ns, found.st_size, place) for place in _files(self._watched) if (found := _stat(place))), reverse=True
        )
        total = 0
        for number, (_, size, place) in enumerate(sized, start=1):
            total += size
            if number > self._most or (total > MOST_BYTES and number > 1):
                self._drop(place)


def _told(about: _About, folder: Path) -> str:
    return (
        f"what was written at {about.written_at} was lost when another program saved an older text over it. "
        f'Compare "{folder / WRITTEN}" (what was written) with "{folder / OVER_IT}" (what the other program saved), '
        "copy what is missing back into the note, then delete the folder of these two files. "
        "This is listed until then, for seven days at most"
    )


def _stat(place: Path) -> os.stat_result | None:
    with suppress(OSError):
        return place.stat()
    return None


def _files(folder: Path) -> Iterator[Path]:
    with suppress(FileNotFoundError):
        yield from sorted(folder.iterdir())


def _load(place: Path) -> _Kept | None:
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.msgpack.decode(place.read_bytes(), type=_Kept)
    return None


def _about(folder: Path) -> _About | None:
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode((folder / "about.json").read_bytes(), type=_About)
    return None
