"""Memories as notes: an account's memory split by its own structure, headings where it has bold lines. Pure."""

import re
from collections.abc import Iterator

from holovault_importers.drafts import joined
from holovault_importers.prose import harmless, top_level
from holovault_importers.safety import one_line, trimmed

_BOLD_LINE = re.compile(r"^\*\*([^*\n]{1,120}?):?\*\*:?[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_PREFERENCES = re.compile(r"prefer|style|communicat|instruction|tone|format|предпоч|стил|общени|инструкц|формат", re.IGNORECASE)


def memory_sections(text: str, level: int = 2) -> str:
    """Markdown that may keep its outline: bold lines become headings, the highest headings get this level."""
    text = _BOLD_LINE.sub(r"# \1", trimmed(text))
    return harmless(text, level - top_level(text))


def memory_target(text: str, profile: str) -> Iterator[tuple[str, str, str, str]]:
    """Name, title, path and body of the notes of an account's memory: who somebody is, and how that person likes things done."""
    about: list[str] = []
    likes: list[str] = []
    for title, body in _split(text):
        (likes if title and _PREFERENCES.search(title) else about).append(joined((f"# {title}" if title else "", body)))
    folder = profile.rpartition("/")[0]
    if about:
        yield "profile", "Profile", profile, memory_sections(joined(about))
    if likes:
        yield "preferences", "Preferences", f"{folder}/preferences.md".lstrip("/"), memory_sections(joined(likes))


def _split(text: str) -> list[tuple[str, str]]:
    """Sections at bold lines or headings of the first level that there is; text before them has no title."""
    text = _BOLD_LINE.sub(r"# \1", trimmed(text))
    marks = list(_HEADING.finditer(text))
    if not marks:
        return [("", text)]
    top = min(len(mark[0]) - len(mark[0].lstrip("#")) for mark in marks)
    marks = [mark for mark in marks if len(mark[0]) - len(mark[0].lstrip("#")) == top]
    pieces = [("", text[: marks[0].start()])] if text[: marks[0].start()].strip() else []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return pieces + [(one_line(mark[1]), text[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
