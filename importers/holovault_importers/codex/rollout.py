"""One rollout: what its lines are, and the turns that they make. Pure apart from reading.

Owns the generations of lines (bare items, items in envelopes, events beside them) and which of two copies of the same words
counts: a person's come from events, because items have a program's words under the same role; an assistant's come from items.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from holovault.model.imports import ImportRequest
from holovault_importers.claude.fields import dict_of, list_of, raw, text_of
from holovault_importers.codex import items
from holovault_importers.dates import utc
from holovault_importers.jsonlines import records
from holovault_importers.turns import Call, Piece, Turns
from holovault_importers.values import Text, Unknown

COMPACTED = "The session was compacted here: what stands above was summed up for the model, and it went on with the summary."
_ITEMS = items.CALLS | items.OUTPUTS | items.SILENT | {"message", "reasoning"}


@dataclass(slots=True)
class Said:
    """One step of the talk, before it is known which copy counts."""

    kind: str
    created: str | None
    pieces: list[Piece]

    @property
    def words(self) -> str:
        """All its prose, for comparing copies."""
        return " ".join(" ".join(piece.text.split()) for piece in self.pieces if isinstance(piece, Text))


@dataclass(slots=True)
class Rollout:
    """What a file holds. `origin` is the session that it was forked from, `agent` the role of a sub-agent."""

    id: str = ""
    cwd: str = ""
    title: str = ""
    origin: str = ""
    agent: str = ""
    is_one: bool = False
    steps: list[Said] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    calls: dict[str, Call] = field(default_factory=dict)


def read_rollout(stream: BinaryIO, request: ImportRequest, rollout: Rollout) -> None:
    """Everything of a rollout that a note can need, one line at a time, into `rollout`."""
    for record in records(stream):
        if record.fault:
            rollout.dropped[record.fault] += 1
        else:
            take(rollout, record.value, request)


def take(rollout: Rollout, line: dict[str, Any], request: ImportRequest) -> None:
    """One line more, of any generation."""
    kind, payload = text_of(line, "type"), dict_of(line, "payload")
    moment = utc(line.get("timestamp"))
    if not payload and (kind in _ITEMS or text_of(line, "role")):
        _item(rollout, line, moment, request)
    elif kind == "session_meta" or (not kind and text_of(line, "id")):
        _meta(rollout, payload or line)
    elif kind == "response_item":
        _item(rollout, payload, moment, request)
    elif kind == "event_msg":
        _event(rollout, payload, moment, request)
    elif kind == "compacted":
        rollout.steps.append(Said("compaction", moment, [Text(COMPACTED)]))
        rollout.dropped["recap of a compaction"] += 1
    else:
        rollout.cwd = rollout.cwd or text_of(payload, "cwd")
        rollout.dropped[f"record {kind or text_of(line, 'record_type') or 'without type'}"] += 1


def _meta(rollout: Rollout, payload: dict[str, Any]) -> None:
    """The first one is the session's own; a fork brings along those of the sessions before it."""
    if not rollout.is_one:
        spawned = dict_of(dict_of(payload, "source"), "subagent")
        rollout.id, rollout.cwd = text_of(payload, "id"), text_of(payload, "cwd")
        rollout.origin = text_of(payload, "forked_from_id")
        role = text_of(payload, "agent_role") or text_of(payload, "agent_nickname")
        is_agent = (
            bool(spawned) or text_of(payload, "thread_source") == "subagent" or isinstance(dict_of(payload, "source").get("subagent"), str)
        )
        rollout.agent = (role or "agent") if is_agent else ""
    rollout.is_one = True


def _item(rollout: Rollout, payload: dict[str, Any], moment: str | None, request: ImportRequest) -> None:
    kind = text_of(payload, "type") or ("message" if text_of(payload, "role") else "")
    rollout.is_one = True
    if kind == "message":
        _message(rollout, payload, moment)
    elif kind == "reasoning":
        found = items.thoughts(payload) if request.thinking else []
        rollout.steps += [Said("assistant", moment, list(found))] if found else []
        rollout.dropped["thinking"] += not found
    elif kind in items.CALLS:
        call = items.call_of(payload, request)
        rollout.calls[text_of(payload, "call_id") or text_of(payload, "id")] = call
        rollout.steps.append(Said("assistant", moment, [call]))
    elif kind in items.OUTPUTS:
        if (known := rollout.calls.pop(text_of(payload, "call_id"), None)) is not None:
            items.answer(known, payload, request)
        else:
            rollout.dropped["result without its call"] += 1
    elif kind in items.SILENT:
        rollout.dropped[kind] += 1
    else:
        rollout.steps.append(Said("assistant", moment, [Unknown(kind or "item without type", raw(payload))]))


