"""The form of a vault-relative path: what may be a path at all, before any disk is asked.

Owns the refusals (`..`, absolute, encoded, other systems' special forms) and Unicode form. Pure: text in,
text out. What this refuses to resolve, a scan lists as a failure, so that nothing is missing in silence.
"""

import os
import re
import unicodedata
from urllib.parse import unquote

from holovault.errors import PathForbiddenError

MAX_NAME = 255
"""Longest name of a file or folder: UTF-16 units (NTFS, APFS); Linux counts bytes and refuses earlier by itself."""
MAX_PATH = 4096
"""Longest vault-relative path in UTF-8 bytes (PATH_MAX)."""

WINDOWS = os.name == "nt"

_DRIVE = re.compile(r"[A-Za-z]:")
_STREAM = re.compile(r"\.md:|::?\$", re.IGNORECASE)
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"} | {f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789¹²³"}
)
_SURROGATES = re.compile("[\\ud800-\\udfff]")
_UNSEEN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]")
_WINDOWS_CHARACTERS = frozenset('<>:"|?*') | {chr(code) for code in range(32)}


def nfc(text: str) -> str:
    """The composed Unicode form, in which all paths are kept and compared."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def is_text(name: str) -> bool:
    """False for a name that is not UTF-8 on disk (it carries surrogates) and so cannot be stored or sent."""
    return name.isascii() or not _SURROGATES.search(name)


def printable(name: str) -> str:
    """A name for messages: bytes that are no UTF-8 appear as `\\xNN`."""
    return name if is_text(name) else os.fsencode(name).decode("utf-8", "backslashreplace")


def has_unseen(name: str) -> bool:
    """True where a name has control characters, line ends or marks that reorder the text around them."""
    return bool(_UNSEEN.search(name))


def is_note_name(path: str) -> bool:
    """True for names that end in `.md`, in any case."""
    return path[-3:].lower() == ".md" and path[-4:-3] not in ("", "/")


def checked(path: str, windows: bool = WINDOWS) -> str:
    """The path in NFC. Raises PathForbiddenError with the reason and what to write instead."""
    path = nfc(path) if is_text(path) else path
    fault = fault_of(path, windows)
    if fault:
        shown = ascii(path)[1:-1] if not is_text(path) or has_unseen(path) else path
        raise PathForbiddenError(f'"{shown[:200]}" {fault}. Name a note by its path inside the vault, such as Folder/Note.md.')
    return path


def fault_of(path: str, windows: bool = WINDOWS) -> str | None:
    """Why a text can be no path inside a vault, as the rest of a sentence; None where it can."""
    if not path:
        return "is empty"
    if not is_text(path):
        return "is not valid Unicode"
    if "\0" in path:
        return "has a NUL character"
    if "\\" in path:
        return "has a backslash; folders are separated by /"
    if path.startswith("/"):
        return "is absolute"
    if _DRIVE.match(path):
        return "names a drive"
    if len(path.encode("utf-8")) > MAX_PATH:
        return f"is longer than {MAX_PATH} bytes"
    return _dots(path) or next((fault for part in path.split("/") if (fault := _part(part, windows))), None)


def _dots(path: str) -> str | None:
    if path[0] != "." and "/." not in path and "%" not in path:  # almost every path
        return None
    decoded = path
    for _ in range(8):
        parts = decoded.replace("\\", "/").split("/")
        if any(part and not part.strip(".") for part in parts):
            return "has a part of dots only, which leads elsewhere" if decoded == path else "hides dots behind percent signs"
        if decoded != path and (decoded.startswith(("/", "\\")) or "\\" in decoded or "\0" in decoded):
            return "hides a separator or NUL behind percent signs"
        following = unquote(decoded, errors="replace")
        if following == decoded:
            return None
        decoded = following
    return "is percent-encoded many times over"


def _part(part: str, windows: bool) -> str | None:
    if not part:
        return "has an empty name between two /"
    if _STREAM.search(part):
        return "names a stream behind a file (`:`)"
    if part.partition(".")[0].rstrip(" ").casefold() in _DEVICES:
        return f"uses {part.partition('.')[0]}, a device on Windows"
    if len(part) > MAX_NAME // 2 and len(part.encode("utf-16-le")) > 2 * MAX_NAME:
        return f"has a name longer than {MAX_NAME} characters"
    if windows and (part[-1] in " ." or not _WINDOWS_CHARACTERS.isdisjoint(part)):
        return 'has a name that Windows cannot keep (< > : " | ? *, or a space or dot at its end)'
    return None
