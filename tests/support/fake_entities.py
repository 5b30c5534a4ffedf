"""Names of a vault that has one, Anna, in the note a.md, and a heading that is called so."""

from dataclasses import replace

from holovault.errors import NotFoundError
from holovault.model import (
    AnalogyAnswer,
    AnalogyRequest,
    EntityAnswer,
    EntityInfo,
    EntityList,
    EntityQuery,
    EntityRoles,
    Hit,
    LikeRequest,
    NearName,
    NeighbourRequest,
    ProbeRequest,
    ReasonRequest,
    RoleUse,
    Signals,
)

ANNA = EntityInfo("anna", "Anna", "name", 2)
HEADING = EntityInfo("heading", "Heading", "name", 0)
HIT = Hit("a.md", "A", ("Top",), 1, 3, "with Anna", ((5, 9),), (), 0.5, Signals(hrr=0.5), 1, None, "2026-01-02T03:04:05Z", "0" * 64)
SURE = replace(HIT, presence=0.75, verified=True, via=("Anna",))


class OneName:
    """Fulfils `client.EntitiesFacade`; `asked` keeps what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def list(self, query: EntityQuery, /) -> EntityList:
        self.asked.append(query)
        return EntityList((ANNA,) if "anna".startswith(query.prefix) else (), 1)

    def resolve(self, name: str, /) -> EntityInfo:
        self.asked.append(name)
        if name.casefold() == "heading":
            return HEADING
        if name.casefold() != "anna":
            raise NotFoundError(f"No note states the name {name}.")
        return ANNA

    def roles(self, name: str, /) -> EntityRoles:
        found = self.resolve(name)
        use = RoleUse("head", 3, 0.5) if found is HEADING else RoleUse("entity", 2, 0.75)
        return EntityRoles(found, (use,), (found.text,))

    def probe(self, request: ProbeRequest, /) -> EntityAnswer:
        self.asked.append(request)
        return self._answer(request.entity, self.resolve(request.entity))

    def related(self, request: NeighbourRequest, /) -> EntityAnswer:
        self.asked.append(request)
        return self._answer(request.entity, self.resolve(request.entity))

    def reason(self, request: ReasonRequest, /) -> EntityAnswer:
        self.asked.append(request)
        named = tuple(self.resolve(name) for name in request.entities)
        return EntityAnswer(", ".join(request.entities), 1.0, (), () if HEADING in named else (SURE,), None, named, "bridges")

    def like(self, request: LikeRequest, /) -> EntityAnswer:
        self.asked.append(request)
        return self._answer(request.address, ANNA)

    def analogy(self, request: AnalogyRequest, /) -> AnalogyAnswer:
        self.asked.append(request)
        found = None if request.x == "nobody" else ANNA
        near = (NearName("anna", "Anna", 0.4, 18.0),)
        return AnalogyAnswer("x : a = ? : b", 1.0, (), "prop:lead", found, near, (SURE,) if found else ())

    def _answer(self, query: str, entity: EntityInfo) -> EntityAnswer:
        return EntityAnswer(query, 1.0, (), (SURE,), None, (entity,))
