"""Writing a note: whole or not at all, and never over bytes that the writer had not read.

Owns the order of things: draft beside the note, flushed; under the lock compare the hash; exchange; look at
what was displaced; put it back where it was not what was expected. Invariant: a file of which we hold the
last copy is removed only where its bytes are the expected ones or our own. Must not decide which paths may
be written (`door` does).
"""

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import datetime

from holovault.errors import DiskError, NotFoundError, StaleError, UserError
from holovault.model import WriteResult
from holovault.vault.contents import Fingerprint, data_of, fingerprint, hash_of, opened, reason, sha256
from holovault.vault.drafts import Draft
from holovault.vault.folders import CAN_HOLD, Folder, open_folder
from holovault.vault.locks import WriteLock
from holovault.vault.places import Place
from holovault.vault.swaps import Swap

_log = logging.getLogger(__name__)

MAX_NAME_BYTES = 255


class Writer:
    """Writes into the vault at the real path `root`. One per vault; safe to use from any thread."""

    def __init__(self, root: str, lock: WriteLock, swap: Swap, now: Callable[[], datetime]) -> None:
        self._root = root
        self._lock = lock
        self._swap = swap
        self._now = now

    def replace(self, place: Place, data: bytes, expected: str) -> WriteResult:
        """Replace a note whose bytes hash to `expected`. Raises StaleError, DiskError, BusyError."""
        return self._replace(place, data, expected, self._lock.held)

    @contextmanager
    def alone(self) -> Iterator[Callable[[Place, bytes, str], WriteResult]]:
        """Holds the lock, for who reads and writes with no other writer in between; gives `replace` as it is then called."""
        try:
            with self._lock.held():
                yield lambda place, data, expected: self._replace(place, data, expected, nullcontext)
        except OSError as error:
            raise DiskError(f"{self._root} cannot be written to: {reason(error)}. Nothing was changed.") from error

    def _replace(self, place: Place, data: bytes, expected: str, held: Callable[[], AbstractContextManager[None]]) -> WriteResult:
        new = sha256(data)
        try:
            with open_folder(self._root, place.folder) as folder:
                self._writable(folder, place, expected)
                with self._drafted(folder, data, place.name, (new, expected)) as draft, held():
                    if self._current(folder, place, expected).hash != new:
                        draft.promote(new, expected)
                        self._exchange(folder, draft, place, new, expected)
                        folder.sync()
        except (FileNotFoundError, NotADirectoryError) as error:
            raise _gone(place.path) from error
        except OSError as error:
            raise _unwritten(place.path, error) from error
        return WriteResult(place.real_path, new, False, len(data))

    def create(self, place: Place, data: bytes) -> WriteResult:
        """Write a note that does not exist, and the folders above it. Raises StaleError where it does."""
        made: list[str] = []
        try:
            with open_folder(self._root, place.folder, make=True, made=made) as folder, self._drafted(folder, data, None, ()) as draft:
                with self._lock.held():
                    try:
                        self._swap.place(folder, draft.name, place.name)
                    except FileExistsError as error:
                        raise _exists(place.path, self._hash_now(folder, place)) from error
                folder.sync()
        except OSError as error:
            self._unmake(made)
            raise _unwritten(place.path, error) from error
        except BaseException:
            self._unmake(made)
            raise
        return WriteResult(place.real_path, sha256(data), True, len(data))

    def keep(self, folder: Folder, name: str, place_name: str) -> str:
        """Give a hidden file a visible name beside its note; returns that name."""
        stamp = self._now().strftime("%Y-%m-%d %H%M%S")
        for number in range(1, 1000):
            kept = conflict_name(place_name, f"{stamp}{f' {number}' if number > 1 else ''}")
            with suppress(FileExistsError):
                self._swap.place(folder, name, kept)
                folder.sync()
                return kept
        raise DiskError(f"{folder.path(name)} holds a text that was displaced; a thousand conflict notes of this second exist already.")

    @contextmanager
    def _drafted(self, folder: Folder, data: bytes, like: str | None, ours: Sequence[str]) -> Iterator[Draft]:
        """A flushed draft that is gone afterwards, unless it holds bytes that are neither new nor expected."""
        draft = Draft.write(folder, data, like)
        try:
            yield draft
        finally:
            with suppress(OSError, NotFoundError):  # what cannot be judged now is judged by the next sweep
                if not draft.aside or fingerprint(folder, draft.name, draft.name).hash in ours:
                    draft.discard()

    def _writable(self, folder: Folder, place: Place, expected: str) -> None:
        found = self._current(folder, place, expected).stat
        if not found.st_mode & 0o222:
            raise DiskError(f"{place.path} is marked read-only. Nothing was changed; make it writable if it should change.")

    def _current(self, folder: Folder, place: Place, expected: str) -> Fingerprint:
        try:
            current = fingerprint(folder, place.name, place.path)
        except NotFoundError:
            raise _gone(place.path) from None
        if current.hash != expected:
            raise stale(place.path, current.hash)
        return current

    def _hash_now(self, folder: Folder, place: Place) -> str | None:
        try:
            return fingerprint(folder, place.name, place.path).hash
        except (NotFoundError, DiskError):
            return None

    def _exchange(self, folder: Folder, draft: Draft, place: Place, new: str, expected: str) -> None:
        if not self._swap.exchange(folder, draft.name, place.name, draft.aside):
            return  # nothing was left to look at: this file system can only replace
        displaced = self._displaced(folder, draft, place, expected)
        if displaced is not None:
            self._put_back(folder, draft, place, new, displaced)

    def _displaced(self, folder: Folder, draft: Draft, place: Place, expected: str) -> str | None:
        """Remove the displaced bytes where they are the expected ones, else return their hash."""
        try:
            with opened(folder, draft.name, place.path) as (descriptor, before):
                displaced = hash_of(descriptor)
                if displaced == expected and CAN_HOLD:  # Windows removes no file that somebody, even we, holds open
                    draft.discard()
                    self._look_again(folder, descriptor, before, place)
        except (DiskError, NotFoundError):
            self._swap.exchange(folder, draft.name, place.name, draft.aside)  # unknown bytes are not ours to remove
            raise
        if displaced != expected:
            return displaced
        draft.discard()
        return None

    def _put_back(self, folder: Folder, draft: Draft, place: Place, new: str, displaced: str) -> None:
        self._swap.exchange(folder, draft.name, place.name, draft.aside)
        back = fingerprint(folder, draft.name, place.path).hash
        if back == new:
            raise stale(place.path, displaced)
        # Somebody saved once more in between. Theirs is the newest text; the older one stays as a note of its own.
        self._swap.exchange(folder, draft.name, place.name, draft.aside)
        kept = self.keep(folder, draft.name, place.name)
        raise StaleError(f"{place.path} was changed twice while it was being written. Both texts were kept, the older one as {kept}.", back)

    def _look_again(self, folder: Folder, descriptor: int, before: os.stat_result, place: Place) -> None:
        """An editor that still had the old file open may have written into it just now: that text becomes a note of its own."""
        after = os.fstat(descriptor)
        if (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, before.st_size):
            return
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            late = Draft.write(folder, data_of(descriptor, after, place.path, after.st_size + 1), None)
            kept = self.keep(folder, late.name, place.name)
            _log.warning("%s was saved by another program during a write; that text is in %s", place.path, kept)
        except (OSError, UserError):
            _log.exception("%s was saved by another program during a write, and that text could not be kept", place.path)

    def _unmake(self, made: Sequence[str]) -> None:
        """Folders that were made for a note which then could not be written go again, if they are empty."""
        for path in reversed(made):
            *above, name = path.split("/")
            with suppress(OSError), open_folder(self._root, above) as folder:
                folder.remove_folder(name)


def conflict_name(name: str, stamp: str) -> str:
    """`Note (conflict 2026-01-02 030405).md`, cut so that it fits into a file name."""
    ending = f" (conflict {stamp}).md"
    stem = name[:-3].encode("utf-8")[: MAX_NAME_BYTES - len(ending.encode("utf-8"))].decode("utf-8", "ignore")
    return stem.rstrip(" .") + ending


def stale(path: str, current: str) -> StaleError:
    """The note is not the one that was read."""
    return StaleError(
        f"{path} has changed since it was read. Nothing was written; read it again, merge, and write with its new hash.", current
    )


def _exists(path: str, current: str | None) -> StaleError:
    return StaleError(f"{path} exists already. Nothing was written; read it and write with its hash, or choose another name.", current)


def _gone(path: str) -> StaleError:
    return StaleError(f"{path} does not exist any more. Nothing was written; create it if it should be there.", None)


def _unwritten(path: str, error: OSError) -> DiskError:
    return DiskError(f"{path} could not be written: {reason(error)}. The note is as it was before.")
