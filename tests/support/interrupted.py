"""A writer that is killed, or disturbed by a hand edit, at each of its system calls in turn. Run as a process of its own:

`python -m tests.support.interrupted FOLDER TASK:SWAP:KIND …`. KIND is `kill` (between any two calls), or `in-place` or
`replaced` (a hand edit of that sort there), or `replaced+kill` (the same, and killed a few calls later). Each round
is a fork with a vault of its own, judged here after its end. Prints a JSON list with a pair for each: the rounds, and what was wrong.

The calls are seen by the interpreter's profiling hook: every call of `posix` and `fcntl`, and the error number that ctypes
resets before a native rename.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType

from holovault.config import VaultConfig
from holovault.errors import UserError
from holovault.vault import PlainSwap, Swap, Vault, system_swap
from tests.support.vault_files import hidden_files, put, sha

OLD, NEW, ADDED, HAND = b"old\r\n" * 5, b"new\n" * 7, b"added\n", b"typed by hand\n" * 3
SEEN = frozenset({"posix", "fcntl", "_ctypes"})
KILLED_LATER = (2,)
NOTE = "folder/a.md"


def replace(vault: Vault) -> None:
    vault.write(NOTE, NEW, sha(OLD), create=False)


def create(vault: Vault) -> None:
    vault.write(NOTE, NEW, None, create=True)


def change(vault: Vault) -> None:
    vault.change(NOTE, lambda data: data + ADDED, None)


TASKS: dict[str, tuple[Callable[[Vault], None], bytes | None, bytes]] = {
    "replace": (replace, OLD, NEW),
    "create": (create, None, NEW),
    "change": (change, OLD, OLD + ADDED),
}
SWAPS: dict[str, Callable[[], Swap]] = {"system": system_swap, "plain": PlainSwap}


class Hook:
    """Calls `acts[n]` right before the n-th system call, from 1."""

    def __init__(self, acts: dict[int, Callable[[], None]]) -> None:
        self._acts = acts
        self._count = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "c_call" and getattr(argument, "__module__", None) in SEEN:
            self._count += 1
            act = self._acts.pop(self._count, None)
            if act:
                act()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def edit_in_place(root: Path) -> None:
    if (root / NOTE).exists():
        (root / NOTE).write_bytes(HAND)


def edit_by_replacing(root: Path) -> None:
    if (root / NOTE).exists():
        draft = root / "draft of an editor"
        draft.write_bytes(HAND)
        os.replace(draft, root / NOTE)


def acts_of(kind: str, root: Path, at: int, later: int) -> dict[int, Callable[[], None]]:
    if kind == "kill":
        return {at: die}
    edit = edit_in_place if kind == "in-place" else edit_by_replacing
    return {at: lambda: edit(root)} | ({at + later: die} if kind.endswith("+kill") else {})


def one_round(task: str, swap: str, root: Path, acts: dict[int, Callable[[], None]]) -> tuple[bool, bool, bool]:
    """Whether every act was reached, whether the writer was killed, and whether it had acknowledged its write."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        vault = Vault(root, VaultConfig(), swap=SWAPS[swap]())
        hook = Hook(acts)
        sys.setprofile(hook)
        try:
            TASKS[task][0](vault)
            sys.setprofile(None)
            os.write(writing, b"!")
        except UserError:
            sys.setprofile(None)
        os._exit(1 if acts else 0)
    os.close(writing)
    status = os.waitpid(process, 0)[1]
    acknowledged = os.read(reading, 1) == b"!"
    os.close(reading)
    killed = os.WIFSIGNALED(status)
    return killed or os.WEXITSTATUS(status) == 0, killed, acknowledged


def judged(task: str, root: Path, killed: bool, acknowledged: bool, edited: bool) -> str | None:
    """What is wrong after a round, in words."""
    _, old, new = TASKS[task]
    full = root / NOTE
    now = full.read_bytes() if full.exists() else None
    if not killed and hidden_files(root):
        return f"temporary files stay: {hidden_files(root)}"
    vault = Vault(root, VaultConfig(), now=lambda: datetime.now(UTC) + timedelta(hours=2))
    vault.sweep()
    if hidden_files(root):
        return f"the sweep leaves {hidden_files(root)}"
    texts = [path.read_bytes() for path in root.rglob("*") if path.is_file()]
    if edited:
        return None if any(HAND in text for text in texts) else f"the hand edit is lost: {texts}"
    if now not in (old, new) or (acknowledged and now != new):
        return f"the note is {now!r}, acknowledged: {acknowledged}"
    if len(texts) != (now is not None):
        return f"other files appeared: {texts}"
    if now is not None and full.stat().st_mode & 0o777 != (0o640 if old else 0o644):
        return f"the mode is {full.stat().st_mode:o}"
    return None


def rounds_of(task: str, swap: str, kind: str, folder: Path) -> tuple[int, list[str]]:
    old = TASKS[task][1]
    wrong: list[str] = []
    rounds = 0
    for later in KILLED_LATER if kind.endswith("+kill") else (0,):
        reached, at = True, 0
        while reached:
            at += 1
            root = folder / f"{later}-{at}"
            root.mkdir(parents=True)
            if old is not None:
                put(root, NOTE, old).chmod(0o640)
            reached, killed, acknowledged = one_round(task, swap, root, acts_of(kind, root, at, later))
            edited = kind != "kill" and (reached or at == 1)
            fault = judged(task, root, killed, acknowledged, edited) if reached else None
            wrong += [f"{kind} at {at} (+{later}): {fault}"] if fault else []
            rounds += 1
    return rounds, wrong


def main(folder: str, *jobs: str) -> None:
    os.umask(0o022)
    done = []
    for number, job in enumerate(jobs):
        task, swap, kind = job.split(":")
        done.append(rounds_of(task, swap, kind, Path(folder) / str(number)))
    sys.stdout.write(json.dumps(done))


if __name__ == "__main__":
    main(*sys.argv[1:])
