"""Changes of one fact inside a note's bytes; every other byte stays.

Owns where a text, a field or an id goes. A change is made only where reading the result gives exactly the fact that was meant and
every other fact as before; otherwise it is refused in words. Must not read or write files; whose version it was is the caller's.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace

from holovault.errors import NotFoundError, UsageError
from holovault.facts.bytes import NoteLines, note_lines
from holovault.facts.items import Item, find_items
from holovault.facts.reading import read_item, shown
from holovault.markdown import Document, Span, parse
from holovault.model import FactLine


def fact_at(data: bytes, line: int) -> FactLine:
    """The fact whose item starts at `line` (1-based). Raises NotFoundError where none does. Categories are not told here."""
    note = _Note(note_lines(data))
    return read_item(note.document, note.item(line))


def edit_text(data: bytes, line: int, text: str) -> bytes:
    """The note with another text in the fact at `line`: fields, id, marker and checkbox stay.

    `text` may have several lines, nested items included, as `FactLine.text` tells it; the item's own inline fields and comments move behind
    the first paragraph unless the text is the same. Raises UsageError where the text would not be read back as given.
    """
    note = _Note(note_lines(data))
    item = note.item(line)
    wanted = _tidy(text)
    if wanted == shown(note.document.body, item):
        return data
    changed = note.with_content(item, _content(note.document.body, item, wanted))
    return _checked(note, changed, line, lambda fact: replace(fact, text=wanted), _without_names)


def edit_field(data: bytes, line: int, key: str, value: str | None) -> bytes:
    """The note with `key:: value` in the fact at `line`; None removes the field. The first field of that key is changed."""
    note = _Note(note_lines(data))
    item = note.item(line)
    found = next((field for field in item.fields if field.key.casefold() == key.casefold()), None)
    body = note.document.body
    if found is None:
        return data if value is None else _with_field(note, _with_mark(note, item, line, f"[{key}:: {value}]"), line, key, value)
    if value is None:
        start = item.content.start + len(body[item.content.start : found.start].rstrip(" \t"))
        span, written = Span(start if start > item.content.start else found.start, found.end), ""
    else:
        span, written = Span(found.start, found.end), f"{body[found.start]}{found.key}:: {value}{body[found.end - 1]}"
    return _with_field(note, note.with_part(span, written), line, key, value)


def add_id(data: bytes, line: int, name: str) -> bytes:
    """The note with the block id `^name` at the fact at `line`. Raises UsageError where it has one already."""
    note = _Note(note_lines(data))
    item = note.item(line)
    if item.id is not None:
        raise UsageError(f"The fact at line {line} has an id already: ^{item.id}.")
    end = _own_end(item, line)
    changed = note.with_part(Span(end, end), f" ^{name}")
    return _checked(note, changed, line, lambda fact: replace(fact, id=name.lower()), _without_raw)


def remove_fact(data: bytes, line: int) -> bytes:
    """The note without the lines of the fact at `line`."""
    note = _Note(note_lines(data))
    item = note.item(line)
    lines = list(note.source.lines)
    del lines[item.start_line - 1 : item.end_line]
    changed = note.source.joined(lines)
    if _facts(_Note(note_lines(changed))) != [fact for start, fact in note.facts() if start != item.start_line]:
        raise UsageError(f"The fact at line {line} cannot be removed without changing what stands beside it. Remove it by hand.")
    return changed


class _Note:
    """A note's lines, and what they say."""

    def __init__(self, source: NoteLines) -> None:
        self.source = source
        self.document: Document = parse(source.text)
        self.items = tuple(find_items(self.document, ""))

    def item(self, line: int) -> Item:
        for item in self.items:
            if item.start_line == line:
                return item
        raise NotFoundError(f"No fact starts at line {line} of this note any more. Ask again where it is.")

    def facts(self) -> list[tuple[int, FactLine]]:
        """Each fact with its line, comparable across versions of the note: without lines."""
        facts = (read_item(self.document, item) for item in self.items)
        return [(fact.start_line, replace(fact, start_line=0, end_line=0)) for fact in facts]

    def with_content(self, item: Item, lines: list[str]) -> bytes:
        return self.with_part(item.content, "\n".join(lines))

    def with_part(self, span: Span, text: str) -> bytes:
        """The bytes with `text` instead of a span of the body; line ends are the note's."""
        first, start = self._place(span.start)
        last, end = self._place(span.end)
        lines = list(self.source.lines)
        made = lines[first][:start] + text.replace("\n", self._end_of(first)) + lines[last][end:]
        lines[first : last + 1] = [made]
        return self.source.joined(lines)

    def _end_of(self, index: int) -> str:
        line = self.source.lines[index]
        ending = line[len(line.rstrip("\r\n")) :]
        return ending or self.source.line_end

    def _place(self, offset: int) -> tuple[int, int]:
        """Index of the file's line and the column in it."""
        index = bisect_right(self.document.starts, offset) - 1
        return index + self.document.body_line - 1, offset - self.document.starts[index]


