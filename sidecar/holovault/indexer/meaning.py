"""Filling in vectors for windows that have none, newest notes first.

Owns the backlog's pace and what becomes of a window that no model survives. Must not parse or read
notes: the store has each window's text.
"""

import threading
from collections.abc import Callable
from datetime import datetime

import numpy as np

from holovault.chunking import window_string, windows
from holovault.embed import EmbeddingService
from holovault.indexer.dates import rfc3339
from holovault.store import Fingerprint, PendingWindow, Store

SLICE = 128
CHUNKS = 64
"""Chunks that are cut to another size in one transaction."""

_UNKNOWN = "the model failed on this passage twice"


class Meaning:
    """Embeds the backlog of one model's set in slices; one slice at a time, however many callers."""

    def __init__(self, store: Store, embedding: EmbeddingService, now: Callable[[], datetime]) -> None:
        self._store = store
        self._embedding = embedding
        self._now = now
        self._turn = threading.Lock()
        self._adopted = False

    def step(self) -> int:
        """Embed one slice for the set that serves, which is this model's from now on; 0 when nothing waits. Raises WorkerError."""
        spec = self._embedding.spec
        if spec is None or not self._store.vectors.pending():
            return 0
        with self._turn:
            if not self._adopted:
                self._store.vectors.adopt(spec.identity, spec.dimension, self._embedding.probes(), window=spec.window)
                self._adopted = True
        serving = self._store.vectors.serving
        return 0 if serving is None else self.fill(serving)

    def cut(self, of: Fingerprint, stopped: Callable[[], bool] = lambda: False) -> None:
        """Give every chunk its windows of the size that this set needs. Only the first call after a change of size has work."""
        with self._turn:
            while not stopped() and (waiting := self._store.windows.waiting(of.window, CHUNKS)):
                self._store.windows.put(of.window, [(chunk, windows(text, of.window)) for chunk, text in waiting])

    def fill(self, of: Fingerprint) -> int:
        """Embed one slice for a set of this model; 0 when nothing waits. Raises WorkerError where the model cannot answer at all."""
        with self._turn:
            batch = self._store.vectors.backlog(SLICE, of)
            if not batch:
                return 0
            outcome = self._embedding.embed_passages([window_string(item.window, item.text) for item in batch])
            reasons = dict(zip(outcome.failed, outcome.reasons, strict=False))
            failed = set(outcome.failed)
            good = [number for number in range(len(batch)) if number not in failed]
            with self._store.atomic():
                self._store.vectors.put(
                    [(batch[number].window.key, np.asarray(outcome.vectors[number], np.float32)) for number in good], of
                )
                for number in sorted(failed):
                    self._give_up(batch[number], of, reasons.get(number, _UNKNOWN))
            return len(good)

    def _give_up(self, item: PendingWindow, of: Fingerprint, why: str) -> None:
        reason = f"lines {item.window.start_line}–{item.window.end_line}: {why}; it is found by words only"
        self._store.vectors.mark_failed(item.window.key, reason, rfc3339(self._now()), of)
