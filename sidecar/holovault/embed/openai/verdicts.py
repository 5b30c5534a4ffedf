"""What an HTTP status means for the texts that were sent, for the next try, and for the person.

Owns the sentences. Pure: a reply in, a Trouble or None out; the time of day is handed in. Never repeats what a body or a header says:
a service may quote the key or the text.
"""

from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import msgspec

from holovault.embed.openai.reply import Reply
from holovault.embed.openai.settings import Settings
from holovault.embed.trouble import Trouble

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_AWAY = frozenset({408, 425, 502, 503, 504, *range(520, 531)})
_NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})


class _Error(msgspec.Struct):
    code: str | int | None = None
    type: str | None = None


class _ErrorBody(msgspec.Struct):
    error: _Error


def trouble_of(reply: Reply, settings: Settings, now: float) -> Trouble | None:
    """None for an answer whose body is worth reading; `now` in seconds since 1970 is for a Retry-After that is a date."""
    where, status = reply.address, reply.status
    if status in REDIRECTS:
        return _redirect(reply)
    if status != 200:
        return _refusal(reply, settings, now)
    if reply.broken:
        return Trouble(f"{where} {reply.broken}", "sick")
    if _is_page(reply):
        return Trouble(
            f"{where} answered with a web page: this network may want a sign-in first, "
            "or base_url is not the address of the API, which often ends in /v1",
            "away",
        )
    return None


def wait_asked(retry_after: str | None, now: float) -> float | None:
    """Seconds that a Retry-After asks for, in either form (RFC 9110 §10.2.3); None for none or nonsense."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return min(float(text), 1e6)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError, OSError):
        return None


def _refusal(reply: Reply, settings: Settings, now: float) -> Trouble:
    where, status = reply.address, reply.status
    wait = wait_asked(reply.retry_after, now)
    if status in {401, 403}:
        return Trouble(f"{where} refused the key (HTTP {status}): {_about_the_key(settings)}", "denied")
    if status == 402 or (status == 429 and _code(reply.body) in _NO_MONEY):
        return Trouble(f"{where} says that the account's credit is used up (HTTP {status}): look into your account there", "denied")
    if status == 511:
        return Trouble(f"this network wants a sign-in before it lets anything through to {where} (HTTP 511)", "away")
    if status in {404, 405, 410}:
        words = f"or no model {settings.model} (HTTP {status}): check base_url, which often ends in /v1, and model in [embedding]"
        return Trouble(f"{where} knows no such address {words}", "denied")
    if status == 407:
        return Trouble(f"the proxy in front of {where} wants a user and a password (HTTP 407): put them into the proxy's address", "denied")
    if status == 429 or (status == 503 and wait is not None):
        return Trouble(f"{where} wants fewer requests (HTTP {status}){_pause(wait)}", "busy", wait)
    if status in _AWAY:
        return Trouble(f"{where} is not available just now (HTTP {status})", "away", wait)
    if status >= 500:
        return Trouble(f"{where} failed (HTTP {status})", "sick", wait)
    if status == 413:
        return Trouble(f"{where} takes no request of this size, not even with one text (HTTP 413)", "text")
    if status >= 400:
        return Trouble(f"{where} will not read what was sent (HTTP {status})", "text")
    return Trouble(f"{where} answered without vectors (HTTP {status})", "sick")


def _about_the_key(settings: Settings) -> str:
    if settings.key_name is None:
        return "it wants a key; name the environment variable that holds one as api_key_env in [embedding]"
    return f"key expired or refused: check the variable {settings.key_name}"


def _pause(wait: float | None) -> str:
    return "" if wait is None else f", the next one in {wait:.0f} s"


def _redirect(reply: Reply) -> Trouble:
    words = f"{reply.address} redirects (HTTP {reply.status})"
    target = _origin(reply.location)
    if target is None:
        return Trouble(f"{words} to nowhere: check base_url in [embedding]", "denied")
    if target == _origin(reply.address):
        return Trouble(f"{words} in a circle: check base_url in [embedding]", "denied")
    return Trouble(f"{words} to {target}, where neither key nor text is sent: write the address that you mean as base_url", "denied")


def _origin(address: str | None) -> str | None:
    parts = urlsplit(address or "")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.scheme and parts.netloc else None


def _is_page(reply: Reply) -> bool:
    return "html" in reply.content_type.lower() or reply.body.lstrip()[:1] == b"<"


def _code(body: bytes) -> str | int | None:
    """The error's code as a word to compare, never to show."""
    try:
        error = msgspec.json.decode(body, type=_ErrorBody).error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return error.code or error.type
