"""Every code that an answer of a tool can begin with, and what an agent does about it.

Owns the one table; the manual and the tests read it. Must not raise anything.
"""

from typing import Final

CODES: Final[dict[str, str]] = {
    "USAGE": "The arguments cannot be understood: correct them.",
    "STALE": "The note is not the one that was read, and nothing was written: read it again, redo the change, write with the new hash.",
    "NOT_FOUND": "No such note, line or fact, or the vault's folder is away: search for it, or ask the person.",
    "PATH_FORBIDDEN": "The path leads out of the vault or is excluded: use a path as search prints it.",
    "AMBIGUOUS": "More than one thing fits: repeat with more of the text or a full name.",
    "TOO_LARGE": "Over a stated limit: ask for less, or write less at once.",
    "DEGRADED": "What was asked for cannot be given just now, other ways can: the sentence names them.",
    "UNCERTAIN": "The daemon ended while it wrote: read the note to see whether the change is there before writing again.",
    "BUSY": "Another process owns the index for the moment: try again in a few seconds.",
    "INDEXING": "The answer is not there yet: try again in a few seconds.",
    "DISK": "The system refused to read or write; what was there is untouched: tell the person.",
    "CONFIG": "knowledge.toml has mistakes: tell the person, with the lines.",
    "UNAUTHORISED": "The daemon did not accept this client: tell the person to run `holovault doctor`.",
    "VERSION": "The daemon is of a newer version than this server: tell the person to update and to reconnect.",
    "INDEX_UNREADABLE": "No daemon answers or can be started: tell the person to run `holovault doctor`.",
    "ERROR": "Something else is in the way; the sentence says what.",
    "INTERNAL": "A mistake in Holovault: its log has the details.",
}
"""Stable codes, each with the next step. The same words as HTTP problems and exit messages of the command line."""
