"""What is what in the folder of Codex: rollouts, packed or not, forks and sub-agents.

Owns finding the session that a fork came from, so that shared history is told once. Must not decide how a note looks.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace

from holovault.model.imports import ImportRequest
from holovault_importers.codex.packed import unpacked
from holovault_importers.codex.rollout import Rollout, Said, from_items, read_rollout, steps_of, turns_of
from holovault_importers.inputs import Unreadable
from holovault_importers.jsonstream import BrokenJson, elements
from holovault_importers.turns import first_prompt, repository
from holovault_importers.values import Conversation, Item, Member, Message, Problem, ProjectRef, Skipped, Text

ORIGIN = "codex"
AGENT = "sub-agent (kept with --tools full)"
FORKED = "What came before is in the session that this one was made from."
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class CodexSource:
    """The folder in which Codex keeps its sessions, a part of it, or single rollouts."""

    name = "codex"
    origin = ORIGIN
    about = "Sessions of Codex: its folder, ~/.codex/sessions unless named, or files of it."

    def default_exports(self) -> tuple[str, ...]:
        """The usual folder."""
        return ("~/.codex/sessions",)

    def wants(self, name: str) -> bool:
        """Rollouts of any generation."""
        base = posixpath.basename(name)
        return base.endswith((".jsonl", ".jsonl.zst")) or (base.startswith("rollout-") and base.endswith(".json"))

    def read(self, members: Iterable[Member], request: ImportRequest) -> Iterator[Item]:
        """All items; a damaged file gives what can be read of it, then a problem."""
        members = list(members)
        for member in members:
            yield from _items(member, members, request)


def _items(member: Member, members: list[Member], request: ImportRequest) -> Iterator[Item]:
    rollout = Rollout()
    problem = _read(member, request, rollout)
    steps = steps_of(rollout)
    if not rollout.is_one:
        yield Skipped("not a session", member.name)
    elif rollout.agent and request.tools != "full":
        yield Skipped(AGENT, member.name)
    else:
        shared = _shared(rollout, steps, [other for other in members if other.name != member.name], request) if rollout.origin else 0
        yield _talk(rollout, steps, shared, member, request)
    if problem is not None:
        yield problem


def _talk(rollout: Rollout, steps: list[Said], shared: int, member: Member, request: ImportRequest) -> Conversation | Skipped:
    turns = turns_of(steps[shared:], is_agent=bool(rollout.agent))
    said = turns.messages()
    named = _UUID.search(posixpath.basename(member.name))
    identity = rollout.id or (named[0] if named else f"made-{posixpath.basename(member.name).partition('.')[0]}")
    if not any(message.role != "other" for message in said):
        return Skipped("copy of another session" if shared else "empty session", identity)
    said = (replace(said[0], dropped=tuple(rollout.dropped.elements())), *said[1:])
    if shared:
        said = (Message("fork", "other", None, (Text(FORKED),), "Fork"), *said)
    title = rollout.title or first_prompt(said, redacted=request.redact is not False)
    if rollout.agent:
        task = first_prompt([replace(message, role="human") for message in said], redacted=request.redact is not False)
        title = f"{rollout.title or task or 'Task'} — agent {rollout.agent}"
    moments = sorted(step.created for step in steps[shared:] if step.created)
    name = repository(rollout.cwd)
    return Conversation(
        source=ORIGIN,
        kind="code-session",
        id=identity,
        title=title,
        created=moments[0] if moments else None,
        updated=moments[-1] if moments else None,
        messages=said,
        project=ProjectRef(rollout.cwd, name) if name else None,
    )


def _read(member: Member, request: ImportRequest, rollout: Rollout) -> Problem | None:
    try:
        with closing(member.open()) as stream:
            if member.name.endswith(".json"):
                for element in elements(stream):
                    from_items(element.value, rollout, request)
            else:
                read_rollout(unpacked(stream) if member.name.endswith(".zst") else stream, request, rollout)
    except (Unreadable, OSError, BrokenJson) as error:
        words = f"it {error}" if isinstance(error, Unreadable) else str(error)
        return Problem(f"{member.name} cannot be read past entry {len(rollout.steps):,}: {words}.")
    return None


def _shared(rollout: Rollout, steps: list[Said], members: list[Member], request: ImportRequest) -> int:
    """How many steps a fork has in common with the session that it came from; 0 where that is not there."""
    for member in members:
        if rollout.origin in member.name:
            origin = Rollout()
            _read(member, request, origin)
            same = 0
            for mine, other in zip(steps, steps_of(origin), strict=False):
                if mine.kind != other.kind or mine.words != other.words:
                    break
                same += 1
            return same
    return 0
