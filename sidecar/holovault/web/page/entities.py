"""The page of names: what the vault speaks of, where, together with what, and what lies between two names.

Owns how a form becomes a request of the model and how an answer is shown. Must not compute structure.
"""

from collections import Counter

from aiohttp import web

from holovault.errors import UsageError
from holovault.model import EntityAnswer, EntityQuery, EntityRoles, NeighbourRequest, ProbeRequest, ReasonRequest
from holovault.web.keys import ENGINE
from holovault.web.page.door import show
from holovault.web.page.forms import from_htmx, query_of
from holovault.web.page.pictures import neighbourhood

PAGE_SIZE = 100
PASSAGES = 20
NEIGHBOURS = 16
COMPANY = 10
FILTERS = frozenset({"prefix", "kind", "offset"})


async def entities_page(request: web.Request) -> web.StreamResponse:
    """The names of the vault, those of most passages first; only the list where htmx asks for it."""
    engine, wanted = request.app[ENGINE], query_of(request, EntityQuery, FILTERS, PAGE_SIZE)
    found = await engine.run(engine.entities.list, wanted)
    values = {"found": found, "wanted": wanted, "size": PAGE_SIZE}
    return show(request, "entities_list.html" if from_htmx(request) else "entities.html", "entities", values)


async def entity_page(request: web.Request) -> web.StreamResponse:
    """One name: its neighbourhood, the roles it plays, where it is named and what is like those places."""
    engine, name = request.app[ENGINE], request.query.get("name", "")
    roles = await engine.run(engine.entities.roles, name)
    role = request.query.get("role") or _first_role(roles)
    here = await engine.run(engine.entities.probe, ProbeRequest(roles.entity.name, role, PASSAGES))
    near = await engine.run(engine.entities.related, NeighbourRequest(roles.entity.name, COMPANY))
    values = {"roles": roles, "role": role, "here": here, "near": near, "picture": neighbourhood(roles.entity.text, _ties(near))}
    return show(request, "entity.html", "entities", values)


async def reason_page(request: web.Request) -> web.StreamResponse:
    """Passages that state all of the names, or lie between them."""
    engine = request.app[ENGINE]
    names = tuple(dict.fromkeys(name.strip() for name in request.query.getall("name", []) if name.strip()))
    if len(names) < 2:
        raise UsageError("Name two or more: the passages wanted are those that speak of all of them.")
    answer = await engine.run(engine.entities.reason, ReasonRequest(names, limit=PASSAGES))
    return show(request, "reason.html", "entities", {"names": names, "answer": answer})


def _first_role(roles: EntityRoles) -> str:
    """An entity is shown as one; what is only a heading or a tag, as what it is most often."""
    return "entity" if roles.entity.chunks or not roles.roles else roles.roles[0].role


def _ties(near: EntityAnswer) -> list[tuple[str, float]]:
    """The names by which related passages are here, by how many of them."""
    counts = Counter(name for hit in near.results for name in hit.via)
    return [(name, float(count)) for name, count in counts.most_common(NEIGHBOURS)]
