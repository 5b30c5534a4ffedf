"""The access log: method, route, status and time. Never a query string, a note's name, a header or a body."""

from aiohttp import web
from aiohttp.abc import AbstractAccessLogger


class AccessLog(AbstractAccessLogger):
    """One line per request, with the route's pattern in place of its address."""

    def log(self, request: web.BaseRequest, response: web.StreamResponse, time: float) -> None:
        """Writes the line; `time` is seconds."""
        self.logger.info("%s %s %d %.1f ms", request.method, _pattern(request), response.status, time * 1000)

    @property
    def enabled(self) -> bool:
        """Whether anybody listens."""
        return self.logger.isEnabledFor(20)


def _pattern(request: web.BaseRequest) -> str:
    if not isinstance(request, web.Request):
        return "(unreadable)"
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else "(no route)"
