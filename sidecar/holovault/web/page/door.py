"""The door of the page: who may see it, who may change what, and how a view is shown.

Owns the check of every request to the page. A visit lives at `/v/<place>/…`; its cookie is HttpOnly, SameSite=Strict and bound to
that path. Changes must come from the page itself: their Origin is this very host. Must not render facts or entities.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from aiohttp import hdrs, web

from holovault.web.keys import SETTINGS
from holovault.web.page.visits import Visits

if TYPE_CHECKING:
    from holovault.web.page.rendering import Frame, Templates

NOTHING: Mapping[str, object] = MappingProxyType({})
KINDS_OF_FETCH = frozenset({"same-origin", "none"})


@dataclass(slots=True)
class Page:
    """The page of one daemon: its visits, and its templates once the first one was asked for."""

    visits: Visits
    loaded: "list[Templates]" = field(default_factory=list)

    @property
    def templates(self) -> "Templates":
        """The templates; Jinja2 is imported when the first page is asked for."""
        if not self.loaded:
            from holovault.web.page.rendering import Templates

            self.loaded.append(Templates())
        return self.loaded[0]


PAGE = web.AppKey("page", Page)


def is_public(path: str) -> bool:
    """Whether a path of the page shows nothing of the vault."""
    return path in {"/", "/open"} or path.startswith("/static/")


def is_visit(path: str) -> bool:
    """Whether a path lies below a visit's place."""
    return path.startswith("/v/")


def refusal(request: web.Request) -> web.Response | None:
    """What a request below a visit's place gets instead of an answer: a closed page without the visit's cookie or from elsewhere."""
    place = request.path.split("/")[2]
    if not request.app[PAGE].visits.admits(place, request.cookies.get(cookie_name(request), "")):
        return show(request, "closed.html", "", {"reason": "This visit is over, or it is another browser's."}, http=403)
    if request.headers.get("Sec-Fetch-Site", "none") not in KINDS_OF_FETCH:
        return show(request, "closed.html", "", {"reason": "Another page asked for this one."}, http=403)
    if request.method not in {hdrs.METH_GET, hdrs.METH_HEAD} and not _own_origin(request):
        return show(request, "closed.html", "", {"reason": "Changes are taken from this page only, not from another origin."}, http=403)
    return None


def frame_of(request: web.Request, part: str) -> "Frame":
    """What every page of this visit needs."""
    from holovault.web.page.rendering import Frame

    settings = request.app[SETTINGS]
    place = request.match_info.get("place", "") if part else ""
    name = settings.vault.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return Frame(f"/v/{place}" if place else "", name if place else "", settings.version, part)


def show(request: web.Request, template: str, part: str, values: Mapping[str, object] = NOTHING, *, http: int = 200) -> web.Response:
    """A template as the answer to a request."""
    return request.app[PAGE].templates.response(template, frame_of(request, part), values, http)


def _own_origin(request: web.Request) -> bool:
    return request.headers.get(hdrs.ORIGIN) in {f"http://{request.host}", f"https://{request.host}"}


def cookie_name(request: web.Request) -> str:
    """The name of this daemon's cookie: daemons of other vaults have other ports."""
    return f"holovault_{request.app[SETTINGS].port}"
