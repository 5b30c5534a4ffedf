"""What is what in the folder of Claude Code: sessions, their sub-agents, memories, the history of prompts.

Owns the two passes (the beginnings of all files first, to know which are copies of each other) and the order of copies, so
that shared history is told once, in the session that it comes from. Must not decide how a note looks.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

from holovault.markdown.front import find_block
from holovault.model.imports import ImportRequest
from holovault_importers.claude.fields import text_of
from holovault_importers.claude_code.copies import Head, head_of, in_order
from holovault_importers.claude_code.pasted import Pasted
from holovault_importers.claude_code.session import Session, from_loglines, read_session
from holovault_importers.claude_code.talks import AGENT, ORIGIN, Setting, talks
from holovault_importers.inputs import Unreadable
from holovault_importers.jsonstream import BrokenJson, elements
from holovault_importers.turns import repository
from holovault_importers.values import Item, Member, MemoryFile, Problem, Skipped

HISTORY = "history.jsonl"
_AGENT = re.compile(r"(?:^|/)agent-([^/]+)\.jsonl$")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LARGEST_MEMORY = 4_000_000


@dataclass(slots=True)
class _Known:
    """What the first pass learns."""

    files: dict[str, list[Member]] = field(default_factory=dict)
    heads: dict[str, Head] = field(default_factory=dict)
    families: dict[str, list[str]] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    folders: dict[str, set[str]] = field(default_factory=dict)
    pasted: Pasted = field(default_factory=Pasted)
    described: dict[str, Member] = field(default_factory=dict)


class ClaudeCodeSource:
    """The folder in which Claude Code keeps its sessions, a part of it, or single files."""

    name = "claude-code"
    origin = ORIGIN
    about = "Sessions and memories of Claude Code: its folder, ~/.claude unless named, or files of it."

    def default_exports(self) -> tuple[str, ...]:
        """The usual folder."""
        return ("~/.claude",)

    def wants(self, name: str) -> bool:
        """Sessions, what describes sub-agents, memories, the history of prompts."""
        folder, _, base = f"/{name}".rpartition("/")
        if base.endswith(".md"):
            return folder.endswith("/memory")
        return (base.endswith(".jsonl") and base != "journal.jsonl") or base.endswith(".meta.json")

    def read(self, members: Iterable[Member], request: ImportRequest) -> Iterator[Item]:
        """All items; a damaged file gives what can be read of it, then a problem."""
        members = list(members)
        if any(f"/{member.name}".find("/projects/") >= 0 for member in members):
            members = [member for member in members if "/projects/" in f"/{member.name}" or _base(member) == HISTORY]
        known = _Known()
        for member in members:
            _learn(member, known)
        for key, head in known.heads.items():
            if head.first and not _AGENT.search(f"/{key}"):
                known.families.setdefault(head.first, []).append(key)
        told: set[str] = set()
        for key in known.files:
            family = known.families.get(known.heads[key].first, []) if key in known.heads else []
            if key not in told:
                told.update(family)
                yield from _family(family, known, request) if len(family) > 1 else _session(key, known, request, set())[0]
        for member in members:
            if member.name.endswith(".md"):
                yield from _memory(member, known)


def _base(member: Member) -> str:
    return posixpath.basename(member.name)


def _key(member: Member) -> str:
    """What a session's file is called wherever it lies: a backup beside the folder holds the same sessions."""
    base = _base(member)
    return base if _UUID.search(base) or _AGENT.search(member.name) else member.name


def _learn(member: Member, known: _Known) -> None:
    base = _base(member)
    if member.name.endswith(".meta.json"):
        known.described[member.name.removesuffix(".meta.json")] = member
    if member.name.endswith((".md", ".meta.json")):
        return
    if base != HISTORY:
        known.files.setdefault(_key(member), []).append(member)
    if not base.endswith(".jsonl"):
        return
    try:
        with closing(member.open()) as stream:
            if base == HISTORY:
                known.pasted.learn(stream)
                return
            head = head_of(stream)
    except (Unreadable, OSError):
        return  # told by the second pass
    known.heads.setdefault(_key(member), head)
    known.summaries.update(head.summaries)
    if head.cwd:
        known.folders.setdefault(posixpath.dirname(member.name), set()).add(head.cwd)


