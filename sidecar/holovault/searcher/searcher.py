"""Searcher: a request in, hits out.

Owns the order of steps: understand, ask the lanes, verify, decide whether anything was found, rank, present. Must not know SQL, a
model or a surface; the clock and the time of day are handed in.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from holovault.config import Config, Rules
from holovault.hrr import Atoms
from holovault.lexemes import Analyzer
from holovault.model import Degraded, Hit, RelatedRequest, SearchRequest, SearchResponse
from holovault.query import phrase_in
from holovault.ranking import Bar, Candidate, Ranked, found, rank
from holovault.searcher.calibration import scale_of
from holovault.searcher.candidates import Pool, candidate
from holovault.searcher.facts import newest_facts
from holovault.searcher.filters import select
from holovault.searcher.hits import Presenter
from holovault.searcher.lens import Models
from holovault.searcher.listing import newest
from holovault.searcher.meaning import Meaning, MeaningLane
from holovault.searcher.question import Question, ask, suggestion
from holovault.searcher.related import Relations
from holovault.searcher.settings import scoring
from holovault.searcher.structure import Structure, StructureLane
from holovault.searcher.tongue import spoken_here
from holovault.store import ChunkFilter, ChunkId, ChunkRow, FactRow, Fingerprint, Standing, Store

LIST = 100
"""Chunks that each lane may propose."""

DEEP = 1000
"""The same where candidates have to be read to know if they answer: phrases and excluded words."""


@dataclass(frozen=True, slots=True)
class _Found:
    hits: tuple[Hit, ...]
    degraded: tuple[Degraded, ...] = ()
    suggestion: str | None = None


class Searcher:
    """Answers `search` and `related` over one store. Thread-safe: it keeps nothing between requests."""

    def __init__(
        self,
        store: Store,
        models: Models,
        analyzer: Analyzer,
        config: Config,
        rules: Rules,
        now: Callable[[], datetime],
        clock: Callable[[], float],
        atoms: Atoms | None = None,
    ) -> None:
        """`now` gives aware times, `clock` seconds that only rise; `atoms` may be shared."""
        self._store = store
        self._analyzer = analyzer
        self._config = config
        self._rules = rules
        self._now = now
        self._clock = clock
        self._zone: tzinfo | None = ZoneInfo(config.time.zone) if config.time.zone else None
        self._meaning = MeaningLane(store, models)
        atoms = atoms or Atoms()
        self._structure = StructureLane(store, atoms, analyzer)
        self._presenter = Presenter(analyzer)
        self._relations = Relations(store, self._meaning, self._presenter, atoms)

    def search(self, request: SearchRequest) -> SearchResponse:
        """The best passages for a query of any content. Nothing found is an answer; a lane that is missing is said in `degraded`."""
        begun = self._clock()
        question = ask(request.query, self._analyzer, self._store)
        allowed = select(self._store, question.query.filters, self._now(), self._zone)
        answer = self._ranked(request, question, allowed) if question.words.asked else self._listed(request, question, allowed)
        took = (self._clock() - begun) * 1000
        return SearchResponse(request.query, took, answer.degraded, answer.hits, answer.suggestion)

    def related(self, request: RelatedRequest) -> SearchResponse:
        """The passages of other notes that are nearest to a note. Raises NotFoundError for a note that the index does not have."""
        begun = self._clock()
        degraded, hits = self._relations.of(request)
        return SearchResponse(request.path, (self._clock() - begun) * 1000, degraded, hits)

    def _ranked(self, request: SearchRequest, question: Question, allowed: ChunkFilter | None) -> _Found:
        pool = self._gather(request, question, allowed)
        standings = self._store.notes.standings(self._verified(question, pool))
        how = scoring(self._config.search, request.profile, pool.lanes, scale_of(self._store, self._measured(pool)), pool.structure.say)
        facts = self._store.facts.of(standings)
        candidates = self._candidates(question, pool, standings, facts)
        bar = Bar(how.scale, pool.meaning.spoke, pool.meaning.noise, self._foreign(question))
        ranked = rank(found(candidates, bar), how, max(1, request.limit))
        hits = tuple(
            self._presenter.hit(row, item, question, pool.window(row.id), pool.size, request.explain, facts.get(row.id))
            for item, row in self._with_rows(ranked)
        )
        offer = None if hits else suggestion(question, self._analyzer, self._store)
        return _Found(hits, (*pool.meaning.degraded, *self._empty()), offer)

    def _measured(self, pool: Pool) -> Fingerprint | None:
        """The set of vectors whose scale counts."""
        return self._store.vectors.serving if pool.meaning.lens is None else pool.meaning.lens.fingerprint

    def _foreign(self, question: Question) -> float:
        """The share of unknown words, where they may be words of a language that the vault does not have."""
        unknown = question.words.unknown
        return 0.0 if not unknown or spoken_here(question.query.words, self._analyzer, self._store) else unknown

    def _gather(self, request: SearchRequest, question: Question, allowed: ChunkFilter | None) -> Pool:
        depth = DEEP if question.verified else LIST
        words = {} if request.mode == "semantic" else self._by_words(question, allowed, depth)
        meaning = Meaning()
        if request.mode != "lexical":
            meaning = self._meaning.ask(question.query.words, allowed, depth, request.max_wait, tuple(words))
        pool = Pool(request.mode, words, meaning)
        return replace(pool, structure=self._by_structure(question, pool.chunks)) if request.mode == "hybrid" else pool

    def _by_words(self, question: Question, allowed: ChunkFilter | None, depth: int) -> Mapping[ChunkId, float]:
        return {match.chunk: match.bm25 for match in self._store.lexical.search(question.terms, depth, allowed)}

    def _by_structure(self, question: Question, chunks: Sequence[ChunkId]) -> Structure:
        named = self._structure.named(question.query.words) if chunks else None
        return Structure() if named is None else Structure(self._structure.scores(named, chunks), named.say(question.words))

    def _verified(self, question: Question, pool: Pool) -> Sequence[ChunkId]:
        """The candidates that answer; their texts are read only where a phrase or an excluded word makes that needful."""
        if not question.verified:
            return pool.chunks
        return [row.id for row in self._store.notes.chunk_rows(pool.chunks) if _answers(question, row)]

    def _candidates(
        self, question: Question, pool: Pool, standings: Mapping[ChunkId, Standing], facts: Mapping[ChunkId, FactRow]
    ) -> list[Candidate]:
        analysed = self._store.lexical.analysed(tuple(standings))
        now = self._now()
        return [
            candidate(chunk, standing, pool, question.words, analysed.get(chunk), now, facts.get(chunk))
            for chunk, standing in standings.items()
        ]

    def _with_rows(self, ranked: Sequence[Ranked]) -> Iterator[tuple[Ranked, ChunkRow]]:
        """Each with its chunk; one that was removed meanwhile is left out."""
        rows = {row.id: row for row in self._store.notes.chunk_rows([ChunkId(item.key) for item in ranked])}
        return ((item, rows[ChunkId(item.key)]) for item in ranked if item.key in rows)

    def _listed(self, request: SearchRequest, question: Question, allowed: ChunkFilter | None) -> _Found:
        """Notes that pass the filters, newest first, or facts where facts were asked for; a query of nothing lists nothing."""
        choose = newest if question.query.filters.facts is None else newest_facts
        rows = [] if allowed is None else choose(self._store, allowed, max(1, request.limit))
        facts = self._store.facts.of([row.id for row in rows])
        return _Found(tuple(self._presenter.opening(row, facts.get(row.id)) for row in rows), self._empty())

    def _empty(self) -> tuple[Degraded, ...]:
        return () if self._store.lexical.total() else (Degraded("index", "empty", "the index has no passages yet"),)


def _answers(question: Question, row: ChunkRow) -> bool:
    """Whether the chunk, with its title and headings, has every phrase and no excluded words."""
    text = "\n".join((row.title, *row.heading, row.text))
    wanted, unwanted = question.query.phrases, question.query.excluded
    return all(phrase_in(phrase, text) for phrase in wanted) and not any(phrase_in(word, text) for word in unwanted)
