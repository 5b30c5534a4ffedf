"""Where a new fact goes in a note: behind the last one of its category.

Owns the choice of the place and of the list's own style (marker, indentation, numbers). Must not decide which note.
"""

import re
from dataclasses import dataclass, replace

from holovault.errors import UsageError
from holovault.facts.bytes import NoteLines, note_lines
from holovault.facts.reading import parse_facts
from holovault.markdown import Block, Document, parse
from holovault.model import FactLine

_MARKER = re.compile(r"([ \t]*)(?:([-*+])|(\d{1,9})([.)]))([ \t]+|$)")


@dataclass(frozen=True, slots=True)
class _Place:
    """Lines of the file before the new one, its marker, and lines that go between."""

    after: int
    marker: str
    before: tuple[str, ...] = ()


def append_fact(data: bytes, content: str, category: str | None = None) -> bytes:
    """The note with one more fact, `render_fact(..., marker="")`, at the end of `category` (a heading, compared without case).

    A category without a heading gets one at the end; None means the note's last list. Whether the file ends with a line end stays as
    it is. Raises UsageError where the new line would change what another one says.
    """
    source = note_lines(data)
    document = parse(source.text)
    place = _place(document, source, category)
    end = source.line_end
    lines = list(source.lines)
    closed = not lines or lines[-1].endswith(("\n", "\r"))
    if not closed and place.after == len(lines):
        lines[-1] += end
    added = [line + end for line in (*place.before, place.marker + content)]
    if not closed and place.after == len(lines):
        added[-1] = added[-1].removesuffix(end)
    changed = source.joined([*lines[: place.after], *added, *lines[place.after :]])
    line = place.after + len(added)
    after = parse_facts(parse(note_lines(changed).text), "")
    if [_bare(fact) for fact in after if fact.start_line != line] != [_bare(fact) for fact in parse_facts(document, "")] or not any(
        fact.start_line == line and fact.raw == content for fact in after
    ):
        raise UsageError("The fact cannot be added at the end of its list without changing what stands there. Add it by hand.")
    return changed


def _place(document: Document, source: NoteLines, category: str | None) -> _Place:
    sections = _sections(document)
    if category is not None:
        wanted = category.strip().casefold()
        sections = [section for section in sections if section.name.casefold() == wanted]
        if not sections:
            blank = ("",) if _last_written(source) else ()
            return _Place(_last_written(source), "- ", (*blank, f"## {category.strip()}", ""))
    lists = [each for section in sections for each in section.lists]
    if lists:
        item = lists[-1].children[-1]
        return _Place(item.end_line, _next_marker(source.lines[item.start_line - 1]))
    last = sections[-1].last_line
    return _Place(last, "- ", ("",) if last else ())


@dataclass(slots=True)
class _Section:
    name: str
    last_line: int
    lists: list[Block]


def _sections(document: Document) -> list[_Section]:
    """Headings with the lists below them; what stands before the first heading has the name ""."""
    found = [_Section("", document.body_line - 1, [])]
    for block in document.blocks:
        if block.kind == "heading":
            found.append(_Section(block.text, block.end_line, []))
        elif block.kind == "list":
            found[-1].lists.append(block)
        found[-1].last_line = max(found[-1].last_line, block.end_line)
    return found


def _next_marker(line: str) -> str:
    match = _MARKER.match(line)
    if match is None:
        return "- "
    indent, bullet, number, dot, space = match.groups()
    return f"{indent}{bullet or f'{int(number) + 1}{dot}'}{space or ' '}"


def _last_written(source: NoteLines) -> int:
    count = len(source.lines)
    while count and not source.lines[count - 1].strip():
        count -= 1
    return count


def _bare(fact: FactLine) -> FactLine:
    return replace(fact, start_line=0, end_line=0)
