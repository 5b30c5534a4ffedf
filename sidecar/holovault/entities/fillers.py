"""One note and its chunks to what each chunk states.

Owns the order in which things are stated and what belongs to every chunk of a note (title, properties, tags and links of the front
matter, folders) or to one chunk alone (links, tags, fields, headings, names).
"""

from collections.abc import Iterable, Iterator, Sequence

from holovault.entities.folders import folders_of, person_of, project_of
from holovault.entities.links import target_name
from holovault.entities.names import names_in
from holovault.entities.properties import inline_fields, of_property, properties_of
from holovault.entities.running import Running, running
from holovault.lexemes import normal_name
from holovault.markdown import Document
from holovault.model import Chunk, Filler, Link

VERSION = 1
"""Raised whenever the same note would state something else: every note is then read again."""

LONGEST = 120
"""Characters of a name; what is longer is text."""

Fillers = tuple[Filler, ...]


def fillers_of(document: Document, chunks: Sequence[Chunk], path: str, title: str) -> tuple[Fillers, ...]:
    """What each chunk states, as written, each name once per role; nothing for a chunk without text. `path` is the note's in its vault."""
    texts = running(document, chunks)
    names = names_in(texts)
    lines = [link.line for link in document.links]
    of_note = _keyed(_of_note(document, path, title))
    known_tags = frozenset(tag.casefold() for tag in document.tags)
    return tuple(
        tuple((_keyed(_of_chunk(one, mentioned, one.links(document, lines), one.tags(known_tags))) | of_note).values())
        if one.chunk.text
        else ()
        for one, mentioned in zip(texts, names, strict=True)
    )


def of_project(fillers: Fillers, project: str | None) -> Fillers:
    """The same with the project that the path rules gave the note, which its path alone does not tell."""
    if project is None or not fillers:
        return fillers
    return tuple(_keyed((*fillers, *of_property("project", project), Filler("entity", project))).values())


def _of_note(document: Document, path: str, title: str) -> Iterator[Filler]:
    front = document.front
    yield Filler("title", title)
    yield from (Filler("entity", target_name(link)) for link in document.links if link.line < document.body_line)
    yield from properties_of(front)
    for tag in front.tags:
        yield from _tag(tag)
    for name in (person_of(path, title), project_of(path)):
        if name:
            yield Filler("entity", name)
    yield from (Filler("in", folder) for folder in folders_of(path))
    if front.source:
        yield Filler("src", front.source)


def _of_chunk(running: Running, mentioned: Sequence[str], links: Sequence[Link], tags: Sequence[str]) -> Iterator[Filler]:
    yield from (Filler("entity", target_name(link)) for link in links)
    for tag in tags:
        yield from _tag(tag)
    yield from inline_fields(running.linked)
    yield from (Filler("entity", name) for name in mentioned)
    for heading in dict.fromkeys((*running.chunk.heading, *(name for section in running.chunk.sections for name in section.heading))):
        yield Filler("head", heading)


def _tag(tag: str) -> Iterator[Filler]:
    """`a/b/c` is in `a/b` and in `a`; its leaf is something by itself."""
    parts = [part for part in tag.split("/") if part]
    if parts:
        yield from (Filler("tag", "/".join(parts[:depth])) for depth in range(len(parts), 0, -1))
        yield Filler("entity", parts[-1])


def _keyed(fillers: Iterable[Filler]) -> dict[tuple[str, str], Filler]:
    """Each name once per role, as it was written first."""
    first: dict[tuple[str, str], Filler] = {}
    for one in fillers:
        if 0 < len(one.name) <= LONGEST and (norm := normal_name(one.name)):
            first.setdefault((one.role, norm), one)
    return first
