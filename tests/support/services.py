"""Services of the tests: specifications of vaults with difficult names, on places that a test owns."""

import sys
from dataclasses import replace
from pathlib import Path

from holovault.config import Config, Home
from holovault.setup import ServiceSpec, make_spec

NAMES = (
    "plain",
    "Мои заметки",
    'it\'s 100% "mine"',
    "$HOME and ${PATH}",
    "%h %% %n",
    "tab\tand\nline",
    "-- dashes --",
    "a;b # c",
    "芯片 ✓",
)
"""Folder names that have broken somebody's quoting."""


def spec_of(vault: Path, home: Path, config: Config | None = None, **changes: object) -> ServiceSpec:
    """The service of a vault, run by this interpreter, its home folder not the usual one."""
    spec = make_spec(vault, Home(home), Path("/nobody/.holovault"), config or Config(), sys.executable)
    return replace(spec, **changes)  # type: ignore[arg-type]
