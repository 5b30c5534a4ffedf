"""What the lanes proposed, gathered by chunk.

Owns turning a stored chunk and its raw scores into ranking's candidate. Must not rank.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from holovault.model import Lane, Mode
from holovault.ranking import Candidate
from holovault.searcher.facts import own_date
from holovault.searcher.lens import WINDOW
from holovault.searcher.meaning import Meaning
from holovault.searcher.structure import Structure
from holovault.searcher.words import Words
from holovault.store import ChunkId, ChunkTerms, FactRow, Standing

DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Pool:
    """BM25 by chunk, what the semantic lane said, and what structure says of the chunks that either proposed."""

    mode: Mode
    words: Mapping[ChunkId, float]
    meaning: Meaning
    structure: Structure = field(default_factory=Structure)

    @property
    def chunks(self) -> tuple[ChunkId, ...]:
        """Every chunk that some lane proposed, words first."""
        return tuple(dict.fromkeys((*self.words, *self.meaning.matches)))

    @property
    def lanes(self) -> frozenset[Lane]:
        """The lanes that could speak."""
        said: set[Lane] = set() if self.mode == "semantic" else {"lexical", "jaccard"}
        said |= {"semantic"} if self.meaning.spoke else set()
        return frozenset(said | {"hrr"} if any(self.structure.scores.values()) else said)

    @property
    def size(self) -> int:
        """Tokens of the windows that meaning speaks of."""
        return WINDOW if self.meaning.lens is None else self.meaning.lens.window

    def window(self, chunk: ChunkId) -> int | None:
        """Number of the chunk's best window, None where meaning did not speak of it."""
        match = self.meaning.matches.get(chunk)
        return None if match is None else match.window


def candidate(
    chunk: ChunkId, standing: Standing, pool: Pool, words: Words, terms: ChunkTerms | None, now: datetime, fact: FactRow | None = None
) -> Candidate:
    """One chunk with all that ranking wants to know of it. `terms` is its analysed text; a fact ages from its own date, or not at all."""
    since = standing.modified if fact is None else own_date(fact)
    match = pool.meaning.matches.get(chunk)
    shares = None if terms is None else words.shares(terms)
    return Candidate(
        key=chunk,
        lexical=pool.words.get(chunk),
        semantic=None if match is None else match.cosine,
        jaccard=None if shares is None or pool.mode == "semantic" else shares.containment,
        hrr=pool.structure.scores.get(chunk),
        coverage=0.0 if shares is None else shares.coverage,
        tier=standing.tier,
        trust=None if fact is None else fact.trust,
        age_days=0.0 if since is None else age_days(since, now),
    )


def age_days(modified: str, now: datetime) -> float:
    """Days since an RFC 3339 time or a date; 0 for the future and for what is neither."""
    try:
        then = datetime.fromisoformat(modified)
    except ValueError:
        return 0.0
    if then.tzinfo is None:
        then = then.replace(tzinfo=now.tzinfo)
    return max(0.0, (now - then).total_seconds() / DAY)
