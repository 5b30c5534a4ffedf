"""Turns of a talk put together from many small records: one answer is one turn, whatever it was recorded as.

Owns joining what an assistant says and does between two prompts, and giving results to the calls they belong to. Pure.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from holovault_importers.prose import title_line
from holovault_importers.redaction import redact
from holovault_importers.values import Block, Message, Role, Text, ToolCall

LONGEST_TOOL_TEXT = 200_000
_WORKTREE = re.compile(r"[/\\]\.(?:claude|codex)?[/\\]?worktrees[/\\].*$")


@dataclass(slots=True)
class Call:
    """A use of a tool whose result may still come."""

    name: str
    input: str
    output: str = ""
    failed: bool = False


Piece = Block | Call


@dataclass(slots=True)
class Turn:
    """What one side said, with everything that it did in between."""

    id: str
    role: Role
    created: str | None
    pieces: list[Piece]
    author: str | None = None
    ids: list[str] = field(default_factory=list)


class Turns:
    """Collects turns in order. `dropped` names what was left out on purpose; it is counted with the first turn."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.dropped: list[str] = []

    def say(self, role: Role, identity: str, created: str | None, pieces: Iterable[Piece], author: str | None = None) -> None:
        """The next pieces. What an assistant says after an assistant belongs to the same turn; nothing said is no turn."""
        said = list(pieces)
        if not said:
            return
        last = self.turns[-1] if self.turns else None
        if last is not None and role == last.role == "assistant":
            last.pieces += said
            last.ids.append(identity)
        else:
            self.turns.append(Turn(identity, role, created, said, author, [identity]))

    def messages(self) -> tuple[Message, ...]:
        """All turns as messages."""
        made = [Message(turn.id, turn.role, turn.created, tuple(map(_block, turn.pieces)), turn.author) for turn in self.turns]
        if made and self.dropped:
            first = made[0]
            made[0] = Message(first.id, first.role, first.created, first.blocks, first.author, tuple(self.dropped))
        return tuple(made)


def tool_text(text: str, *, kept: bool) -> str:
    """Text of a tool as far as it is wanted: nothing, or all but what is beyond every use."""
    if not kept:
        return ""
    beyond = len(text) - LONGEST_TOOL_TEXT
    return text if beyond <= 0 else f"{text[:LONGEST_TOOL_TEXT]}\n… ({beyond:,} characters more)"


def first_prompt(messages: Iterable[Message], *, redacted: bool = True) -> str:
    """The first line that a person said, for a talk without a title. Secrets go before it is cut: half of one is not known any more."""
    for message in messages:
        if message.role == "human":
            for block in message.blocks:
                if isinstance(block, Text) and (line := title_line(redact(block.text)[0] if redacted else block.text)):
                    return line
    return ""


def repository(cwd: str) -> str:
    """The name of a repository by the folder that was worked in; a worktree counts as the repository it belongs to."""
    path = _WORKTREE.sub("", cwd).rstrip("/\\")
    return re.split(r"[/\\]", path)[-1]


def _block(piece: Piece) -> Block:
    return ToolCall(piece.name, piece.input, piece.output, piece.failed) if isinstance(piece, Call) else piece
