"""The importer's hands in the vault: reads notes, finds them again where a person moved them, writes through the vault's door.

Owns looking a note up by its key, free paths, and the file of the state. The only part that touches a vault. Every write
says which bytes it replaces; where they have changed meanwhile, the caller looks again.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from holovault.config import Config, Rules
from holovault.errors import DiskError, NotFoundError, UserError
from holovault.model import WriteResult
from holovault.vault import Vault
from holovault_importers import state as states
from holovault_importers.names import short_id, with_mark
from holovault_importers.present import Present, Trace, present, trace
from holovault_importers.state import State

FEEDBACK = "Memory/Feedback/"


class VaultNotes:
    """One vault during one import."""

    def __init__(self, vault: Vault, config: Config) -> None:
        self._vault = vault
        self._rules = Rules(config)
        self._private = tuple(pattern.lstrip("/").partition("*")[0].casefold() for pattern in (config.memory.facts, FEEDBACK + "**"))
        self._found: dict[str, list[Trace]] | None = None
        self._taken: dict[str, str] | None = None

    def read(self, path: str) -> Present | None:
        """The note at a path, None where there is none. Raises UserError where it is there and cannot be read."""
        try:
            data = self._vault.read(path)
        except NotFoundError:
            return None
        return present(path, data.data, data.state.hash)

    def find(self, key: str, path: str) -> Present | None:
        """The note with this key: at `path`, else wherever it was moved to."""
        note = self.read(path)
        if note is not None and note.key == key:
            return note
        moved = [other for other in self._everywhere().get(key, []) if other.path != path]
        if moved:
            return self.read(max(moved, key=lambda other: (other.is_untouched, other.turns, other.path)).path)
        # The note is where it was, and its identity was edited away: still a person's text.
        return note if note is not None and note.key is None else None

    def is_back(self, key: str, path: str) -> bool:
        """Whether a note that was deleted lies in its place again."""
        note = self.read(path)
        return note is not None and note.key == key

    def free(self, path: str, key: str) -> tuple[str, Present | None]:
        """A path where no other note is, and this key's own note if it lies there already (its row was lost)."""
        if any(start and path.casefold().startswith(start) for start in self._private):
            path = f"Memory/files/{path.rpartition('/')[2]}"  # facts and feedback are a person's own
        identity = key.split("|")[2].partition(":")[0]
        tries = (path, with_mark(path, short_id(identity)), *(with_mark(path, f"{short_id(identity)} {n}") for n in range(2, 100)))
        for choice in tries:
            if self._is_free(choice):
                return choice, None
            note = self.read(choice) if self._vault.exists(choice) else None
            if note is not None and note.key == key:
                return choice, note
        return with_mark(path, key.rpartition("|")[0][-40:].replace("|", " ")), None

    def write(self, path: str, text: str, expected: str | None) -> WriteResult:
        """Write a note. Raises StaleError where it is not what was expected."""
        done = self._vault.write(path, text.encode("utf-8", "replace"), expected, create=expected is None)
        self._names()[path.casefold()] = path
        return done

    def taken(self, path: str) -> None:
        """Reserve a path without writing, for a dry run."""
        self._names()[path.casefold()] = path

    def project_of(self, name: str) -> str:
        """A project's own name for any alias of it."""
        return self._rules.canonical(name)

    def paths(self) -> list[str]:
        """All notes, in order."""
        return sorted(self._names().values())

    def load(self) -> State:
        """The state, from its file or from the notes."""
        file = self._vault.resolve(states.PATH)
        try:
            loaded = states.decode(file.read_bytes())
        except FileNotFoundError:
            loaded = None
        except OSError as error:
            raise DiskError(
                f"{states.PATH} cannot be read: {error.strerror}. Nothing was imported; make it readable, or move it away."
            ) from error
        if loaded is not None:
            return loaded
        return states.rebuilt([note for notes in self._everywhere().values() for note in notes])

    def save(self, state: State) -> bool:
        """Write the state's file, whole or not at all; False where it says the same already. Raises DiskError."""
        file = self._vault.resolve(states.PATH)
        data = states.encode(state)
        with contextlib.suppress(OSError):
            if file.read_bytes() == data:
                return False
        try:
            _replace(file, data)
        except OSError as error:
            words = f"{states.PATH} could not be written: {error.strerror}. The notes are there, and the next import knows them."
            raise DiskError(words) from error
        return True

    def _is_free(self, path: str) -> bool:
        return path.casefold() not in self._names() and not self._vault.exists(path)

    def _names(self) -> dict[str, str]:
        if self._taken is None:
            self._taken = {seen.path.casefold(): seen.path for seen in self._vault.scan().seen}
        return self._taken

    def _everywhere(self) -> dict[str, list[Trace]]:
        """Every note with an importer's key; read once, when a note is not where it was."""
        if self._found is None:
            self._found = {}
            for note in self._all():
                self._found.setdefault(note.key, []).append(note)
        return self._found

    def _all(self) -> Iterator[Trace]:
        for path in self.paths():
            try:
                note = self.read(path)
            except UserError:
                continue  # a scan lists it as a failure
            if note is not None and (found := trace(note)) is not None:
                yield found


def _replace(file: Path, data: bytes) -> None:
    """New content for a file, through a temporary one beside it. Raises OSError."""
    file.parent.mkdir(exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".state-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
