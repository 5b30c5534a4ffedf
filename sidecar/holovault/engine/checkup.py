"""What an engine finds when it looks at itself: is the index sound, does it agree with the vault, does the model answer.

Owns the questions and their numbers; `holovault.doctor` has the words. It speaks for the process that runs it: a service has another
environment than a shell. Must not repair anything unless told to, and must not tell a note's text or a key.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
import psutil

from holovault.config import EmbeddingConfig, Home, vault_key
from holovault.embed import EmbeddingService, make_embedding
from holovault.embed.providers import WORKER
from holovault.engine.parts import Parts
from holovault.errors import HolovaultError, IndexUnreadableError, UserError, WorkerError
from holovault.model import IndexHealth, Proxy, RouteReport
from holovault.ownership import acquire
from holovault.store import Store

PROBE = "is anybody there?"
PATIENCE_S = 120.0
_REMOTE = "openai"


def damage(root: Path, home: Home, owner: str) -> str | None:
    """What is wrong with the file of a vault's index, under the vault's lock; None for a sound one and for none.

    Raises BusyError (who has it), VersionError.
    """
    with acquire(home, root, owner):
        return Store.damage(home.index(vault_key(root)))


def index_health(store: Store, parts: Parts) -> IndexHealth:
    """Every page, every row and every folder looked at."""
    try:
        found = store.check()
        return IndexHealth(damage=found) if found else _counted(store, parts)
    except IndexUnreadableError as problem:
        return IndexHealth(damage=str(problem))


def mend(store: Store) -> tuple[str, ...]:
    """Lists for embedding or cutting what is missing and removes what belongs to nothing; one sentence for each kind of it."""
    done = store.soundness.mend()
    kinds = (
        (done.listed, f"{done.listed} windows wait for a vector again, {done.retried} of them had failed before"),
        (done.stale, f"{done.stale} notes are read anew, because words of theirs were missing"),
        (done.shaped, f"{done.shaped} passages wait for their structure vector again"),
        (done.removed, f"{done.removed} rows that belonged to nothing were removed"),
    )
    return tuple(words for count, words in kinds if count)


def probe(config: EmbeddingConfig, home: Home) -> RouteReport:
    """As `route`, with a model of this process that is closed afterwards."""
    embedding = make_embedding(config, home.logs, home)
    try:
        return route(embedding, config, home)
    finally:
        embedding.close()


def route(
    embedding: EmbeddingService, config: EmbeddingConfig, home: Home | None, clock: Callable[[], float] = perf_counter
) -> RouteReport:
    """One harmless text on its way through the model in use; a cold model is given two minutes."""
    known, spec = embedding.status(), embedding.spec
    report = RouteReport(known.provider, known.name, os.getpid())
    if known.provider == _REMOTE:
        report = _remote(report, config, home)
    if report.trouble is not None or spec is None:
        return report if spec else replace(report, trouble=report.trouble or known.reason)
    started = clock()
    try:
        vector = embedding.embed_query(PROBE, PATIENCE_S)
    except WorkerError as error:
        return replace(report, seconds=clock() - started, trouble=str(error), workers=_workers())
    norm = float(np.linalg.norm(vector)) if report.norm is None else report.norm
    return replace(report, seconds=clock() - started, dimension=len(vector), norm=norm, workers=_workers())


def _remote(report: RouteReport, config: EmbeddingConfig, home: Home | None) -> RouteReport:
    # Loads the HTTP client, which no other provider needs.
    from holovault.embed.openai import route as remote_route

    try:
        seen = remote_route(config, home)
    except UserError as error:
        return replace(report, trouble=str(error))
    return replace(
        report,
        seconds=seen.seconds,
        dimension=seen.dimension,
        norm=seen.norm,
        trouble=seen.trouble,
        client=seen.client,
        address=seen.address,
        key_name=seen.key_name,
        key_in_environment=seen.key_in_environment,
        key_source=seen.key_source,
        proxies=tuple(Proxy(proxy.scheme, proxy.address, proxy.source, proxy.used, proxy.reason) for proxy in seen.proxies),
        status=seen.status,
        expected=seen.expected,
        received=seen.received,
    )


def _workers() -> tuple[int, ...]:
    """The processes of this one's models."""
    found = []
    for process in psutil.Process().children():
        try:
            if WORKER in process.cmdline():
                found.append(process.pid)
        except psutil.Error:
            continue
    return tuple(sorted(found))


def _counted(store: Store, parts: Parts) -> IndexHealth:
    figures = store.soundness.figures()
    known = store.notes.known()
    failures = tuple(store.failures.all())
    health = IndexHealth(
        files=len(known),
        windows=figures.windows,
        embedded=figures.embedded,
        waiting=figures.waiting,
        failed=figures.failed,
        lost=figures.lost,
        wordless=figures.wordless,
        shapeless=figures.shapeless,
        orphans=figures.orphans,
        failures=failures,
    )
    try:
        scan = parts.vault.scan(known)
    except HolovaultError:
        return health  # that the vault is away is said where the vault is looked at
    excused = {failure.path for failure in (*failures, *scan.failures)}
    missing = [seen.path for seen in scan.seen if seen.path not in known and seen.path not in excused]
    return replace(health, unindexed=len(missing), vanished=len(scan.gone(known)), unreadable=len(scan.unreadable))
