"""Related notes: which other notes lie near a note, and which it is linked with.

Owns the meeting of both. Stored vectors are enough, no model is asked; without vectors the note's own rare words ask for it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from holovault.embed import Vectors
from holovault.errors import NotFoundError
from holovault.hrr import Atoms
from holovault.model import Degraded, Explanation, Hit, LinkWay, Part, RelatedRequest, Signals
from holovault.searcher.calibration import scale_of
from holovault.searcher.hits import Presenter, as_hit
from holovault.searcher.kinship import Kin, Kinship
from holovault.searcher.lens import WINDOW
from holovault.searcher.links import linked_with
from holovault.searcher.meaning import MeaningLane
from holovault.searcher.words import Words
from holovault.store import ChunkId, ChunkRow, FactRow, Fingerprint, SemanticMatch, Store

ASKING = 8
"""Chunks of the note that ask, spread over it: a long note is not about its beginning alone."""

LIST = 50
"""Neighbours of each of them."""

WORDS = 16
"""Words of the note that ask where it has no vectors."""

LINKED = 0.2
"""Share of a link in the score of a related note; the rest is nearness, and company where the note states names."""

COMPANY, STRUCTURE = 0.1, 0.1
"""Shares of the names that both speak of, and of the likeness of their structure."""

LEAST = 0.01
"""Score from which a note is related at all; below it stands what shares one name that is nearly everywhere."""


@dataclass(frozen=True, slots=True)
class _Near:
    """The best passage of another note: nearness 0…1, by meaning (with its window, of `size` tokens) or by words.

    By meaning, 0 is the floor of the scale and 1 the same text: notes on one subject lie above the ceiling of questions.
    """

    row: ChunkRow
    value: float
    window: int | None = None
    size: int = WINDOW


@dataclass(frozen=True, slots=True)
class _None:
    """A note that shares no name."""

    share: float = 0.0
    likeness: float = 0.0
    via: tuple[str, ...] = ()


NONE = _None()


class Relations:
    """Answers `related`."""

    def __init__(self, store: Store, meaning: MeaningLane, presenter: Presenter, atoms: Atoms) -> None:
        self._store = store
        self._meaning = meaning
        self._presenter = presenter
        self._kinship = Kinship(store, atoms)

    def of(self, request: RelatedRequest) -> tuple[tuple[Degraded, ...], tuple[Hit, ...]]:
        """What is missing, and one hit for each related note, nearest first. Raises NotFoundError for an unknown note."""
        own = self._store.notes.chunks_of(request.path)
        if not own and self._store.notes.state(request.path) is None:
            raise NotFoundError(f"The index has no note {request.path}. Check the path, or run the index again if the note is new.")
        gap = self._meaning.gap()
        serving = self._store.vectors.serving
        vectors = [] if serving is None else self._vectors(own, serving)
        if serving is not None and vectors:
            near = self._by_meaning(request.path, vectors, serving)
        else:
            near = self._by_words(request.path, own)
            gap = gap or Degraded("semantic", "building", "this note has no vectors yet, words only")
        hits = self._joined(request, near, self._kinship.of(request.path, own))
        return () if gap is None else (gap,), hits[: max(1, request.limit)]

    def _vectors(self, own: Sequence[ChunkRow], of: Fingerprint) -> list[Vectors]:
        """The middle of each asking chunk's windows, as unit vectors; chunks without vectors do not ask."""
        spread = sorted({round(place) for place in np.linspace(0, len(own) - 1, min(ASKING, len(own)))}) if own else []
        windows = (self._store.vectors.of_chunks([own[place].id], of) for place in spread)
        middles = [rows.mean(axis=0) for rows in windows if len(rows)]
        return [np.asarray(middle / length, dtype=np.float32) for middle in middles if (length := np.linalg.norm(middle))]

    def _by_meaning(self, path: str, vectors: Sequence[Vectors], of: Fingerprint) -> dict[str, _Near]:
        scale = scale_of(self._store, of)
        best: dict[ChunkId, SemanticMatch] = {}
        for vector in vectors:
            for match in self._meaning.nearest(vector, of, LIST):
                if match.cosine >= scale.floor and (match.chunk not in best or match.cosine > best[match.chunk].cosine):
                    best[match.chunk] = match
        near = (
            _Near(row, (best[row.id].cosine - scale.floor) / (1 - scale.floor), best[row.id].window, of.window)
            for row in self._store.notes.chunk_rows(list(best))
        )
        return _best_of_each(path, near)

    def _by_words(self, path: str, own: Sequence[ChunkRow]) -> dict[str, _Near]:
        """Notes that share the rarest words of this one, by BM25 and coverage."""
        words = self._rare_words(own)
        found = {
            match.chunk: match.bm25
            for match in self._store.lexical.search([form for word in words.asked for form in word.forms], LIST, None)
        }
        analysed = self._store.lexical.analysed(list(found))
        most = max(found.values(), default=1.0)
        rows = self._store.notes.chunk_rows(list(found))
        near = (_Near(row, words.shares(analysed[row.id]).coverage * found[row.id] / most) for row in rows if row.id in analysed)
        return _best_of_each(path, near)

    def _rare_words(self, own: Sequence[ChunkRow]) -> Words:
        counts: Counter[str] = Counter()
        for terms in self._store.lexical.analysed([row.id for row in own]).values():
            counts.update(f"{terms.title} {terms.headings} {terms.body}".split())
        frequency, total = self._store.lexical.document_frequency(list(counts)), self._store.lexical.total()
        shared = [term for term in counts if frequency.get(term, 0) > 1]
        weighed = Words.weigh([(term,) for term in shared], frequency, total)
        best = sorted(weighed.asked, key=lambda word: (-word.mass * (1 + np.log(counts[word.forms[0]])), word.forms))
        return Words(tuple(best[:WORDS]))

    def _joined(self, request: RelatedRequest, near: Mapping[str, _Near], kin: Mapping[str, Kin] | None) -> tuple[Hit, ...]:
        """Near notes, those that share names and linked ones in one order."""
        linked = linked_with(self._store, request.path)
        everyone = {path: _Near(one.row, 0.0) for path, one in (kin or {}).items()} | dict(near)
        if request.unlinked:
            everyone = {path: one for path, one in everyone.items() if path not in linked}
        else:
            far = (rows[0] for other in linked if other not in everyone and (rows := self._store.notes.chunks_of(other)))
            everyone |= {row.path: _Near(row, 0.0) for row in far}
        facts = self._store.facts.of([one.row.id for one in everyone.values()])
        hits = (
            self._hit(one, linked.get(path, ()), None if kin is None else kin.get(path, NONE), facts.get(one.row.id))
            for path, one in everyone.items()
        )
        return tuple(sorted((hit for hit in hits if hit.score >= LEAST), key=lambda hit: (-hit.score, hit.path)))

    def _hit(self, near: _Near, linked: tuple[LinkWay, ...], kin: Kin | _None | None, fact: FactRow | None) -> Hit:
        by_meaning = near.window is not None
        rest = 1 - LINKED - (0.0 if kin is None else COMPANY + STRUCTURE)
        parts: tuple[Part, ...] = (
            Part("semantic" if by_meaning else "lexical", near.value, rest, near.value * rest),
            Part("links", float(bool(linked)), LINKED, LINKED * bool(linked)),
        )
        if kin is not None:
            parts = (
                *parts,
                Part("entities", kin.share, COMPANY, COMPANY * kin.share),
                Part("structure", kin.likeness, STRUCTURE, STRUCTURE * kin.likeness),
            )
        score = sum(part.contribution for part in parts)
        signals = Signals(semantic=near.value) if by_meaning else Signals(lexical=near.value)
        explanation = Explanation("coverage", score, parts, 1.0, 1.0, 1.0, score)
        hit = as_hit(near.row, self._presenter.passage(near.row, near.window, near.size), score, signals, explanation, fact)
        return replace(hit, links=linked, via=() if kin is None else kin.via)


def _best_of_each(path: str, near: Iterable[_Near]) -> dict[str, _Near]:
    """The nearest passage of every note but this one."""
    best: dict[str, _Near] = {}
    for one in near:
        other = one.row.path
        if other != path and (other not in best or (one.value, -one.row.start_line) > (best[other].value, -best[other].row.start_line)):
            best[other] = one
    return best
