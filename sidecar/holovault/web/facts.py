"""Facts over HTTP: handlers and routes below /v1/facts. Must not decide anything about facts."""

from aiohttp import hdrs, web

from holovault.model import (
    Contradictions,
    Corrected,
    Correction,
    CorrectRequest,
    FactActivity,
    FactHistory,
    FactList,
    FactQuery,
    FeedbackRequest,
    FeedbackResult,
    FoldReport,
    ForgetRequest,
    Forgotten,
    Rating,
    Remembered,
    RememberRequest,
)
from holovault.web.bodies import from_query, number, read_json
from holovault.web.handlers import json_response
from holovault.web.keys import ENGINE
from holovault.web.preconditions import etag, expected
from holovault.web.table import Parameter, Route

MAX_FACTS = 500


async def list_facts(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return json_response(await engine.run(engine.facts.list, from_query(request, FactQuery, {"q": "query"})))


async def one_fact(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    found = await engine.run(engine.facts.history, request.match_info["id"])
    return json_response(found, headers={hdrs.ETAG: etag(found.fact.hash)})


async def remember(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    done = await engine.run(engine.facts.remember, await read_json(request, RememberRequest))
    return json_response(done, status=200 if done.known else 201, headers={hdrs.ETAG: etag(done.fact.hash)})


async def correct(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    hashes = expected(request.headers.get(hdrs.IF_MATCH))
    body = await read_json(request, Correction)
    wanted = CorrectRequest(request.match_info["id"], body.text, hashes, body.keep_tags)
    done = await engine.run(engine.facts.correct, wanted)
    return json_response(done, headers={hdrs.ETAG: etag(done.fact.hash)})


async def forget(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    hashes = expected(request.headers.get(hdrs.IF_MATCH))
    return json_response(await engine.run(engine.facts.forget, ForgetRequest(request.match_info["id"], hashes)))


async def feedback(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    rating = await read_json(request, Rating)
    return json_response(await engine.run(engine.facts.feedback, FeedbackRequest(request.match_info["id"], rating.vote)))


async def contradictions(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    limit = number(request, "limit", int, 1, MAX_FACTS) or 100
    return json_response(await engine.linger(engine.facts.contradictions, limit))


async def activity(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return json_response(await engine.run(engine.facts.activity))


async def fold(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return json_response(await engine.linger(engine.facts.fold))


_ID = Parameter("id", "path", "string", "The fact's id, with or without `^`.", required=True)
_MATCH = Parameter(
    "If-Match", "header", "string", "Quoted hashes of what was read: the fact's `hash` or `item`, or both; `*`: whatever it says now.", True
)
_QUERY = (
    Parameter("q", "query", "string", "Words that the fact must have, the last one at least begun."),
    Parameter("category", "query", "string", "Its heading, or its note's name."),
    Parameter("tag", "query", "string", "A tag without `#`; nested ones count as theirs."),
    Parameter("entity", "query", "string", "A note that it links to."),
    Parameter("path", "query", "string", "The note that it stands in."),
    Parameter("min_trust", "query", "number", "Facts with less trust are left out; 0 to 1."),
    Parameter("limit", "query", "integer", f"How many at most, 1 to {MAX_FACTS}; 100 unless told."),
    Parameter("offset", "query", "integer", "How many to leave out before."),
)
_PAIRS = Parameter("limit", "query", "integer", f"How many pairs at most, 1 to {MAX_FACTS}; 100 unless told.")
_WRITES = (400, 404, 408, 409, 412, 413, 415, 503)

FACT_ROUTES: tuple[Route, ...] = (
    Route("listFacts", "GET", "/v1/facts", list_facts, "Facts, with their categories and tags.", FactList, _QUERY, problems=(400,)),
    Route(
        "remember",
        "POST",
        "/v1/facts",
        remember,
        "Writes a fact into a note; one that is known already is only returned.",
        Remembered,
        body=RememberRequest,
        successes=(200, 201),
        problems=_WRITES,
    ),
    Route(
        "contradictions",
        "GET",
        "/v1/facts/contradictions",
        contradictions,
        "Pairs of facts that cannot both be so, for a person to decide.",
        Contradictions,
        (_PAIRS,),
        problems=(400,),
    ),
    Route("factActivity", "GET", "/v1/facts/activity", activity, "How many facts and votes each day brought.", FactActivity),
    Route("fold", "POST", "/v1/facts/fold", fold, "Writes the votes so far into the facts' own lines.", FoldReport, problems=(503,)),
    Route("readFact", "GET", "/v1/facts/{id}", one_fact, "One fact with its votes.", FactHistory, (_ID,), problems=(400, 404, 409)),
    Route(
        "correct",
        "PUT",
        "/v1/facts/{id}",
        correct,
        "Replaces a fact's text; id, date, trust and votes stay.",
        Corrected,
        (_ID, _MATCH),
        body=Correction,
        problems=(*_WRITES, 428),
    ),
    Route(
        "forget",
        "DELETE",
        "/v1/facts/{id}",
        forget,
        "Removes a fact from its note.",
        Forgotten,
        (_ID, _MATCH),
        problems=(400, 404, 409, 412, 428, 503),
    ),
    Route(
        "feedback",
        "POST",
        "/v1/facts/{id}/feedback",
        feedback,
        "Says that a fact was of use or was not.",
        FeedbackResult,
        (_ID,),
        body=Rating,
        problems=_WRITES,
    ),
)
