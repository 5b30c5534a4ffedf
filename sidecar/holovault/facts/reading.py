"""From items to facts: what a list item says, in one value.

Owns the text that is shown and what fields mean. A fact is a top-level list item with everything nested in it. Must not
change a note.
"""

from collections.abc import Iterator

from holovault.facts.fields import created_of, trust_of
from holovault.facts.items import Item, find_items
from holovault.markdown import Document
from holovault.markdown.inline import find_inline, link_of, tag_of
from holovault.model import FactLine

_BLANK = " \t"


def parse_facts(document: Document, name: str) -> tuple[FactLine, ...]:
    """All facts of a note in order. `name` is the note's file name without `.md`: the category before the first heading."""
    return tuple(read_item(document, item) for item in find_items(document, name))


def read_item(document: Document, item: Item) -> FactLine:
    """One item as a fact."""
    tags, entities = _names(item.said)
    reading = _Reading(item)
    return FactLine(
        id=item.id,
        text=shown(document.body, item),
        raw=document.body[item.content.start : item.content.end],
        category=item.category,
        start_line=item.start_line,
        end_line=item.end_line,
        tags=tags,
        entities=entities,
        trust=reading.trust,
        created=reading.created,
        fields=tuple(reading.others),
        problems=tuple(reading.problems),
    )


class _Reading:
    """The fields of one item by their meaning; the first of a kind counts."""

    def __init__(self, item: Item) -> None:
        self.trust: float | None = None
        self.created: str | None = None
        self.others: list[tuple[str, str]] = []
        self.problems: list[str] = [
            f"`^{name}` stands at a nested item, which belongs to the fact above it; it is not that fact's id." for name in item.nested_ids
        ]
        seen: set[str] = set()
        for field in item.fields:
            key = field.key.casefold()
            if key in ("trust", "created") and key in seen:
                self.problems.append(f"`{key}::` is there twice; the first one counts.")
            elif key == "trust":
                self._read_trust(field.value)
            elif key == "created":
                self._read_created(field.value)
            else:
                self.others.append((field.key, field.value))
            seen.add(key)

    def _read_trust(self, value: str) -> None:
        found = trust_of(value)
        if isinstance(found, str):
            self.problems.append(found)
        else:
            self.trust = found

    def _read_created(self, value: str) -> None:
        self.created, problem = created_of(value)
        if problem:
            self.problems.append(problem)


def shown(body: str, item: Item) -> str:
    """The item without its marks: lines keep their depth below the item's own, lines of nothing but marks are gone."""
    lines = [line.rstrip() for line in _kept_lines(body, item)]
    return "\n".join([lines[0].lstrip(), *(_dedented(line, item.width) for line in lines[1:])]).strip() if lines else ""


def _kept_lines(body: str, item: Item) -> Iterator[str]:
    """Lines of the content without marks, each mark with the blanks before it, or after it where it opens its line."""
    marks = list(item.marks)
    at = item.content.start
    while at <= item.content.end:
        end = body.find("\n", at, item.content.end)
        end = item.content.end if end < 0 else end
        parts: list[str] = []
        touched = False
        while marks and marks[0].start < end:
            mark = marks[0]
            touched = True
            parts.append(body[at : max(at, mark.start)])
            at = min(mark.end, end)
            if "".join(parts).strip():
                parts = ["".join(parts).rstrip(_BLANK)]
            else:
                while at < end and body[at] in _BLANK:
                    at += 1
            if mark.end > end:
                break
            marks.pop(0)
        parts.append(body[at:end])
        line = "".join(parts)
        if line.strip() or not touched:
            yield line
        at = end + 1


def _dedented(line: str, width: int) -> str:
    column = 0
    for index, char in enumerate(line):
        if char not in _BLANK or column >= width:
            return line[index:]
        column += 4 - column % 4 if char == "\t" else 1
    return ""


def _names(said: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tags and link targets, each once, as they were written first."""
    tags: dict[str, str] = {}
    entities: dict[str, str] = {}
    for match in find_inline(said):
        link = link_of(match, 0)
        tag = None if link else tag_of(match, said)
        if tag:
            tags.setdefault(tag.casefold(), tag)
        elif link and (target := link.target.removesuffix(".md").rpartition("/")[2].strip()):
            entities.setdefault(target.casefold(), target)
    return tuple(tags.values()), tuple(entities.values())
