"""One import from beginning to end, the same for every source.

Owns the order: read items, render drafts, decide, write, and at the end lists and the state. Works item by item, so memory
does not grow with the export, and a stop falls between two items. What the command line finds under an entry point of the
group `holovault.importers` is an `Importer` around a `Source`.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import BinaryIO, cast

from holovault.config import Config
from holovault.errors import PathForbiddenError, StaleError, TooLargeError, UsageError, UserError
from holovault.model.imports import Conflict, ImportReport, ImportRequest
from holovault.vault import Vault
from holovault_importers.dates import day
from holovault_importers.drafts import Draft
from holovault_importers.ending import Ending
from holovault_importers.inputs import InputFile, inputs_of
from holovault_importers.places import Places
from holovault_importers.plan import Step, beside, decide
from holovault_importers.present import trace
from holovault_importers.render import Options, Renderer
from holovault_importers.render.messages import Style
from holovault_importers.render.notes import Rendered
from holovault_importers.report import Ledger
from holovault_importers.state import Row, State, row_of
from holovault_importers.values import AccountMemory, Conversation, Item, MemoryFile, Problem, Project, Published, Skipped, Source
from holovault_importers.vaultnotes import VaultNotes

Progress = Callable[[int, int], None]
"""Called with bytes read and bytes in all."""

SAVE_EVERY = 500
TWICE = "twice in the export"
_TRIES = 3


class Importer:
    """A source that the command line can run."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @property
    def about(self) -> str:
        """One sentence for `--help`."""
        return self._source.about

    def run(self, vault: Vault, config: Config, request: ImportRequest, progress: Progress, stopped: Callable[[], bool]) -> ImportReport:
        """Import into a vault. `stopped` is asked between two items. Raises UserError where nothing can be imported at all."""
        exports = request.exports or self._source.default_exports()
        if not exports:
            raise UsageError("Name the export: a zip, several zips, a folder or a JSON file.")
        inputs = inputs_of(exports, self._source.wants)
        ledger = Ledger(self._source.origin, request, problems=list(inputs.problems))
        run = _Run(VaultNotes(vault, config), config, request, ledger)
        count = _Counting(sum(member.size for member in inputs.members), progress)
        for item in self._source.read([count.member(member) for member in inputs.members], request):
            if stopped():
                ledger.stopped = True
                break
            run.take(item)
        run.finish(self._source.origin)
        return ledger.report()


