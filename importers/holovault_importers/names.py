"""Names of files and folders made from titles: legal on three systems, in Obsidian links, and never two meanings.

Pure. Everything that Obsidian, Windows, macOS or Linux cannot keep in a name goes; letters of any script and emoji stay.
"""

import re

from holovault_importers.safety import cut, one_line

MAX_CHARS = 80
MAX_BYTES = 180
MAX_PATH = 160
"""Longest whole path below the vault, in characters: room for the vault's own path on Windows."""

_FORBIDDEN = re.compile(r"[/\\:*?\"<>|#^\[\]%]")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?=\.|$)", re.IGNORECASE)
_HEX = re.compile(r"[^0-9a-zA-Z]")


def name_of(title: str, fallback: str = "Untitled", longest: int = MAX_CHARS) -> str:
    """A title as the name of a file or folder, without ending; `fallback` where nothing of it can be kept."""
    name = " ".join(_FORBIDDEN.sub(" ", one_line(title)).split()).strip(". ")
    name = cut(name, longest)
    while len(name.encode("utf-8")) > MAX_BYTES:
        name = cut(name, len(name) - 4)
    name = name.strip(". ")
    if _DEVICE.match(name):
        name = f"_{name}"
    return name or fallback


def short_id(identity: str) -> str:
    """The last eight letters and digits of an id; the first ones of newer ids are a clock and repeat."""
    return _HEX.sub("", identity)[-8:].lower() or "00000000"


def with_mark(path: str, mark: str) -> str:
    """`Folder/Note.md` as `Folder/Note (mark).md`, within the longest path."""
    stem = path.removesuffix(".md")
    return f"{stem[: max(1, MAX_PATH - len(mark) - 6)].rstrip(' .')} ({mark}).md"


def note_path(folder: str, name: str, tail: str = "") -> str:
    """The path of a note: `name` is cut so that the whole keeps within limits, `tail` (an id) is never cut."""
    room = MAX_PATH - len(folder) - len(tail) - 4
    return f"{folder}/{cut(name, max(8, room)).strip('. ') or 'Untitled'}{tail}.md"
