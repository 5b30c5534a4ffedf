"""Words for the way to the model, and the comparison of two environments. Must not embed anything itself."""

import os
import sys
from pathlib import Path

from holovault.config import EmbeddingConfig, Home, is_set, proxies_for, read_key
from holovault.doctor.report import Check, command
from holovault.errors import UserError
from holovault.model import RouteReport

_REMOTE = "openai"


def model(seen: RouteReport, root: Path, home: Home, asked: str) -> list[Check]:
    """How one text got its vector; `asked` says which process did it."""
    name = f"{seen.provider} {seen.model}".strip()
    if seen.trouble is None and seen.dimension is None:
        return [Check("model", "ok", "No model is configured: notes are found by words only.")]
    details = _details(seen)
    if seen.trouble is not None:
        words = f"{name} gave no vector ({asked}): {seen.trouble.rstrip('.')}.{details}"
        return [Check("model", "problem", words, _next(seen, root, home))]
    words = f"{name} answered in {seen.seconds:.2f} s with {seen.dimension} numbers of norm {seen.norm or 0:.3f} ({asked}"
    workers = f", model in pid {', '.join(map(str, seen.workers))}" if seen.workers else ""
    return [Check("model", "ok", f"{words}{workers}).{details}")]


def _details(seen: RouteReport) -> str:
    if seen.provider != _REMOTE or seen.address is None:
        return ""
    used = next((proxy for proxy in seen.proxies if proxy.used), None)
    unused = [f"{proxy.address} of {proxy.source} is not used: {proxy.reason}" for proxy in seen.proxies if not proxy.used]
    key = f"{seen.key_name} from {seen.key_source}" if seen.key_source else f"{seen.key_name}, not found" if seen.key_name else "none"
    expected = f"of {seen.expected} " if seen.expected is not None else ""
    parts = [
        f"{seen.client} to {seen.address}",
        f"through the proxy {used.address} (from {used.source})" if used else "through no proxy",
        *unused,
        f"key: {key}",
        f"HTTP {seen.status}, {seen.received} {expected}bytes" if seen.status is not None else "no answer",
    ]
    return f" Route: {'; '.join(parts)}."


def _next(seen: RouteReport, root: Path, home: Home) -> str:
    if seen.provider == _REMOTE:
        if seen.key_name and seen.key_source is None and seen.address is not None:
            return f"Look at {seen.key_name} first, in the environment of pid {seen.pid} or in {home.root / 'credentials'}."
        return f"Look at [embedding] of {root / 'knowledge.toml'}, at the proxy and at the service. Words are found meanwhile."
    return f"See {home.root / 'logs' / f'embed-{seen.provider}-*.log'} and: {command('model list', root)}. Words are found meanwhile."


def environments(config: EmbeddingConfig, there: RouteReport, home: Home, root: Path) -> list[Check]:
    """What this shell and the daemon `there` have in their environments that decides about the way to a service."""
    if config.provider != _REMOTE or there.provider != _REMOTE or not config.base_url:
        return []
    found = [*_proxy(config.base_url, there, root), *_key(config, there, home, root)]
    return found or [
        Check("environment", "ok", f"This shell and the daemon (pid {there.pid}) have the same proxy and find a key in the same place.")
    ]


def _proxy(base_url: str, there: RouteReport, root: Path) -> list[Check]:
    here = next((proxy for proxy in proxies_for(base_url) if proxy.used), None)
    other = next((proxy for proxy in there.proxies if proxy.used), None)
    if (here and here.address) == (other and other.address):
        return []
    daemon = f"the daemon (pid {there.pid})"
    if here and other:
        ours, theirs = (f"the proxy {proxy.address} (from {proxy.source})" for proxy in (here, other))
        words = f"This shell goes through {ours}, {daemon} through {theirs}."
        return [Check("environment", "warning", words, _anew(here.source, root))]
    if here:
        words = f"The proxy {here.address} is named only in this shell (by {here.source}); {daemon} uses none."
        return [Check("environment", "warning", words, _anew(here.source, root))]
    assert other is not None
    words = f"The proxy {other.address} is named only in the environment of {daemon} (by {other.source}); this shell uses none."
    step = f"If it is wanted, set {other.source} here too; if not: {command('stop', root)}, then {command('up', root)} from this shell."
    return [Check("environment", "warning", words, step)]


def _key(config: EmbeddingConfig, there: RouteReport, home: Home, root: Path) -> list[Check]:
    name = config.api_key_env
    if name is None or is_set(name) == there.key_in_environment:
        return []
    file = f"write {name} = … into {home.root / 'credentials'} (mode 0600), which serves both"
    daemon = f"the daemon (pid {there.pid})"
    if is_set(name):
        if there.key_source == "credentials":
            words = f"{name} is set only in this shell; {daemon} takes it from the file credentials."
            return [Check("environment", "warning", words, f"Make sure both are the same key, or unset {name} here.")]
        words = f"{name} is set only in this shell; in the environment of {daemon} it is not."
        return [Check("environment", "warning", words, f"{_anew(name, root)} Or {file}.")]
    kept = " The file credentials has one." if _kept(name, home) else ""
    words = f"{name} is set only in the environment of {daemon}; in this shell it is not.{kept}"
    return [Check("environment", "warning", words, f"A daemon that is started from here will not have it: set it here too, or {file}.")]


def _kept(name: str, home: Home) -> bool:
    try:
        return read_key(name, home.credentials).source == "credentials"
    except UserError:
        return False


def _anew(name: str, root: Path) -> str:
    """How a variable of this shell gets into the daemon."""
    again = f"If the daemon should have it: {command('stop', root)}, then {command('up', root)} from this shell."
    if sys.platform == "darwin":
        return f"{again} A service gets it by launchctl setenv {name} …"
    return f"{again} A service gets it by systemctl --user import-environment {name}" if os.name == "posix" else again
