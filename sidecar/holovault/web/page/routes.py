"""The page's addresses: the way in, its own files, and the views below a visit's place.

Owns the first visit (a code becomes a cookie) and how a view's errors are told. Must not render facts or entities itself.
"""

import functools
import logging
from collections.abc import Callable
from importlib.resources import files

from aiohttp import hdrs, web

from holovault.errors import UserError
from holovault.web.keys import Handler
from holovault.web.page.door import PAGE, Page, cookie_name, show
from holovault.web.page.views import VIEWS
from holovault.web.page.visits import VISIT_S, Visits

log = logging.getLogger(__name__)

STATIC = {"style.css": "text/css", "page.js": "text/javascript", "htmx.min.js": "text/javascript"}

OWN = {"Cross-Origin-Resource-Policy": "same-origin"}


def add_page(app: web.Application, clock: Callable[[], float]) -> None:
    """Adds the page's routes; `clock` counts seconds for its visits."""
    app[PAGE] = Page(Visits(clock))
    app.router.add_get("/", _unopened)
    app.router.add_get("/open", _open)
    app.router.add_get("/static/{name}", _static)
    for method, path, view in VIEWS:
        app.router.add_route(method, "/v/{place}" + path, _told(view))


async def _open(request: web.Request) -> web.Response:
    visit = request.app[PAGE].visits.enter(request.query.get("code", ""))
    if visit is None:
        return show(request, "closed.html", "", {"reason": "This address was good for one minute and one visit."}, http=403)
    answer = web.Response(status=303, headers={hdrs.LOCATION: f"/v/{visit.place}/facts", "Referrer-Policy": "no-referrer"})
    answer.set_cookie(cookie_name(request), visit.secret, path=f"/v/{visit.place}/", max_age=int(VISIT_S), httponly=True, samesite="Strict")
    return answer


async def _unopened(request: web.Request) -> web.Response:
    return show(request, "closed.html", "", {"reason": "This is the page of a vault, and it opens for its owner only."}, http=403)


async def _static(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    file = files("holovault.web.page") / "static" / name
    if name not in STATIC or not file.is_file():
        raise web.HTTPNotFound
    return web.Response(body=file.read_bytes(), content_type=STATIC[name], charset="utf-8", headers=OWN)


def _told(view: Handler) -> Handler:
    """A view whose errors are told on the page; a bug's details go to the log only."""

    @functools.wraps(view)
    async def told(request: web.Request) -> web.StreamResponse:
        try:
            return await view(request)
        except UserError as error:
            return show(request, "problem.html", "problem", {"code": error.code, "sentence": str(error)}, http=error.status)
        except web.HTTPException:
            raise
        except Exception:
            log.exception("a page failed: %s", request.match_info.route.resource and request.match_info.route.resource.canonical)
            sentence = "The daemon made a mistake with this request; its log has the details. Try again."
            return show(request, "problem.html", "problem", {"code": UserError.code, "sentence": sentence}, http=500)

    return told
