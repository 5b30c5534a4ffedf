"""The semantic lane: from a question's text to cosines, or to the reason why there are none.

Owns what is said when the model or some vectors are missing, and which model is asked when one cannot answer. Must not rank.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from holovault.embed import ModelWarming, Vectors
from holovault.errors import WorkerError
from holovault.model import Degraded
from holovault.searcher.calibration import noise_of
from holovault.searcher.lens import Lens, Models
from holovault.searcher.nearness import centring_of, nearest
from holovault.store import ChunkFilter, ChunkId, Fingerprint, SemanticMatch, Store

_CHANGES = 3
"""How often the models may change while one question is asked."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the lane said: best windows by chunk, the question's cosine to noise where it is like noise, and what was missing.

    `lens` is whose vectors were asked; None where the question got no vector.
    """

    lens: Lens | None = None
    matches: Mapping[ChunkId, SemanticMatch] = field(default_factory=dict)
    noise: float | None = None
    degraded: tuple[Degraded, ...] = ()

    @property
    def spoke(self) -> bool:
        """Whether the question got a vector."""
        return self.lens is not None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A vector with its lens; `problem` says why there is none, or why it is not the serving model's."""

    lens: Lens
    vector: Vectors | None
    problem: Degraded | None


class MeaningLane:
    """Asks the models and the vectors."""

    def __init__(self, store: Store, models: Models) -> None:
        self._store = store
        self._models = models

    def ask(self, text: str, allowed: ChunkFilter | None, limit: int, max_wait: float | None, others: Sequence[ChunkId]) -> Meaning:
        """The `limit` best chunks, and the cosines of `others` that are not among them."""
        asked = self._asked(text, max_wait)
        lens, vector = asked.lens, asked.vector
        if vector is None:
            return Meaning(degraded=() if asked.problem is None else (asked.problem,))
        fingerprint = lens.fingerprint
        if fingerprint is None or fingerprint.dimension != len(vector):
            gap = self._gap(lens)
            return Meaning(degraded=(gap or Degraded("semantic", "building", "no passage is embedded with this model yet, words only"),))
        matches = self._matches(vector, fingerprint, allowed, limit, others)
        gap = self._gap(lens, stands_in=asked.problem is not None)
        noise = self._noise(vector, fingerprint)
        return Meaning(lens, matches, noise, () if gap is None else (gap,))

    def nearest(self, vector: Vectors, of: Fingerprint, limit: int, allowed: ChunkFilter | None = None) -> list[SemanticMatch]:
        """The chunks nearest to a unit vector (dimension,) of a set's model; their cosines are likenesses where it needs centring."""
        return nearest(self._store, of, centring_of(self._store, of), vector, limit, allowed)

    def _noise(self, vector: Vectors, of: Fingerprint) -> float | None:
        noise = noise_of(self._store, of)
        return None if noise is None else noise.of(centring_of(self._store, of).question(vector))

    def gap(self) -> Degraded | None:
        """What of the vault has no vector, None when all has."""
        return self._gap(self._models.lenses()[0])

    def _asked(self, text: str, max_wait: float | None) -> _Asked:
        """Of the first model that answers; once more where the models changed meanwhile."""
        for _ in range(_CHANGES):
            lenses = self._models.lenses()
            asked = self._first(lenses, text, max_wait)
            if asked.vector is not None or self._models.lenses() == lenses:
                break
        return asked

    def _first(self, lenses: tuple[Lens, ...], text: str, max_wait: float | None) -> _Asked:
        trouble: Degraded | None = None
        for lens in lenses:
            absent = self._absent(lens)
            if absent is not None and absent.code == "disabled":
                return _Asked(lens, None, absent)
            if trouble is not None and not self._reaches(lens):
                continue
            try:
                vector = lens.embedding.embed_query(text, max_wait)
                if not self._models.proven(lens):
                    return _Asked(lens, None, Degraded("semantic", "building", "the model was updated and begins anew, words only"))
                return _Asked(lens, vector, trouble)
            except ModelWarming as fault:
                return _Asked(lens, None, Degraded("semantic", "warming", f"the model is still loading, words only: {fault}"))
            except WorkerError as fault:
                trouble = trouble or Degraded("semantic", "failed", f"the model cannot answer, words only: {fault}")
        return _Asked(lenses[0], None, trouble)

    def _reaches(self, lens: Lens) -> bool:
        return lens.fingerprint is not None and self._store.vectors.coverage(lens.fingerprint).embedded > 0

    def _absent(self, lens: Lens) -> Degraded | None:
        if lens.embedding.spec is not None:
            return None
        if missing := lens.embedding.status().reason:
            return Degraded("semantic", "failed", f"words only: {missing}")
        return Degraded("semantic", "disabled", 'no model is configured ([embedding] provider = "none"), words only')

    def _gap(self, lens: Lens, *, stands_in: bool = False) -> Degraded | None:
        if (absent := self._absent(lens)) is not None:
            return absent
        if lens.fingerprint is None:
            counts = self._store.notes.counts()
            reason = f"{counts.pending:,} of {counts.windows:,} windows not embedded yet"
            return Degraded("semantic", "building", reason) if counts.pending else None
        covered = self._store.vectors.coverage(lens.fingerprint)
        if stands_in:
            name = lens.embedding.status().name
            return Degraded("semantic", "partial", f"{covered.embedded:,} of {covered.windows:,} windows embedded with {name} so far")
        if not covered.pending:
            return None
        reason = f"{covered.pending:,} of {covered.windows:,} windows not embedded yet"
        return Degraded("semantic", "partial" if covered.embedded else "building", reason)

    def _matches(
        self, vector: Vectors, of: Fingerprint, allowed: ChunkFilter | None, limit: int, others: Sequence[ChunkId]
    ) -> dict[ChunkId, SemanticMatch]:
        best = {match.chunk: match for match in self.nearest(vector, of, limit, allowed)}
        missing = [chunk for chunk in others if chunk not in best]
        if missing:
            best |= {match.chunk: match for match in self.nearest(vector, of, len(missing), ChunkFilter.of(missing))}
        return best
