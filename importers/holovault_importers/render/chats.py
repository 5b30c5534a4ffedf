"""A conversation as notes: exchanges with their questions as headings, branches at the end, parts where it is long. Pure.

Owns the layout of chats. Sections only ever follow each other, so that line numbers above stay valid when a chat goes on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holovault_importers.dates import day
from holovault_importers.drafts import Draft, Section, Value, key_of
from holovault_importers.names import name_of, note_path, short_id
from holovault_importers.prose import callout, fenced, harmless, hidden, inline
from holovault_importers.render.messages import Teller
from holovault_importers.safety import one_line, trimmed
from holovault_importers.values import Branch, Conversation, Message, ToolCall

PART_CHARS = 300_000
PART_LINES = 3_000
ASSISTANTS = {"claude.ai": "Claude", "claude-code": "Claude", "chatgpt": "ChatGPT", "codex": "Codex"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a conversation goes: its folder, and the name of its notes without ending."""

    folder: str
    name: str
    tail: str

    def path(self, suffix: str = "") -> str:
        """The path of the note, or of the one with `suffix` (part 2, tools)."""
        return note_path(self.folder, self.name, f"{self.tail}{suffix}")


def place_of(talk: Conversation, folder: str, *, by_year: bool = True) -> Place:
    """Below `folder`, by year where there are many."""
    date = day(talk.created)
    name = f"{date} {name_of(talk.title)}" if date else name_of(talk.title)
    below = f"{folder}/{date[:4] if date else 'undated'}" if by_year else folder
    return Place(below, name, f" ({short_id(talk.id)})")


def chat_drafts(talk: Conversation, place: Place, teller: Teller, front: Sequence[tuple[str, Value]]) -> Iterator[Draft]:
    """The conversation's notes, in order; almost always one."""
    title = one_line(talk.title) or "Untitled"
    head = "\n\n".join(piece for piece in (f"# {inline(title)}", _summary(talk, teller)) if piece)
    parts = _parts(list(_sections(talk, teller)))
    paths = [place.path(f" part {number}" if number > 1 else "") for number in range(1, len(parts) + 1)]
    for number, sections in enumerate(parts, start=1):
        around = [("previous", f"[[{paths[number - 2].removesuffix('.md')}]]")] if number > 1 else []
        around += [("next", f"[[{paths[number].removesuffix('.md')}]]")] if number < len(parts) else []
        yield Draft(
            key=key_of(talk.source, talk.kind, talk.id, str(number) if number > 1 else ""),
            kind=talk.kind,
            path=paths[number - 1],
            front=(*front, *((("part", number),) if number > 1 else ()), *around),
            head=head if number == 1 else f"# {inline(title)}, part {number}",
            sections=tuple(sections),
            updated=talk.updated,
        )


def tools_draft(talk: Conversation, place: Place, teller: Teller, front: Sequence[tuple[str, Value]]) -> Draft | None:
    """All inputs and outputs of tools in a note beside the chat, inside a comment, so that search does not find them."""
    pieces: list[str] = []
    for message in talk.messages:
        calls = (block for block in message.blocks if isinstance(block, ToolCall))
        pieces += [f"{one_line(call.name)}{' (failed)' if call.failed else ''}\n\n{_traffic(call, teller)}" for call in calls]
    if not pieces:
        return None
    body = "%%\n\n" + "\n\n".join(pieces) + "\n\n%%"
    head = f"# Tools of {inline(talk.title) or 'Untitled'}\n\nInputs and outputs stand in a comment below, which search does not read."
    sections = (Section("tools", body),)
    return Draft(
        key_of(talk.source, talk.kind, talk.id, "tools"),
        "tools",
        place.path(" tools"),
        (*front, ("part", "tools")),
        head,
        sections,
        talk.updated,
    )


def _traffic(call: ToolCall, teller: Teller) -> str:
    texts = [text for text in (call.input, call.output) if text.strip()]
    return "\n\n".join(fenced(hidden(teller.tool_text(text))) for text in texts) or "(nothing)"


def _summary(talk: Conversation, teller: Teller) -> str:
    text = harmless(teller.secret_free(talk.summary))
    return callout("abstract", "Summary (from the export)", text) if text else ""


def _sections(talk: Conversation, teller: Teller) -> Iterator[Section]:
    assistant = ASSISTANTS.get(talk.source, "Assistant")
    number = 0
    for message in talk.messages:
        text = teller.message(message, assistant)
        if not text:
            continue
        if message.role == "human" or number == 0:
            number += 1
            text = f"## {number} · {teller.prompt(message)}\n<!-- turn {_mark(message)} -->\n\n{text}"
        yield Section(message.id, text)
    for count, branch in enumerate(talk.branches, start=1):
        if text := _branch(branch, teller, assistant, talk.messages):
            teller.contents.add("branches")
            yield Section(f"branch-{branch.messages[0].id}", (f"## Branches\n\n{text}" if count == 1 else text), loose=True)


def _mark(message: Message) -> str:
    return trimmed(message.id).replace("--", "-").replace(">", "")[:64]


def _branch(branch: Branch, teller: Teller, assistant: str, active: Sequence[Message]) -> str:
    turns = [
        text.replace("### ", "**", 1).replace("\n\n", "**\n\n", 1)
        for message in branch.messages
        if (text := teller.message(message, assistant))
    ]
    if not turns:
        return ""
    position = next((number for number, message in enumerate(active, start=1) if message.id == branch.after), 0)
    where = f"after message {position}" if position else "from the beginning"
    return callout("note", f"Left behind {where}: {teller.prompt(branch.messages[0])}", "\n\n".join(turns))


def _parts(sections: Sequence[Section]) -> list[list[Section]]:
    parts: list[list[Section]] = [[]]
    chars = lines = 0
    for section in sections:
        more, rows = len(section.text), section.text.count("\n") + 2
        if parts[-1] and not section.loose and (chars + more > PART_CHARS or lines + rows > PART_LINES):
            parts.append([])
            chars = lines = 0
        parts[-1].append(section)
        chars, lines = chars + more, lines + rows
    return parts