def _family(family: list[str], known: _Known, request: ImportRequest) -> Iterator[Item]:
    """Sessions with the same beginning: each tells what no other before it has told."""
    elsewhere: set[str] = set()
    for key in in_order(family, known.heads, known.files):
        items, session = _session(key, known, request, elsewhere)
        yield from items
        elsewhere |= session.uuids


def _session(key: str, known: _Known, request: ImportRequest, elsewhere: set[str]) -> tuple[list[Item], Session]:
    session = Session()
    is_full = request.tools == "full"
    first = known.files[key][0]
    agent = _AGENT.search(first.name)
    if agent and not is_full:
        return [Skipped(AGENT, first.name)], session
    problems: list[Item] = [problem for member in known.files[key] if (problem := _read(member, request, session))]
    if not session.is_one:
        return [Skipped("not a session", first.name), *problems], session
    named = _UUID.search(_base(first))
    setting = Setting(
        named[0] if named and not agent else session.id or f"made-{_base(first).removesuffix('.jsonl')}",
        known.pasted,
        is_full,
        _agent_title(agent[1], known.described.get(first.name.removesuffix(".jsonl"))) if agent else "",
        next((text for leaf, text in known.summaries.items() if leaf in session.links), ""),
        elsewhere,
        request.redact is not False,
    )
    return [*talks(session, setting), *problems], session


def _read(member: Member, request: ImportRequest, session: Session) -> Problem | None:
    try:
        with closing(member.open()) as stream:
            if member.name.endswith(".jsonl"):
                read_session(stream, request, session)
            else:
                for element in elements(stream):
                    from_loglines(element.value, request, session)
    except (Unreadable, OSError, BrokenJson) as error:
        words = f"it {error}" if isinstance(error, Unreadable) else str(error)
        return Problem(f"{member.name} cannot be read past entry {len(session.entries):,}: {words}.")
    return None


def _agent_title(key: str, described: Member | None) -> str:
    """The name of a sub-agent by the file that describes it."""
    value: object = None
    if described is not None:
        try:
            with closing(described.open()) as stream:
                value = json.loads(stream.read(1 << 20))
        except (Unreadable, OSError, ValueError, RecursionError):
            value = None
    words = " ".join(part for part in (text_of(value, "agentType"), text_of(value, "description")) if part)
    return f"{words or 'Sub-agent'} — agent {key}"


def _memory(member: Member, known: _Known) -> Iterator[Item]:
    """A memory of a repository, without its front matter."""
    try:
        with closing(member.open()) as stream:
            text = stream.read(_LARGEST_MEMORY).decode("utf-8-sig", "replace")
    except (Unreadable, OSError):
        yield Problem(f"{member.name} cannot be read.")
        return
    block = find_block(text)
    text = text[block.body :] if block is not None else text
    if not text.strip():
        yield Skipped("empty memory", member.name)
        return
    folder = posixpath.dirname(posixpath.dirname(member.name))
    cwds = known.folders.get(folder, set())
    slugs = {re.sub(r"[^a-zA-Z0-9]", "-", cwd) for cwd in cwds}
    slug = posixpath.basename(folder) or (next(iter(slugs)) if len(slugs) == 1 else "")
    if not slug:
        yield Skipped("memory of an unknown folder", member.name)
        return
    names = {repository(cwd) for cwd in cwds}
    name = next(iter(names)) if len(names) == 1 else slug.rpartition("-")[2] or slug
    yield MemoryFile(ORIGIN, f"{slug}/{_base(member)}", f"/{name}/{_base(member)}", text, None)
