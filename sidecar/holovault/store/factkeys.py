"""What filters compare of a fact, as text that SQL can look into.

Owns the form of these columns and of the conditions on them: names in their normal form between separators. Pure.
"""

from collections.abc import Iterable, Iterator

from holovault.facts import derived_id, trust_of_line
from holovault.lexemes import fold, normal_name
from holovault.model import FactLine
from holovault.store.texts import KEY_END, path_key, wellformed

Condition = tuple[str, tuple[str, ...]]


def keys_of(line: FactLine, name: str) -> tuple[int, str, str, str, str, str, float]:
    """First line, category, tags, entities, every word that a fact is found by, the id by its text, and its trust without votes."""
    said = fold(" ".join((line.text, line.category, *line.tags, name)))
    tags, entities = _listed(map(fold, line.tags)), _listed(map(normal_name, line.entities))
    return (
        line.start_line,
        wellformed(normal_name(line.category)),
        tags,
        entities,
        wellformed(said),
        derived_id(line.text),
        trust_of_line(line, 0, 0),
    )


def conditions(category: str | None, tag: str | None, entity: str | None, path: str | None, text: str) -> Iterator[Condition]:
    """What rows of facts (a) and their files (f) must meet, with the values; nothing for what is not asked."""
    if category is not None:
        yield "a.category = ?", (wellformed(normal_name(category)),)
    if tag is not None:
        key = KEY_END + wellformed(fold(tag.removeprefix("#")))
        yield "(instr(a.tags, ?) OR instr(a.tags, ?))", (key + KEY_END, key + "/")
    if entity is not None:
        yield "instr(a.entities, ?)", (_listed((normal_name(entity),)),)
    if path is not None:
        key = wellformed(path_key(path))
        yield "(f.path_key IN (?, ?) OR instr(f.path_key, ?) = 1)", (key, f"{key}.md", f"{key}/")
    for word in fold(text).split():
        yield "instr(a.words, ?)", (wellformed(word),)


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    return wellformed(KEY_END + KEY_END.join(found) + KEY_END) if found else ""
