"""What the engine says of itself: index reports, status, and why a path is treated as it is.

Owns the wording of numbers only. Must not change anything.
"""

import os

import psutil

from holovault import __version__
from holovault.engine.parts import Parts
from holovault.engine.roles import Roles
from holovault.indexer import Tally
from holovault.model import Failure, FrontMatter, IndexProgress, IndexReport, PathExplanation, Status
from holovault.store import Store


def index_report(store: Store, tally: Tally, embedded: int, extra: tuple[Failure, ...], seconds: float) -> IndexReport:
    """The totals after a pass and what the pass itself changed."""
    counts = store.notes.counts()
    return IndexReport(
        files=counts.files,
        added=tally.added,
        changed=tally.changed,
        renamed=tally.renamed,
        removed=tally.removed,
        unchanged=tally.unchanged,
        chunks=counts.chunks,
        windows=counts.windows,
        embedded=embedded,
        reused=tally.reused,
        failed=(*store.failures.all(), *extra),
        seconds=round(seconds, 3),
    )


def status(
    store: Store,
    parts: Parts,
    roles: Roles,
    state: str,
    owner: str,
    watching: str,
    progress: IndexProgress,
    extra: tuple[Failure, ...],
) -> Status:
    """Everything a person needs to see whether the index is whole."""
    counts = store.notes.counts()
    model, filling = roles.statuses()
    rate, left = roles.pace.rate(), roles.pending()
    return Status(
        vault=str(parts.vault.root),
        state=state,
        files=counts.files,
        chunks=counts.chunks,
        windows=counts.windows,
        embedded=counts.embedded,
        pending=roles.pending(serving_only=True),
        generation=store.generation,
        model=model,
        memory_mb=round(memory_mb(), 1),
        owner=owner,
        pid=os.getpid(),
        version=__version__,
        watching=watching,
        done=progress.done,
        total=progress.total,
        failures=(*store.failures.all(), *extra),
        filling=filling,
        rate=None if rate is None else round(rate, 2),
        eta_s=round(left / rate, 1) if rate and left else None,
    )


def memory_mb() -> float:
    """Private memory of this process and its children, in MB; files mapped from disk do not count."""
    total = 0
    here = psutil.Process()
    for process in (here, *here.children(recursive=True)):
        try:
            info = process.memory_info()
        except psutil.Error:
            continue
        total += info.rss - getattr(info, "shared", 0)
    return total / 1_000_000


def explanation(store: Store, parts: Parts, path: str) -> PathExplanation:
    """Rules, cut and failures of one path."""
    state = store.notes.state(path)
    excluded = parts.vault.excluded_by(path)
    rows = store.notes.chunks_of(path)
    front = rows[0].front if rows else FrontMatter()
    tier = parts.rules.tier_of(path, front.source)
    project = parts.rules.project_of(path, front.project)
    return PathExplanation(
        path=path,
        indexed=state is not None,
        excluded_by=excluded,
        tier=tier.value,
        tier_rule=tier.rule,
        project=project.value if project else None,
        project_rule=project.rule if project else None,
        hash=state.hash if state else None,
        chunks=store.notes.chunk_infos(path),
        failures=tuple(failure for failure in store.failures.all() if failure.path == path),
        notes=_notes(path, state is not None, excluded, parts),
    )


def _notes(path: str, indexed: bool, excluded: str | None, parts: Parts) -> tuple[str, ...]:
    if indexed:
        return ()
    if parts.vault.is_note(path) and not excluded and parts.vault.exists(path):
        return ("not indexed yet: run `holovault index`",)
    why = why_not(path, parts, excluded)
    return (f"not indexed: {why}" if why.startswith("excluded") else why,)


def why_not(path: str, parts: Parts, excluded: str | None = None) -> str:
    """Why a path is not in the index, in words for everybody who may ask. `excluded` is the rule where it is known already."""
    excluded = excluded or parts.vault.excluded_by(path)
    if not parts.vault.is_note(path):
        return "not a note: only files ending in .md are indexed"
    if excluded:
        return f"excluded by {excluded}"
    if not parts.vault.exists(path):
        return "there is no such file in the vault"
    return "not indexed yet, or listed in the status as failed"
