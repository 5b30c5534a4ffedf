"""What becomes of a draft: new, updated, appended, conflicted, unchanged or skipped.

Pure: what the importer remembers, what lies on disk and what the export says go in; what to write comes out. The one law: text
that a person wrote is never overwritten. A note is replaced whole only where its bytes are the importer's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from holovault_importers.drafts import BOOKKEEPING, TOLD, Draft, Section, joined
from holovault_importers.names import with_mark
from holovault_importers.present import Present, with_properties
from holovault_importers.state import Row, written

Action = Literal["new", "updated", "appended", "conflicted", "unchanged", "skipped"]

DELETED = "deleted by you"
OLDER = "older than the note"


@dataclass(frozen=True, slots=True)
class Step:
    """One decision. `text` is what to write to `path` (None: nothing), `expected` the hash of what is there (None: a new note).

    `ours`: after this every byte of the note is the importer's own, and the next import may replace it whole.
    """

    action: Action
    path: str
    text: str | None = None
    expected: str | None = None
    row: Row | None = None
    reason: str = ""
    ours: bool = False


def decide(draft: Draft, row: Row | None, note: Present | None) -> Step:
    """The fate of a draft. `row` is what is remembered of its key, `note` the note on disk that carries it."""
    if row is None:
        return Step("new", draft.path, draft.text(), row=written(draft, draft.path, draft.path, ""), ours=True)
    if row.gone or note is None:
        return Step("skipped", row.path, row=replace(row, gone=True), reason=DELETED)
    if row.updated and draft.updated and draft.updated < row.updated:
        return Step("skipped", note.path, row=_at(row, note), reason=OLDER)
    if draft.body_sha == row.body_sha and row.front_sha in (None, draft.front_sha) and not row.archived:
        return Step("unchanged", note.path, row=_at(row, note, draft))
    if note.hash == row.file_sha:
        return _whole(draft, row, note, draft.text(), ours=True)
    if note.is_untouched:
        return _whole(draft, row, note, _front(note, draft) + draft.body, ours=False)
    return _edited(draft, row, note)


def archived(row: Row, note: Present, is_gone: bool) -> Step:
    """The note of something that is not in the export any more, or is there again."""
    if not note.front:
        return Step("unchanged", note.path, row=replace(row, path=note.path, archived=is_gone))
    text = with_properties(note.front, {"archived": True if is_gone else None}) + note.body
    row = replace(_at(row, note), archived=is_gone)
    return Step("updated", note.path, text, note.hash, row, ours=note.hash == row.file_sha)


def beside(draft: Draft, path: str) -> Draft:
    """The draft as the note beside one that a person has edited."""
    level = draft.key.count("~new") + 1
    own = tuple((key, value) for key, value in draft.front if key not in ("version", "version_of"))
    front = (*own, ("version", f"new {level}" if level > 1 else "new"), ("version_of", f"[[{path.removesuffix('.md')}]]"))
    return replace(draft, key=f"{draft.key}~new", path=with_mark(path, "new version"), front=front)


def _whole(draft: Draft, row: Row, note: Present, text: str, *, ours: bool) -> Step:
    fresh = replace(written(draft, note.path, row.link, ""), file_sha=None)
    if text == note.text:
        return Step("unchanged", note.path, row=replace(fresh, file_sha=row.file_sha))
    return Step("updated", note.path, text, note.hash, fresh, ours=ours)


def _edited(draft: Draft, row: Row, note: Present) -> Step:
    """A note that a person has edited: what is missing goes to its end if nothing before it has changed."""
    missing = _missing(draft.sections, row.sections)
    if missing is None or not note.front:
        return Step("conflicted", note.path, row=replace(_at(row, note), yours=True))
    tail = joined(section.text for section in missing) if missing else ""
    changes = {key: value for key, value in draft.front if key in BOOKKEEPING} | {"archived": None, TOLD: draft.body_sha}
    end = note.line_end
    body = note.body if not tail else note.body.rstrip("\r\n") + f"{end}{end}" + tail.replace("\n", end)
    # `body_sha` stays that of a text which the note does not have: it says that a person was here.
    text = with_properties(note.front, changes) + body
    fresh = replace(written(draft, note.path, row.link, ""), file_sha=None)
    if text == note.text:
        return Step("unchanged", note.path, row=fresh)
    return Step("appended" if missing else "updated", note.path, text, note.hash, fresh)


def _missing(sections: Sequence[Section], known: tuple[str, ...] | None) -> list[Section] | None:
    """Sections that came since; None where what was there before is told otherwise now."""
    if known is None:
        return None
    firm = [sha for sha in known if not sha.startswith("~")]
    now = [section for section in sections if not section.loose]
    if [section.sha for section in now[: len(firm)]] != firm:
        return None
    return [*now[len(firm) :], *(section for section in sections if section.loose and section.sha not in known)]


def _at(row: Row, note: Present, draft: Draft | None = None) -> Row:
    """The row with the note's place of today, and with what it did not know before it was rebuilt."""
    if draft is None:
        return replace(row, path=note.path)
    sections = tuple(section.sha for section in draft.sections)
    return replace(row, path=note.path, front_sha=draft.front_sha, sections=sections, updated=draft.updated or row.updated)


def _front(note: Present, draft: Draft) -> str:
    """A person's front matter with the importer's own bookkeeping brought up to date."""
    changes: dict[str, object] = {key: value for key, value in draft.front if key in BOOKKEEPING}
    return with_properties(note.front, {"archived": None, TOLD: None, **changes, "body_sha": draft.body_sha})
