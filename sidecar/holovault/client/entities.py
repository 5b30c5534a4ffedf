"""Names over HTTP: what can be asked of them, and the same for callers with and without an event loop.

Owns the addresses below /v1/entities. Must not hold a connection: the way to the daemon is handed in.
"""

from typing import Protocol
from urllib.parse import quote, urlencode

from holovault.client.facts import Ask, Do
from holovault.model import (
    AnalogyAnswer,
    AnalogyRequest,
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

_ENTITIES = "/v1/entities"


class EntitiesFacade(Protocol):
    """What every way to a vault can tell of its names. Raises NotFoundError or AmbiguousError for names that are not clear."""

    def list(self, query: EntityQuery, /) -> EntityList: ...

    def resolve(self, name: str, /) -> EntityInfo: ...

    def roles(self, name: str, /) -> EntityRoles: ...

    def probe(self, request: ProbeRequest, /) -> EntityAnswer: ...

    def related(self, request: NeighbourRequest, /) -> EntityAnswer: ...

    def reason(self, request: ReasonRequest, /) -> EntityAnswer: ...

    def like(self, request: LikeRequest, /) -> EntityAnswer: ...

    def analogy(self, request: AnalogyRequest, /) -> AnalogyAnswer: ...


class AsyncEntities:
    """The names of the daemon's vault."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def list(self, query: EntityQuery) -> EntityList:
        """Names that passages state, those of most passages first."""
        default = EntityQuery()
        names = ("prefix", "kind", "limit", "offset")
        wanted = {name: getattr(query, name) for name in names if getattr(query, name) != getattr(default, name)}
        return await self._ask("GET", f"{_ENTITIES}?{_encoded(wanted)}" if wanted else _ENTITIES, EntityList)

    async def resolve(self, name: str) -> EntityInfo:
        """The name that is meant."""
        return await self._ask("GET", f"{_ENTITIES}/resolve?{_encoded({'entity': name})}", EntityInfo)

    async def roles(self, name: str) -> EntityRoles:
        """What a name is, wherever it stands."""
        return await self._ask("GET", f"{_ENTITIES}/roles?{_encoded({'entity': name})}", EntityRoles)

    async def probe(self, request: ProbeRequest) -> EntityAnswer:
        """Passages that state a name."""
        return await self._ask("POST", f"{_ENTITIES}/probe", EntityAnswer, request)

    async def related(self, request: NeighbourRequest) -> EntityAnswer:
        """Passages that share a name's company."""
        return await self._ask("POST", f"{_ENTITIES}/related", EntityAnswer, request)

    async def reason(self, request: ReasonRequest) -> EntityAnswer:
        """Passages that state all of several names, or lie between them."""
        return await self._ask("POST", f"{_ENTITIES}/reason", EntityAnswer, request)

    async def like(self, request: LikeRequest) -> EntityAnswer:
        """Passages that are built like another one."""
        return await self._ask("POST", f"{_ENTITIES}/like", EntityAnswer, request)

    async def analogy(self, request: AnalogyRequest) -> AnalogyAnswer:
        """What is to b as x is to a."""
        return await self._ask("POST", f"{_ENTITIES}/analogy", AnalogyAnswer, request)


class SyncEntities:
    """The same for callers without an event loop; `do` runs a request to its end."""

    def __init__(self, entities: AsyncEntities, do: Do) -> None:
        self._entities = entities
        self._do = do

    def list(self, query: EntityQuery) -> EntityList:
        """Names that passages state."""
        return self._do(self._entities.list(query))

    def resolve(self, name: str) -> EntityInfo:
        """The name that is meant."""
        return self._do(self._entities.resolve(name))

    def roles(self, name: str) -> EntityRoles:
        """What a name is, wherever it stands."""
        return self._do(self._entities.roles(name))

    def probe(self, request: ProbeRequest) -> EntityAnswer:
        """Passages that state a name."""
        return self._do(self._entities.probe(request))

    def related(self, request: NeighbourRequest) -> EntityAnswer:
        """Passages that share a name's company."""
        return self._do(self._entities.related(request))

    def reason(self, request: ReasonRequest) -> EntityAnswer:
        """Passages that state all of several names, or lie between them."""
        return self._do(self._entities.reason(request))

    def like(self, request: LikeRequest) -> EntityAnswer:
        """Passages that are built like another one."""
        return self._do(self._entities.like(request))

    def analogy(self, request: AnalogyRequest) -> AnalogyAnswer:
        """What is to b as x is to a."""
        return self._do(self._entities.analogy(request))


def _encoded(values: dict[str, object]) -> str:
    return urlencode(values, quote_via=quote, errors="surrogatepass")
