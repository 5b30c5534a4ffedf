"""Which proxy stands between this process and an address, and who said so.

Owns the names of the variables. Follows what aiohttp does with `trust_env`: `urllib.request.getproxies` and `proxy_bypass`, for http
and https, through proxies that are reached by plain http. Must not show the user or password that a proxy's address may hold.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from holovault.config.addresses import is_loopback

SYSTEM = "the system's settings"


@dataclass(frozen=True, slots=True)
class ProxySetting:
    """A proxy that something names: for which scheme, where it is, what names it, and whether requests go through it or why not."""

    scheme: str
    address: str
    source: str
    used: bool
    reason: str = ""


def proxies_for(base_url: str, environ: Mapping[str, str] | None = None) -> tuple[ProxySetting, ...]:
    """Every http and https proxy that this process knows; `used` is True for at most one. `environ` default: this process's own."""
    from urllib.request import getproxies  # 20 ms that only a network needs

    environ = os.environ if environ is None else environ
    found = getproxies()
    settings = []
    for scheme in ("http", "https"):
        if proxy := found.get(scheme):
            reason = _unused(base_url, scheme, proxy, environ)
            settings.append(ProxySetting(scheme, _shown(proxy), _source(scheme, proxy, environ), not reason, reason))
    return tuple(settings)


def proxy_in_use(base_url: str) -> ProxySetting | None:
    """The proxy that requests to this address go through, None where they go straight."""
    return next((setting for setting in proxies_for(base_url) if setting.used), None)


def _unused(base_url: str, scheme: str, proxy: str, environ: Mapping[str, str]) -> str:
    from urllib.request import proxy_bypass

    parts = urlsplit(base_url)
    if is_loopback(base_url):
        return "this machine is asked directly"
    if parts.scheme != scheme:
        return f"it is for {scheme} addresses"
    if proxy_bypass(parts.hostname or ""):
        return f"{_named(environ, 'no_proxy') or SYSTEM} excepts this host"
    if urlsplit(proxy).scheme in {"https", "wss"}:
        return "only proxies that are reached by http:// can be used"
    return ""


def _source(scheme: str, proxy: str, environ: Mapping[str, str]) -> str:
    name = _named(environ, f"{scheme}_proxy")
    return name if name is not None and environ[name] == proxy else SYSTEM


def _named(environ: Mapping[str, str], name: str) -> str | None:
    """The variable that counts: the one in lower case goes first."""
    names = [name, *(other for other in environ if other != name and other.lower() == name)]
    return next((one for one in names if environ.get(one)), None)


def _shown(proxy: str) -> str:
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
