"""`Store`: the index of one vault, opened.

Owns how the parts are put together and nothing else. Everything above talks to this class.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from holovault.errors import IndexUnreadableError
from holovault.store.backlog import Backlog
from holovault.store.cleanup import CleanUp
from holovault.store.codes import Popcount, default_popcount
from holovault.store.database import Database, suspect_mark
from holovault.store.facts import Facts
from holovault.store.failures import Failures, Meta
from holovault.store.filters import Filters
from holovault.store.fingerprints import Fingerprints
from holovault.store.lexical import POSTINGS, Lexical
from holovault.store.live import Live, SegmentRules
from holovault.store.lives import Lives
from holovault.store.migrations import MIGRATIONS, Migration
from holovault.store.notes import Notes
from holovault.store.opening import NAME, damage_of, open_database
from holovault.store.pruning import Pruning
from holovault.store.recut import Recut
from holovault.store.shelf import Shelf
from holovault.store.snapshot import ScanLimits
from holovault.store.soundness import Soundness
from holovault.store.structure import Fillers, Names, Structure
from holovault.store.structure import Vectors as StructureVectors
from holovault.store.values import ChunkFilter, CleanUpReport, FileQuery
from holovault.store.vectors import Vectors
from holovault.store.words import Words


class Store:
    """Notes, words, vectors and failures of one vault in one SQLite file; all methods may be called from any thread."""

    def __init__(
        self,
        database: Database,
        recovered: str | None,
        *,
        clock: Callable[[], float],
        scan: ScanLimits,
        segments: SegmentRules,
        popcount: Popcount,
        postings: int,
    ) -> None:
        self._database = database
        self.recovered = recovered
        shelf = Shelf(database, database.path.parent)
        words = Words(database)
        lives = Lives(lambda size: Live(database, shelf, segments, size))
        fingerprints = Fingerprints(database)
        backlog = Backlog(database, fingerprints)
        self.meta = Meta(database)
        self.failures = Failures(database)
        names, bound = Names(database), StructureVectors(database, self.meta, clock)
        fillers = Fillers(database, names, bound)
        self.structure = Structure(database, names, bound)
        self.facts = Facts(database)
        self.notes = Notes(database, words, clock, fingerprints, backlog, fillers, self.facts, lives.publish_windows)
        self.windows = Recut(database, backlog, lives.publish_windows)
        self.lexical = Lexical(database, words, postings)
        self.soundness = Soundness(database, fingerprints, backlog)
        self._filters = Filters(database)
        self._clean_up = CleanUp(database, words, fillers, lives, shelf, fingerprints)
        pruning = Pruning(database, fingerprints, backlog, self.windows, lives, shelf, clock, self._clean_up.release_pages)
        self.vectors = Vectors(database, lives, fingerprints, backlog, self.windows, scan, popcount, pruning)

    @classmethod
    def open(
        cls,
        folder: Path,
        analyzer_version: int,
        chunker_version: int,
        *,
        clock: Callable[[], float] = time.time,
        verify: bool = False,
        scan: ScanLimits = ScanLimits(),  # noqa: B008  (frozen)
        segments: SegmentRules = SegmentRules(),  # noqa: B008  (frozen)
        popcount: Popcount | None = None,
        postings: int = POSTINGS,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> "Store":
        """Open or create the index in `folder`.

        A damaged file, or one of another program, is moved aside and `recovered` says so; `verify` reads every page to
        find damage. Other versions of analyzer or chunker than last time make every note stale (`cut_is_current`).
        Raises VersionError for an index of a newer holovault, IndexUnreadableError where the folder cannot be used.
        """
        versions = f"{analyzer_version}.{chunker_version}"

        def attempt(*, every_page: bool) -> "Store":
            opened = open_database(folder, verify=every_page, migrations=migrations)
            count = popcount or default_popcount()
            store = cls(opened.database, opened.recovered, clock=clock, scan=scan, segments=segments, popcount=count, postings=postings)
            try:
                store._note_versions(versions)
            except BaseException:
                store.close()
                raise
            return store

        try:
            return attempt(every_page=verify)
        except IndexUnreadableError:
            if not suspect_mark(folder / NAME).exists():
                raise
            return attempt(every_page=True)

    def _note_versions(self, versions: str) -> None:
        with self.atomic():
            before = self.meta.get("cut")
            if before != versions:
                self.meta.set("cut", versions)
                if before is not None:
                    self.notes.mark_stale()

    @staticmethod
    def damage(folder: Path) -> str | None:
        """What is wrong with the index in `folder`, read page by page and left alone; only for whoever owns it and has it not open.

        Raises VersionError as `open` does.
        """
        return damage_of(folder / NAME)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection. A second call does nothing."""
        self._database.close()

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Everything inside is committed together or leaves no trace; inside another one, a savepoint. Keep it under 50 ms."""
        with self._database.atomic():
            yield

    @property
    def generation(self) -> int:
        """A number that grows with every committed change."""
        return self._database.generation

    @property
    def cut_is_current(self) -> bool:
        """False while notes are in the index that another analyzer or chunker cut."""
        return self.notes.stale() == 0

    def filter(self, query: FileQuery) -> ChunkFilter:
        """The chunks of the notes that meet `query`."""
        return self._filters(query)

    def clean_up(self, now: float) -> CleanUpReport:
        """Make forgotten text and vectors unused for seven days leave every file; meant for idle minutes."""
        return self._clean_up(now)

    def check(self) -> str | None:
        """Read every page (slow on large files). A problem is returned, and the next opening moves the file aside."""
        try:
            found = str(self._database.rows("PRAGMA quick_check(1)")[0][0])
        except IndexUnreadableError as problem:
            return str(problem)
        if found == "ok":
            return None
        suspect_mark(self._database.path).touch(mode=0o600)
        return found
