"""The worker and the model in it: loaded when needed, loaded again when the worker was replaced.

Owns the child, and the breaker in front of loading and of a service that does not answer. Must not decide what is asked
first: `embedding` does, and calls from one thread.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from holovault.children import Child, WorkerDied, WorkerHung, WorkerOverMemory, WorkerRefused
from holovault.embed.breaker import Breaker
from holovault.embed.service import ModelUnavailable, ServiceTrouble
from holovault.embed.spec import FIRST_WORDS, Kind, ModelSpec, Vectors
from holovault.embed.trouble import Trouble, TroubleError
from holovault.embed.wire import Embed, Load, decode_vectors, encode
from holovault.errors import WorkerError


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: `load` for the start of the process and its model, `answer` for one batch."""

    load: float = 120.0
    answer: float = 60.0


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms the model is loaded: `settings` as in `wire.Load`; `forbidden` says why it must not be just now, None when it may."""

    settings: bytes = b""
    forbidden: Callable[[], str | None] = lambda: None


_NO_TERMS = Terms()


class Host:
    """`load`, `embed` and `unload` are for one thread at a time; the rest is for any."""

    def __init__(self, spec: ModelSpec, module: str, child: Child, breaker: Breaker, timeouts: Timeouts, terms: Terms = _NO_TERMS) -> None:
        self._spec = spec
        self._module = module
        self._terms = terms
        self._child = child
        self._breaker = breaker
        self._timeouts = timeouts
        self._loaded: int | None = None
        self._loading = False

    @property
    def loading(self) -> bool:
        """Whether a model is being loaded just now."""
        return self._loading

    def ready(self) -> bool:
        """Whether a process with its model runs."""
        pid = self._child.pid
        return pid is not None and pid == self._loaded

    def broken(self) -> str | None:
        """Why nothing is tried just now; None when it may be."""
        return self._breaker.reason() or (None if self.ready() else self._terms.forbidden())

    def last_failure(self) -> str | None:
        """Why the model cannot be had, until a load succeeds."""
        return self._breaker.last_reason()

    def load(self) -> None:
        """The model in memory, tried until the breaker opens; ModelUnavailable with the last reason then."""
        self._loading = True
        try:
            while not (self.ready() or self._attempt()):
                pass
        finally:
            self._loading = False

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Checked vectors of one batch; ModelUnavailable when there is no model, another WorkerError when this batch did not work.

        ServiceTrouble is a ModelUnavailable that may be over soon.
        """
        self._refuse_while_broken()
        self.load()
        answer = self._child.request(encode(Embed(list(texts), kind)), self._timeouts.answer)
        try:
            vectors = decode_vectors(answer, len(texts), self._spec.dimension)
        except TroubleError as error:
            # A question's text is not tried by halves: for it, sick is as good as away.
            self._count(error.trouble, sick_counts=kind == "query")
            raise ServiceTrouble(error.trouble) from None
        self._breaker.succeeded()
        return vectors

    def check(self) -> None:
        """Raises ServiceTrouble, and opens the breaker, unless a harmless text gets its vector."""
        try:
            self.embed([FIRST_WORDS], "passage")
        except ServiceTrouble as error:
            self._breaker.failed(str(error), hopeless=True)
            raise

    def embed_twice(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """As `embed`, once more if the worker died: for a question, which is rarely to blame (the system may have taken the process)."""
        try:
            return self.embed(texts, kind)
        except (WorkerDied, WorkerRefused):
            if self.ready():
                raise
            return self.embed(texts, kind)

    def unload(self) -> None:
        """Ends the process: all of its memory goes back."""
        self._loaded = None
        self._child.stop()

    def rss_mb(self) -> float:
        """Resident memory of the process in MB."""
        return self._child.rss_mb()

    def close(self) -> None:
        """Ends the process for good, also from another thread during a request."""
        self._child.close()

    def _refuse_while_broken(self) -> None:
        if reason := self.broken():
            raise ModelUnavailable(reason)

    def _count(self, trouble: Trouble, *, sick_counts: bool) -> None:
        hopeless = trouble.kind == "denied"
        if hopeless or trouble.kind == "away" or (trouble.kind == "sick" and sick_counts):
            self._breaker.failed(trouble.reason, hopeless=hopeless)

    def _attempt(self) -> bool:
        self._refuse_while_broken()
        try:
            message = Load(self._module, self._spec, self._terms.settings)
            decode_vectors(self._child.request(encode(message), self._timeouts.load), 1, self._spec.dimension)
        except TroubleError as error:
            # The pause before the next try belongs to the caller, and a text that nobody wrote is never to blame.
            trouble = replace(error.trouble, kind="denied") if error.trouble.kind == "text" else error.trouble
            self._count(trouble, sick_counts=True)
            raise ServiceTrouble(trouble) from None
        except WorkerError as error:
            self._breaker.failed(str(error), hopeless=isinstance(error, WorkerHung | WorkerOverMemory))
            return False
        self._loaded = self._child.pid
        if self._loaded is None:
            self._breaker.failed(f"{self._child.name} ended right after it was loaded")
            return False
        self._breaker.succeeded()
        return True
