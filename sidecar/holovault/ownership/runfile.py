"""One run file: what the owner of a vault's index says about itself, for clients of the same user.

Owns the JSON below `run/` and how it reaches the disk: 0600, a whole file or none. Must not decide
whether the owner still lives; that is the lock's to say.
"""

import contextlib
import logging
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from holovault.config import write_private

log = logging.getLogger(__name__)

PROTOCOL = 1
"""Number of the HTTP contract. A daemon with a lower one is replaced, one with a higher one is refused."""

_LIMIT = 64 * 1024


@dataclass(frozen=True, slots=True)
class RunFile:
    """The owner of one vault's index. `port` is null for an owner without HTTP; `since` is RFC 3339.

    `key` names the file, `token` is new with every start and never printed, `vault` is the real path.
    """

    key: str
    port: int | None
    pid: int
    version: str
    protocol: int
    boot_id: str
    vault: str
    device: int
    inode: int
    owner: str
    since: str
    token: str = field(repr=False)


def load(path: Path) -> RunFile | None:
    """The run file at `path`, or None where there is none or it is not one of ours."""
    try:
        with path.open("rb") as file:
            data = file.read(_LIMIT + 1)
    except OSError:
        return None
    try:
        return msgspec.json.decode(data, type=RunFile)
    except (msgspec.DecodeError, UnicodeDecodeError):
        log.warning("ignored an unreadable run file: %s", path)
        return None


def save(path: Path, run: RunFile) -> None:
    """Publishes `run` at `path` in one step, readable by this user only. Raises DiskError."""
    write_private(path, msgspec.json.encode(run))


def remove(path: Path) -> None:
    """Removes a run file and the drafts of owners that died while writing one; missing files are fine."""
    for leftover in (path, *path.parent.glob(f".{path.name}.*.tmp")):
        with contextlib.suppress(OSError):
            leftover.unlink()
