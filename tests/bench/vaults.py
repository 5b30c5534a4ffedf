"""Real vaults: what indexing them costs. `python -m tests.bench.vaults FOLDER_OR_TAR …` prints one row for each.

Owns the run of the real command in a home of its own, and the watching of its memory from outside. Asserts nothing.
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich import box
from rich.console import Console
from rich.table import Table

POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class Cost:
    """One run of `holovault index`: its report, and the most private memory its processes had together, in MB."""

    report: dict[str, object]
    seconds: float
    memory_mb: float


@contextmanager
def unpacked(source: Path) -> Iterator[Path]:
    """The vault itself, or the only folder of an archive while the block runs."""
    if source.is_dir():
        yield source
        return
    with tempfile.TemporaryDirectory(prefix="holovault-vault-") as folder:
        with tarfile.open(source) as archive:
            archive.extractall(folder, filter="data")
        inside = [path for path in Path(folder).iterdir() if path.is_dir()]
        yield inside[0] if len(inside) == 1 else Path(folder)


def index(vault: Path, home: Path, *options: str) -> Cost:
    """Run the command and watch its process tree."""
    command = [sys.executable, "-m", "holovault.cli", "index", "--vault", str(vault), "--json", "--no-daemon", *options]
    begun, most = time.monotonic(), 0.0
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, env=_environment(home), stdout=output, stderr=subprocess.DEVNULL)
        watched = psutil.Process(process.pid)
        while not _ended(process):
            most = max(most, _private_mb(watched))
        seconds = time.monotonic() - begun
        output.seek(0)
        return Cost(json.loads(output.read()), seconds, most)


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(POLL_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _environment(home: Path) -> dict[str, str]:
    return {**psutil.Process().environ(), "HOLOVAULT_HOME": str(home)}


def _private_mb(process: psutil.Process) -> float:
    total = 0
    try:
        for one in (process, *process.children(recursive=True)):
            memory = one.memory_info()
            total += memory.rss - getattr(memory, "shared", 0)
    except psutil.Error:
        return 0.0
    return total / 1_000_000


def _size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1_000_000


def _row(name: str, step: str, cost: Cost, megabytes: float, on_disk: float) -> list[str]:
    report = cost.report
    numbers = [str(report[key]) for key in ("files", "chunks", "windows", "embedded")]
    failed = report["failed"]
    count = len(failed) if isinstance(failed, list) else 0
    return [name, step, f"{megabytes:.1f}", *numbers, str(count), f"{cost.seconds:.1f}", f"{cost.memory_mb:.0f}", f"{on_disk:.0f}"]


def main() -> None:
    """Words alone, then meaning, then once more without changes, for each vault."""
    parser = argparse.ArgumentParser(description="What indexing real vaults costs.")
    parser.add_argument("vaults", nargs="+", type=Path)
    table = Table(
        "vault", "step", "MB", "files", "chunks", "windows", "embedded", "failed", "seconds", "memory MB", "index MB", box=box.MARKDOWN
    )
    for source in parser.parse_args().vaults:
        with unpacked(source) as vault, tempfile.TemporaryDirectory(prefix="holovault-home-") as home:
            megabytes = sum(path.stat().st_size for path in vault.rglob("*.md")) / 1_000_000
            for step, options in (("words", ("--no-wait",)), ("meaning", ()), ("again", ())):
                cost = index(vault, Path(home), *options)
                table.add_row(*_row(source.name.removesuffix(".tar.gz"), step, cost, megabytes, _size_mb(Path(home) / "index")))
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
