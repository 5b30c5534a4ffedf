"""The engine's questions about names.

Owns looking at the disk first where events cannot be trusted, and saying when the index is behind. The answers are the searcher's.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

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
    NeighbourRequest,
    ProbeRequest,
    ReasonRequest,
)
from holovault.searcher.algebra import Entities

Answer = TypeVar("Answer", EntityAnswer, AnalogyAnswer)


class EngineEntities:
    """`engine.entities`; fulfils `client.EntitiesFacade`."""

    def __init__(self, now: Callable[[], Entities], freshen: Callable[[], None], behind: Callable[[], tuple[Degraded, ...]]) -> None:
        """`now` gives the service of the current configuration."""
        self._now = now
        self._freshen = freshen
        self._behind = behind

    def list(self, query: EntityQuery) -> EntityList:
        """The names that passages state."""
        return self._fresh().list(query)

    def resolve(self, name: str) -> EntityInfo:
        """The name that is meant. Raises NotFoundError or AmbiguousError with the nearest ones."""
        return self._fresh().resolve(name)

    def roles(self, name: str) -> EntityRoles:
        """What a name is, wherever it stands."""
        return self._fresh().roles(name)

    def probe(self, request: ProbeRequest) -> EntityAnswer:
        """Passages that state a name."""
        return self._honest(self._fresh().probe(request))

    def related(self, request: NeighbourRequest) -> EntityAnswer:
        """Passages that share a name's company."""
        return self._honest(self._fresh().related(request))

    def reason(self, request: ReasonRequest) -> EntityAnswer:
        """Passages that state all of several names, or lie between them."""
        return self._honest(self._fresh().reason(request))

    def like(self, request: LikeRequest) -> EntityAnswer:
        """Passages that are built like another one."""
        return self._honest(self._fresh().like(request))

    def analogy(self, request: AnalogyRequest) -> AnalogyAnswer:
        """What is to b as x is to a."""
        return self._honest(self._fresh().analogy(request))

    def _fresh(self) -> Entities:
        self._freshen()
        return self._now()

    def _honest(self, answer: Answer) -> Answer:
        # The engine and the service may both say that vectors are still to be made.
        return replace(answer, degraded=tuple(dict.fromkeys((*self._behind(), *answer.degraded))))
