"""The options that several commands share, and the addresses of lines. Must not import anything heavy: `--help` waits for it."""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from holovault.errors import UsageError

MAX_LIMIT = 100

Vault = Annotated[
    Path | None, typer.Option("--vault", help="The vault; the one around the current folder unless named.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
NoDaemon = Annotated[bool, typer.Option("--no-daemon", help="Answer in this process, under the vault's lock.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=MAX_LIMIT, help="How many results at most.")]
MaxWait = Annotated[
    float | None,
    typer.Option("--max-wait", min=0, help="Seconds to wait for the model; until it is ready unless told.", show_default=False),
]

_ADDRESS = re.compile(r"(?P<path>.+?)(?::(?P<start>\d+)(?:-(?P<end>\d+))?)?", re.DOTALL)


class ModeName(StrEnum):
    """What a search goes by."""

    hybrid = "hybrid"
    lexical = "lexical"
    semantic = "semantic"


class ProfileName(StrEnum):
    """How lanes are fused."""

    coverage = "coverage"
    rrf = "rrf"
    weighted = "weighted"


@dataclass(frozen=True, slots=True)
class Address:
    """A note and perhaps its lines: `path`, `path:7` or `path:7-12`."""

    path: str
    start: int
    end: int | None


def text(argument: str) -> str:
    """An argument as the text that was typed: UTF-8 also where the locale says otherwise, and always legal Unicode."""
    return os.fsencode(argument).decode("utf-8", "replace")


def address(argument: str) -> Address:
    """Reads an address as `search` prints it. Raises UsageError for an empty one."""
    found = _ADDRESS.fullmatch(text(argument))
    if found is None:
        raise UsageError("Name a note as PATH, PATH:LINE or PATH:FIRST-LAST.")
    if not found["start"]:
        return Address(found["path"], 1, None)
    start = int(found["start"])
    return Address(found["path"], start, int(found["end"] or start))


def quoted(path: Path) -> str:
    """`path` as it can be pasted into this system's shell."""
    return subprocess.list2cmdline([str(path)]) if sys.platform == "win32" else shlex.quote(str(path))
