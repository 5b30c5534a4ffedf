"""Reading and cutting one batch of notes.

Owns what a batch is and what each note in it became. Must not write: the index is changed by
`indexer.Indexer` alone.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from holovault.errors import NotFoundError, PathForbiddenError, UserError, VaultMissingError
from holovault.indexer.cutter import Cutter
from holovault.indexer.cutting import CutInput
from holovault.model import CutNote, FileState
from holovault.vault import NoteBytes, Vault

BATCH_FILES = 64
BATCH_BYTES = 192_000
"""One batch is one transaction: about 25 ms of writing."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A note whose bytes are new to the index."""

    state: FileState
    note: CutNote


@dataclass(frozen=True, slots=True)
class Fault:
    """A note that could not be read or parsed; what the index has of it stays."""

    path: str
    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class BatchResult:
    cut: tuple[Cut, ...]
    same: tuple[FileState, ...]
    missing: tuple[str, ...]
    faults: tuple[Fault, ...]
    paths: tuple[str, ...]


def split(paths: Iterable[str], sizes: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Cut a list of paths into batches bounded by files and bytes; a big note is a batch of its own."""
    batch: list[str] = []
    total = 0
    for path in paths:
        size = sizes.get(path, 4_000)
        if batch and (len(batch) >= BATCH_FILES or total + size > BATCH_BYTES):
            yield tuple(batch)
            batch, total = [], 0
        batch.append(path)
        total += size
    if batch:
        yield tuple(batch)


class BatchReader:
    """Reads a batch, leaves out what has not changed, and cuts the rest."""

    def __init__(self, vault: Vault, cutter: Cutter, known: Mapping[str, FileState]) -> None:
        self._vault = vault
        self._cutter = cutter
        self._known = known

    def read(self, paths: tuple[str, ...]) -> BatchResult:
        same: list[FileState] = []
        missing: list[str] = []
        faults: list[Fault] = []
        fresh: list[NoteBytes] = []
        for path in paths:
            try:
                found = self._vault.read(path)
            except VaultMissingError:
                raise
            except (NotFoundError, PathForbiddenError):
                missing.append(path)
                continue
            except (UserError, OSError) as fault:
                faults.append(Fault(path, "read", str(fault)))
                continue
            known = self._known.get(path)
            if known is not None and known.hash == found.state.hash:
                same.append(found.state)
            else:
                fresh.append(found)
        cut, cut_faults = self._cut(fresh)
        return BatchResult(cut, tuple(same), tuple(missing), (*faults, *cut_faults), paths)

    def _cut(self, fresh: list[NoteBytes]) -> tuple[tuple[Cut, ...], tuple[Fault, ...]]:
        if not fresh:
            return (), ()
        outcomes = self._cutter.cut([CutInput(item.state.path, item.data) for item in fresh])
        pairs = list(zip(fresh, outcomes, strict=True))
        cut = tuple(Cut(item.state, outcome.note) for item, outcome in pairs if outcome.note is not None)
        faults = tuple(Fault(item.state.path, "parse", outcome.error or "no result") for item, outcome in pairs if outcome.note is None)
        return cut, faults
