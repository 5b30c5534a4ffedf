"""What a process that holds an index says of its health.

Must not read a clock, a disk, a network or an environment. Holds no note's text and no secret.
"""

from dataclasses import dataclass

from holovault.model.notes import Failure


@dataclass(frozen=True, slots=True)
class CheckupRequest:
    """`probe`: ask the model for one vector. `repair`: first put right what can be derived."""

    probe: bool = True
    repair: bool = False


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """Whether the index is sound and agrees with the vault; with `damage` (a sentence) there are no other numbers.

    `unindexed` notes lie on disk and are neither indexed nor listed as failed, `vanished` ones the other way round; `unreadable` folders
    could not be listed. Of `windows`, `embedded` have a vector, `waiting` will get one, `failed` could not; `lost` ones are none of these.
    `wordless` chunks have no full-text entry, `shapeless` ones have lost their structure vector, `orphans` are rows whose owner is gone.
    """

    damage: str | None = None
    files: int = 0
    unindexed: int = 0
    vanished: int = 0
    unreadable: int = 0
    windows: int = 0
    embedded: int = 0
    waiting: int = 0
    failed: int = 0
    lost: int = 0
    wordless: int = 0
    shapeless: int = 0
    orphans: int = 0
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy that something names for `scheme`; `used` says whether requests go through it, `reason` why not. No user, no password."""

    scheme: str
    address: str
    source: str
    used: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RouteReport:
    """One harmless text embedded, as it went in process `pid` (`workers` are the model's own). `trouble` is null when all is well.

    From `client` on it is about a service behind a network: `key_name` is the variable that `api_key_env` names, `key_source` where the
    key was found ("environment" or "credentials"), `expected` and `received` are bytes of the answer. `norm` is the vector's as it came.
    """

    provider: str
    model: str
    pid: int
    workers: tuple[int, ...] = ()
    seconds: float = 0.0
    dimension: int | None = None
    norm: float | None = None
    trouble: str | None = None
    client: str | None = None
    address: str | None = None
    key_name: str | None = None
    key_in_environment: bool = False
    key_source: str | None = None
    proxies: tuple[Proxy, ...] = ()
    status: int | None = None
    expected: int | None = None
    received: int = 0


@dataclass(frozen=True, slots=True)
class Checkup:
    """What a process that holds an index found in itself; `repaired` are sentences, `route` is null where nothing was probed."""

    pid: int
    index: IndexHealth
    route: RouteReport | None = None
    repaired: tuple[str, ...] = ()
