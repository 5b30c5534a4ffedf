"""What a pass has to look at: the disk as seen against the index as known.

Pure decisions over values. Must not read files: a plan is made before the first byte is read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holovault.model import FileState
from holovault.vault import Scan, Seen

RACY_NS = 2_000_000_000
"""A file changed this recently may change again within its timestamp's grain (FAT: 2 s): hash it again next time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Paths to read, paths that are gone, and how many need no look."""

    read: tuple[str, ...]
    gone: tuple[str, ...]
    unchanged: int


def make_plan(known: Mapping[str, FileState], scan: Scan) -> Plan:
    """Compare a scan with the index; newest notes come first.

    A stale note (another analyzer or chunker cut it) is known with impossible numbers, so it is read
    again. Where the scan could not look (`unreadable` folders, an incomplete scan), nothing counts as
    gone: a failed read is no evidence of deletion.
    """
    seen = {item.path: item for item in scan.seen}
    read = [item for item in scan.seen if _differs(known.get(item.path), item)]
    read.sort(key=lambda item: -item.mtime_ns)
    gone = tuple(path for path in known if path not in seen and not scan.hidden(path))
    return Plan(tuple(item.path for item in read), gone, len(seen) - len(read))


def _differs(state: FileState | None, item: Seen) -> bool:
    return state is None or (state.mtime_ns, state.ctime_ns, state.size, state.inode, state.disk_path) != (
        item.mtime_ns,
        item.ctime_ns,
        item.size,
        item.inode,
        item.disk_path,
    )


def settled(state: FileState, now_ns: int) -> FileState:
    """The state to remember: a file touched within the last two seconds keeps no mtime, so that it is hashed again."""
    return replace(state, mtime_ns=0) if now_ns - state.mtime_ns < RACY_NS else state


class Renames:
    """Pairs notes that vanished with notes that appeared, by equal bytes, each at most once."""

    def __init__(self, known: Mapping[str, FileState], gone: Sequence[str]) -> None:
        self._by_hash: dict[str, list[str]] = {}
        for path in sorted(gone, reverse=True):
            self._by_hash.setdefault(known[path].hash, []).append(path)

    def claim(self, digest: str, path: str) -> str | None:
        """The old path of a note that is now at `path`, the one with the same file name first."""
        paths = self._by_hash.get(digest)
        if not paths:
            return None
        name = path.rpartition("/")[2]
        best = next((old for old in paths if old.rpartition("/")[2] == name), paths[-1])
        paths.remove(best)
        return best

    def unclaimed(self) -> tuple[str, ...]:
        return tuple(path for paths in self._by_hash.values() for path in paths)
