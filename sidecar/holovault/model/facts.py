"""Facts on the wire: what is known of one, what can be asked of them and changed in them.

Trust is 0…1, ids are without `^`, times are RFC 3339. Must not read a clock, a disk, a network or an environment.
"""

from dataclasses import dataclass
from typing import Literal

Vote = Literal["helpful", "unhelpful"]
ValueKind = Literal["number", "date", "name", "negation"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One list item of a facts note.

    `trust` counts the votes that are not yet folded into `own_trust`, the line's own; `helpful` and `unhelpful` are all votes. `hash` is
    the note's, `item` the SHA-256 of `text`: either proves which version was read. `written` is false where the line has no
    `^id` of its own and `id` is derived from the text. `duplicate_of` is `path:line` of the fact that has the same written id before this
    one; `problems` are sentences about what its line says and nobody can read.
    """

    id: str
    text: str
    category: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    trust: float
    own_trust: float
    helpful: int
    unhelpful: int
    created: str | None
    path: str
    start_line: int
    end_line: int
    hash: str
    item: str
    written: bool = True
    duplicate_of: str | None = None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactQuery:
    """Which facts. Every word of `query` must be in the fact, the last one at least begun; null and "" do not narrow.

    The order is the notes' own: path, then line. `limit` is 1…500, `offset` counts facts that are left out before.
    """

    query: str = ""
    category: str | None = None
    tag: str | None = None
    entity: str | None = None
    path: str | None = None
    min_trust: float = 0.0
    limit: int = 100
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """A category or a tag, and how many facts have it."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class FactList:
    """`total` facts meet the query, `facts` are those of this page; `categories` and `tags` count all facts of the vault."""

    total: int
    facts: tuple[Fact, ...]
    categories: tuple[Counted, ...] = ()
    tags: tuple[Counted, ...] = ()


@dataclass(frozen=True, slots=True)
class FactVote:
    """One line of a feedback note. `at` is a time, or a date alone where a hand wrote it."""

    vote: Vote
    at: str
    path: str


@dataclass(frozen=True, slots=True)
class FactHistory:
    """One fact with its votes, oldest first, and the other places where its id stands too."""

    fact: Fact
    votes: tuple[FactVote, ...]
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RememberRequest:
    """`text` becomes one line; `entities` are linked in it, `trust` is 0…1 and .5 unless told.

    `path` null: where the category has facts already, else a note of its name.
    """

    text: str
    category: str | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    trust: float | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """The fact as it stands now; `known` says that it was there already and nothing was written."""

    fact: Fact
    known: bool


@dataclass(frozen=True, slots=True)
class CorrectRequest:
    """`text` replaces the fact's; its id, date, trust, other fields and votes stay.

    `expected` are hashes of the version that was read, of its note (`hash`) or of its text (`item`): one of them must still be
    true. Empty: whatever it says now. `keep_tags`: tags at the end of the old text that the new one lacks stay at its end.
    """

    id: str
    text: str
    expected: tuple[str, ...] = ()
    keep_tags: bool = True


@dataclass(frozen=True, slots=True)
class Correction:
    """The body of a correction over HTTP: the id stands in the address, the expected hashes in If-Match."""

    text: str
    keep_tags: bool = True


@dataclass(frozen=True, slots=True)
class Corrected:
    """The fact as it stands now, and the text that it had."""

    fact: Fact
    was: str


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """`expected` as in a correction."""

    id: str
    expected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was removed, as it stood: the bytes of lines `start_line`…`end_line` of `path`, which has `hash` now."""

    id: str
    text: str
    path: str
    start_line: int
    end_line: int
    hash: str


@dataclass(frozen=True, slots=True)
class FeedbackRequest:
    """Whether a fact was of use."""

    id: str
    vote: Vote


@dataclass(frozen=True, slots=True)
class Rating:
    """The body of feedback over HTTP."""

    vote: Vote


@dataclass(frozen=True, slots=True)
class FeedbackResult:
    """The fact with the vote counted, its trust before, and the note that the vote stands in."""

    fact: Fact
    before: float
    vote: FactVote


@dataclass(frozen=True, slots=True)
class FoldedFact:
    """A fact whose votes are in its line now: its own trust was `before` and is `trust`."""

    id: str
    path: str
    before: float
    trust: float
    helpful: int
    unhelpful: int


@dataclass(frozen=True, slots=True)
class FoldReport:
    """What `fold` wrote; `left` says of facts that it left alone, why."""

    facts: tuple[FoldedFact, ...] = ()
    paths: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two facts about the same that cannot both be so: they agree in `shared` and differ in one value, `first` against `second`."""

    kind: ValueKind
    one: Fact
    other: Fact
    first: str
    second: str
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contradictions:
    """`total` pairs, counted to 10,000, and `pairs` the first of them; nothing is decided here."""

    total: int
    pairs: tuple[Contradiction, ...] = ()


@dataclass(frozen=True, slots=True)
class FactDay:
    """One calendar day (`2026-05-24`): facts that were `made` and `votes` that were cast."""

    day: str
    made: int
    votes: int


@dataclass(frozen=True, slots=True)
class FactActivity:
    """Days on which something happened to facts, oldest first; facts without a date do not count."""

    days: tuple[FactDay, ...] = ()
