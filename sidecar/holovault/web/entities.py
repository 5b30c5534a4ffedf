"""Names over HTTP: handlers and routes below /v1/entities. Must not decide anything about names."""

from aiohttp import web

from holovault.errors import UsageError
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
from holovault.web.bodies import from_query, read_json
from holovault.web.handlers import MAX_LIMIT, json_response
from holovault.web.keys import ENGINE
from holovault.web.table import Parameter, Route

MAX_LISTED = 1_000
MAX_NAME = 1_000


async def list_entities(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    wanted = from_query(request, EntityQuery)
    _check(wanted.limit, MAX_LISTED)
    if wanted.offset < 0:
        raise UsageError(f"offset must be 0 or more, not {wanted.offset}.")
    return json_response(await engine.linger(engine.entities.list, wanted))


async def resolve(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return json_response(await engine.run(engine.entities.resolve, _named(request)))


async def roles(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return json_response(await engine.run(engine.entities.roles, _named(request)))


async def probe_by_query(request: web.Request) -> web.Response:
    return await _probe(request, from_query(request, ProbeRequest))


async def probe_by_body(request: web.Request) -> web.Response:
    return await _probe(request, await read_json(request, ProbeRequest))


async def related_by_query(request: web.Request) -> web.Response:
    return await _related(request, from_query(request, NeighbourRequest))


async def related_by_body(request: web.Request) -> web.Response:
    return await _related(request, await read_json(request, NeighbourRequest))


async def reason(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    wanted = await read_json(request, ReasonRequest)
    _check(wanted.limit, MAX_LIMIT)
    return json_response(await engine.run(engine.entities.reason, wanted))


async def like(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    wanted = await read_json(request, LikeRequest)
    _check(wanted.limit, MAX_LIMIT)
    return json_response(await engine.run(engine.entities.like, wanted))


async def analogy(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    wanted = await read_json(request, AnalogyRequest)
    _check(wanted.limit, MAX_LIMIT)
    return json_response(await engine.run(engine.entities.analogy, wanted))


async def _probe(request: web.Request, wanted: ProbeRequest) -> web.Response:
    engine = request.app[ENGINE]
    _check(wanted.limit, MAX_LIMIT)
    return json_response(await engine.run(engine.entities.probe, wanted))


async def _related(request: web.Request, wanted: NeighbourRequest) -> web.Response:
    engine = request.app[ENGINE]
    _check(wanted.limit, MAX_LIMIT)
    return json_response(await engine.run(engine.entities.related, wanted))


def _named(request: web.Request) -> str:
    name = request.query.get("entity", "")
    if not 0 < len(name) <= MAX_NAME:
        raise UsageError(f"entity must be a name of 1 to {MAX_NAME} characters.")
    return name


def _check(limit: int, most: int) -> None:
    if not 1 <= limit <= most:
        raise UsageError(f"limit must be between 1 and {most}, not {limit}.")


_ENTITY = Parameter("entity", "query", "string", "A name as anybody writes it: a note, an alias, a person, a tag.", required=True)
_LIMIT = Parameter("limit", "query", "integer", "How many passages at most, 1 to 200; 10 unless told.")
_ROLE = Parameter(
    "role", "query", "string", "The part that it plays: entity, tag, head, title, in, text, src or a property; entity unless told."
)
_FUZZY = Parameter("fuzzy", "query", "boolean", "By vectors alone; what the exact index does not confirm is marked.")
_LIST = (
    Parameter("prefix", "query", "string", "The begin of a name, or of one of its words."),
    Parameter("kind", "query", "string", "note, tag or name."),
    Parameter("limit", "query", "integer", f"How many at most, 1 to {MAX_LISTED}; 100 unless told."),
    Parameter("offset", "query", "integer", "How many to leave out before."),
)
_UNCLEAR = (400, 404, 409)
_POSTED = (400, 404, 408, 409, 413, 415)

ENTITY_ROUTES: tuple[Route, ...] = (
    Route("listEntities", "GET", "/v1/entities", list_entities, "Names that passages state.", EntityList, _LIST, problems=(400,)),
    Route("resolveEntity", "GET", "/v1/entities/resolve", resolve, "The name that is meant.", EntityInfo, (_ENTITY,), problems=_UNCLEAR),
    Route(
        "entityRoles",
        "GET",
        "/v1/entities/roles",
        roles,
        "What a name is, and how it is written.",
        EntityRoles,
        (_ENTITY,),
        problems=_UNCLEAR,
    ),
    Route(
        "probe",
        "GET",
        "/v1/entities/probe",
        probe_by_query,
        "Passages that state a name, those that are most about it first.",
        EntityAnswer,
        (_ENTITY, _ROLE, _LIMIT, _FUZZY),
        problems=_UNCLEAR,
    ),
    Route(
        "probeByBody",
        "POST",
        "/v1/entities/probe",
        probe_by_body,
        "The same with a body.",
        EntityAnswer,
        body=ProbeRequest,
        problems=_POSTED,
    ),
    Route(
        "relatedEntity",
        "GET",
        "/v1/entities/related",
        related_by_query,
        "Passages without a name that share its company.",
        EntityAnswer,
        (_ENTITY, _LIMIT),
        problems=_UNCLEAR,
    ),
    Route(
        "relatedEntityByBody",
        "POST",
        "/v1/entities/related",
        related_by_body,
        "The same with a body.",
        EntityAnswer,
        body=NeighbourRequest,
        problems=_POSTED,
    ),
    Route(
        "reason",
        "POST",
        "/v1/entities/reason",
        reason,
        "Passages that state all of several names; without any, those that lie between them.",
        EntityAnswer,
        body=ReasonRequest,
        problems=_POSTED,
    ),
    Route(
        "like",
        "POST",
        "/v1/entities/like",
        like,
        "Passages that are built like one, with names put in and taken out.",
        EntityAnswer,
        body=LikeRequest,
        problems=_POSTED,
    ),
    Route(
        "analogy",
        "POST",
        "/v1/entities/analogy",
        analogy,
        "What is to b as x is to a; null where nothing stands out.",
        AnalogyAnswer,
        body=AnalogyRequest,
        problems=_POSTED,
    ),
)
