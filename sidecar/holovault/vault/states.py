"""What a file is, from its stat alone: regular or not, here or in the cloud.

Owns the flags of three systems. Pure: asking never opens a file, so nothing is downloaded.
"""

import os
import stat

_WINDOWS_ELSEWHERE = 0x1000 | 0x40000 | 0x400000
"""FILE_ATTRIBUTE_OFFLINE, _RECALL_ON_OPEN, _RECALL_ON_DATA_ACCESS (winnt.h)."""
_MACOS_DATALESS = 0x40000000
"""SF_DATALESS (sys/stat.h)."""
_WINDOWS_REPARSE = 0x400

STAND_INS = (".icloud", ".nextcloud", ".owncloud")
"""Endings of files that stand for one whose content is in the cloud: `.Note.md.icloud`, `Note.md.nextcloud`."""


def is_in_cloud(found: os.stat_result) -> bool:
    """True where reading would make the system download the content first."""
    return bool(getattr(found, "st_file_attributes", 0) & _WINDOWS_ELSEWHERE or getattr(found, "st_flags", 0) & _MACOS_DATALESS)


def is_reparse_point(found: os.stat_result) -> bool:
    """True for junctions and other Windows folders that may lead elsewhere."""
    return bool(getattr(found, "st_file_attributes", 0) & _WINDOWS_REPARSE)


def stood_for(name: str) -> str | None:
    """The name of the note that a cloud program's stand-in file is there for; None for other files."""
    for ending in STAND_INS:
        if name.lower().endswith(".md" + ending):
            return name[: -len(ending)].removeprefix("." if ending == ".icloud" else "")
    return None


def kind_of(found: os.stat_result) -> str:
    """What a thing is that is no regular file."""
    for is_kind, words in (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISLNK, "a link"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    ):
        if is_kind(found.st_mode):
            return words
    return "a device"
