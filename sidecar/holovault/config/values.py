"""knowledge.toml as values: every table is a class, every key a field with its default, its check and its words.

This is the one place where a key is declared. The loader reads the checks from here, the manual its tables
(`reference()`). Must not read files or environments. A configuration lies in the vault, may come with a
clone or a sync, and is therefore not trusted: no key can name a place outside the vault, a command, or a
secret's value.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from holovault.config.checks import (
    ENV_NAME,
    HOST,
    LANGUAGE,
    MODEL,
    NAME,
    NOTE,
    PATTERN,
    PREFIX,
    RULE_PATTERN,
    URL,
    ZONE,
    Check,
    Number,
    OneOf,
    Range,
    Texts,
    Whole,
)
from holovault.model import Profile

Provider = Literal["bundled", "none", "fastembed", "e5", "openai"]
Refine = Literal["e5", "fastembed"]


def _about(check: Check, doc: str) -> dict[str, object]:
    """What the loader and the manual have to know about a key."""
    return {"check": check, "doc": doc}


@dataclass(frozen=True, slots=True)
class VaultConfig:
    """`[vault]`: which files are notes."""

    exclude: tuple[str, ...] = field(
        default=(), metadata=_about(Texts(PATTERN), "Files and folders that are not searched, in gitignore syntax; later entries win.")
    )
    max_note_mb: int = field(default=50, metadata=_about(Whole(1, 1024), "Notes above this size in MB are listed, not read."))


@dataclass(frozen=True, slots=True)
class Weights:
    """`[search.weights]`: the lanes of the profile `weighted`. A lane that is missing gives its weight to the others."""

    fts: float = field(default=0.3, metadata=_about(Number(0, 1), "Words (BM25)."))
    jaccard: float = field(default=0.2, metadata=_about(Number(0, 1), "Shared stems."))
    hrr: float = field(default=0.2, metadata=_about(Number(0, 1), "Shared structure: entities, titles, headings."))
    semantic: float = field(default=0.3, metadata=_about(Number(0, 1), "Meaning (cosine)."))


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """`[search]`: how words are read and hits are ordered."""

    languages: tuple[str, ...] = field(
        default=("en", "ru"), metadata=_about(Texts(LANGUAGE), "Languages of the notes; of each script the first one stems.")
    )
    profile: Profile = field(default="coverage", metadata=_about(OneOf(("coverage", "rrf", "weighted")), "How lanes become one order."))
    semantic_weight: float | None = field(
        default=None, metadata=_about(Number(0, 1), "Share of meaning against words; unset: the model's own.")
    )
    hrr_weight: float = field(
        default=0.2,
        metadata=_about(
            Number(0, 1), "Share of structure where a query names an entity, a title or a heading; it helps linked notes, 0 leaves it out."
        ),
    )
    tier_boost: float = field(default=1.2, metadata=_about(Number(1, 3), "Factor on the score of tier 1."))
    half_life_days: float = field(
        default=0.0,
        metadata=_about(
            Number(0, 36500), "Days after which a note of tier 2, or a fact by its own date, counts half; 0: age does not matter."
        ),
    )
    decay_floor: float = field(default=0.6, metadata=_about(Number(0, 1), "The factor that age never goes below."))
    trust_range: tuple[float, float] = field(
        default=(0.7, 1.2), metadata=_about(Range(0, 2), "Factors of a fact with trust 0 and with trust 1.")
    )
    limit: int = field(default=10, metadata=_about(Whole(1, 100), "Hits when nobody says how many."))
    max_wait_s: float = field(
        default=3.0, metadata=_about(Number(0, 60), "Seconds a question waits for a cold model before words answer alone.")
    )
    weights: Weights = Weights()


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """`[embedding]`: which model reads the notes."""

    provider: Provider = field(
        default="bundled", metadata=_about(OneOf(("bundled", "none", "fastembed", "e5", "openai")), "Where vectors come from.")
    )
    model: str | None = field(default=None, metadata=_about(MODEL, "The provider's model; unset: its default. `openai` needs one."))
    window: int = field(default=128, metadata=_about(Whole(16, 8192), "Tokens that the model reads at a time."))
    query_prefix: str | None = field(
        default=None, metadata=_about(PREFIX, 'Put before a question, such as "query: "; unset: what the model was trained with.')
    )
    passage_prefix: str | None = field(default=None, metadata=_about(PREFIX, 'Put before a passage, such as "passage: "; unset: likewise.'))
    batch_tokens: int = field(default=4096, metadata=_about(Whole(64, 1_000_000), "Tokens in one batch at most."))
    batch_size: int = field(default=32, metadata=_about(Whole(1, 2048), "Texts in one batch at most."))
    idle_unload_s: float = field(
        default=300.0, metadata=_about(Number(0, 86_400), "Seconds without work after which the model leaves memory; 0: never.")
    )
    memory_mb: int = field(default=800, metadata=_about(Whole(64, 65_536), "Memory in MB above which the model's process is replaced."))
    refine: Refine | None = field(
        default=None, metadata=_about(OneOf(("e5", "fastembed")), "A better model that fills in behind `bundled` and then takes over.")
    )
    base_url: str | None = field(
        default=None, metadata=_about(URL, "Address of an OpenAI-compatible service; https unless it is this machine.")
    )
    api_key_env: str | None = field(default=None, metadata=_about(ENV_NAME, "Name of the environment variable that holds the key."))
    dimensions: int | None = field(
        default=None, metadata=_about(Whole(8, 8192), "Length of the service's vectors; unset: known for common models.")
    )
    timeout_s: float = field(default=30.0, metadata=_about(Number(1, 600), "Seconds for one request to the service."))


@dataclass(frozen=True, slots=True)
class PathRule:
    """`[[tiers]]`: notes under `pattern` belong to `tier`; the first rule that matches wins."""

    pattern: str
    tier: int


@dataclass(frozen=True, slots=True)
class ProjectRule:
    """`[[projects.rules]]`: notes under `pattern` belong to project `name`; `*` is the folder that the first `*` stands for."""

    pattern: str
    name: str

    @property
    def star(self) -> int | None:
        """Which folder of a path the first `*` stands for, from 0; None where the pattern does not fix that."""
        parts = self.pattern.lstrip("/").split("/")
        known = parts[: parts.index("**")] if "**" in parts else parts[:-1]
        return known.index("*") if "*" in known else None


@dataclass(frozen=True, slots=True)
class ProjectAlias:
    """`[projects.aliases]`: another name of a project, compared without case."""

    alias: str
    project: str


@dataclass(frozen=True, slots=True)
class Topic:
    """`[topics]`: words by which imported chats belong to a topic; `*` stands for the rest of a word."""

    name: str
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TimeConfig:
    """`[time]`: what a date alone means."""

    zone: str | None = field(default=None, metadata=_about(ZONE, "Time zone of dates without one; unset: the system's."))


@dataclass(frozen=True, slots=True)
class DaemonConfig:
    """`[daemon]`: the process that answers. It listens on this machine only."""

    port: int = field(default=0, metadata=_about(Whole(1024, 65_535, also=(0,)), "Port on the loopback interface; 0: the system chooses."))
    idle_exit_s: float = field(
        default=900.0,
        metadata=_about(Number(0, 604_800), "Seconds without a request after which it leaves, unless it is a service; 0: never."),
    )
    allowed_hosts: tuple[str, ...] = field(
        default=(), metadata=_about(Texts(HOST), "Names under which a tunnel or reverse proxy may ask, besides this machine's.")
    )
    memory_mb: int | None = field(
        default=None,
        metadata=_about(
            Whole(128, 1_048_576),
            "Memory in MB, children included, above which a systemd service is started anew; unset: the model's `memory_mb` and 800.",
        ),
    )
    max_body_mb: int = field(default=16, metadata=_about(Whole(1, 256), "Largest request body in MB."))
    body_timeout_s: float = field(default=30.0, metadata=_about(Number(1, 600), "Seconds to wait for the whole of a request body."))


@dataclass(frozen=True, slots=True)
class MemoryConfig:
    """`[memory]`: where facts about people and work are kept."""

    facts: str = field(default="Memory/Facts/**", metadata=_about(RULE_PATTERN, "Notes whose list items are facts."))
    profile: str = field(default="Memory/profile.md", metadata=_about(NOTE, "The note that an agent reads first."))


@dataclass(frozen=True, slots=True)
class Config:
    """All of knowledge.toml; `Config()` is a vault without one."""

    vault: VaultConfig = VaultConfig()
    search: SearchConfig = SearchConfig()
    embedding: EmbeddingConfig = EmbeddingConfig()
    tiers: tuple[PathRule, ...] = ()
    projects: tuple[ProjectRule, ...] = ()
    project_aliases: tuple[ProjectAlias, ...] = ()
    topics: tuple[Topic, ...] = ()
    time: TimeConfig = TimeConfig()
    daemon: DaemonConfig = DaemonConfig()
    memory: MemoryConfig = MemoryConfig()


@dataclass(frozen=True, slots=True)
class Setting:
    """One key for the manual: `[table] key`, its default in TOML words, what it may be, what it does."""

    table: str
    key: str
    default: str
    allowed: str
    doc: str


TABLES: dict[str, type[Any]] = {
    "vault": VaultConfig,
    "search": SearchConfig,
    "search.weights": Weights,
    "embedding": EmbeddingConfig,
    "time": TimeConfig,
    "daemon": DaemonConfig,
    "memory": MemoryConfig,
}
"""Tables with fixed keys, by their TOML name."""

LISTS: dict[str, dict[str, tuple[Check, str]]] = {
    "tiers": {
        "path": (
            RULE_PATTERN,
            "Which notes, in gitignore syntax; the first rule that matches wins, your own before the defaults.",
        ),
        "tier": (Whole(1, 2), "1: your own words, preferred among equals; 2: raw material."),
    },
    "projects.rules": {
        "path": (
            RULE_PATTERN,
            "Which notes, in gitignore syntax; the first rule that matches wins, your own before the defaults.",
        ),
        "name": (NAME, 'The project; "*" is the folder that the first "*" of the path stands for.'),
    },
}
"""Arrays of tables: every key of an entry must be there."""


PATTERNS = Texts(NAME)
"""What a topic of `[topics]` may be."""


def keys_of(table: str) -> dict[str, Check]:
    """The keys of a fixed table with their checks."""
    return {item.name: item.metadata["check"] for item in fields(TABLES[table]) if item.metadata}


def reference() -> Iterator[Setting]:
    """Every key of knowledge.toml in the order of the manual."""
    for table, made in TABLES.items():
        for item in fields(made):
            if item.metadata:
                check: Check = item.metadata["check"]
                yield Setting(f"[{table}]", item.name, _toml(item.default), check.words, item.metadata["doc"])
    for table, entries in LISTS.items():
        for key, (check, doc) in entries.items():
            yield Setting(f"[[{table}]]", key, "", check.words, doc)
    yield Setting(
        "[topics]", "topic", "", PATTERNS.words, 'Words of chats that an import lists in `Topics/topic.md`: `search = ["BM25", "vector*"]`.'
    )
    yield Setting("[projects.aliases]", "alias", "", NAME.words, 'Another name of a project: `hv = "holovault"`.')


def _toml(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