class _Run:
    """The state of one import."""

    def __init__(self, notes: VaultNotes, config: Config, request: ImportRequest, ledger: Ledger) -> None:
        self._notes = notes
        self._config = config
        self._request = request
        self._ledger = ledger
        self._state: State = notes.load()
        self._places = Places(notes, self._state, config)
        style = Style(request.thinking, request.tools, request.redact)
        self._renderer = Renderer(Options(style, request.artifacts, config.memory.profile), self._places, ledger.contents)
        self._seen: dict[str, str] = {}
        if self._state.rebuilt:
            ledger.remarks.append(
                f"{len(self._state.rows):,} notes were known by their front matter, because _import/state.json was missing or damaged. "
                "Which notes you had deleted is not known any more: they may come back."
            )

    def take(self, item: Item) -> None:
        """One item of the source."""
        if isinstance(item, Problem):
            self._ledger.problems.append(item.sentence)
        elif isinstance(item, Skipped):
            self._ledger.count("other", "skipped", item.reason)
        elif reason := self._filtered(item):
            self._ledger.count(_kind(item), "skipped", reason)
        else:
            try:
                for draft in self._renderer.drafts(item):
                    self._draft(draft)
            except UserError as error:  # a path could not be looked at
                self._ledger.problems.append(str(error))
                self._ledger.count(_kind(item), "skipped", "could not be written")

    def finish(self, origin: str) -> None:
        """Archive, lists, state."""
        ending = Ending(self._notes, self._state, self._config, self._ledger)
        if not self._ledger.stopped:
            ending.archive(origin, set(self._seen))
        if not self._request.dry_run:
            ending.lists()
            self._notes.save(self._state)

    def _filtered(self, item: Rendered) -> str:
        """Why a person does not want this one; "" where nothing says so."""
        updated = None if isinstance(item, AccountMemory) else item.updated
        if self._request.since and (day(updated) or "9999") < self._request.since:
            return "before --since"
        wanted = self._request.project
        if wanted is None:
            return ""
        name = item.name if isinstance(item, Project) else item.project.name if isinstance(item, Conversation) and item.project else ""
        return "" if self._notes.project_of(name).casefold() == self._notes.project_of(wanted).casefold() else "not of --project"

    def _draft(self, draft: Draft) -> None:
        if self._seen.get(draft.key) == draft.body_sha:
            self._ledger.count(draft.kind, "skipped", TWICE)
            return
        for attempt in range(_TRIES):
            try:
                step = self._apply(draft)
            except StaleError:
                self._places.again(draft.key)
                if attempt == _TRIES - 1:
                    self._ledger.count(draft.kind, "skipped", "changed while it was being imported")
                continue
            except UserError as error:
                self._refused(draft, error)
            else:
                self._ledger.count(draft.kind, step.action, step.reason)
            break
        self._seen[draft.key] = draft.body_sha

    def _step(self, draft: Draft) -> tuple[Step, Draft]:
        """What to do, seen against the disk as it is now, and the draft that it is done with."""
        row = self._state.rows.get(draft.key)
        if row is None:
            path, own = self._places.free(draft.key, draft.path)
            draft = replace(draft, path=path)
            found = trace(own) if own is not None else None
            return decide(draft, row_of(found) if found else None, own), draft
        if row.yours:
            note = self._notes.find(draft.key, row.path)
            other = beside(draft, note.path if note else row.path)
            if not self._is_merged(row, draft, other):
                return self._step(other)
            row = self._state.rows[draft.key]
        if self._request.dry_run and draft.key in self._seen and self._notes.read(row.path) is None:
            return Step("updated", row.path, row=row), draft  # would have been written a moment ago
        if draft.body_sha in row.passed and draft.updated == row.updated:
            return Step("skipped", row.path, row=row, reason=TWICE), draft
        if row.gone and self._notes.is_back(draft.key, row.path):
            row = replace(row, gone=False)
        return decide(draft, row, None if row.gone else self._notes.find(draft.key, row.path)), draft

    def _is_merged(self, row: Row, draft: Draft, other: Draft) -> bool:
        """Whether a person has taken over the newer text and deleted its note: what comes after it is then appended again."""
        known = self._state.rows.get(other.key)
        if known is None or draft.key in self._seen or self._notes.find(other.key, known.path) is not None:
            return False
        del self._state.rows[other.key]
        fresh = replace(
            row, yours=False, gone=False, body_sha=known.body_sha, front_sha=None, sections=known.sections, updated=known.updated
        )
        self._state.rows[draft.key] = fresh
        return True

    def _apply(self, draft: Draft) -> Step:
        """Decide and write one draft; a conflict writes the newer text beside the person's."""
        is_again = draft.key in self._seen
        step, draft = self._step(draft)
        row, before = step.row, self._state.rows.get(draft.key)
        if is_again and row and before and row.body_sha != before.body_sha and row.updated == before.updated:
            row = replace(row, passed=(*before.passed, before.body_sha))
        if step.text is not None and not self._request.dry_run:
            result = self._notes.write(step.path, step.text, step.expected)
            row = replace(row, file_sha=result.hash if step.ours else None) if row else None
            if self._ledger.changed % SAVE_EVERY == SAVE_EVERY - 1:
                self._notes.save(self._state)
        if row is not None:
            self._state.rows[draft.key] = row
        if step.action == "conflicted":
            self._ledger.conflicts.append(Conflict(step.path, self._apply(draft).path))
        return step

    def _refused(self, draft: Draft, error: UserError) -> None:
        if isinstance(error, PathForbiddenError):
            reason = "excluded in this vault"
        elif isinstance(error, TooLargeError):
            reason = "larger than max_note_mb"
        else:
            reason = "could not be written"
            self._ledger.problems.append(str(error))
        self._ledger.count(draft.kind, "skipped", reason)


def _kind(item: Rendered) -> str:
    match item:
        case Conversation():
            return item.kind
        case Project():
            return "project"
        case AccountMemory() | MemoryFile():
            return "memory"
        case Published():
            return "artifact"


class _Counting:
    """Counts the bytes that are read of all members, each byte once."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._total = total
        self._progress = progress
        self._most: dict[str, int] = {}

    def member(self, member: InputFile) -> InputFile:
        """The member with a stream that counts."""
        return replace(member, opener=lambda: cast(BinaryIO, _CountedStream(member.open(), lambda read: self._at(member.name, read))))

    def _at(self, name: str, read: int) -> None:
        if read > self._most.get(name, 0):
            self._most[name] = read
            self._progress(min(sum(self._most.values()), self._total), self._total)


class _CountedStream:
    def __init__(self, stream: BinaryIO, at: Callable[[int], None]) -> None:
        self._stream = stream
        self._at = at
        self._read = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._read += len(data)
        self._at(self._read)
        return data

    def __iter__(self) -> Iterator[bytes]:
        for line in self._stream:
            self._read += len(line)
            self._at(self._read)
            yield line

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> "_CountedStream":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
