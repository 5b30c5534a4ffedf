"""One look at the whole vault: which notes are there, and what could not be looked at.

Owns the walk. It reads folders and stats notes, nothing else: no note is opened, nothing is downloaded, no
link is followed. A link that leads to a place inside the vault adds nothing, because what it leads to is
seen there; so loops end, and no note is found twice. Must not write.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field

from holovault.errors import VaultMissingError
from holovault.model import Failure
from holovault.vault.contents import reason
from holovault.vault.drafts import is_ours
from holovault.vault.excludes import Excludes
from holovault.vault.names import MAX_PATH, WINDOWS, fault_of, is_note_name, is_text, nfc, printable
from holovault.vault.places import Places
from holovault.vault.states import is_in_cloud, is_reparse_point, kind_of, stood_for

STAGE = "scan"


@dataclass(frozen=True, slots=True)
class Seen:
    """A note file as its folder shows it; times in nanoseconds. `disk_path` is the exact spelling on disk."""

    path: str
    disk_path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Scan:
    """The notes of a vault at one moment.

    `unreadable` are folders (`Private/`) that could not be listed, `kept` notes that are there but could not
    be looked at: neither counts as deleted. `complete` is True where there are none of the former.
    `leftovers` are hidden files of our own writer (disk paths), for `Vault.sweep`.
    """

    seen: tuple[Seen, ...]
    failures: tuple[Failure, ...]
    complete: bool
    unreadable: tuple[str, ...] = ()
    kept: frozenset[str] = frozenset()
    leftovers: tuple[str, ...] = ()

    def hidden(self, path: str) -> bool:
        """True for a path this scan knows nothing about: its absence is no evidence of deletion."""
        return path in self.kept or any(path.startswith(prefix) for prefix in self.unreadable)

    def gone(self, known: Iterable[str]) -> tuple[str, ...]:
        """The known paths that are certainly not notes of this vault any more."""
        seen = {item.path for item in self.seen}
        return tuple(path for path in known if path not in seen and not self.hidden(path))


@dataclass(slots=True)
class Walk:
    """A scan under way; `run` returns it finished. `since` stamps its failures (RFC 3339)."""

    places: Places
    excludes: Excludes
    since: str
    seen: list[Seen] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    kept: set[str] = field(default_factory=set)
    leftovers: list[str] = field(default_factory=list)
    entries: int = 0

    def run(self) -> Scan:
        """Raises VaultMissingError where the root itself cannot be listed."""
        self.failures.extend(Failure(".obsidian/app.json", STAGE, problem, self.since) for problem in self.excludes.obsidian.problems)
        waiting = [("", "")]
        while waiting:
            path, disk = waiting.pop()
            waiting.extend(self._folder(path, disk))
        return Scan(
            tuple(self.seen), tuple(self.failures), not self.unreadable, tuple(self.unreadable), frozenset(self.kept), tuple(self.leftovers)
        )

    def _folder(self, path: str, disk: str) -> list[tuple[str, str]]:
        """Look at one folder (both forms end in / or are empty); returns the folders in it."""
        inner: list[tuple[str, str]] = []
        try:
            with os.scandir(os.path.join(self.places.root, disk) if disk else self.places.root) as listing:
                entries = list(listing)
        except (FileNotFoundError, NotADirectoryError) as error:
            if not path:
                raise missing(self.places.given, error) from error
            return inner  # moved or removed since its own folder was listed
        except OSError as error:
            if not path:
                raise missing(self.places.given, error) from error
            self.unreadable.append(path)
            self._fail(path, f"the folder cannot be listed ({reason(error)}); what was known of it stays until it can")
            return inner
        self.entries += len(entries)
        for name, entry in self._named(entries, path, disk):
            try:
                self._entry(entry, path + name, disk + entry.name, inner)
            except FileNotFoundError:
                continue  # gone since it was listed
            except OSError as error:
                self._keep(path + name, f"cannot be looked at ({reason(error)})")
        return inner

    def _named(self, entries: list[os.DirEntry[str]], path: str, disk: str) -> list[tuple[str, os.DirEntry[str]]]:
        """Entries with their NFC names, one entry for each name; twins and names that are no text are listed."""
        if all(entry.name.isascii() for entry in entries):
            return [(entry.name, entry) for entry in entries]
        taken: dict[str, os.DirEntry[str]] = {}
        # The entry whose name is NFC already comes first, so that the choice is the same every time.
        for entry in sorted(entries, key=lambda entry: (not is_text(entry.name) or nfc(entry.name) != entry.name, entry.name)):
            name = nfc(entry.name) if is_text(entry.name) else ""
            matters = is_note_name(entry.name) or entry.is_dir(follow_symlinks=False)
            if not name:
                if matters and not entry.name.startswith("."):
                    self._fail(path + printable(entry.name), "the name is not UTF-8, so it cannot be searched: rename it")
            elif name in taken:
                if matters:
                    words = "has the same name as its neighbour, in another Unicode form; only the neighbour is searched: rename one"
                    self._fail(disk + entry.name, words)
            else:
                taken[name] = entry
        return list(taken.items())

    def _entry(self, entry: os.DirEntry[str], path: str, disk: str, inner: list[tuple[str, str]]) -> None:
        name = entry.name
        if name.startswith("."):
            self._hidden(name, path, disk)
        elif entry.is_symlink():
            self._link(entry, path)
        elif entry.is_dir(follow_symlinks=False):
            if not self.excludes.prunes(path) and self._is_plain(entry, path) and self._is_named_well(path, path + "/"):
                inner.append((path + "/", disk + "/"))
        elif is_note_name(name):
            self._note(entry, path, disk)
        elif (note := stood_for(name)) and not self.excludes.set_rule_for(path):
            self._keep(_beside(path, note), "is only in the cloud: open it once in its cloud program")

    def _hidden(self, name: str, path: str, disk: str) -> None:
        if is_ours(name):
            self.leftovers.append(disk)
        elif (note := stood_for(name)) and not self.excludes.set_rule_for(_beside(path, note)):
            self._keep(_beside(path, note), "is only in the cloud: open it once in its cloud program")

    def _note(self, entry: os.DirEntry[str], path: str, disk: str) -> None:
        if self.excludes.set_rule_for(path) or not self._is_named_well(path, path):
            return
        # On Windows a folder's listing has neither inode nor sizes that are surely current.
        found = os.lstat(entry.path) if WINDOWS else entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(found.st_mode):
            self._fail(path, f"is {kind_of(found)}, not a file")
        elif is_in_cloud(found):
            self._keep(path, "is only in the cloud: open it once in its cloud program")
        else:
            self.seen.append(Seen(path, disk, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino))

    def _link(self, entry: os.DirEntry[str], path: str) -> None:
        real = os.path.realpath(entry.path)
        leads_to_folder = os.path.isdir(real)
        if not (leads_to_folder or is_note_name(path)) or self.excludes.set_rule_for(path) or self.excludes.prunes(path):
            return
        if self.places.below(real) is None:
            self._fail(path, "is a link out of the vault and is not followed")
        elif not os.path.exists(real):
            self._fail(path, "is a link to nothing")

    def _is_plain(self, entry: os.DirEntry[str], path: str) -> bool:
        """False for a Windows junction; what it leads to inside the vault is seen there."""
        if not WINDOWS or not is_reparse_point(entry.stat(follow_symlinks=False)):
            return True
        real = os.path.realpath(entry.path)
        if os.path.normcase(real) == os.path.normcase(entry.path):
            return True  # a folder of a cloud program
        self._link(entry, path)
        return False

    def _is_named_well(self, path: str, shown: str) -> bool:
        fault = fault_of(path.rpartition("/")[2])
        if not fault and len(path) > MAX_PATH // 4 and len(path.encode("utf-8")) > MAX_PATH:
            fault = f"is longer than {MAX_PATH} bytes with its folders"
        if fault:
            self._fail(shown, f"the name {fault}, so it cannot be searched: rename it")
        return fault is None

    def _keep(self, path: str, words: str) -> None:
        self.kept.add(path)
        self._fail(path, words)

    def _fail(self, path: str, words: str) -> None:
        self.failures.append(Failure(printable(path), STAGE, words, self.since))


def missing(root: str, error: OSError | None = None) -> VaultMissingError:
    """The vault's folder is away: a sentence that says so, and that nothing counts as deleted."""
    why = f" ({reason(error)})" if error else ""
    return VaultMissingError(f"The vault {root} is missing{why}. Connect its drive or name another with --vault; nothing was forgotten.")


def _beside(path: str, name: str) -> str:
    return path[: path.rfind("/") + 1] + nfc(name)
