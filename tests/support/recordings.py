"""Committed files that are made from the code: compared in every run, written only on request.

A run that writes fails all the same: a recording that nobody reads is no check.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VARIABLE = "UPDATE_EXPECTED"


def matches(path: str, made: str) -> None:
    """Assert that the committed file (relative to the project) says what the code makes now."""
    file = ROOT / path
    found = file.read_text(encoding="utf-8") if file.exists() else ""
    if found == made:
        return
    if os.environ.get(VARIABLE) != "1":
        raise AssertionError(f"{path} is not what the code makes now: run with {VARIABLE}=1, read the difference, commit it")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(made, encoding="utf-8", newline="\n")
    raise AssertionError(f"{path} was written: read the difference, then run again")


def with_section(path: str, name: str, made: str) -> str:
    """The committed page with the part between `<!-- name -->` and `<!-- /name -->` replaced by `made`."""
    text = (ROOT / path).read_text(encoding="utf-8")
    before, start, rest = text.partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    assert start and end, f"{path} has no section {name}"
    return f"{before}{start}{made.rstrip()}\n{end}{after}"
