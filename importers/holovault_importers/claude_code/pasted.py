"""Texts that were pasted into prompts: the session has only `[Pasted text #1 +40 lines]`, the history of prompts has the rest.

Owns finding the paste that a prompt means: of the same session, or typed in the same folder, the nearest in time. Pure apart from reading.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from holovault_importers.claude.fields import dict_of, text_of
from holovault_importers.claude_code.records import Entry
from holovault_importers.dates import utc
from holovault_importers.jsonlines import records
from holovault_importers.values import Attachment, Text

MARK = re.compile(r"\[Pasted text #(\d+)[^\]\n]{0,40}\]")
NEAR_S = 3600
_MOST = 1 << 26


@dataclass(frozen=True, slots=True)
class _Paste:
    mark: str
    text: str
    session: str
    folder: str
    seconds: float


class Pasted:
    """All pastes of a history."""

    def __init__(self) -> None:
        self._pastes: dict[str, list[_Paste]] = {}
        self._size = 0

    def learn(self, stream: BinaryIO) -> None:
        """Read a history of prompts."""
        for record in records(stream):
            value = record.value
            contents = dict_of(value, "pastedContents")
            moment = value.get("timestamp")
            seconds = moment / 1000 if isinstance(moment, int | float) and not isinstance(moment, bool) else 0.0
            for found in MARK.finditer(text_of(value, "display")):
                text = text_of(contents.get(found[1]), "content")
                self._size += len(text)
                if text and self._size < _MOST:
                    paste = _Paste(found[0], text, text_of(value, "sessionId"), text_of(value, "project"), seconds)
                    self._pastes.setdefault(found[0], []).append(paste)

    def of(self, entry: Entry, session: str, folder: str) -> list[Attachment]:
        """The pastes that a prompt names, as far as they are known."""
        marks = [found[0] for _, piece in entry.blocks if isinstance(piece, Text) for found in MARK.finditer(piece.text)]
        found = [paste for mark in dict.fromkeys(marks) if (paste := self._nearest(mark, session, folder, _seconds(entry.created)))]
        return [Attachment(paste.mark.strip("[]"), paste.text, "txt") for paste in found]

    def _nearest(self, mark: str, session: str, folder: str, seconds: float) -> _Paste | None:
        known = self._pastes.get(mark, [])
        own = [paste for paste in known if paste.session == session and session] or [
            paste for paste in known if not paste.session and paste.folder == folder and abs(paste.seconds - seconds) < NEAR_S
        ]
        return min(own, key=lambda paste: abs(paste.seconds - seconds), default=None)


def _seconds(moment: str | None) -> float:
    return datetime.fromisoformat(moment).timestamp() if moment and utc(moment) else 0.0
