"""Who may ask at all: Host, Origin and token, as pure predicates and the middleware that applies them.

A page that a browser opened can reach the loopback port by DNS rebinding or a plain request; the Host and
Origin lists stop it before the token is looked at. Must not decide what a request may do.
"""

import hmac
from collections.abc import Collection

from aiohttp import hdrs, web

from holovault.errors import UnauthorisedError
from holovault.web.keys import SETTINGS, Handler
from holovault.web.page import is_public, is_visit, refusal
from holovault.web.problems import ForbiddenError

OBSIDIAN = "app://obsidian.md"
MOBILE = "capacitor://localhost"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PUBLIC = frozenset({"/v1/health"})


def host_allowed(host: str | None, port: int, allowed: Collection[str] = ()) -> bool:
    """Whether a Host header names this daemon: loopback with its own port, or a configured name."""
    if not host:
        return False
    given = host.strip().lower()
    if given in {f"{name}:{port}" for name in LOOPBACK}:
        return True
    names = {name.strip().lower() for name in allowed}
    return given in names or _without_port(given) in names


def origin_allowed(origin: str | None, port: int) -> bool:
    """Whether a request comes from no page at all, from Obsidian, or from the daemon's own page."""
    if origin is None:
        return True
    return origin in {OBSIDIAN, MOBILE, f"http://localhost:{port}", f"http://127.0.0.1:{port}"}


def token_allowed(authorization: str | None, token: str) -> bool:
    """Whether an Authorization header carries the bearer token (RFC 6750); compared in constant time."""
    scheme, _, given = (authorization or "").partition(" ")
    same = hmac.compare_digest(given.strip().encode("utf-8", "surrogateescape"), token.encode("utf-8"))
    return same and bool(token) and scheme.lower() == "bearer"


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses strangers: 403 for a wrong Host or Origin, 401 without the token; answers Obsidian's preflight."""
    settings = request.app[SETTINGS]
    origin = request.headers.get(hdrs.ORIGIN)
    if not host_allowed(request.headers.get(hdrs.HOST), settings.port, settings.allowed_hosts):
        raise ForbiddenError(
            "This daemon does not answer to the Host of this request. Ask 127.0.0.1 with its port, "
            "or name the host under [daemon] allowed_hosts in knowledge.toml."
        )
    if not origin_allowed(origin, settings.port):
        raise ForbiddenError(
            "This daemon answers no page of this Origin. Use Obsidian, the daemon's own page, or a program without a page."
        )
    if request.method == hdrs.METH_OPTIONS:
        return _preflight(origin)
    if is_visit(request.path):
        return refusal(request) or await handler(request)
    if not (_open_to_all(request.path) or token_allowed(request.headers.get(hdrs.AUTHORIZATION), settings.token)):
        raise UnauthorisedError("This request carries no valid token. Read the token in the vault's run file below ~/.holovault/run.")
    return await handler(request)


def _open_to_all(path: str) -> bool:
    return path in PUBLIC or is_public(path)


def shared_with(origin: str | None) -> dict[str, str]:
    """The headers that let Obsidian's window read an answer; nothing for anybody else."""
    if origin != OBSIDIAN:
        return {}
    return {hdrs.ACCESS_CONTROL_ALLOW_ORIGIN: OBSIDIAN, hdrs.ACCESS_CONTROL_EXPOSE_HEADERS: "ETag", hdrs.VARY: "Origin"}


def _preflight(origin: str | None) -> web.Response:
    if origin != OBSIDIAN:
        raise ForbiddenError("Only Obsidian may ask from another origin.")
    return web.Response(
        status=204,
        headers={
            hdrs.ACCESS_CONTROL_ALLOW_METHODS: "GET, POST, PUT, PATCH, DELETE",
            hdrs.ACCESS_CONTROL_ALLOW_HEADERS: "Authorization, Content-Type, Accept, If-Match, If-None-Match",
            hdrs.ACCESS_CONTROL_MAX_AGE: "600",
            "Access-Control-Allow-Private-Network": "true",
        },
    )


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host
