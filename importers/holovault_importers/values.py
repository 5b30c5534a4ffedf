"""What a source makes of an export: conversations, projects, memories, artifacts. The seam between reading and rendering.

Values only: text as it was exported (not yet safe for Markdown), ids as they are there, times in RFC 3339 UTC or None
where the export has none. A source yields `Item`s; what it cannot use it yields as `Skipped`, so that the report adds up.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Literal, Protocol

from holovault.model.imports import ImportRequest

Role = Literal["human", "assistant", "other"]

LEFT_OUT = "left out"
"""The kind of an attachment that the export has and that is no text, such as an image."""


@dataclass(frozen=True, slots=True)
class Text:
    """Prose of a message."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """What a model wrote to itself; left out unless asked for."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One use of a tool with its result: `input` and `output` as text, `sources` are pages that it returned."""

    name: str
    input: str
    output: str = ""
    failed: bool = False
    sources: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file or pasted text; `text` is None where the export has only its name."""

    name: str
    text: str | None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ArtifactMention:
    """The place in a conversation at which version `version` of artifact `id` was made by `command`."""

    id: str
    title: str
    version: int
    command: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A block of a kind that no rule knows: its raw JSON is kept, folded."""

    type: str
    raw: str


Block = Text | Thinking | ToolCall | Attachment | ArtifactMention | Unknown


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `dropped` names machinery that was left out on purpose (counted, never shown)."""

    id: str
    role: Role
    created: str | None
    blocks: tuple[Block, ...]
    author: str | None = None
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """Turns that were left behind when a prompt was edited or an answer made anew; `after` is the message before the fork."""

    after: str | None
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Artifact:
    """The last version of something made in a conversation; `partial` where a step of its history did not apply."""

    id: str
    title: str
    kind: str
    language: str | None
    text: str
    versions: int
    partial: bool = False


@dataclass(frozen=True, slots=True)
class ProjectRef:
    """The project a conversation belongs to."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """`messages` is the path that was followed to the end, oldest first; `kind` is chat, design-chat or code-session."""

    source: str
    kind: str
    id: str
    title: str
    created: str | None
    updated: str | None
    messages: tuple[Message, ...]
    summary: str = ""
    branches: tuple[Branch, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    url: str | None = None
    project: ProjectRef | None = None


@dataclass(frozen=True, slots=True)
class ProjectDoc:
    """A document of a project; `text` is None where the export left it out."""

    id: str
    name: str
    text: str | None
    created: str | None


@dataclass(frozen=True, slots=True)
class Project:
    """A project with what was written for it: description, instructions, memory, documents."""

    source: str
    id: str
    name: str
    description: str
    instructions: str
    memory: str
    created: str | None
    updated: str | None
    docs: tuple[ProjectDoc, ...] = ()


@dataclass(frozen=True, slots=True)
class AccountMemory:
    """What an assistant knows of its user, as Markdown."""

    source: str
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A note of the assistant's own memory folder; `path` is its place there, such as `/areas/search.md`."""

    source: str
    id: str
    path: str
    text: str
    updated: str | None


@dataclass(frozen=True, slots=True)
class Published:
    """An artifact that was published as a page of its own; `text` is its active version."""

    source: str
    id: str
    title: str
    kind: str
    updated: str | None
    text: str
    versions: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something examined and not imported. `reason` is one of few words (it is counted), `what` names the thing for people."""

    reason: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something could not be read on; a sentence with the place. No item: it is not counted."""

    sentence: str


Item = Conversation | Project | AccountMemory | MemoryFile | Published | Skipped | Problem


class Member(Protocol):
    """One file of an export, wherever it lies. `size` is its length in bytes as far as known."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    def open(self) -> BinaryIO: ...


class Source(Protocol):
    """A kind of export. `name` is the word on the command line, `origin` what stands as `source:` in the notes."""

    name: str
    origin: str
    about: str

    def default_exports(self) -> tuple[str, ...]:
        """Where this kind lies on this machine if nobody says; empty where there is no such place."""

    def wants(self, name: str) -> bool:
        """Whether a file of this name can be part of such an export."""

    def read(self, members: Iterable[Member], request: ImportRequest) -> Iterator[Item]:
        """Everything in the export, in bounded memory. Pure apart from reading the members."""


@dataclass(slots=True)
class Contents:
    """What the rendered items were made of, counted while they are rendered."""

    counts: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    redacted: int = 0

    def add(self, name: str, number: int = 1) -> None:
        """Count `number` more of `name`."""
        if number:
            self.counts[name] = self.counts.get(name, 0) + number
