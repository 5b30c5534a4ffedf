"""What the rest of the program asks of a model, whichever it is.

Owns the facade and its values; `embedding` and `nothing` are the two that implement it. Must not know processes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from holovault.embed.spec import ModelSpec, Vectors
from holovault.embed.trouble import Trouble
from holovault.errors import WorkerError
from holovault.model import ModelStatus


class ModelWarming(WorkerError):
    """The model is still loading; it goes on doing so, ask again."""


class ModelUnavailable(WorkerError):
    """There is no model to ask: it cannot be loaded, is taking a pause after failures, or was closed. No text is to blame."""


class ServiceTrouble(ModelUnavailable):
    """The model lives behind a network and could not answer; `trouble` says whether asking again may help."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        super().__init__(trouble.reason)


@dataclass(frozen=True, slots=True)
class EmbedOutcome:
    """`vectors`: float32 (n, dimension), unit rows, zeros where `failed` (ascending positions) says that the text cannot be embedded.

    `reasons` has one sentence for each of `failed`.
    """

    vectors: Vectors
    failed: tuple[int, ...] = ()
    reasons: tuple[str, ...] = ()


class EmbeddingService(Protocol):
    """Vectors on demand. Thread-safe; the model loads on first need and leaves memory when idle."""

    @property
    def spec(self) -> ModelSpec | None:
        """The model's spec, known without loading it; None when there is no model."""

    def embed_query(self, text: str, max_wait: float | None) -> Vectors:
        """Unit float32 vector (dimension,) of a question; overtakes passages.

        `max_wait` seconds are for a cold model: ModelWarming when they pass, None waits until it is loaded. ModelUnavailable at once
        while the model cannot be loaded; another WorkerError when it died or hung over this question.
        """

    def embed_passages(self, texts: Sequence[str]) -> EmbedOutcome:
        """Vectors of window texts, in bounded batches; a text that kills the worker twice by itself is in `failed`.

        ModelUnavailable ends the call: no text is to blame.
        """

    def probes(self) -> Vectors:
        """(8, dimension): vectors of fixed texts, half as queries and half as passages, to tell a changed model from an updated library."""

    def warm(self) -> None:
        """Starts loading, in the background."""

    def unload_if_idle(self) -> bool:
        """Gives all of the model's memory back if nothing was asked for `idle_unload_s`; True if it did."""

    def status(self) -> ModelStatus:
        """State none, cold, warming, ready or failed (with the reason)."""

    def rss_mb(self) -> float:
        """Resident memory of the worker in MB, 0 without one."""

    def close(self) -> None:
        """Ends the worker for good; waiting calls raise ModelUnavailable."""
