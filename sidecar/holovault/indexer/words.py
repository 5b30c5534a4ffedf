"""Bringing the words of the index in line with the vault.

Owns the pass: plan, read and cut in batches, one short transaction per batch, then what is gone.
Calls only the collaborators it was given and starts no thread itself. Must not embed: that is
`meaning`'s part, afterwards.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

from holovault.config import Rules
from holovault.entities import of_project
from holovault.indexer.batches import BatchReader, BatchResult, Cut, split
from holovault.indexer.cutter import Cutter
from holovault.indexer.dates import created, modified, rfc3339
from holovault.indexer.plan import Plan, Renames, make_plan, settled
from holovault.model import Failure, FileState, IndexProgress
from holovault.store import Store, StoredNote
from holovault.vault import Vault

Progress = Callable[[IndexProgress], None]

_DIGEST = "cut_digest"


def silent(_: IndexProgress) -> None:
    """Progress for nobody."""


@dataclass(slots=True)
class Tally:
    """What a pass did so far."""

    added: int = 0
    changed: int = 0
    renamed: int = 0
    removed: int = 0
    unchanged: int = 0
    reused: int = 0
    paths: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Run:
    """What one pass carries along: the index as it was, the renames still open, the editions and failures it saw."""

    known: Mapping[str, FileState]
    renames: Renames
    editions: Mapping[str, int]
    listed: frozenset[tuple[str, str]]
    tally: Tally


class WordsPass:
    """Makes index and vault agree, for the whole vault or for some paths. Safe to call from several threads."""

    def __init__(
        self,
        vault: Vault,
        store: Store,
        cutter: Cutter,
        rules: Rules,
        now: Callable[[], datetime],
        zone: tzinfo | None,
        executor: Executor,
        side_by_side: int,
        digest: str,
    ) -> None:
        self._vault = vault
        self._store = store
        self._cutter = cutter
        self._rules = rules
        self._now = now
        self._zone = zone
        self._executor = executor
        self._side_by_side = side_by_side
        self._digest = digest
        self._turn = threading.Lock()
        self._edition: dict[str, int] = {}

    def whole(self, progress: Progress = silent, stopped: Callable[[], bool] = lambda: False) -> Tally:
        """Scan the vault and index every difference. A vanished vault raises before anything is touched."""
        self._forget_other_cut()
        known = self._store.notes.known()
        scan = self._vault.scan(known)
        if scan.leftovers and self._vault.sweep(scan).rescued:
            scan = self._vault.scan(known)
        progress(IndexProgress("scan", len(scan.seen), len(scan.seen)))
        plan = make_plan(known, scan)
        sizes = {item.path: item.size for item in scan.seen}
        self._list_scan_failures(scan.failures)
        return self._run(plan, known, sizes, progress, stopped)

    def some(self, paths: Iterable[str]) -> Tally:
        """Index just these paths: changed, new, gone or excluded by now."""
        wanted = tuple(dict.fromkeys(paths))
        known = {path: state for path in wanted if (state := self._store.notes.state(path))}
        notes = tuple(path for path in wanted if self._stands(path))
        gone = tuple(path for path in known if path not in notes)
        return self._run(Plan(notes, gone, 0), known, {}, silent, lambda: False)

    def _stands(self, path: str) -> bool:
        return self._vault.is_note(path) and self._vault.excluded_by(path) is None and self._vault.exists(path)

    def _run(
        self,
        plan: Plan,
        known: Mapping[str, FileState],
        sizes: Mapping[str, int],
        progress: Progress,
        stopped: Callable[[], bool],
    ) -> Tally:
        tally = Tally(unchanged=plan.unchanged)
        reader = BatchReader(self._vault, self._cutter, known)
        listed = frozenset((failure.path, failure.stage) for failure in self._store.failures.all())
        run = _Run(known, Renames(known, plan.gone), dict(self._edition), listed, tally)
        vanished: list[str] = []
        done = 0
        for result in self._results(reader, split(plan.read, sizes), stopped):
            self._settle(result, run)
            vanished.extend(path for path in result.missing if path in known)
            done += len(result.paths)
            progress(IndexProgress("words", done, len(plan.read)))
        if not stopped():
            self._remove((*run.renames.unclaimed(), *vanished), tally)
            self._strike_off_gone()
        return tally

    def _results(self, reader: BatchReader, batches: Iterator[tuple[str, ...]], stopped: Callable[[], bool]) -> Iterator[BatchResult]:
        """Batches in order, a few of them being read and cut while the last one is written."""
        ahead: deque[Future[BatchResult]] = deque()
        for batch in batches:
            if stopped():
                break
            if not ahead and len(batch) == 1:
                yield reader.read(batch)
                continue
            ahead.append(self._executor.submit(reader.read, batch))
            if len(ahead) > self._side_by_side:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()

    def _settle(self, result: BatchResult, run: _Run) -> None:
        """Write one batch in one transaction. Notes that another pass indexed meanwhile are left as that pass saw them."""
        now = self._now()
        now_ns = int(now.timestamp() * 1e9)
        with self._turn, self._store.atomic():
            fresh = [item for item in result.cut if self._edition.get(item.state.path, 0) == run.editions.get(item.state.path, 0)]
            old = self._count(fresh, run)
            self._store.notes.remove(old)
            if fresh:
                run.tally.reused += self._store.notes.put([self._stored(item, now_ns) for item in fresh]).reused
            self._restat(result.same, now_ns)
            for item in fresh:
                self._edition[item.state.path] = self._edition.get(item.state.path, 0) + 1
            self._list_faults(result, fresh, run, rfc3339(now))
        run.tally.unchanged += len(result.same)

    def _restat(self, same: Sequence[FileState], now_ns: int) -> None:
        """Notes whose bytes are the same: a touched one may have another date of change all the same."""
        self._store.notes.restat([settled(state, now_ns) for state in same])
        fronts = self._store.notes.fronts([state.path for state in same])
        dates = {state.path: modified(fronts[state.path], state.mtime_ns, self._zone) for state in same if state.path in fronts}
        self._store.notes.date(dates)

    def _count(self, fresh: list[Cut], run: _Run) -> list[str]:
        """Tell new, changed and renamed notes apart; returns the old paths of the renamed ones."""
        tally, old_paths = run.tally, list[str]()
        for item in fresh:
            tally.paths.append(item.state.path)
            if item.state.path in run.known:
                tally.changed += 1
            elif (old := run.renames.claim(item.state.hash, item.state.path)) is not None:
                tally.renamed += 1
                old_paths.append(old)
            else:
                tally.added += 1
        tally.paths.extend(old_paths)
        return old_paths

    def _stored(self, item: Cut, now_ns: int) -> StoredNote:
        front, state = item.note.front, item.state
        verdict = self._rules.project_of(state.path, front.project)
        project = verdict.value if verdict else None
        chunks = tuple(replace(chunk, fillers=of_project(chunk.fillers, project)) for chunk in item.note.chunks)
        return StoredNote(
            state=settled(state, now_ns),
            note=replace(item.note, chunks=chunks),
            tier=self._rules.tier_of(state.path, front.source).value,
            project=project,
            modified=modified(front, state.mtime_ns, self._zone),
            created=created(front, self._zone),
        )

    def _list_faults(self, result: BatchResult, fresh: list[Cut], run: _Run, since: str) -> None:
        """A note that failed is listed; one that was read again is struck off."""
        failures = self._store.failures
        found = {(fault.path, fault.stage): fault.reason for fault in result.faults}
        found |= {(item.state.path, "parse"): f"front matter: {item.note.front.error}" for item in fresh if item.note.front.error}
        same = {state.path for state in result.same}
        for path in result.paths:
            for stage in ("read", "parse"):
                if (path, stage) in run.listed and (path, stage) not in found and not (stage == "parse" and path in same):
                    failures.clear(path, stage)
        for (path, stage), reason in found.items():
            failures.put(Failure(path, stage, reason, since))

    def _list_scan_failures(self, found: tuple[Failure, ...]) -> None:
        """The scan's own list replaces the last one."""
        failures = self._store.failures
        still = {failure.path for failure in found}
        with self._store.atomic():
            for failure in failures.all():
                if failure.stage == "scan" and failure.path not in still:
                    failures.clear(failure.path, "scan")
            for failure in found:
                failures.put(failure)

    def _forget_other_cut(self) -> None:
        """Other languages, windows, tiers or projects than last time: every note is cut anew, and an interrupted pass goes on."""
        if self._store.meta.get(_DIGEST) != self._digest:
            with self._store.atomic():
                self._store.notes.mark_stale()
                self._store.meta.set(_DIGEST, self._digest)

    def _remove(self, paths: Iterable[str], tally: Tally) -> None:
        """Forget what is gone, after one more look: it may have come back, and a vault that vanished is no deletion."""
        if not self._vault.present():
            return
        gone = [path for path in dict.fromkeys(paths) if not self._stands(path)]
        for start in range(0, len(gone), 200):
            part = gone[start : start + 200]
            with self._turn, self._store.atomic():
                self._store.notes.remove(part)
        tally.removed += len(gone)
        tally.paths.extend(gone)

    def _strike_off_gone(self) -> None:
        """Failures of notes that are neither here nor in the index any more, whether they were ever in it or not."""
        failures = self._store.failures
        own = [failure for failure in failures.all() if failure.stage in ("read", "parse")]
        gone = [failure for failure in own if not self._stands(failure.path) and self._store.notes.state(failure.path) is None]
        if gone and self._vault.present():
            with self._store.atomic():
                for failure in gone:
                    failures.clear(failure.path, failure.stage)
