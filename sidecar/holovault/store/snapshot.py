"""One consistent view of windows and vectors, and the search over it.

Immutable; a reader keeps the one it got while newer ones are made. Windows are ordered by chunk, so the
best window of each chunk is one reduction.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holovault.store.codes import Popcount
from holovault.store.space import FAR, NEVER, Space
from holovault.store.values import ChunkFilter, ChunkId, Float32, Int64, SemanticMatch

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ScanLimits:
    """Up to `exact` windows every vector is scored; above, the `candidates` (at least, and 8 per result) nearest by code."""

    exact: int = 100_000
    candidates: int = 400


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`chunks` (c,) ascending, `starts` (c,) the first window of each; `numbers`, `rows` (w,) per window, row −1 without a vector."""

    chunks: Int64
    starts: Int64
    numbers: NDArray[np.int32]
    rows: NDArray[np.int32]
    space: Space

    def search(self, query: Float32, limit: int, allowed: ChunkFilter | None, scan: ScanLimits, popcount: Popcount) -> list[SemanticMatch]:
        """The best chunks by their best window, highest cosine first; equal ones in the order of the index."""
        mask = None if allowed is None else self._mask(allowed)
        if not len(self.chunks) or limit < 1 or (mask is not None and not mask.any()):
            return []
        windows = self._candidates(query, limit, mask, scan, popcount)
        if windows is None:
            return self._exact(query, limit, mask)
        return self._rescored(query, limit, windows)

    def _mask(self, allowed: ChunkFilter) -> Bools:
        mask = np.zeros(len(self.chunks), dtype=np.bool_)
        places = np.searchsorted(self.chunks, allowed.ids)
        inside = places < len(self.chunks)
        places, ids = places[inside], allowed.ids[inside]
        mask[places[self.chunks[places] == ids]] = True
        return mask

    def _sizes(self) -> Int64:
        return np.diff(self.starts, append=len(self.rows))

    def _candidates(self, query: Float32, limit: int, mask: Bools | None, scan: ScanLimits, popcount: Popcount) -> Int64 | None:
        """Windows worth scoring, or none where scoring all of them is no dearer."""
        wanted = None if mask is None else np.flatnonzero(np.repeat(mask, self._sizes()) & (self.rows >= 0))
        if wanted is not None and len(wanted) * 8 <= len(self.rows) and len(wanted) <= 4 * max(scan.candidates, 8 * limit):
            return wanted
        if len(self.rows) <= scan.exact:
            return None
        away = self.space.distances(query, popcount)[self.rows]
        if mask is not None:
            away[~np.repeat(mask, self._sizes())] = FAR
        return _nearest(away, max(scan.candidates, 8 * limit))

    def _exact(self, query: Float32, limit: int, mask: Bools | None) -> list[SemanticMatch]:
        scores = self.space.scores(query)[self.rows]
        best = np.maximum.reduceat(scores, self.starts)
        if mask is not None:
            best[~mask] = NEVER
        top = _top(best, limit)
        ends = self.starts + self._sizes()
        return [
            SemanticMatch(
                ChunkId(int(self.chunks[c])), min(1.0, float(best[c])), int(self.numbers[start + int(np.argmax(scores[start : ends[c]]))])
            )
            for c, start in zip(top.tolist(), self.starts[top].tolist(), strict=True)
        ]

    def _rescored(self, query: Float32, limit: int, windows: Int64) -> list[SemanticMatch]:
        scores = self.space.scores_of(self.rows[windows], query)
        owners = np.searchsorted(self.starts, windows, side="right") - 1
        found: dict[int, SemanticMatch] = {}
        for place in np.argsort(-scores, kind="stable").tolist():
            owner = int(owners[place])
            if owner not in found:
                found[owner] = SemanticMatch(
                    ChunkId(int(self.chunks[owner])), min(1.0, float(scores[place])), int(self.numbers[windows[place]])
                )
                if len(found) == limit:
                    break
        return list(found.values())

    def of_chunks(self, chunks: Int64) -> Float32:
        """Vectors (n, dimension) of the windows of some chunks, in the order of `chunks`; those without a vector are left out."""
        places = np.searchsorted(self.chunks, chunks)
        sizes = self._sizes()
        rows = [
            self.rows[self.starts[place] : self.starts[place] + sizes[place]]
            for place, chunk in zip(places.tolist(), chunks.tolist(), strict=True)
            if place < len(self.chunks) and self.chunks[place] == chunk
        ]
        wanted = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int32)
        return self.space.vectors(wanted[wanted >= 0])


def _top(scores: Float32, limit: int) -> Int64:
    """Places of the highest scores, highest first, equal ones in order; −inf never."""
    if limit < len(scores):
        # ties at the edge are settled by place, as everywhere else
        edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        places = np.flatnonzero(scores >= edge)
    else:
        places = np.arange(len(scores))
    places = places[scores[places] > NEVER]
    return places[np.argsort(-scores[places], kind="stable")][:limit]


def _nearest(away: NDArray[np.uint16], count: int) -> Int64:
    """Places of at least the `count` smallest distances: all of the last distance that is needed."""
    totals = np.cumsum(np.bincount(away, minlength=int(FAR) + 1)[: int(FAR)])
    edge = int(np.searchsorted(totals, count))
    return np.flatnonzero(away <= min(edge, int(FAR) - 1))
