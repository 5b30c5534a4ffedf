"""A real vault in a temporary folder, and the child processes that write into one and die."""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from holovault.config import VaultConfig
from holovault.vault import Swap, Vault, system_swap
from holovault.vault.folders import Folder

ROOT = Path(__file__).resolve().parents[2]


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def put(root: Path, path: str, data: bytes = b"text\n") -> Path:
    """A file below `root`, with its folders."""
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(data)
    return full


def open_vault(root: Path, *exclude: str, swap: Swap | None = None) -> Vault:
    return Vault(root, VaultConfig(exclude=exclude), swap=swap)


@contextmanager
def everybodys_folder() -> Iterator[Path]:
    """A folder that other users can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as made:
        os.chmod(made, 0o777)
        yield Path(made).resolve()


def hidden_files(root: Path) -> list[str]:
    """Everything of our own writer that still lies around."""
    return sorted(str(path.relative_to(root)) for path in root.rglob(".holovault-*"))


class Meddling:
    """A swap with somebody else at work: `before` and `after` run around each exchange, given its number from 1."""

    def __init__(
        self,
        before: Callable[[int], object] = lambda number: None,
        after: Callable[[int], object] = lambda number: None,
        inner: Swap | None = None,
    ) -> None:
        self._before = before
        self._after = after
        self._inner = inner or system_swap()
        self.exchanges = 0

    def exchange(self, folder: Folder, draft: str, target: str, aside: str) -> bool:
        self.exchanges += 1
        number = self.exchanges
        self._before(number)
        done = self._inner.exchange(folder, draft, target, aside)
        self._after(number)
        return done

    def place(self, folder: Folder, draft: str, target: str) -> None:
        self._before(0)
        self._inner.place(folder, draft, target)
        self._after(0)


def child(task: str, *arguments: str) -> "subprocess.Popen[str]":
    """A process that runs one task of `vault_child`, talking by lines."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.vault_child", task, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
