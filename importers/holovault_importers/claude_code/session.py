"""One file of a session: its entries, its titles, and what was left out.

Owns dropping records that are there twice and counting what is no part of a talk. Pure apart from reading.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from holovault.model.imports import ImportRequest
from holovault_importers.claude.fields import list_of, text_of
from holovault_importers.claude_code.records import Entry, entry_of, title_of
from holovault_importers.jsonlines import records


@dataclass(slots=True)
class Session:
    """What a file holds. `dropped` counts records and blocks that are no part of the talk, by name."""

    id: str = ""
    cwd: str = ""
    entries: list[Entry] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)

    @property
    def is_one(self) -> bool:
        """Whether the file is a session at all, and not some other list of records."""
        return bool(self.entries or self.titles or self.summaries or self.id)

    @property
    def uuids(self) -> set[str]:
        """The ids of all entries."""
        return {entry.uuid for entry in self.entries if entry.uuid}


def read_session(stream: BinaryIO, request: ImportRequest, session: Session) -> None:
    """Everything of a session that a note can need, one record at a time, into `session`."""
    for record in records(stream):
        if record.fault:
            session.dropped[record.fault] += 1
        else:
            take(session, record.value, request)


def from_loglines(value: object, request: ImportRequest, session: Session) -> None:
    """A session as the web version saves it: one object with all records."""
    for record in list_of(value, "loglines"):
        if isinstance(record, dict):
            take(session, record, request)


def take(session: Session, record: dict[str, Any], request: ImportRequest) -> None:
    """One record more. One whose id came before is the same one."""
    session.cwd = session.cwd or text_of(record, "cwd")
    session.id = session.id or text_of(record, "sessionId") or text_of(record, "session_id")
    uuid, kind = text_of(record, "uuid"), text_of(record, "type")
    if uuid and uuid in session.links:
        session.dropped["repeated record"] += 1
        return
    if uuid:
        session.links[uuid] = text_of(record, "parentUuid")
    if kind == "summary":
        session.summaries[text_of(record, "leafUuid")] = text_of(record, "summary")
    elif (title := title_of(record)) is not None:
        session.titles[title[0]] = title[1]
    elif (entry := entry_of(record, request)) is not None:
        session.entries.append(entry)
    else:
        session.dropped[f"record {kind or 'without type'}"] += 1
