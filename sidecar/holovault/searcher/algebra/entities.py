"""The service: questions about names in, answers in the shape of a search out.

Owns the order of steps of every question. Thread-safe: it keeps nothing between requests but the letters of names.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from holovault.errors import UsageError
from holovault.hrr import Atoms
from holovault.lexemes import Analyzer
from holovault.model import (
    AnalogyAnswer,
    AnalogyRequest,
    Degraded,
    EntityAnswer,
    EntityInfo,
    EntityList,
    EntityQuery,
    EntityRoles,
    LikeRequest,
    NearName,
    NeighbourRequest,
    ProbeRequest,
    ReasonMode,
    ReasonRequest,
    RoleUse,
)
from holovault.searcher.algebra import analogies, company, likeness
from holovault.searcher.algebra.alone import Alone
from holovault.searcher.algebra.held import Held, holding
from holovault.searcher.algebra.naming import Naming
from holovault.searcher.algebra.showing import Reason, Showing
from holovault.store import Store

SAMPLE = 200
"""Passages whose presence makes up the mean of a role."""

MOST_NAMES = 20
"""Names that one question may be about."""

NOWHERE = (Degraded("index", "empty", "no passage states any name yet"),)


class Entities:
    """Answers about the names of one store. Raises NotFoundError, AmbiguousError or UsageError for names that are not clear."""

    def __init__(self, store: Store, atoms: Atoms, analyzer: Analyzer, clock: Callable[[], float]) -> None:
        """`clock` gives seconds that only rise."""
        self._store = store
        self._atoms = atoms
        self._clock = clock
        self._naming = Naming(store, atoms)
        self._showing = Showing(store, analyzer)

    def list(self, query: EntityQuery) -> EntityList:
        """The names that passages state as entities."""
        return self._naming.listed(query)

    def resolve(self, name: str) -> EntityInfo:
        """The name that is meant."""
        return self._naming.resolve(name)

    def probe(self, request: ProbeRequest) -> EntityAnswer:
        """Every passage that states a name in a role: one of the note that the name is, then those that are most about it."""
        begun = self._clock()
        role, entity = self._naming.role(request.role), self._naming.resolve(request.entity)
        exact = holding(self._store, self._atoms, entity.name, role)
        held = Alone(self._store.structure.matrix(), self._atoms).probe(entity.name, role) if request.fuzzy else exact
        own = [] if entity.path is None else [row.id for row in self._store.notes.chunks_of(entity.path)]
        reasons = _reasons(held, exact, (entity.text,), request.limit, first=own)
        return self._answer(request.entity, begun, reasons, (entity,))

    def related(self, request: NeighbourRequest) -> EntityAnswer:
        """Passages without the name that share its company, with the names by which they do."""
        begun = self._clock()
        entity = self._naming.resolve(request.entity)
        near = company.around(self._store, self._atoms, entity.name, max(1, request.limit))
        return self._answer(request.entity, begun, self._named(near), (entity,))

    def reason(self, request: ReasonRequest) -> EntityAnswer:
        """Passages that state all names in a role, the least presence deciding the order; without any, bridges between them."""
        begun = self._clock()
        role = self._naming.role(request.role)
        named = {one.name: one for one in map(self._naming.resolve, request.entities[: MOST_NAMES + 1])}
        if not 1 <= len(named) <= MOST_NAMES:
            raise UsageError(f"Name 1 to {MOST_NAMES} entities, not {len(named)}.")
        exact = _together([holding(self._store, self._atoms, name, role) for name in named])
        held = Alone(self._store.structure.matrix(), self._atoms).reason(list(named), role) if request.fuzzy else exact
        reasons = _reasons(held, exact, tuple(one.text for one in named.values()), request.limit, by_presence=True)
        mode: ReasonMode = "all"
        if not reasons and len(named) > 1:
            mode, reasons = "bridges", self._named(company.between(self._store, self._atoms, list(named), max(1, request.limit)))
        return self._answer(", ".join(request.entities), begun, reasons, tuple(named.values()), mode)

    def like(self, request: LikeRequest) -> EntityAnswer:
        """Passages of other notes that are built like one, with some names put in and others taken out."""
        begun = self._clock()
        example = likeness.chunk_at(self._store, request.address)
        plus, minus = [self._naming.filler(one) for one in request.plus], [self._naming.filler(one) for one in request.minus]
        reasons = likeness.alike(self._store, self._atoms, example, plus, minus, max(1, request.limit))
        infos = self._naming.infos(name for _, name in (*plus, *minus))
        return self._answer(request.address, begun, self._named(reasons), tuple(infos.values()))

    def analogy(self, request: AnalogyRequest) -> AnalogyAnswer:
        """`x` is to `a` as what is to `b`; no answer where none stands out."""
        begun = self._clock()
        a, x, b = (self._naming.resolve(name) for name in (request.a, request.x, request.b))
        (_, of_a), (chunks, of_b) = analogies.of_name(self._store, a), analogies.of_name(self._store, b)
        found = analogies.answer(self._store, self._atoms, of_a, x.name, of_b)
        infos = self._naming.infos(one.name for one in found.best)
        answer = None if found.name is None else infos[found.name]
        reasons: tuple[Reason, ...] = ()
        if answer is not None and found.role is not None:
            held = holding(self._store, self._atoms, answer.name, found.role).of(chunks)
            reasons = _reasons(held, held, (answer.text,), request.limit)
        near = tuple(NearName(one.name, infos[one.name].text, round(one.similarity, 6), round(one.z, 3)) for one in found.best)
        query = f"{x.text} : {a.text} = ? : {b.text}"
        took = (self._clock() - begun) * 1000
        return AnalogyAnswer(query, took, self._missing(), found.role, answer, near, self._showing.hits(reasons))

    def roles(self, name: str) -> EntityRoles:
        """The roles that a name plays, those of most passages first, and how it is written."""
        entity = self._naming.resolve(name)
        counts = self._store.structure.roles_of(entity.name)
        uses = [RoleUse(role, count, self._presence(entity.name, role)) for role, count in counts.items()]
        ordered = sorted(uses, key=lambda use: (-use.chunks, use.role))
        return EntityRoles(entity, tuple(ordered), self._store.structure.spellings(entity.name))

    def _presence(self, name: str, role: str) -> float | None:
        held = holding(self._store, self._atoms, name, role)
        known = held.presences[~np.isnan(held.presences)][:SAMPLE]
        return round(float(known.mean()), 6) if len(known) else None

    def _answer(
        self, query: str, begun: float, reasons: Sequence[Reason], entities: tuple[EntityInfo, ...], mode: ReasonMode = "all"
    ) -> EntityAnswer:
        spellings = [text for one in entities for text in self._store.structure.spellings(one.name)]
        hits = self._showing.hits(reasons, spellings)
        return EntityAnswer(query, (self._clock() - begun) * 1000, self._missing(), hits, None, entities, mode)

    def _missing(self) -> tuple[Degraded, ...]:
        return self._showing.waiting() or (() if self._store.structure.roles() else NOWHERE)

    def _named(self, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
        """The same with names as people write them."""
        texts = self._store.structure.texts({name for one in reasons for name in one.via})
        return tuple(replace(one, via=tuple(texts[name] for name in one.via)) for one in reasons)


def _together(each: Sequence[Held]) -> Held:
    """The chunks that all of them have; the least likeness and the least presence count."""
    chunks = reduce(np.intersect1d, (one.chunks for one in each))
    kept = [one.of(chunks) for one in each]
    return Held(chunks, np.min([one.similarities for one in kept], axis=0), np.min([one.presences for one in kept], axis=0))


def _reasons(
    held: Held, exact: Held, via: tuple[str, ...], limit: int, *, by_presence: bool = False, first: Sequence[int] = ()
) -> tuple[Reason, ...]:
    """The best of them; of the chunks `first` the best one leads."""
    order = (Held(held.chunks, held.presences, held.presences) if by_presence else held).best()
    lead = order[np.isin(held.chunks[order], first)][:1]
    order = np.concatenate([lead, order[~np.isin(order, lead)]])[: max(1, limit)]
    confirmed = np.isin(held.chunks, exact.chunks)
    return tuple(
        Reason(int(held.chunks[at]), float(held.similarities[at]), float(held.presences[at]), bool(confirmed[at]), via) for at in order
    )
