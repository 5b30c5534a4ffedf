"""Which model answers, which one is brought in behind it, and when they change places.

Owns the two services, their vectors' growth and the switch. A change never stops search: the old vectors answer until the new ones are
complete, and the switch is one transaction of the store. What is kept in the store is enough to go on after any interruption.
Must not know notes, surfaces or threads; callers decide when a step is made.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from holovault.config import EmbeddingConfig
from holovault.embed import EmbeddingService
from holovault.engine.pace import Pace
from holovault.engine.seats import Arranger, Make, Seat, Seats, settings_text, vacant
from holovault.errors import WorkerError
from holovault.indexer import Meaning
from holovault.model import ModelStatus
from holovault.searcher import Lens, calibrate
from holovault.store import Coverage, Fingerprint, Store

_log = logging.getLogger(__name__)

EDITS = 512
"""Texts that the serving set may lack and still go first: more than that is no edit, and the model that is wanted gets the work."""

TOO_MANY_FAILED = 0.1
"""Share of windows that a new model may fail on and still take over."""


@dataclass(frozen=True, slots=True)
class Step:
    """`embedded` windows got a vector; `busy` says that another step may find work; `ended` that the last piece was done."""

    embedded: int = 0
    busy: bool = False
    ended: bool = False


class Roles:
    """The models of one vault. Thread-safe; one step at a time."""

    def __init__(
        self,
        store: Store,
        make: Make,
        wanted: EmbeddingConfig,
        now: Callable[[], datetime],
        clock: Callable[[], float],
        stopping: Callable[[], bool],
        switched: Callable[[], None],
    ) -> None:
        """`switched` is told after each switch. Raises ConfigError for a provider that this version does not have."""
        self._store = store
        self._arranger = Arranger(make)
        self._wanted = wanted
        self._now = now
        self._stopping = stopping
        self._switched = switched
        self.pace = Pace(clock)
        self._turn = threading.Lock()
        self._change = threading.RLock()
        self._asked: EmbeddingConfig | None = None
        self._proven: dict[EmbeddingService, int] = {}
        self._closed = False
        self._seats = self._arranger.arrange(wanted, store.vectors.serving, store.vectors.filling, None)
        self._settle(wanted)

    @property
    def window(self) -> int:
        """Tokens of the windows that serve: what notes are cut to first."""
        return self.lenses()[0].window

    @property
    def goal(self) -> Seat:
        """The model that is wanted in the end, whether it answers already or not."""
        seats = self._seats
        return seats.filling or seats.serving

    @property
    def missing(self) -> str | None:
        """Why the model that is wanted cannot be had, None where it can or where it is brought in already."""
        seat = self.goal
        return None if seat.possible else seat.service.status().reason

    def lenses(self) -> tuple[Lens, ...]:
        """See `searcher.Models`."""
        seats = self._seats
        lenses = (Lens(seats.serving.service, seats.serving.fingerprint),)
        filling = seats.filling
        return lenses if filling is None or filling.fingerprint is None else (*lenses, Lens(filling.service, filling.fingerprint))

    def proven(self, lens: Lens) -> bool:
        """See `searcher.Models`. Asked anew after each unloading: a library may have been updated meanwhile."""
        fingerprint, spec = lens.fingerprint, lens.embedding.spec
        if fingerprint is None or spec is None or self._proven.get(lens.embedding) == fingerprint.number:
            return True
        found = self._store.vectors.recognise(spec.identity, lens.embedding.probes())
        with self._change:
            if found is not None and found.number == fingerprint.number:
                self._proven[lens.embedding] = fingerprint.number
                return True
            self._displace(lens)
        return False

    def want(self, config: EmbeddingConfig) -> None:
        """Another `[embedding]`: taken over now, or after the step that is being made. Raises ConfigError and changes nothing."""
        with self._change:
            self._arranger.check(config, self._seats)
            self._asked = config
        if self._turn.acquire(blocking=False):
            try:
                self._take_over()
            finally:
                self._turn.release()

    def pending(self, *, serving_only: bool = False) -> int:
        """Texts that wait for a vector, and chunks that wait for windows."""
        seats = self._seats
        total = self._left(seats.serving)
        if seats.filling is not None and not (serving_only and seats.serving.possible):
            total += self._left(seats.filling)
        return total

    def step(self, *, serving_only: bool = False) -> Step:
        """Embed one slice, or change places; not busy when nothing is to do. Raises WorkerError where no model can answer."""
        with self._turn:
            self._take_over()
            try:
                return self._step(serving_only)
            finally:
                self._take_over()

    def statuses(self) -> tuple[ModelStatus, ModelStatus | None]:
        """The serving model's, and that of the model that is brought in."""
        seats = self._seats
        return self._status(seats.serving), None if seats.filling is None else self._status(seats.filling)

    def unload_if_idle(self) -> None:
        """Let models that nobody asks give their memory back."""
        for service in self._seats.services:
            if service.unload_if_idle():
                self._proven.pop(service, None)

    def close(self) -> None:
        """End all models; a step in another thread ends with a WorkerError."""
        with self._change:
            self._closed = True
            for service in self._seats.services:
                service.close()

    def _step(self, serving_only: bool) -> Step:
        seats = self._seats
        filling = None if serving_only and seats.serving.possible else seats.filling
        if filling is not None and filling.possible and not self._serving_first(seats):
            step = self._bring(filling)
            return step if step.busy else self._serve(self._seats.serving)
        trouble: WorkerError | None = None
        try:
            step = self._serve(seats.serving)
        except WorkerError as fault:
            if filling is None or not filling.possible:
                raise
            _log.warning("the serving model cannot embed what is new: %s", fault)
            trouble, step = fault, Step()
        if not step.busy and filling is not None and self._seats.filling is filling:
            step = self._bring(filling)
        if trouble is not None and not step.busy:
            raise trouble
        return step

    def _serving_first(self, seats: Seats) -> bool:
        """New notes come into the set that answers before the other one grows; for `refine`, and before the first set, everything does."""
        if self._wanted.refine is not None or seats.serving.fingerprint is None:
            return True
        return self._left(seats.serving) <= EDITS

    def _serve(self, seat: Seat) -> Step:
        spec = seat.service.spec
        if spec is None or (seat.fingerprint is None and not self._store.vectors.pending()):
            return Step()
        if seat.fingerprint is None:
            probes = seat.service.probes()
            settings = settings_text(seat.config)
            self._store.vectors.adopt(spec.identity, spec.dimension, probes, window=spec.window, settings=settings)
            seat = self._seated(seat, self._store.vectors.serving)
        fingerprint = seat.fingerprint
        if fingerprint is None:
            return Step()
        if self._store.vectors.coverage(fingerprint).complete:
            return Step()
        if not self.proven(Lens(seat.service, fingerprint)):
            return Step(busy=True)
        return self._fill(seat, fingerprint)

    def _bring(self, seat: Seat) -> Step:
        """One slice for the model that is to take over, or its taking over."""
        spec = seat.service.spec
        if spec is None:
            return Step()
        if seat.fingerprint is None:
            probes = seat.service.probes()
            settings = settings_text(seat.config)
            with self._change:
                if self._seats.filling is not seat:
                    return Step(busy=True)
                found = self._store.vectors.fill(spec.identity, spec.dimension, probes, window=spec.window, settings=settings)
                seat = self._seated(seat, found)
        fingerprint = seat.fingerprint
        if fingerprint is None or not self.proven(Lens(seat.service, fingerprint)):
            return Step(busy=True)
        covered = self._store.vectors.coverage(fingerprint)
        if not covered.complete:
            return replace(self._fill(seat, fingerprint), busy=True)
        return self._switch(seat, fingerprint, covered)

    def _seated(self, seat: Seat, fingerprint: Fingerprint | None) -> Seat:
        """The same seat with its set, which the model has just proven."""
        with self._change:
            filled = replace(seat, fingerprint=fingerprint)
            seats = self._seats
            self._seats = replace(seats, serving=filled) if seats.serving is seat else replace(seats, filling=filled)
            if fingerprint is not None:
                self._proven[seat.service] = fingerprint.number
            return filled

    def _fill(self, seat: Seat, of: Fingerprint) -> Step:
        meaning = Meaning(self._store, seat.service, self._now)
        meaning.cut(of, self._stopping)
        before = self._store.vectors.pending(of)
        begun = self.pace.begun()
        done = meaning.fill(of)
        self.pace.did(done, begun)
        left = self._store.vectors.pending(of)
        if done:
            calibrate(self._store, seat.service, of)
        return Step(done, done > 0 or left < before, not left)

    def _switch(self, seat: Seat, of: Fingerprint, covered: Coverage) -> Step:
        if covered.failed > TOO_MANY_FAILED * max(1, covered.failed + covered.embedded):
            raise WorkerError(
                f"{seat.service.status().name} failed on {covered.failed:,} of {covered.windows:,} windows and does not take over: "
                "the status lists them, and `holovault index --retry-failed` tries them again"
            )
        # measured before anybody is answered by it
        calibrate(self._store, seat.service, of)
        with self._change:
            if self._seats.filling is not seat:
                return Step(busy=True)
            old = self._seats.serving
            self._store.vectors.switch()
            self._seats = Seats(seat)
        self._close_unseated(old.service)
        _log.info("%s answers from now on", of.identity)
        self._switched()
        return Step(busy=True, ended=True)

    def _displace(self, lens: Lens) -> None:
        """A model that makes other vectors than the ones that are kept under its name begins a set of its own."""
        seats = self._seats
        for seat in (seats.serving, seats.filling):
            if seat is not None and (seat.service, seat.fingerprint) == (lens.embedding, lens.fingerprint):
                break
        else:
            return
        if seat is seats.filling:
            self._seats = replace(seats, filling=replace(seat, fingerprint=None))
        else:
            _log.warning("the model makes other vectors than before: the vault is embedded anew behind the old ones")
            self._seats = Seats(vacant(seats.serving), seats.filling or replace(seats.serving, fingerprint=None))
            self._close_unseated(lens.embedding)

    def _take_over(self) -> None:
        """What was asked for meanwhile; for whoever has the turn."""
        with self._change:
            asked, self._asked = self._asked, None
            if asked is None or self._closed:
                return
            before = self._seats
            vectors = self._store.vectors
            self._seats = self._arranger.arrange(asked, vectors.serving, vectors.filling, before)
            self._settle(asked)
        self._close_unseated(*before.services)

    def _settle(self, wanted: EmbeddingConfig) -> None:
        """Let the store agree with the seats: nothing fills that nobody wants any more."""
        self._wanted = wanted
        filling, stored = self._seats.filling, self._store.vectors.filling
        spec = None if filling is None else filling.service.spec
        if stored is not None and (filling is None or (spec is not None and spec.identity != stored.identity)):
            self._store.vectors.abandon()

    def _close_unseated(self, *services: EmbeddingService) -> None:
        """Close those of `services` that have no seat any more."""
        for service in services:
            if service not in self._seats.services:
                self._proven.pop(service, None)
                service.close()

    def _left(self, seat: Seat) -> int:
        if not seat.possible:
            return 0
        if seat.fingerprint is None and seat is self._seats.serving:
            return self._store.vectors.pending()
        fingerprint = seat.fingerprint or self._store.vectors.filling
        if fingerprint is None:
            # what it will lack is known when it has shown whose vectors it makes
            return self._store.notes.counts().windows
        covered = self._store.vectors.coverage(fingerprint)
        return covered.pending + covered.uncut

    def _status(self, seat: Seat) -> ModelStatus:
        status = seat.service.status()
        if seat.fingerprint is None:
            return replace(status, fingerprint="", pending=self._left(seat))
        covered = self._store.vectors.coverage(seat.fingerprint)
        return replace(status, fingerprint=seat.fingerprint.id, embedded=covered.embedded, pending=covered.pending, failed=covered.failed)
