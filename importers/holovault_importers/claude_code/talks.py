"""A session as talks: the one with a person, and one for each sub-agent. Pure.

Owns joining the records of one answer, giving results to calls, and leaving out what another session tells already.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from holovault_importers.claude_code.lineage import reached
from holovault_importers.claude_code.pasted import Pasted
from holovault_importers.claude_code.records import Entry, Result
from holovault_importers.claude_code.session import Session
from holovault_importers.turns import Call, Piece, Turns, first_prompt, repository
from holovault_importers.values import Conversation, Message, ProjectRef, Skipped, Text

ORIGIN = "claude-code"
COMPACTED = "The session was compacted here: what stands above was summed up for the model, and it went on with the summary."
FORKED = "What came before is in the session that this one was made from."
AGENT = "sub-agent (kept with --tools full)"
EMPTY = "empty session"
COPY = "copy of another session"
_TITLES = ("custom-title", "ai-title", "agent-name")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a session is read in: its name, its sub-agents' own file, pastes, the records that another note tells, and
    whether secrets go from a title."""

    id: str
    pasted: Pasted
    agents: bool = False
    agent_title: str = ""
    summary: str = ""
    elsewhere: AbstractSet[str] = frozenset()
    redacted: bool = True


def talks(session: Session, setting: Setting) -> Iterator[Conversation | Skipped]:
    """All talks of a session, each with one fate."""
    main = [entry for entry in session.entries if not entry.sidechain]
    results = {result.call: result for entry in session.entries for result in entry.results if result.call}
    if main or not session.entries:
        yield _main(session, setting, main, results)
    for key, entries in _agents(session, [entry for entry in session.entries if entry.sidechain]).items():
        yield _agent(session, setting, key, entries, results) if setting.agents else Skipped(AGENT, key)


def _main(session: Session, setting: Setting, entries: Sequence[Entry], results: Mapping[str, Result]) -> Conversation | Skipped:
    line = _Line(session, setting, results)
    line.read(entries)
    messages = line.turns.messages()
    if not any(message.role in ("human", "assistant") for message in messages):
        return Skipped(COPY if line.left else EMPTY, setting.id)
    dropped = (*messages[0].dropped, *session.dropped.elements())
    messages = (replace(messages[0], dropped=dropped), *messages[1:])
    own = next((text for leaf, text in reversed(session.summaries.items()) if leaf in session.links), setting.summary)
    titles = [session.titles.get(kind, "") for kind in _TITLES]
    title = next((text for text in (*titles, own, first_prompt(messages, redacted=setting.redacted)) if text.strip()), "")
    return _talk(session, setting.id, title, messages, line)


def _agent(session: Session, setting: Setting, key: str, entries: Sequence[Entry], results: Mapping[str, Result]) -> Conversation | Skipped:
    line = _Line(session, setting, results, is_agent=True)
    line.read(entries)
    messages = line.turns.messages()
    if not messages:
        return Skipped(EMPTY, key)
    words = next((block.text for block in messages[0].blocks if isinstance(block, Text)), "")
    title = setting.agent_title or f"agent: {first_prompt([replace(messages[0], role='human')], redacted=setting.redacted) or words[:60]}"
    return _talk(session, f"{session.id or setting.id}:agent-{key}", title, messages, line)


def _talk(session: Session, identity: str, title: str, messages: tuple[Message, ...], line: "_Line") -> Conversation:
    moments = sorted(line.moments)
    name = repository(session.cwd)
    return Conversation(
        source=ORIGIN,
        kind="code-session",
        id=identity,
        title=title,
        created=moments[0] if moments else None,
        updated=moments[-1] if moments else None,
        messages=messages,
        summary=line.recap,
        project=ProjectRef(session.cwd, name) if name else None,
    )


def _agents(session: Session, entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Sub-agents by their id; older sessions have none, and the first record of a chain stands for it."""
    roots: dict[str, str] = {}
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        root = entry.agent or roots.get(entry.parent) or entry.uuid or "agent"
        roots[entry.uuid] = root
        found.setdefault(root, []).append(entry)
    return found


class _Line:
    """One line of talk while it is put together."""

    def __init__(self, session: Session, setting: Setting, results: Mapping[str, Result], *, is_agent: bool = False) -> None:
        self.turns = Turns()
        self.recap = ""
        self.left = 0
        self.moments: list[str] = []
        self._session = session
        self._setting = setting
        self._results = results
        self._is_agent = is_agent
        self._seen: set[tuple[str, str]] = set()

    def read(self, entries: Sequence[Entry]) -> None:
        """All entries that led to the end, in order."""
        path = reached(entries, self._session.links)
        for place, entry in enumerate(entries):
            if place not in path:
                self.turns.dropped += ["taken back"] if entry.blocks else []
            elif entry.uuid in self._setting.elsewhere:
                self.left += 1
            else:
                self._fork()
                self._entry(entry, place)

    def _fork(self) -> None:
        if self.left and not self.moments and not self.turns.turns:
            self.turns.say("other", "fork", None, [Text(FORKED)], "Fork")

    def _entry(self, entry: Entry, place: int) -> None:
        self.turns.dropped += entry.dropped
        identity = entry.uuid or f"turn-{place}"
        self.moments += [entry.created] if entry.created else []
        if entry.kind == "compaction":
            self.turns.say("other", identity, entry.created, [Text(COMPACTED)], "Compaction")
        elif entry.kind == "recap":
            self._recap(entry)
        elif entry.kind == "assistant":
            self.turns.say("assistant", identity, entry.created, self._pieces(entry))
        else:
            pieces: list[Piece] = [piece for _, piece in entry.blocks]
            pieces += self._setting.pasted.of(entry, self._session.id, self._session.cwd)
            if self._is_agent:
                self.turns.say("other", identity, entry.created, pieces, "Task")
            else:
                self.turns.say("human", identity, entry.created, pieces)

    def _recap(self, entry: Entry) -> None:
        """A compaction's own words: they tell again what stands above, unless that is not there."""
        if any(turn.role in ("human", "assistant") for turn in self.turns.turns) or self.left or self.recap:
            self.turns.dropped.append("recap of a compaction")
        else:
            self.recap = "\n\n".join(piece.text for _, piece in entry.blocks if isinstance(piece, Text))

    def _pieces(self, entry: Entry) -> Iterator[Piece]:
        for identity, piece in entry.blocks:
            if identity and entry.message:
                if (entry.message, identity) in self._seen:
                    self.turns.dropped.append("repeated block")
                    continue
                self._seen.add((entry.message, identity))
            result = self._results.get(identity)
            if isinstance(piece, Call) and result is not None:
                piece.output, piece.failed = result.output, result.failed
            yield piece
