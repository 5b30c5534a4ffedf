"""Words for the health of an index. Pure: from numbers to lines."""

from collections.abc import Iterable
from pathlib import Path

from holovault.doctor.report import Check, command
from holovault.model import Failure, IndexHealth

_SHOWN = 5


def index(health: IndexHealth, root: Path, *, busy: bool, model: bool) -> list[Check]:
    """Lines about pages, notes, vectors and failures.

    `busy` says that the daemon is at work, so that a gap is no fault; `model` that there is one, so that windows may wait for it.
    """
    if health.damage is not None:
        words = f"The index is damaged: {health.damage.rstrip('.')}."
        return [Check("index", "problem", words, f"It is put aside and built anew from your notes by: {command('doctor --fix', root)}")]
    return [
        _rows(health, root),
        _notes(health, root, busy=busy),
        _vectors(health, root, waits=model and not busy),
        _failures(health.failures, root),
    ]


def _rows(health: IndexHealth, root: Path) -> Check:
    faults = []
    if health.wordless:
        faults.append(f"{health.wordless} passages have lost words or windows")
    if health.shapeless:
        faults.append(f"{health.shapeless} passages have lost their structure vector")
    if health.orphans:
        faults.append(f"{health.orphans} rows belong to nothing")
    if faults:
        return Check("index", "problem", f"In the index {' and '.join(faults)}.", command("doctor --fix", root))
    return Check("index", "ok", "Every page of the index can be read, and its rows belong together.")


def _notes(health: IndexHealth, root: Path, *, busy: bool) -> Check:
    gaps = []
    if health.unindexed:
        gaps.append(f"{health.unindexed} notes of the vault are not in the index")
    if health.vanished:
        gaps.append(f"{health.vanished} notes of the index are no longer in the vault")
    if health.unreadable:
        gaps.append(f"{health.unreadable} folders of the vault cannot be read")
    if not gaps:
        return Check("notes", "ok", f"The index has the {health.files} notes of the vault.")
    text = f"{', '.join(gaps)}."
    if busy and not health.unreadable:
        return Check("notes", "ok", f"{text} The daemon is reading them just now.")
    return Check("notes", "warning", text, command("status" if health.unreadable else "index", root))


def _vectors(health: IndexHealth, root: Path, *, waits: bool) -> Check:
    parts = f"{health.embedded} of {health.windows} windows have a vector, {health.waiting} wait, {health.failed} failed"
    if health.lost:
        return Check("vectors", "problem", f"{parts}, and {health.lost} are on no list.", command("doctor --fix", root))
    if health.failed:
        return Check("vectors", "warning", f"{parts}.", f"Another try: {command('doctor --fix', root)}")
    if health.waiting and waits:
        return Check("vectors", "warning", f"{parts}.", f"{command('index', root)} embeds them.")
    return Check("vectors", "ok", f"{parts}.")


def _failures(failures: Iterable[Failure], root: Path) -> Check:
    # Without their reasons: some of those quote a line of the note.
    named = [f"{failure.path} ({failure.stage})" for failure in failures]
    if not named:
        return Check("failures", "ok", "No note has failed.")
    more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
    return Check("failures", "warning", f"{len(named)} failed: {', '.join(named[:_SHOWN])}{more}.", f"Why: {command('status', root)}")
