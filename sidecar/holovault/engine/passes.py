"""Passes over the vault: words, then structure and meaning, with what is known of their progress and faults.

Owns the engine's changing state: what is done, what failed, whether anything must be cleaned up.
Must not know surfaces, threads or watching; callers decide when a pass runs.
"""

import threading
from collections.abc import Callable, Iterable

from holovault.config import Config, load_config, read_config
from holovault.engine.events import EventLog
from holovault.engine.parts import Surroundings, build
from holovault.engine.roles import Roles
from holovault.errors import ConfigError, UserError, WorkerError
from holovault.hrr import Atoms
from holovault.indexer import Progress, StructurePass, Tally, rfc3339, silent
from holovault.model import Degraded, Failure, IndexProgress

_OF_NOTES = ("read", "parse")
_ATOMS = 2_048
"""Atoms kept for composing: notes of one time speak of the same things, and one costs 8 µs to make again."""


class Passes:
    """Runs one pass at a time over the parts of the current configuration."""

    def __init__(
        self,
        around: Surroundings,
        config: Config,
        roles: Roles,
        events: EventLog,
        stopping: Callable[[], bool],
        changed: Callable[[Iterable[str]], None],
    ) -> None:
        self.roles = roles
        self.parts = build(config, around, roles, roles.window)
        self.structure = StructurePass(around.store, Atoms(_ATOMS))
        self._around = around
        self._events = events
        self._stopping = stopping
        self._changed = changed
        self._whole_turn = threading.Lock()
        self._count = threading.Lock()
        self._faults: dict[str, Failure] = {}
        self._missing: Failure | None = None
        self._trouble: str | None = None
        self.progress = IndexProgress("scan", 0, 0)
        self.embedded = 0
        self.whole_done = False
        self.running = False
        self.dirty = True
        self.last_pass = around.clock()
        self.last_look = float("-inf")

    @property
    def faults(self) -> tuple[Failure, ...]:
        """Failures that belong to no note: a broken knowledge.toml, a model that cannot run."""
        absent = self._absent()
        model = () if absent is None else (absent,)
        return (*(fault for key, fault in self._faults.items() if key != "embed" or not model), *model)

    @property
    def behind(self) -> tuple[Degraded, ...]:
        """What an answer must say of the words index."""
        if self._trouble:
            return (Degraded("index", "behind", self._trouble),)
        if not self.whole_done:
            reason = f"the vault is still being read: {self.progress.done} of {self.progress.total} changed notes so far"
            return (Degraded("index", "building", reason),)
        if waiting := self.structure.waiting():
            return (Degraded("hrr", "building", f"{waiting} passages wait for their structure vector"),)
        return ()

    def whole(self, progress: Progress = silent) -> Tally:
        """Compare everything. A vault that is not there raises and changes nothing."""

        def report(step: IndexProgress) -> None:
            self.progress = step
            progress(step)

        with self._whole_turn:
            self.running = True
            try:
                tally = self.parts.words.whole(report, self._stopping)
            except UserError as fault:
                self._trouble = str(fault)
                raise
            finally:
                self.running = False
            self._trouble = None
            self.whole_done = not self._stopping()
        self.last_look = self._around.clock()
        self._note(tally)
        return tally

    def some(self, paths: Iterable[str]) -> Tally:
        """Look at these paths only."""
        tally = self.parts.words.some(paths)
        self._note(tally)
        return tally

    def _note(self, tally: Tally) -> None:
        self.last_pass = self._around.clock()
        if tally.paths:
            self.dirty = True
            self.structure.step()
            self._events.add("index", self._around.store.generation, tuple(tally.paths))
            self._changed(tally.paths)

    def compose_all(self, progress: Progress = silent) -> None:
        """Compose structure vectors until nothing waits."""
        self.structure.all(progress, self._stopping)

    def embed_step(self, *, serving_only: bool = False) -> bool:
        """Embed one slice of the backlog; False when nothing waits. Raises WorkerError where the model cannot run."""
        try:
            step = self.roles.step(serving_only=serving_only)
        except WorkerError as fault:
            self._list("embed", "", str(fault))
            raise
        if step.busy:
            self._faults.pop("embed", None)
        with self._count:
            self.embedded += step.embedded
        if step.ended:
            self._events.add("embed", self._around.store.generation)
        return step.busy

    def embed_all(self, progress: Progress, deadline: float | None, *, serving_only: bool = False) -> None:
        """Embed until nothing waits, the deadline passes or the model gives up (which is listed).

        `serving_only` leaves out a model that is brought in behind the one that answers.
        """
        total = left = self.roles.pending(serving_only=serving_only)
        busy = True
        while busy and not self._stopping():
            progress(IndexProgress("meaning", max(0, total - left), total))
            if deadline is not None and self._around.clock() > deadline:
                return
            try:
                busy = self.embed_step(serving_only=serving_only)
            except WorkerError:
                return
            left = self.roles.pending(serving_only=serving_only)
            total = max(total, left)
        progress(IndexProgress("meaning", total, total))

    def retry_failed(self) -> None:
        """Let what failed be tried again: windows wait again, and notes that could not be read or cut are looked at."""
        store = self._around.store
        paths = {failure.path for failure in store.failures.all() if failure.stage in _OF_NOTES}
        store.vectors.retry_failed()
        if paths:
            self.some(sorted(paths))

    def look_for_model(self) -> None:
        """Where the wanted model was not on this machine: a person may have put it there since."""
        if self.roles.missing:
            self.reload()

    def reload(self) -> None:
        """Take over a changed knowledge.toml; a broken one is listed and the old settings stay."""
        old = self.parts
        try:
            config = load_config(*read_config(self._around.root))
            if config.embedding != old.config.embedding or self.roles.missing:
                self.roles.want(config.embedding)
        except ConfigError as fault:
            self._list("config", "knowledge.toml", str(fault))
            return
        self._faults.pop("config", None)
        if config != old.config or old.vault.rules_changed() or old.window != self.roles.window:
            self.parts = build(config, self._around, self.roles, self.roles.window)
            old.cutter.close()

    def _absent(self) -> Failure | None:
        """That the wanted model cannot be had, since when that was first noticed."""
        reason = self.roles.missing
        if reason is None or self._missing is None or self._missing.reason != reason:
            self._missing = None if reason is None else Failure("", "embed", reason, rfc3339(self._around.now()))
        return self._missing

    def _list(self, key: str, path: str, reason: str) -> None:
        self._faults[key] = Failure(path, key, reason, rfc3339(self._around.now()))
