"""Lists that are made anew with every import, between markers: INDEX.md and the chats of a topic. Pure.

Owns the markers and what stands between them. Whatever a person writes around them stays; a note without markers is a person's.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from holovault_importers.drafts import GENERATED, generated, is_ours
from holovault_importers.prose import inline

SHOWN_LINES = 5
SHOWN_NOTES = 200


@dataclass(frozen=True, slots=True)
class Match:
    """A note that speaks of a topic: the first lines that do, and how many there are."""

    path: str
    title: str
    lines: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TopicRule:
    """A topic's name and its patterns: words, `*` stands for the rest of a word, compared without case."""

    name: str
    patterns: tuple[str, ...]

    def expression(self) -> re.Pattern[str]:
        """All patterns as one expression."""
        words = (re.escape(pattern.strip()).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for pattern in self.patterns)
        texts = (re.sub("[её]", "[её]", word, flags=re.IGNORECASE) for word in words)
        return re.compile(r"(?<!\w)(?:" + "|".join(texts) + r")(?!\w)", re.IGNORECASE)


def between(text: str | None, name: str, made: str, head: str) -> str | None:
    """The note with the list `name` made anew; None where its marks are gone or a person wrote between them. `head` begins a new one."""
    block = generated(name, made)
    if text is None:
        return f"{head}\n\n{block}\n"
    found = next((match for match in GENERATED.finditer(text) if match["name"] == name), None)
    return f"{text[: found.start()]}{block}{text[found.end() :]}" if found is not None and is_ours(found) else None


def appended(text: str, name: str, made: str) -> str | None:
    """A note of ours with a list at its end, made anew where it has one; None where a person wrote into that."""
    if f"<!-- holovault:{name} " in text:
        return between(text, name, made, "")
    return f"{text.rstrip()}\n\n{generated(name, made)}\n"


def matches(path: str, title: str, text: str, expression: re.Pattern[str], first_line: int) -> Match | None:
    """Where a note's body speaks of a topic; lines are the file's, `first_line` the body's first."""
    found: list[int] = []
    line, at = first_line, 0
    for match in expression.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        if not found or found[-1] != line:
            found.append(line)
    return Match(path, title, tuple(found[:SHOWN_LINES]), len(found)) if found else None


def topic_list(found: Sequence[Match]) -> str:
    """The chats and projects of a topic with their lines, newest first."""
    ordered = sorted(found, key=lambda match: match.path, reverse=True)
    rows = [_match(match) for match in ordered[:SHOWN_NOTES]]
    rows += [f"- and {len(ordered) - SHOWN_NOTES} more"] if len(ordered) > SHOWN_NOTES else []
    return "\n".join(rows) or "Nothing in the imported notes speaks of this yet."


def index_list(paths: Iterable[str], titles: Mapping[str, str]) -> str:
    """What there is: memory, projects and topics note by note, chats and artifacts by the number."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(path.split("/")[0] if "/" in path else "", []).append(path)
    pieces = [
        _links("Memory", groups.get("Memory", []), titles),
        _projects(groups.get("Projects", []), titles),
        _links("Topics", groups.get("Topics", []), titles),
        *(_counted(name, groups.get(name, [])) for name in ("Chats", "Code", "Artifacts")),
    ]
    return "\n\n".join(piece for piece in pieces if piece) or "Nothing has been imported yet."


def _match(match: Match) -> str:
    lines = ", ".join(map(str, match.lines))
    more = f" and {match.total - len(match.lines)} more" if match.total > len(match.lines) else ""
    return f"- {_link(match.path, match.title)}: {'line' if match.total == 1 else 'lines'} {lines}{more}"


def _link(path: str, title: str) -> str:
    shown = re.sub(r"[\[\]|]", " ", title).strip()
    return f"[[{path.removesuffix('.md')}|{shown}]]" if shown else f"[[{path.removesuffix('.md')}]]"


def _links(name: str, paths: Sequence[str], titles: Mapping[str, str]) -> str:
    rows = [f"- {_link(path, titles.get(path) or path.rpartition('/')[2].removesuffix('.md'))}" for path in sorted(paths)]
    return f"## {name}\n\n" + "\n".join(rows) if rows else ""


def _projects(paths: Sequence[str], titles: Mapping[str, str]) -> str:
    folders: dict[str, list[str]] = {}
    for path in paths:
        if path.count("/") >= 2:
            folders.setdefault(path.split("/")[1], []).append(path)
    rows: list[str] = []
    for folder, inside in sorted(folders.items()):
        context = f"Projects/{folder}/CONTEXT.md"
        name = _link(context, titles.get(context) or folder) if context in inside else inline(folder)
        rows.append(f"- {name}: {len(inside)} {'note' if len(inside) == 1 else 'notes'}")
    return "## Projects\n\n" + "\n".join(rows) if rows else ""


def _counted(name: str, paths: Sequence[str]) -> str:
    folders: dict[str, int] = {}
    for path in paths:
        inner = path.split("/")[1] if path.count("/") >= 2 else ""
        folders[inner] = folders.get(inner, 0) + 1
    if not folders:
        return ""
    if name == "Artifacts":
        return f"## Artifacts\n\n- {len(paths)} {'note' if len(paths) == 1 else 'notes'}"
    rows = [f"- {inline(folder) or name}: {count} {'note' if count == 1 else 'notes'}" for folder, count in sorted(folders.items())]
    return f"## {name}\n\n" + "\n".join(rows)
