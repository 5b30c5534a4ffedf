"""The application: routes, guard, problems and activity around one engine. Must not open the engine or a socket."""

import asyncio
import time

from aiohttp import hdrs, web

from holovault.web.guard import guard, shared_with
from holovault.web.handlers import json_response
from holovault.web.keys import ACTIVITY, ENGINE, REMOTES, SETTINGS, STOP, Activity, Handler
from holovault.web.openapi import document
from holovault.web.page import add_page
from holovault.web.problems import problems
from holovault.web.remotes import Remotes
from holovault.web.routes import ROUTES, aiohttp_path
from holovault.web.settings import Served, ServerSettings


def make_app(engine: Served, settings: ServerSettings) -> web.Application:
    """The HTTP surface of `engine`. The caller binds the port that `settings` names and closes the engine."""
    app = web.Application(middlewares=[problems, guard, _activity], client_max_size=settings.body_limit)
    app[ENGINE] = engine
    app[SETTINGS] = settings
    app[REMOTES] = Remotes(settings.credentials, settings.vault)
    app[ACTIVITY] = Activity()
    app[STOP] = asyncio.Event()
    for route in ROUTES:
        app.router.add_route(route.method, aiohttp_path(route.path), route.handler)
    app.router.add_route("GET", "/v1/openapi.json", _openapi)
    add_page(app, time.monotonic)
    app.on_response_prepare.append(_seal)
    return app


@web.middleware
async def _activity(request: web.Request, handler: Handler) -> web.StreamResponse:
    activity = request.app[ACTIVITY]
    activity.running += 1
    try:
        return await handler(request)
    finally:
        activity.running -= 1
        activity.last = asyncio.get_running_loop().time()


async def _openapi(request: web.Request) -> web.Response:
    return json_response(document(request.app[SETTINGS].version))


async def _seal(request: web.Request, response: web.StreamResponse) -> None:
    response.headers[hdrs.CACHE_CONTROL] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers.pop(hdrs.SERVER, None)
    response.headers.update(shared_with(request.headers.get(hdrs.ORIGIN)))
