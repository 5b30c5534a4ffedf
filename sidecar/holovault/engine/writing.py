"""Writing notes for every surface: with what a conflict was about, and remembered for ten minutes.

Owns the versions that readers were given lately, so that a conflict can say what changed since. Must not know how a file is
replaced: that is `vault`'s part.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable

from holovault.edits import changed, difference
from holovault.engine.written import Written
from holovault.errors import StaleError, UserError
from holovault.model import NoteChange, WriteResult
from holovault.vault import NoteBytes, Vault

VERSIONS_BYTES = 8_000_000
VERSION_BYTES = 1_000_000


class Versions:
    """Notes by their hash as they were read or written lately, at most eight megabytes of them."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._known: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def remember(self, hash_: str, data: bytes) -> None:
        with self._turn:
            if len(data) > VERSION_BYTES or hash_ in self._known:
                return
            self._known[hash_] = data
            self._bytes += len(data)
            while self._bytes > VERSIONS_BYTES:
                self._bytes -= len(self._known.popitem(last=False)[1])

    def get(self, hash_: str | None) -> bytes | None:
        with self._turn:
            return self._known.get(hash_.strip().lower()) if hash_ else None


class Writing:
    """Reads and writes through the door of the vault of the moment. Safe to call from several threads."""

    def __init__(self, vault: Callable[[], Vault], written: Written, index: Callable[[str], None]) -> None:
        self._vault = vault
        self._written = written
        self._index = index
        self._versions = Versions()

    def read(self, path: str) -> NoteBytes:
        """A note's bytes, remembered as what the reader knows."""
        found = self._vault().read(path)
        self._versions.remember(found.state.hash, found.data)
        return found

    def write(self, path: str, content: bytes, expected_hash: str | None, create: bool) -> WriteResult:
        """Create a note, or replace the one whose hash was read; searchable when this returns."""
        before = b"" if create or expected_hash is None else self._before(path, expected_hash)
        try:
            result = self._vault().write(path, content, expected_hash, create=create)
        except StaleError as error:
            raise self._told(error, path, expected_hash, content) from None
        return self._done(result, before, content)

    def change(self, path: str, change: NoteChange, expected_hash: str | None) -> WriteResult:
        """Change a note in place; with a hash only the version that has it. Searchable when this returns."""
        before = after = b""
        lines: tuple[tuple[int, int], ...] = ()

        def make(data: bytes) -> bytes:
            nonlocal before, after, lines
            edited = changed(data, change, path)
            before, after, lines = data, edited.data, edited.lines
            return after

        try:
            result = self._vault().change(path, make, expected_hash)
        except StaleError as error:
            raise self._told(error, path, expected_hash, None) from None
        return self._done(WriteResult(result.path, result.hash, result.created, result.bytes, lines), before, after)

    def _done(self, result: WriteResult, before: bytes, after: bytes) -> WriteResult:
        self._written.keep(result.path, before, after)
        self._versions.remember(result.hash, after)
        self._index(result.path)
        return result

    def _before(self, path: str, expected_hash: str) -> bytes:
        """The bytes that a replacement displaces; empty where they cannot be had, which `write` then says."""
        known = self._versions.get(expected_hash)
        if known is not None:
            return known
        try:
            return self._vault().read(path).data
        except UserError:
            return b""

    def _told(self, error: StaleError, path: str, expected_hash: str | None, content: bytes | None) -> StaleError:
        """The same conflict with a short diff: since the version that was read, else to the text that was to be written."""
        base = self._versions.get(expected_hash)
        if error.current_hash is None or (base is None and content is None):
            return error
        try:
            now = self._vault().read(path).data
        except UserError:
            return error
        shown = difference(base, now) if base is not None else difference(now, content or b"")
        if shown is None:
            return error
        head = "What changed since it was read:" if base is not None else "From the note as it is (-) to the text that was not written (+):"
        return StaleError(str(error), error.current_hash, quoted=f"{head}\n{shown}")