def _message(rollout: Rollout, payload: dict[str, Any], moment: str | None) -> None:
    role = text_of(payload, "role")
    pieces = items.message_pieces(payload)
    if role == "assistant":
        rollout.steps += [Said("assistant", moment, pieces)] if pieces else []
    elif role == "user":
        mine = [piece for piece in pieces if not (isinstance(piece, Text) and items.is_injected(piece.text))]
        rollout.dropped["prompt of a program"] += len(pieces) - len(mine)
        mine = [Text(items.request_of(piece.text)) if isinstance(piece, Text) else piece for piece in mine]
        rollout.steps += [Said("user item", moment, mine)] if mine else []
    else:
        rollout.dropped[f"message of {role or 'nobody'}"] += 1


def _event(rollout: Rollout, payload: dict[str, Any], moment: str | None, request: ImportRequest) -> None:
    kind = text_of(payload, "type")
    rollout.is_one = True
    if kind == "user_message":
        text = text_of(payload, "message")
        pieces = [] if items.is_injected(text) else items.event_pieces(payload)
        rollout.steps += [Said("user event", moment, pieces)] if pieces else []
    elif kind == "agent_message":
        text = text_of(payload, "message")
        rollout.steps += [Said("assistant event", moment, [Text(text)])] if text.strip() else []
    elif kind == "thread_rolled_back":
        number = payload.get("num_turns")
        rollout.steps.append(Said("rollback", moment, [Text(str(number))] if isinstance(number, int) else []))
    elif kind == "thread_name_updated":
        rollout.title = text_of(payload, "thread_name") or rollout.title
    else:
        rollout.dropped[f"event {kind or 'without type'}"] += 1


def steps_of(rollout: Rollout) -> list[Said]:
    """The steps that count, each once: copies and turns that were taken back are left out and counted."""
    kept: list[Said] = []
    events = [place for place, step in enumerate(rollout.steps) if step.kind == "user event"]
    has_items = any(step.kind == "assistant" and step.words for step in rollout.steps)
    typed = Counter(rollout.steps[place].words for place in events)
    for place, step in enumerate(rollout.steps):
        if step.kind == "rollback":
            _roll_back(kept, step, rollout)
        elif step.kind == "user item" and events and (typed[step.words] or not _is_older(rollout.steps, place, events[0])):
            rollout.dropped["prompt of a program"] += not typed[step.words]
        elif step.kind == "assistant event" and has_items:
            continue  # the same words are there as an item
        else:
            kept.append(step)
    return kept


def _is_older(steps: list[Said], place: int, first_event: int) -> bool:
    """Whether a prompt was answered before there were events: the file was begun by an older version."""
    return place < first_event and any(step.kind == "assistant" for step in steps[place:first_event])


def _roll_back(kept: list[Said], step: Said, rollout: Rollout) -> None:
    number = int(step.words) if step.words.isdigit() else 0
    while number > 0 and kept:
        gone = kept.pop()
        rollout.dropped["taken back"] += 1
        number -= gone.kind.startswith("user")


def turns_of(steps: list[Said], *, is_agent: bool = False) -> Turns:
    """The turns of a talk; a sub-agent's tasks come from no person."""
    turns = Turns()
    for place, step in enumerate(steps):
        identity = f"turn-{place}"
        if step.kind == "compaction":
            turns.say("other", identity, step.created, step.pieces, "Compaction")
        elif not step.kind.startswith("user"):
            turns.say("assistant", identity, step.created, step.pieces)
        elif is_agent:
            turns.say("other", identity, step.created, step.pieces, "Task")
        else:
            turns.say("human", identity, step.created, step.pieces)
    return turns


def from_items(value: object, rollout: Rollout, request: ImportRequest) -> None:
    """A rollout of the first generation: one object with the session and all items."""
    _meta(rollout, dict_of(value, "session"))
    for item in list_of(value, "items"):
        if isinstance(item, dict):
            _item(rollout, item, utc(item.get("timestamp")), request)
