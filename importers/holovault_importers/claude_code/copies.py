"""Files that are copies of each other: a fork or a resumed session begins with the records of the one it came from.

Owns how copies are known (by their first record) and which of them the shared history belongs to. The order stays the same
while the files grow, so that no history moves from one note to another. Pure apart from reading.
"""

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import BinaryIO

from holovault_importers.claude.fields import dict_of, text_of
from holovault_importers.inputs import Unreadable
from holovault_importers.jsonlines import records
from holovault_importers.values import Member

_LOOKED_AT = 400


@dataclass(slots=True)
class Head:
    """The beginning of a file: the id of its first turn, whose session that is, where it ran, titles of other sessions."""

    first: str = ""
    session: str = ""
    cwd: str = ""
    forked: bool = False
    summaries: dict[str, str] = field(default_factory=dict)


def head_of(stream: BinaryIO) -> Head:
    """The beginning of a file."""
    head = Head()
    for number, record in enumerate(records(stream)):
        value = record.value
        head.cwd = head.cwd or text_of(value, "cwd")
        if text_of(value, "type") == "summary":
            head.summaries[text_of(value, "leafUuid")] = text_of(value, "summary")
        if text_of(value, "type") in ("user", "assistant") and text_of(value, "uuid"):
            head.first, head.session = text_of(value, "uuid"), text_of(value, "sessionId")
            head.forked = bool(dict_of(value, "forkedFrom"))
            break
        if number >= _LOOKED_AT:
            break
    return head


def in_order(family: Sequence[str], heads: Mapping[str, Head], files: Mapping[str, Sequence[Member]]) -> list[str]:
    """The copies, the origin first: the file named like the session of the shared records, else the one that went on first."""
    moments = {key: _moments(files[key]) for key in family}
    shared = Counter(uuid for known in moments.values() for uuid in known)

    def rank(key: str) -> tuple[bool, bool, str, str]:
        own = min((moment for uuid, moment in moments[key].items() if shared[uuid] == 1), default="")
        return heads[key].session not in posixpath.basename(key), heads[key].forked, own, key

    return sorted(family, key=rank)


def _moments(members: Sequence[Member]) -> dict[str, str]:
    """The times of a session's records by their ids."""
    found: dict[str, str] = {}
    for member in members:
        try:
            with closing(member.open()) as stream:
                for record in records(stream):
                    if uuid := text_of(record.value, "uuid"):
                        found.setdefault(uuid, text_of(record.value, "timestamp"))
        except (Unreadable, OSError):
            continue  # told when the file is read
    return found
