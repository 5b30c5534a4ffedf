"""One HTTP request: bytes to an address, and whatever comes back.

Owns the session, the time limits of a request and the words for a connection that fails. Must not judge an answer, must not try again
except where a kept connection turned out to be closed, and takes the key to no other origin than the one it is for.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from io import BytesIO

import aiohttp
from aiohttp import hdrs
from yarl import URL

import holovault
from holovault.config import is_loopback, proxy_in_use
from holovault.embed.openai.reply import Reply
from holovault.embed.trouble import Trouble, TroubleError, TroubleKind

CONNECT_S = 10.0
STALL_S = 10.0
LARGEST_ANSWER = 64 << 20
_AGAIN = frozenset({301, 302, 307, 308})
_Handler = Callable[[aiohttp.ClientRequest], Awaitable[aiohttp.ClientResponse]]


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: to connect, between two pieces of a body, for all of it. `largest` bytes of an answer are read."""

    total: float
    connect: float = CONNECT_S
    stall: float = STALL_S
    largest: int = LARGEST_ANSWER


def open_session(address: str) -> aiohttp.ClientSession:
    """A session that keeps no cookies. This machine is never asked through a proxy: its address is trusted because nothing leaves it."""
    return aiohttp.ClientSession(
        trust_env=not is_loopback(address),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={
            hdrs.USER_AGENT: f"holovault/{holovault.__version__}",
            hdrs.CONTENT_TYPE: "application/json",
            hdrs.ACCEPT: "application/json",
            # Else the bytes that are announced and those that arrive cannot be compared.
            hdrs.ACCEPT_ENCODING: "identity",
        },
    )


async def post(session: aiohttp.ClientSession, address: str, body: bytes, secret: str | None, limits: Limits) -> Reply:
    """The reply of `address`, or of where it redirects to on the same origin, once. TroubleError when there is none.

    Both speak of `address` alone: a service may put the key into the place that it redirects to.
    """
    try:
        reply = await _posted(session, address, body, secret, limits)
        if reply.status in _AGAIN and reply.location and URL(reply.location).origin() == URL(address).origin():
            reply = await _posted(session, reply.location, body, secret, limits)
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        raise TroubleError(_in_words(error, address, limits)) from None
    return replace(reply, address=address)


async def _posted(session: aiohttp.ClientSession, address: str, body: bytes, secret: str | None, limits: Limits) -> Reply:
    try:
        return await _once(session, address, body, secret, limits)
    except aiohttp.ServerDisconnectedError:
        # A connection that was kept and that the other side closed meanwhile says nothing about the service.
        return await _once(session, address, body, secret, limits)


async def _once(session: aiohttp.ClientSession, address: str, body: bytes, secret: str | None, limits: Limits) -> Reply:
    timeout = aiohttp.ClientTimeout(total=limits.total, connect=limits.connect, sock_connect=limits.connect, sock_read=limits.total)
    async with session.post(
        URL(address), data=BytesIO(body), timeout=timeout, allow_redirects=False, middlewares=(_with_key(secret),)
    ) as response:
        content, broken = await _read(response, limits)
        if broken:
            response.close()
        return Reply(
            address=address,
            status=response.status,
            body=content,
            received=len(content),
            expected=_announced(response),
            broken=broken,
            content_type=response.headers.get(hdrs.CONTENT_TYPE, ""),
            retry_after=response.headers.get(hdrs.RETRY_AFTER),
            location=_location(response),
        )


def _with_key(secret: str | None) -> Callable[[aiohttp.ClientRequest, _Handler], Awaitable[aiohttp.ClientResponse]]:
    """Sets the one Authorization there is. Not by `headers`: aiohttp refuses those where ~/.netrc has an entry for the host as well."""

    async def authorise(request: aiohttp.ClientRequest, handler: _Handler) -> aiohttp.ClientResponse:
        request.headers.pop(hdrs.AUTHORIZATION, None)
        if secret is not None:
            request.headers[hdrs.AUTHORIZATION] = f"Bearer {secret}"
        return await handler(request)

    return authorise


async def _read(response: aiohttp.ClientResponse, limits: Limits) -> tuple[bytes, str | None]:
    """The body as far as it came, and what is to be said if that is not all of it."""
    content = bytearray()
    try:
        while True:
            async with asyncio.timeout(limits.stall):
                piece = await response.content.readany()
            if not piece:
                return bytes(content), None
            content += piece
            if len(content) > limits.largest:
                return bytes(content), f"sends an answer of more than {limits.largest >> 20} MB"
    except TimeoutError:
        return bytes(content), f"stopped in the middle of its answer, {_so_far(content, response)}"
    except aiohttp.ClientPayloadError:
        return bytes(content), f"cut its answer off, {_so_far(content, response)}"
    except (aiohttp.ClientError, OSError):
        return bytes(content), f"lost the connection in the middle of its answer, {_so_far(content, response)}"


def _so_far(content: bytearray, response: aiohttp.ClientResponse) -> str:
    announced = _announced(response)
    return f"{len(content)} bytes came" if announced is None else f"{len(content)} of {announced} bytes came"


def _announced(response: aiohttp.ClientResponse) -> int | None:
    return None if hdrs.CONTENT_ENCODING in response.headers else response.content_length


def _location(response: aiohttp.ClientResponse) -> str | None:
    """Where a redirect leads, None for a place that no request can be sent to ("mailto:…")."""
    target = response.headers.get(hdrs.LOCATION)
    try:
        place = None if target is None else response.url.join(URL(target))
        return None if place is None or not place.origin() else str(place)
    except ValueError:
        return None


def _in_words(error: Exception, address: str, limits: Limits) -> Trouble:
    """A sentence of ours for each way to fail: a library's own may quote headers, and thereby the key."""
    words, kind = _failure(error, address, limits)
    return Trouble(words, kind)


def _failure(error: Exception, address: str, limits: Limits) -> tuple[str, TroubleKind]:
    proxy = proxy_in_use(address)
    through = f"the proxy {proxy.address} (from {proxy.source})" if proxy else "the proxy"
    match error:
        case aiohttp.ClientHttpProxyError():
            kind: TroubleKind = "denied" if error.status == 407 else "away"
            return f"{through} let no connection through to {address} (HTTP {error.status})", kind
        case aiohttp.ClientProxyConnectionError():
            return f"{through} cannot be reached: {_system_words(error.os_error)}", "away"
        case aiohttp.ClientConnectorDNSError():
            return f"the name in {address} cannot be resolved: is this machine online?", "away"
        case aiohttp.ClientConnectorCertificateError():
            words = "if it is of your own authority, name its file in the variable SSL_CERT_FILE where the daemon runs"
            return f"the certificate of {address} is not one that this machine trusts: {words}", "away"
        case aiohttp.ClientSSLError():
            return f"no secure connection to {address} can be made", "away"
        case aiohttp.ClientConnectorError():
            return f"no connection to {address}: {_system_words(error.os_error)}", "away"
        case aiohttp.ConnectionTimeoutError():
            return f"no connection to {address} within {limits.connect:g} s", "away"
        case TimeoutError():
            return f"{address} gave no answer within {limits.total:g} s: a larger timeout_s or a smaller batch_size may help", "sick"
        case aiohttp.InvalidURL() if proxy:
            return f"{through} is named in a way that cannot be used: write it as http://host:port", "away"
        case aiohttp.ServerDisconnectedError() | OSError():
            return f"{address} closed the connection without an answer", "sick"
        case _:
            return f"{address} answered with something that is no HTTP", "sick"


def _system_words(error: OSError) -> str:
    return error.strerror or type(error).__name__
