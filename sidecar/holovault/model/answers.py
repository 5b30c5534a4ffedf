"""What is asked of a vault and what it answers: searches, reads, writes, passes, status and events.

Must not read a clock, a disk, a network or an environment.
"""

from dataclasses import dataclass, field
from typing import Literal

from holovault.model.notes import Failure

Mode = Literal["hybrid", "lexical", "semantic"]
Profile = Literal["coverage", "rrf", "weighted"]
LinkWay = Literal["links-here", "linked-from-here"]
Lane = Literal["lexical", "semantic", "jaccard", "hrr", "index"]
DegradedCode = Literal["disabled", "warming", "failed", "building", "partial", "behind", "empty"]


@dataclass(frozen=True, slots=True)
class Signals:
    """The parts of a score. Lanes that did not speak are null; factors are 1.0 where they do not apply."""

    lexical: float | None = None
    semantic: float | None = None
    jaccard: float | None = None
    hrr: float | None = None
    coverage: float = 0.0
    tier: float = 1.0
    trust: float = 1.0
    decay: float = 1.0


@dataclass(frozen=True, slots=True)
class Part:
    """One addend of relevance: lane, its calibrated value 0…1, its weight, and their product with coverage."""

    lane: str
    value: float
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """`relevance` is the sum of the parts' contributions; `score = relevance × tier × trust × decay`."""

    profile: Profile
    relevance: float
    parts: tuple[Part, ...]
    tier: float
    trust: float
    decay: float
    score: float


@dataclass(frozen=True, slots=True)
class FactRef:
    id: str
    trust: float
    category: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage, the same on every surface. `matches` are [from, to) code points in `excerpt`; `source` is the note's own word for
    where its text came from (front matter), null for notes without one. `presence`, `verified` and `via` are of questions about
    names: see `EntityAnswer`. `links` is of related notes: whether the hit's note links to the one that was asked about, or is linked
    from it, or both.
    """

    path: str
    title: str
    heading: tuple[str, ...]
    start_line: int
    end_line: int
    excerpt: str
    matches: tuple[tuple[int, int], ...]
    tags: tuple[str, ...]
    score: float
    signals: Signals
    tier: int
    project: str | None
    modified: str
    chunk: str
    fact: FactRef | None = None
    explanation: Explanation | None = None
    source: str | None = None
    presence: float | None = None
    verified: bool | None = None
    via: tuple[str, ...] = ()
    links: tuple[LinkWay, ...] = ()


@dataclass(frozen=True, slots=True)
class Degraded:
    """A lane that was missing or behind: never silence."""

    lane: Lane
    code: DegradedCode
    reason: str


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """`max_wait` seconds to wait for a cold model; null waits until it is ready."""

    query: str
    limit: int = 10
    mode: Mode = "hybrid"
    profile: Profile | None = None
    explain: bool = False
    max_wait: float | None = 3.0


@dataclass(frozen=True, slots=True)
class SearchResponse:
    query: str
    took_ms: float
    degraded: tuple[Degraded, ...]
    results: tuple[Hit, ...]
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class RelatedRequest:
    """`unlinked`: only notes that it is not linked with, in either direction."""

    path: str
    limit: int = 10
    max_wait: float | None = 3.0
    unlinked: bool = False


@dataclass(frozen=True, slots=True)
class ReadResult:
    """Lines `start_line`…`end_line` of a note; `text` keeps its own line ends, `hash` is the whole file's. `source` as in a hit."""

    path: str
    hash: str
    start_line: int
    end_line: int
    total_lines: int
    text: str
    heading: tuple[str, ...] = ()
    tier: int = 1
    source: str | None = None


@dataclass(frozen=True, slots=True)
class WriteResult:
    """`bytes` is the note's size. `lines` are ranges of lines, as numbered now, that an edit or an append wrote; a hundred at most."""

    path: str
    hash: str
    created: bool
    bytes: int
    lines: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What one indexing pass did. `files`, `chunks` and `windows` are the index's totals after it, the rest this pass's own."""

    files: int = 0
    added: int = 0
    changed: int = 0
    renamed: int = 0
    removed: int = 0
    unchanged: int = 0
    chunks: int = 0
    windows: int = 0
    embedded: int = 0
    reused: int = 0
    failed: tuple[Failure, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """`wait` also for vectors; `retry_failed` lets windows that no model survived, and notes that could not be read, be tried again."""

    wait: bool = True
    retry_failed: bool = False


@dataclass(frozen=True, slots=True)
class PruneReport:
    """Models whose vectors were removed, how many vectors that were, and the bytes that the index is smaller by."""

    models: tuple[str, ...] = ()
    vectors: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """`state`: none, cold, warming, ready, failed. `embedded` windows have its vector, `pending` texts wait, `failed` ones do not."""

    provider: str
    name: str
    fingerprint: str
    dimension: int
    state: str
    reason: str | None = None
    embedded: int = 0
    pending: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Status:
    """`state`: indexing (`done` of `total` notes), embedding (`pending` windows left), ready, vault-missing.

    `filling` is the model that is brought in behind `model` and takes over when it is complete. `rate` is windows per second over the
    last minute, `eta_s` the seconds that all of what is pending takes at that rate; null where nothing was embedded lately.
    """

    vault: str
    state: str
    files: int
    chunks: int
    windows: int
    embedded: int
    pending: int
    generation: int
    model: ModelStatus
    memory_mb: float
    owner: str
    pid: int
    version: str
    watching: str
    done: int = 0
    total: int = 0
    failures: tuple[Failure, ...] = ()
    filling: ModelStatus | None = None
    rate: float | None = None
    eta_s: float | None = None


@dataclass(frozen=True, slots=True)
class Health:
    """The handshake. `proof` is the HMAC of the client's nonce by the token of this start, empty without a nonce; `proofs` are those by the
    long-lived tokens for this vault, at most 32.
    """

    api: str
    protocol: int
    version: str
    vault: str
    boot_id: str
    generation: int
    state: str
    pid: int
    proof: str = ""
    proofs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Where a browser enters the daemon's page: good for one visit within the next `seconds`."""

    path: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Event:
    """Something that changed: `kind` is index, embed, model (another one answers now), failure or state; `paths` at most 100."""

    number: int
    kind: str
    generation: int
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Events:
    next: int
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class ChunkInfo:
    start_line: int
    end_line: int
    heading: tuple[str, ...]
    tokens: int
    windows: int
    embedded: int


@dataclass(frozen=True, slots=True)
class PathExplanation:
    """Why a path is treated as it is: which rule excluded it, gave its tier, its project, and how it was cut."""

    path: str
    indexed: bool
    excluded_by: str | None
    tier: int
    tier_rule: str
    project: str | None
    project_rule: str | None
    hash: str | None
    chunks: tuple[ChunkInfo, ...] = ()
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """`phase` is scan, words, structure, meaning or idle; `done` of `total` notes (words), passages (structure) or windows (meaning)."""

    phase: str
    done: int
    total: int
