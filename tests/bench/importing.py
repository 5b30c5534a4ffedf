"""A year of conversations and one endless session: what importing 146 MB and 1 GB costs.

`python -m tests.bench.importing [--megabytes N] [--session-megabytes N]` prints one row for each run. Owns the generated
files and the run of the real command in a home of its own. Asserts nothing.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich import box
from rich.console import Console
from rich.table import Table

from tests.support.exports import write_large
from tests.support.sessions import write_long_session

POLL_S = 0.02
MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Run:
    """One import: seconds, the most resident memory in MB, and how many things it examined."""

    name: str
    seconds: float
    memory_mb: float
    examined: int


def run(name: str, export: Path, vault: Path, home: Path, kind: str = "claude") -> Run:
    """Imports in a process of its own and watches its memory from outside."""
    vault.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "holovault.cli", "import", kind, str(export), "--vault", str(vault), "--json"]
    started = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        with subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env={**os.environ, "HOLOVAULT_HOME": str(home)}) as process:
            memory = _watched(psutil.Process(process.pid), process)
        out.seek(0)
        examined = int(json.loads(out.read())["examined"])
    return Run(name, time.perf_counter() - started, memory / MB, examined)


def _watched(watched: psutil.Process, process: "subprocess.Popen[bytes]") -> int:
    most = 0
    while process.poll() is None:
        try:
            most = max(most, watched.memory_info().rss)
        except psutil.Error:
            break
        time.sleep(POLL_S)
    process.wait()
    return most


def main() -> None:
    """Runs a first import, the same again, the same from a zip, and a session."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=146)
    parser.add_argument("--session-megabytes", type=int, default=1000)
    given = parser.parse_args()
    megabytes = given.megabytes
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        loose = write_large(place / "conversations.json", megabytes)
        packed = place / "data.zip"
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.write(loose, "conversations.json")
        runs = [
            run("first import", loose, place / "vault", place / "home"),
            run("the same again", loose, place / "vault", place / "home"),
            run("zipped, into another vault", packed, place / "other", place / "home"),
        ]
        loose.unlink()
        long = write_long_session(place / "sessions/long.jsonl", given.session_megabytes)
        name = f"a session of {given.session_megabytes} MB"
        runs += [run(text, long, place / "code", place / "home", "claude-code") for text in (name, "the same again")]
    table = Table("run", "seconds", "memory, MB", "examined", box=box.SIMPLE, title=f"conversations.json of {megabytes} MB, then a session")
    for row in runs:
        table.add_row(row.name, f"{row.seconds:.1f}", f"{row.memory_mb:.0f}", f"{row.examined:,}")
    Console().print(table)


if __name__ == "__main__":
    main()
