"""Who may ask at all: Host, Origin and token, as pure predicates and the middleware that applies them.

A page that a browser opened can reach the loopback port by DNS rebinding or a plain request; the Host and
Origin lists stop it before the token is looked at. A long-lived token opens the vault, not the daemon: what would end
it or outlive the token is for this machine only. Must not decide anything else about what a request may do.
"""

import hmac
from collections.abc import Collection
from typing import Literal

from aiohttp import hdrs, web

from holovault.errors import UnauthorisedError
from holovault.web.keys import REMOTES, SETTINGS, Handler
from holovault.web.page import is_public, is_visit, refusal
from holovault.web.problems import ForbiddenError

OBSIDIAN = "app://obsidian.md"
MOBILE = "capacitor://localhost"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PUBLIC = frozenset({"/v1/health"})
HERE_ONLY = frozenset({"/v1/stop", "/v1/page"})
_SHOWN_HOST = 100


def host_allowed(host: str | None, port: int, allowed: Collection[str] = ()) -> bool:
    """Whether a Host header names this daemon: loopback with its own port, or a configured name."""
    if not host:
        return False
    given = host.strip().lower()
    if given in {f"{name}:{port}" for name in LOOPBACK}:
        return True
    names = {name.strip().lower() for name in allowed}
    return not names.isdisjoint({given, _name(given)})


def origin_allowed(origin: str | None, port: int) -> bool:
    """Whether a request comes from no page at all, from Obsidian, or from the daemon's own page."""
    if origin is None:
        return True
    return origin in {OBSIDIAN, MOBILE, f"http://localhost:{port}", f"http://127.0.0.1:{port}"}


def token_allowed(authorization: str | None, *tokens: str) -> bool:
    """Whether an Authorization header carries one of the bearer tokens (RFC 6750); each is compared, in constant time."""
    scheme, _, given = (authorization or "").partition(" ")
    held = given.strip().encode("utf-8", "surrogateescape")
    same = [bool(token) and hmac.compare_digest(held, token.encode("utf-8")) for token in tokens]
    return any(same) and scheme.lower() == "bearer"


def caller(request: web.Request) -> Literal["here", "elsewhere"] | None:
    """Who asks: a program of this user with the token of this start, a client with a long-lived token that counts now, or nobody."""
    authorization = request.headers.get(hdrs.AUTHORIZATION)
    if token_allowed(authorization, request.app[SETTINGS].token):
        return "here"
    return "elsewhere" if authorization and token_allowed(authorization, *request.app[REMOTES].secrets()) else None


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses strangers: 403 for a wrong Host or Origin, 401 without the token; answers Obsidian's preflight."""
    settings = request.app[SETTINGS]
    origin = request.headers.get(hdrs.ORIGIN)
    host = request.headers.get(hdrs.HOST)
    if not host_allowed(host, settings.port, settings.allowed_hosts):
        raise _unknown_host(host or "")
    if not origin_allowed(origin, settings.port):
        raise ForbiddenError(
            "This daemon answers no page of this Origin. Use Obsidian, the daemon's own page, or a program without a page."
        )
    if request.method == hdrs.METH_OPTIONS:
        return _preflight(origin)
    if is_visit(request.path):
        return refusal(request) or await handler(request)
    if request.path in PUBLIC or is_public(request.path):
        return await handler(request)
    return await _for_token(request, handler)


async def _for_token(request: web.Request, handler: Handler) -> web.StreamResponse:
    who = caller(request)
    if who is None:
        raise _no_token()
    if who == "elsewhere" and request.path in HERE_ONLY:
        raise ForbiddenError("A long-lived token does not open this. Ask on the daemon's own machine, with the command line.")
    response = await handler(request)
    # It may have been removed meanwhile: a long poll waits for 25 seconds.
    if who == "elsewhere" and caller(request) is None:
        raise _no_token()
    return response


def _no_token() -> UnauthorisedError:
    return UnauthorisedError(
        "This request carries no valid token. Read the token in the vault's run file below ~/.holovault/run; "
        "for another device, holovault token add NAME makes a lasting one."
    )


def _unknown_host(host: str) -> ForbiddenError:
    given = "".join(char if char.isprintable() else "?" for char in host[:_SHOWN_HOST])
    line = f'allowed_hosts = ["{_name(given.lower())}"]'
    return ForbiddenError(
        f"This daemon does not answer to the Host of this request, “{given}”. Ask 127.0.0.1 with its port. Where a tunnel or proxy "
        f"of yours asks under that name, write {line} under [daemon] in knowledge.toml and start the daemon anew."
    )


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


def _name(host: str) -> str:
    """A Host without its port, and an IPv6 address without its brackets."""
    name, colon, port = host.rpartition(":")
    bare = name if colon and port.isdecimal() else host
    return bare[1:-1] if bare.startswith("[") and bare.endswith("]") else bare
