"""Errors on their way out: every one becomes application/problem+json (RFC 9457) with a stable code.

Owns the map from exceptions to problems. A UserError's sentence goes out as it is; of anything else the
traceback goes to the log and nothing to the client.
"""

import logging
from http import HTTPStatus

import msgspec
from aiohttp import hdrs, web

from holovault.client.problems import Problem
from holovault.errors import ConfigError, StaleError, TooLargeError, UnauthorisedError, UsageError, UserError
from holovault.web.keys import Handler

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"


class ForbiddenError(UnauthorisedError):
    """A wrong Host or Origin: no token would help."""

    status = 403


class PreconditionError(UsageError):
    """A write that says neither which version it replaces nor that it creates (RFC 6585)."""

    status = 428


class BodyTimeoutError(UsageError):
    """A body that did not arrive in time; the connection is closed."""

    status = 408


class MediaTypeError(UsageError):
    """A body in a coding that is not read here."""

    status = 415


@web.middleware
async def problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turns every exception of the inner handlers into a problem."""
    try:
        return await handler(request)
    except UserError as error:
        return problem_response(problem_of(error), close=isinstance(error, (BodyTimeoutError, TooLargeError)))
    except web.HTTPException as error:
        return problem_response(_of_http(error, request), close=error.status == 413, headers=_kept(error))
    except Exception:
        log.exception("a request failed: %s %s", request.method, _route(request))
        return problem_response(_of_bug())


def problem_of(error: UserError) -> Problem:
    """The problem that carries `error` to a client; its `client.problems` twin makes the same error of it again."""
    return Problem(
        title=_title(error.status),
        status=error.status,
        detail=str(error),
        code=error.code,
        current_hash=error.current_hash if isinstance(error, StaleError) else None,
        problems=error.problems if isinstance(error, ConfigError) else (),
        quoted=error.quoted,
    )


def problem_response(problem: Problem, *, close: bool = False, headers: dict[str, str] | None = None) -> web.Response:
    """A response with `problem` as its body; `close` ends the connection after it."""
    response = web.Response(status=problem.status, body=msgspec.json.encode(problem), content_type=CONTENT_TYPE, headers=headers)
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response.headers[hdrs.WWW_AUTHENTICATE] = "Bearer"
    if close:
        response.force_close()
    return response


def _of_http(error: web.HTTPException, request: web.Request) -> Problem:
    if error.status == HTTPStatus.NOT_FOUND:
        return Problem(_title(404), 404, "There is nothing at this address. The routes are listed at /v1/openapi.json.", "NOT_FOUND")
    if error.status == HTTPStatus.METHOD_NOT_ALLOWED:
        return Problem(_title(405), 405, f"{request.method} is not possible here. The routes are listed at /v1/openapi.json.", "USAGE")
    code = TooLargeError.code if error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else UsageError.code
    return Problem(_title(error.status), error.status, f"{_title(error.status)}. The routes are listed at /v1/openapi.json.", code)


def _of_bug() -> Problem:
    return Problem(_title(500), 500, "The daemon made a mistake with this request; its log has the details. Try again.", UserError.code)


def _kept(error: web.HTTPException) -> dict[str, str]:
    allow = error.headers.get(hdrs.ALLOW)
    return {hdrs.ALLOW: allow} if allow else {}


def _title(status: int) -> str:
    return HTTPStatus(status).phrase


def _route(request: web.Request) -> str:
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else "(no route)"
