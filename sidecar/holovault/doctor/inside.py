"""The index and the model, looked at where they live: in the daemon, or in this process where none runs.

Owns which of the two, and the repair of an index. Must not start a daemon that did not run.
"""

from pathlib import Path

from holovault.client import Client, stop_daemon
from holovault.config import Config, Home, vault_key
from holovault.doctor import index, route
from holovault.doctor.owner import Found, open_client
from holovault.doctor.report import Check, command
from holovault.engine import Engine
from holovault.engine.checkup import damage, probe
from holovault.errors import BusyError, HolovaultError, UserError
from holovault.model import Checkup, CheckupRequest, IndexRequest

_OWNER = "holovault doctor"
_HERE = "asked in this process, with this shell's environment"


def by_daemon(home: Home, root: Path, config: Config | None, found: Found, *, fix: bool) -> list[Check]:
    """What the daemon finds in itself, and how its environment differs from this shell's."""
    assert found.daemon is not None
    busy = found.status is not None and found.status.state in {"indexing", "embedding"}
    try:
        with open_client(found.daemon) as client:
            seen = client.checkup(CheckupRequest(repair=fix))
    except UserError as error:
        return [
            Check(
                "index", "problem", f"The daemon could not look at itself: {error}", f"{command('stop', root)}, then {command('up', root)}"
            )
        ]
    checks: list[Check] = []
    if fix and seen.index.damage is not None:
        repaired, seen = _anew(home, root, seen)
        checks += repaired
    checks += [Check("repair", "ok", f"{words}.") for words in seen.repaired]
    checks += index.index(
        seen.index, root, busy=busy or bool(seen.repaired), model=seen.route is not None and seen.route.provider != "none"
    )
    if seen.route is not None:
        checks += route.model(seen.route, root, home, f"asked by the daemon, pid {seen.route.pid}")
        if config is not None:
            checks += route.environments(config.embedding, seen.route, home, root)
            checks += other_model(config, seen.route.provider, root)
    return checks


def here(home: Home, root: Path, config: Config | None, *, held: bool, fix: bool) -> list[Check]:
    """The same without a daemon; an index that belongs to somebody else (`held`) is not looked at."""
    if config is None:
        return [
            Check(
                "index",
                "warning",
                "Index and model were not looked at: knowledge.toml has mistakes.",
                "Correct them, then run doctor again.",
            )
        ]
    checks = [_not_looked_at("it belongs to another process.")] if held else _index_here(home, root, fix=fix)
    try:
        return [*checks, *route.model(probe(config.embedding, home), root, home, _HERE)]
    except HolovaultError as error:
        return [
            *checks,
            Check("model", "problem", f"The model could not be asked: {error}", f"Look at [embedding] of {root / 'knowledge.toml'}."),
        ]


def _index_here(home: Home, root: Path, *, fix: bool) -> list[Check]:
    if not (home.index_root / vault_key(root) / "index.db").exists():
        return [Check("index", "warning", "There is no index of this vault yet.", f"{command('up', root)} or {command('index', root)}")]
    try:
        trouble = damage(root, home, _OWNER)
        if trouble is not None and not fix:
            words = f"The index is damaged: it is {trouble}."
            return [Check("index", "problem", words, f"It is put aside and built anew from your notes by: {command('doctor --fix', root)}")]
        return _opened(home, root, trouble, fix=fix)
    except BusyError as error:
        return [_not_looked_at(str(error))]
    except UserError as error:
        return [
            Check("index", "problem", str(error), f"If this stays, delete {home.index(vault_key(root))}: it is built anew from your notes.")
        ]


def _opened(home: Home, root: Path, trouble: str | None, *, fix: bool) -> list[Check]:
    checks: list[Check] = []
    with Engine.open(root, home, owner=_OWNER) as engine:
        seen = engine.checkup(CheckupRequest(probe=False, repair=fix))
        checks += [Check("repair", "ok", f"{words}.") for words in seen.repaired]
        if fix and (trouble is not None or seen.repaired):
            report = engine.index(IndexRequest(wait=False))
            seen = engine.checkup(CheckupRequest(probe=False))
        if trouble is not None:
            checks.append(Check("repair", "ok", f"The index was {trouble}; it was put aside and built anew from {report.files} notes."))
    return [*checks, *index.index(seen.index, root, busy=False, model=engine.config.embedding.provider != "none")]


def _anew(home: Home, root: Path, seen: Checkup) -> tuple[list[Check], Checkup]:
    """The daemon stopped, its index put aside by the next one and built again."""
    stop_daemon(home, root)
    with Client.start_daemon(home, root) as client:
        report = client.index(IndexRequest(wait=False))
        now = client.checkup(CheckupRequest())
    words = f"The index was damaged; the daemon was started anew, put it aside and built another from {report.files} notes."
    step = f"If a service ran the daemon before: {command('service install', root)} hands it back."
    return [Check("repair", "ok", words, step)], now


def other_model(config: Config, provider: str, root: Path) -> list[Check]:
    """A warning where the daemon asks another provider than the settings name; nothing where they agree."""
    wanted = config.embedding.refine or config.embedding.provider
    if provider == wanted:
        return []
    words = f"knowledge.toml says {wanted}, the daemon still uses {provider}."
    step = f"It takes a change over within seconds: run doctor again. If it stays so: {command('stop', root)}, then {command('up', root)}"
    return [Check("model", "warning", words, step)]


def _not_looked_at(why: str) -> Check:
    return Check(
        "index",
        "warning",
        f"The index was not looked at: {why}",
        "Run doctor again without --no-daemon, or when that process has finished.",
    )
