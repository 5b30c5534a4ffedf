"""One message as Markdown below a heading of level 3. Pure.

Owns the form of turns: who, when, prose, attachments, artifacts, one line for a run of tools. Counts what it renders.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from holovault_importers.dates import shown
from holovault_importers.prose import callout, fenced, harmless, inline, title_line
from holovault_importers.redaction import redact
from holovault_importers.safety import one_line, trimmed
from holovault_importers.values import LEFT_OUT, ArtifactMention, Attachment, Block, Contents, Message, Text, Thinking, ToolCall, Unknown

Link = Callable[[str, str], str]
"""From an artifact's id and title to a link to its note."""


@dataclass(frozen=True, slots=True)
class Style:
    """What a person asked to see. `redact`: None for tool text only."""

    thinking: bool = False
    tools: str = "line"
    redact: bool | None = None


@dataclass(slots=True)
class Teller:
    """Renders messages in one style and counts into `contents`."""

    style: Style
    contents: Contents
    link: Link = field(default=lambda _, title: f"**{inline(title)}**")

    def message(self, message: Message, assistant: str) -> str:
        """The turn with its heading; "" for a turn in which nothing is left to show."""
        self.contents.add("messages")
        for name in message.dropped:
            self.contents.add(f"left out: {one_line(name)[:40]}")
        body = self.body(message.blocks)
        if not body:
            self.contents.add("turns without content")
            return ""
        speaker = {"human": "You", "assistant": assistant}.get(message.role) or one_line(message.author or "Other").title() or "Other"
        when = f" · {shown(message.created)}" if message.created else ""
        return f"### {speaker}{when}\n\n{body}"

    def body(self, blocks: Sequence[Block]) -> str:
        """All blocks with blank lines between them; neighbouring tools share a line."""
        pieces: list[str] = []
        run: list[ToolCall] = []
        for block in blocks:
            if isinstance(block, ToolCall):
                run.append(block)
                continue
            pieces.append(self._run(run))
            run = []
            pieces.append(self._block(block))
        pieces.append(self._run(run))
        return "\n\n".join(piece for piece in pieces if piece.strip())

    def prompt(self, message: Message) -> str:
        """The line that names an exchange: what was asked, or what was attached."""
        for block in message.blocks:
            if isinstance(block, Text) and (line := title_line(self.secret_free(block.text, count=False))):
                return line
        for block in message.blocks:
            if isinstance(block, Attachment):
                return title_line(block.name) or title_line(self.secret_free(block.text or "", count=False)) or "Attachment"
        return "…"

    def tool_text(self, text: str) -> str:
        """Input or output of a tool, without secrets unless a person wants them."""
        return text if self.style.redact is False else self._redacted(text)

    def secret_free(self, text: str, *, count: bool = True) -> str:
        """Prose; secrets are left in unless a person asked for them to go."""
        if self.style.redact is not True:
            return text
        return self._redacted(text) if count else redact(text)[0]

    def _redacted(self, text: str) -> str:
        text, number = redact(text)
        self.contents.redacted += number
        return text

    def _block(self, block: Block) -> str:
        match block:
            case Text():
                return harmless(self.secret_free(block.text))
            case Thinking():
                self.contents.add("thinking")
                return callout("quote", "Thinking", harmless(self.secret_free(block.text))) if self.style.thinking else ""
            case Attachment():
                return self._attachment(block)
            case ArtifactMention():
                self.contents.add("artifact versions")
                return f"→ artifact {self.link(block.id, block.title)} v{block.version} ({inline(block.command)})"
            case Unknown():
                name = one_line(block.type)[:60]
                self.contents.unknown[name] = self.contents.unknown.get(name, 0) + 1
                return callout("question", f"Unknown block: {inline(name)}", fenced(self.tool_text(block.raw), "json"))
        return ""

    def _attachment(self, block: Attachment) -> str:
        self.contents.add("attachments")
        name = inline(block.name) or "pasted text"
        if block.text is None:
            self.contents.add("attachments without text")
            return f"- 📎 {name} ({'left out' if block.kind == LEFT_OUT else 'not in the export'})"
        text = trimmed(self.secret_free(block.text))
        lines = text.count("\n") + 1
        return f"- 📎 {name} ({lines} {'line' if lines == 1 else 'lines'}):\n\n{fenced(text)}"

    def _run(self, run: Sequence[ToolCall]) -> str:
        if not run:
            return ""
        self.contents.add("tool calls", len(run))
        if self.style.tools == "none":
            return ""
        named: dict[str, list[ToolCall]] = {}
        for call in run:
            named.setdefault(one_line(call.name)[:60] or "tool", []).append(call)
        return "→ tools: " + ", ".join(_tool(name, calls) for name, calls in named.items())


def _tool(name: str, calls: Sequence[ToolCall]) -> str:
    failed = sum(call.failed for call in calls)
    sources = sum(len(call.sources) for call in calls)
    notes = [f"{sources} {'source' if sources == 1 else 'sources'}"] if sources else []
    notes += [f"{failed} {'error' if failed == 1 else 'errors'}"] if failed else []
    return f"{inline(name)} ×{len(calls)}" + (f" ({', '.join(notes)})" if notes else "")
