"""The embedding service of every provider that has a model.

Owns the order of work: queries before passages, one batch in flight, loading and unloading in between, and who is to blame when a
service fails. Must not know what a model is.
"""

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

import numpy as np

from holovault.embed.host import Host
from holovault.embed.line import Line
from holovault.embed.passages import batches, embed_in_batches
from holovault.embed.patience import Patience
from holovault.embed.service import EmbedOutcome, ModelUnavailable, ModelWarming, ServiceTrouble
from holovault.embed.spec import ModelSpec, Vectors
from holovault.errors import WorkerError
from holovault.model import ModelStatus

T = TypeVar("T")
QUERY_CHARACTERS = 8_000
_WARM_WAIT_S = 5.0
_PERHAPS_A_TEXT = frozenset({"sick", "text"})
_CLOSED = "the embedding model was closed"
_PROBE_QUERIES = (
    "where did we leave the spare keys?",
    "как перенести заметки на новый компьютер",
    "会议记录",
    "def read(path: str) -> bytes",
)
_PROBE_PASSAGES = (
    "The river rose two metres in the night and took the bridge with it.",
    "Рецепт хлеба: мука, вода, соль и одна ночь терпения.",
    "Übersicht der Kosten 2024: 1.250,40 € für Strom, 310 € für Wasser.",
    "- [ ] call the dentist\n- [x] order `M4 × 20` screws",
)


@dataclass(frozen=True, slots=True)
class Limits:
    """`batch_size` texts and about `batch_tokens` tokens are what a query waits for at most; `idle_unload_s` 0 means never."""

    batch_size: int = 32
    batch_tokens: int = 4096
    idle_unload_s: float = 300.0


@dataclass(frozen=True, slots=True)
class Pauses:
    """What pauses between tries are made of: `chance` in [0, 1) and `over`, which ends them all when it is set."""

    chance: Callable[[], float] = random.random
    over: threading.Event = field(default_factory=threading.Event)


class Embedding:
    """An EmbeddingService in front of one worker process. `clock` counts seconds and is looked at for idleness only."""

    def __init__(
        self,
        spec: ModelSpec,
        host: Host,
        line: Line,
        limits: Limits,
        clock: Callable[[], float] = monotonic,
        pauses: Pauses | None = None,
    ) -> None:
        self._spec = spec
        self._host = host
        self._limits = limits
        self._clock = clock
        self._line = line
        pauses = pauses or Pauses()
        self._over = pauses.over
        self._patience = Patience(pauses.chance, pauses.over.wait)
        self._guard = threading.Lock()
        self._warming: Future[None] | None = None
        self._last_use = clock()

    @property
    def spec(self) -> ModelSpec:
        """What vectors from here are."""
        return self._spec

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        """See EmbeddingService. Only the first 8,000 characters are read: it is a question. A loaded model is given at least 5 s."""
        self._refuse_while_broken()
        ready = self._host.ready()
        if not ready:
            self.warm()
        future = self._submit(lambda: self._host.embed_twice([text[:QUERY_CHARACTERS]], "query"), urgent=True)
        wait = max(max_wait, _WARM_WAIT_S) if ready and max_wait is not None else max_wait
        try:
            vectors = self._result(future, wait)
        except TimeoutError:
            future.cancel()
            if ready:
                raise WorkerError(f"the embedding model is busy: no answer within {wait:g} s") from None
            raise ModelWarming("the embedding model is still loading") from None
        return np.array(vectors[0])

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        """See EmbeddingService. Vectors of a call that ends in ModelUnavailable are lost: ask for some hundred texts at a time."""
        plan = batches(texts, self._limits.batch_size, self._limits.batch_tokens)
        return embed_in_batches(texts, plan, self._spec.dimension, self._ask)

    def probes(self) -> Vectors:
        """See EmbeddingService."""
        queries = self._patiently(lambda: self._host.embed_twice(_PROBE_QUERIES, "query"))
        passages = self._patiently(lambda: self._host.embed_twice(_PROBE_PASSAGES, "passage"))
        return np.concatenate([queries, passages])

    def warm(self) -> None:
        """See EmbeddingService. Nothing to do while the model is there, on its way or in its pause after failures."""
        with self._guard:
            on_its_way = self._warming is not None and not self._warming.done()
            if not (on_its_way or self._host.ready() or self._host.broken()):
                self._warming = self._submit(self._host.load, urgent=True)

    def unload_if_idle(self) -> bool:
        """See EmbeddingService. When it returns True the process is gone."""
        return self._is_idle() and self._result(self._line.submit(self._unload, urgent=False), None)

    def status(self) -> ModelStatus:
        """See EmbeddingService. `fingerprint` is the spec's identity: whoever stores vectors knows a better one."""
        state, reason = self._state()
        spec = self._spec
        return ModelStatus(spec.provider, spec.name, spec.identity, spec.dimension, state, reason)

    def rss_mb(self) -> float:
        """See EmbeddingService."""
        return self._host.rss_mb()

    def close(self) -> None:
        """See EmbeddingService. Idempotent."""
        # In this order: first nobody waits any more, then the running request ends, then the thread does.
        self._over.set()
        self._line.refuse()
        self._host.close()
        self._line.close()

    def _ask(self, texts: list[str]) -> Vectors:
        self._refuse_while_broken()
        try:
            return self._patiently(lambda: self._host.embed(texts, "passage"))
        except ServiceTrouble as error:
            if error.trouble.kind in _PERHAPS_A_TEXT:
                # Raises where the service fails with everything; where it does not, it is one of these texts.
                self._result(self._submit(self._host.check, urgent=False), None)
                raise WorkerError(str(error)) from error
            raise

    def _patiently(self, work: Callable[[], T]) -> T:
        return self._patience.ask(lambda: self._result(self._submit(work, urgent=False), None))

    def _submit(self, work: Callable[[], T], *, urgent: bool) -> Future[T]:
        def used() -> T:
            try:
                return work()
            finally:
                self._last_use = self._clock()

        return self._line.submit(used, urgent=urgent)

    def _result(self, future: Future[T], wait: float | None) -> T:
        try:
            return future.result(wait)
        except CancelledError:
            raise ModelUnavailable(_CLOSED) from None

    def _refuse_while_broken(self) -> None:
        if reason := self._host.broken():
            raise ModelUnavailable(reason)

    def _is_idle(self) -> bool:
        limit = self._limits.idle_unload_s
        return limit > 0 and self._line.unfinished() == 0 and self._host.ready() and self._clock() - self._last_use >= limit

    def _unload(self) -> bool:
        # Asked again on the line's own thread: a query may have come in between.
        limit = self._limits.idle_unload_s
        if self._clock() - self._last_use < limit:
            return False
        self._host.unload()
        return True

    def _state(self) -> tuple[str, str | None]:
        if reason := self._host.broken():
            return "failed", reason
        if self._host.ready():
            return "ready", None
        warming = self._warming
        if self._host.loading or (warming is not None and not warming.done()):
            return "warming", None
        reason = self._host.last_failure()
        return ("failed", reason) if reason else ("cold", None)
