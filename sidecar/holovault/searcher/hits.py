"""From ranked chunks to hits: the passage to show and its marks.

Owns which part of a chunk is shown. Must not reorder.
"""

from holovault.chunking import windows
from holovault.lexemes import Analyzer
from holovault.model import Chunk, Explanation, Hit, Signals
from holovault.query import Excerpt, best_excerpt
from holovault.ranking import Ranked
from holovault.searcher.facts import fact_ref, fact_tags
from holovault.searcher.question import Question
from holovault.store import ChunkRow, FactRow

LENGTH = 300
"""Code points of an excerpt at most: three lines of a search pane."""


class Presenter:
    """Makes hits. A window is a number among those of `size` tokens."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer

    def hit(
        self, row: ChunkRow, ranked: Ranked, question: Question, window: int | None, size: int, explain: bool, fact: FactRow | None = None
    ) -> Hit:
        """One hit. Where meaning found it more than words did, the excerpt comes from the window with that number."""
        parts = {part.lane: part.contribution for part in ranked.explanation.parts}
        by_meaning = window is not None and parts.get("semantic", 0.0) > parts.get("lexical", 0.0) + parts.get("jaccard", 0.0)
        text = self._passage(row, window, size) if by_meaning and window is not None else row.text
        excerpt = self._excerpt(text, question)
        return as_hit(row, excerpt, ranked.score, ranked.signals, ranked.explanation if explain else None, fact)

    def opening(self, row: ChunkRow, fact: FactRow | None = None) -> Hit:
        """A hit that only filters chose: the begin of the chunk, nothing to mark, no score."""
        return as_hit(row, best_excerpt(row.text, frozenset(), (), self._analyzer, LENGTH), 0.0, Signals(), None, fact)

    def passage(self, row: ChunkRow, window: int | None, size: int) -> Excerpt:
        """The begin of a window, or of the chunk without one; nothing to mark."""
        return best_excerpt(row.text if window is None else self._passage(row, window, size), frozenset(), (), self._analyzer, LENGTH)

    def _excerpt(self, text: str, question: Question) -> Excerpt:
        return best_excerpt(text, frozenset(question.terms), question.query.phrases, self._analyzer, LENGTH, question.masses)

    def _passage(self, row: ChunkRow, number: int, size: int) -> str:
        chunk = Chunk(0, row.heading, row.start_line, row.end_line, row.text, row.tokens, row.block_ids, row.hash)
        return next((row.text[window.start : window.end] for window in windows(chunk, size) if window.number == number), row.text)


def as_hit(
    row: ChunkRow, excerpt: Excerpt, score: float, signals: Signals, explanation: Explanation | None, fact: FactRow | None = None
) -> Hit:
    """A stored chunk and what was found of it, as every surface shows it. `fact` is the fact that the chunk is."""
    return Hit(
        path=row.path,
        title=row.title,
        heading=row.heading,
        start_line=row.start_line,
        end_line=row.end_line,
        excerpt=excerpt.text,
        matches=excerpt.matches,
        tags=row.tags if fact is None else fact_tags(row, fact),
        score=score,
        signals=signals,
        tier=row.tier,
        project=row.project,
        modified=row.modified,
        chunk=row.hash,
        fact=None if fact is None else fact_ref(fact),
        explanation=explanation,
        source=row.front.source,
    )
