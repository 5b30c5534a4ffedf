"""What is asked of names and of the structure that passages state, and what comes back.

Must not read a clock, a disk, a network or an environment. A *role* is the part that a name plays in a passage: entity, prop:<key>,
tag, head, title, in (folder), text, src.
"""

from dataclasses import dataclass
from typing import Literal

from holovault.model.answers import Degraded, Hit

EntityKind = Literal["note", "tag", "name"]
ReasonMode = Literal["all", "bridges"]


@dataclass(frozen=True, slots=True)
class EntityInfo:
    """A name that `chunks` state: `name` is its canonical form, `text` how to show it; `kind` is note (the one at `path` bears it), tag
    or name.
    """

    name: str
    text: str
    kind: EntityKind
    chunks: int
    path: str | None = None


@dataclass(frozen=True, slots=True)
class EntityQuery:
    """`prefix` of the name or of one of its words, spelt anyhow; `kind` null for all."""

    prefix: str = ""
    kind: EntityKind | None = None
    limit: int = 100
    offset: int = 0


@dataclass(frozen=True, slots=True)
class EntityList:
    """Those of most passages first. `total` counts all that fit the query."""

    entities: tuple[EntityInfo, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """Passages that state a name in a role. `fuzzy`: by vectors alone, with what the exact index does not confirm marked so."""

    entity: str
    role: str = "entity"
    limit: int = 10
    fuzzy: bool = False


@dataclass(frozen=True, slots=True)
class NeighbourRequest:
    """Passages that do not name `entity` and share its company."""

    entity: str
    limit: int = 10


@dataclass(frozen=True, slots=True)
class ReasonRequest:
    """Passages that state all of the names; where there is none, those that lie between them."""

    entities: tuple[str, ...]
    role: str = "entity"
    limit: int = 10
    fuzzy: bool = False


@dataclass(frozen=True, slots=True)
class LikeRequest:
    """Passages of the structure that the one at `address` (`path:line`) would have with `plus` added and `minus` taken out.

    Both are names, or `role:name` (`prop:lead:Anna`, or `lead:Anna` where that is a property of the vault).
    """

    address: str
    plus: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()
    limit: int = 10


@dataclass(frozen=True, slots=True)
class AnalogyRequest:
    """`x` is to `a` as what is to `b`?"""

    a: str
    x: str
    b: str
    limit: int = 10


@dataclass(frozen=True, slots=True)
class EntityAnswer:
    """A search response with the names that were asked about, as they were understood.

    Each hit has `presence` (0…1: its likeness as a share of what a member of such a passage has; null without a vector), `verified`
    (the exact index agrees) and `via` (the names by which it is here). `mode` bridges: no passage holds all, these lie between.
    """

    query: str
    took_ms: float
    degraded: tuple[Degraded, ...]
    results: tuple[Hit, ...]
    suggestion: str | None = None
    entities: tuple[EntityInfo, ...] = ()
    mode: ReasonMode = "all"


@dataclass(frozen=True, slots=True)
class NearName:
    """A name with its likeness −1…1 to what was looked for, and that in standard deviations of chance."""

    name: str
    text: str
    similarity: float
    z: float


@dataclass(frozen=True, slots=True)
class AnalogyAnswer:
    """`role` is what x is to a; `answer` is null where nothing stands out. `candidates` are the nearest names, `results` the passages that
    say so.
    """

    query: str
    took_ms: float
    degraded: tuple[Degraded, ...]
    role: str | None
    answer: EntityInfo | None
    candidates: tuple[NearName, ...]
    results: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class RoleUse:
    """A role that a name plays in `chunks` passages; `presence` is its mean over those that have a vector, null without."""

    role: str
    chunks: int
    presence: float | None


@dataclass(frozen=True, slots=True)
class EntityRoles:
    """What a name is, wherever it stands, and how else it is written."""

    entity: EntityInfo
    roles: tuple[RoleUse, ...]
    spellings: tuple[str, ...] = ()
