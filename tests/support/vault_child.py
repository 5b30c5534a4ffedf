"""Tasks for a process of its own: `python -m tests.support.vault_child TASK ROOT …`. Prints one line per step."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from holovault.errors import StaleError, UserError
from tests.support.vault_files import Meddling, open_vault, sha


def say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def alternate(root: str, path: str, size: str) -> None:
    """Writes A…A and B…B in turn until it is killed; says the first letter of each text that was acknowledged."""
    vault = open_vault(Path(root))
    current = vault.read(path).state.hash
    letter = "A"
    while True:
        letter = "B" if letter == "A" else "A"
        current = vault.write(path, letter.encode() * int(size), current, create=False).hash
        say(letter)


def compete(root: str, path: str, name: str) -> None:
    """For each hash that comes in: writes with it, and says whether it won."""
    vault = open_vault(Path(root))
    say("ready")
    for line in sys.stdin:
        try:
            vault.write(path, f"{name} after {line}".encode(), line.strip(), create=False)
            say("won")
        except StaleError:
            say("stale")


def die_before(root: str, path: str) -> None:
    vault = open_vault(Path(root), swap=Meddling(before=die))
    vault.write(path, b"new", vault.read(path).state.hash, create=False)


def die_after(root: str, path: str) -> None:
    vault = open_vault(Path(root), swap=Meddling(after=die))
    vault.write(path, b"new", vault.read(path).state.hash, create=False)


def die_over_an_edit(root: str, path: str) -> None:
    """A hand edit lands between check and swap, and the writer dies right after the swap."""
    swap = Meddling(before=lambda number: (Path(root) / path).write_bytes(b"by hand"), after=die)
    vault = open_vault(Path(root), swap=swap)
    vault.write(path, b"new", vault.read(path).state.hash, create=False)


def die_creating(root: str, path: str) -> None:
    open_vault(Path(root), swap=Meddling(before=die)).write(path, b"new", None, create=True)


def add_lines(root: str, path: str, name: str, count: str) -> None:
    """Adds lines to a note, each by a change of its own, while others do the same."""
    vault = open_vault(Path(root))
    say("ready")
    sys.stdin.readline()
    for number in range(int(count)):
        line = f"{name} {number}\n".encode()
        vault.change(path, lambda data, line=line: data + line, None)  # type: ignore[misc]
    say("done")


def fill(root: str, path: str, limit: str) -> None:
    """Replaces a note, and creates one, on a disk that takes no more than `limit` bytes of a file."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    vault = open_vault(Path(root))
    data = b"x" * (int(limit) * 2)
    report(lambda: vault.write(path, data, vault.read(path).state.hash, create=False))
    report(lambda: vault.write("new/folder/note.md", data, None, create=True))
    report(lambda: vault.change(path, lambda old: old + data, None))


def become_nobody() -> None:
    """Root may read and write everything; what a system refuses is seen by others only."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def refused(root: str, path: str) -> None:
    """Reads, replaces and creates beside `path`, scans, and changes it; says what each came to."""
    become_nobody()
    vault = open_vault(Path(root))
    report(lambda: vault.read(path))
    report(lambda: vault.write(path, b"new", sha(b"old"), create=False))
    report(lambda: vault.write(path.replace(".md", " 2.md"), b"new", None, create=True))
    scan = vault.scan()
    say(repr((sorted(item.path for item in scan.seen), scan.complete, scan.unreadable, sorted(item.path for item in scan.failures))))
    report(lambda: vault.change(path, lambda old: old + b"new", None))


def report(act: Callable[[], object]) -> None:
    try:
        act()
        say("done")
    except UserError as error:
        say(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    tasks: dict[str, Callable[..., None]] = {
        task.__name__: task
        for task in (alternate, compete, add_lines, die_before, die_after, die_over_an_edit, die_creating, fill, refused)
    }
    tasks[sys.argv[1]](*sys.argv[2:])