@dataclass(frozen=True, slots=True)
class _Tail:
    """What of an item is not text and has to stay: on the line of its own paragraph, or below."""

    beside: tuple[str, ...]
    below: tuple[str, ...]


def _content(body: str, item: Item, text: str) -> list[str]:
    """The lines of a content with a new text and the old marks."""
    indent = " " * item.width
    lines = text.split("\n")
    written = [lines[0], *(indent + line if line else "" for line in lines[1:])]
    trial = parse("- " + "\n".join((lines[0], *("  " + line if line else "" for line in lines[1:])))).blocks
    items = trial[0].children if trial else ()
    own = items[0].children[0] if items and items[0].children else None
    tail = _tail(body, item)
    place = own.end_line - 1 if own else 0
    written[place] = " ".join((written[place], *tail.beside))
    return [*written, *(indent + line for line in tail.below)]


def _tail(body: str, item: Item) -> _Tail:
    marks = [body[mark.start : mark.end] for mark in item.marks if mark != item.id_span]
    beside = [mark for mark in marks if "\n" not in mark]
    name = [body[item.id_span.start : item.id_span.end]] if item.id_span else []
    return _Tail((*beside, *name), tuple(mark for mark in marks if "\n" in mark))


def _with_mark(note: _Note, item: Item, line: int, mark: str) -> bytes:
    """The note with one more field, before the id where there is one."""
    at = item.id_span.start if item.id_span else _own_end(item, line)
    written = f"{mark} " if item.id_span else f" {mark}"
    return note.with_part(Span(at, at), written)


def _with_field(note: _Note, changed: bytes, line: int, key: str, value: str | None) -> bytes:
    """`changed`, if it is refused for nothing else and the field says `value` there."""
    made = _checked(note, changed, line, lambda fact: fact, _without_fields)
    found = next((field.value for field in _Note(note_lines(made)).item(line).fields if field.key.casefold() == key.casefold()), None)
    if value is not None and found != value:
        raise UsageError(
            f"`{key}:: {value}` cannot be a field of the fact at line {line}: it is not read back as written. Use plain words."
        )
    return made


def _own_end(item: Item, line: int) -> int:
    if item.own_end is None:
        raise UsageError(
            f"The fact at line {line} opens with a list or with code, so nothing can be put beside it. Give it a line of text."
        )
    return item.own_end


def _without_fields(fact: FactLine) -> FactLine:
    return replace(fact, raw="", trust=None, created=None, fields=(), problems=())


def _without_raw(fact: FactLine) -> FactLine:
    return replace(fact, raw="")


def _without_names(fact: FactLine) -> FactLine:
    return replace(fact, raw="", tags=(), entities=())


def _checked(
    note: _Note, changed: bytes, line: int, meant: Callable[[FactLine], FactLine], compared: Callable[[FactLine], FactLine]
) -> bytes:
    """`changed`, if its facts are those of `note` but for the one at `line`, which is what was `meant` of it as far as it is `compared`."""
    before, after = note.facts(), _Note(note_lines(changed)).facts()
    index = next(number for number, (start, _) in enumerate(before) if start == line)
    same = len(before) == len(after) and all(
        one == other for number, ((_, one), (_, other)) in enumerate(zip(before, after, strict=True)) if number != index
    )
    if not same or compared(meant(before[index][1])) != compared(after[index][1]):
        raise UsageError(
            f"The fact at line {line} cannot say this in one list item: it would be read as something else "
            "(a field, an id, a comment or another item). Say it in plain words, or change the note by hand."
        )
    return changed


def _facts(note: _Note) -> list[FactLine]:
    return [fact for _, fact in note.facts()]


def _tidy(text: str) -> str:
    """Lines without white space at their ends."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return "\n".join(lines).strip()
