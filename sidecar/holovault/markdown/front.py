"""The front matter block: where it ends and what it says.

Owns finding the block and reading its YAML as text. Every scalar stays as it was written, so a date
is a date's text and no tag can construct an object. Must never cost a note its body: whatever is
wrong with the block is told in `FrontMatter.error` and ends there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import yaml
from frontmatter.default_handlers import YAMLHandler

from holovault.markdown.properties import front_matter
from holovault.markdown.text import unify_breaks
from holovault.model import FrontMatter

MAX_FIELDS = 10_000
"""Values that are kept; YAML aliases can write billions of them in a few lines."""

MAX_DEPTH = 50
"""Mappings and lists inside one another that are followed."""

_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\r|\n)")
_CLOSING = re.compile(r"(?<![^\r\n])---[ \t]*(?=[\r\n]|\Z)")
_BREAK = re.compile(r"\r\n|\r|\n")
_KEY = re.compile(r"^[^\s#:\-\[\]{}&*!|>'\"%@`,?][^:\n]{0,200}(?=:(?:[ \t]|$))", re.MULTILINE)

_Loader: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_HANDLER = YAMLHandler()


@dataclass(frozen=True, slots=True)
class Front:
    """Front matter and `body_line`, the 1-based line of the file at which the body starts."""

    front: FrontMatter
    body_line: int


@dataclass(frozen=True, slots=True)
class FrontBlock:
    """The text between the fences, and where the body starts: offset in the file's text, and line."""

    text: str
    body: int
    body_line: int


class _Unreadable(Exception):
    """YAML that cannot be read, with a reason for people."""


def parse_front_matter(text: str) -> Front:
    """Read the block between a first line `---` and the next `---`; without either there is only body.

    A block that is not YAML, or no mapping, keeps its readable properties one by one and an `error`.
    """
    block = find_block(text)
    if block is None:
        return Front(FrontMatter(), 1)
    return Front(read_block(block), block.body_line)


def find_block(text: str) -> FrontBlock | None:
    """The block's text without its fences, and where the body starts (offset and line)."""
    opening = _OPENING.match(text)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return None
    after = _BREAK.match(text, closing.end())
    body = after.end() if after else closing.end()
    block = text[opening.end() : closing.start()]
    return FrontBlock(block, body, 3 + len(_BREAK.findall(block)))


def read_block(block: FrontBlock) -> FrontMatter:
    """The properties of a block, as far as they can be read."""
    text = unify_breaks(block.text)
    try:
        data = _load(text, first_line=2)
    except _Unreadable as problem:
        return front_matter(_salvage(text), error=str(problem))
    if data in (None, ""):
        return FrontMatter()
    if not isinstance(data, dict):
        return front_matter(list(islice(_fields("", data, 0), MAX_FIELDS)), error="line 2: front matter must be properties, `key: value`")
    fields = list(islice(_fields("", data, 0), MAX_FIELDS + 1))
    error = f"more than {MAX_FIELDS} values; the rest is not searchable" if len(fields) > MAX_FIELDS else None
    one_line = frozenset(str(key).casefold() for key, value in data.items() if not isinstance(value, list))
    return front_matter(fields[:MAX_FIELDS], one_line, error)


def _load(block: str, first_line: int) -> object:
    try:
        return _HANDLER.load(block, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + first_line if error.problem_mark else first_line
        raise _Unreadable(f"line {line}: {error.problem or error.context or 'not YAML'}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _Unreadable(f"line {first_line}: {str(error).splitlines()[0] if str(error) else 'not YAML'}") from error


def _fields(key: str, data: object, depth: int) -> Iterator[tuple[str, str]]:
    """Flatten: nested keys are joined with a dot, list entries repeat their key."""
    if depth > MAX_DEPTH:
        yield key, "…"
    elif isinstance(data, dict):
        for inner, value in data.items():
            yield from _fields(f"{key}.{inner}" if key else str(inner), value, depth + 1)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from _fields(key, value, depth + 1)
    else:
        yield key, "" if data is None else str(data)


def _salvage(block: str) -> list[tuple[str, str]]:
    """What can be read of a broken block, property by property; the rest as the text that stands there."""
    keys = list(_KEY.finditer(block))
    if not keys:
        return [("", _one_line(block))]
    fields: list[tuple[str, str]] = []
    for key, end in zip(keys, (*(following.start() for following in keys[1:]), len(block)), strict=True):
        if len(fields) < MAX_FIELDS:
            fields += _entry(key[0].strip(), block[key.start() : end])
    return fields[:MAX_FIELDS]


def _entry(key: str, entry: str) -> list[tuple[str, str]]:
    try:
        data = _load(entry, first_line=1)
    except _Unreadable:
        data = None
    if isinstance(data, dict) and len(data) == 1:
        return list(islice(_fields("", data, 0), MAX_FIELDS))
    return [(key, _one_line(entry[len(key) + 1 :]))]


def _one_line(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())
