"""This computer: Python, SQLite, the clock, the disk. Leaves nothing on it."""

import os
import platform
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from holovault.doctor.report import Check, megabytes

_PYTHON = (3, 11)
_SLACK_S = 2.0
_FIRST_YEAR = 2024
_LITTLE = 500_000_000
_TOO_LITTLE = 50_000_000


def python() -> Check:
    """Whether this Python is new enough."""
    text = f"Python {platform.python_version()} at {sys.executable}."
    if sys.version_info >= _PYTHON:
        return Check("python", "ok", text)
    return Check("python", "problem", f"{text} Holovault needs 3.11 or newer.", "Install Holovault with a newer Python.")


def sqlite() -> Check:
    """Whether SQLite can search words: a full-text table is really made, in memory."""
    version = f"SQLite {sqlite3.sqlite_version}"
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5 (words)")
    except sqlite3.OperationalError:
        return Check(
            "sqlite",
            "problem",
            f"{version} of this Python was built without FTS5.",
            "Use a Python whose SQLite has FTS5, such as python.org's.",
        )
    finally:
        connection.close()
    return Check("sqlite", "ok", f"{version} with FTS5.")


def clock(folder: Path, now: Callable[[], float]) -> Check:
    """Whether `now` (seconds since the epoch) is believable and the disk of `folder` has the same time."""
    time = now()
    today = datetime.fromtimestamp(time, UTC)
    if today.year < _FIRST_YEAR:
        return Check(
            "clock", "problem", f"This computer thinks it is {today:%Y-%m-%d}.", "Set the system's date: changed notes are told by it."
        )
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b".")
            file.flush()
            drift = os.fstat(file.fileno()).st_mtime - now()
    except OSError as error:
        return Check("clock", "warning", f"No file can be made in {folder}: {error.strerror or error}.", "Look at its mode and its disk.")
    if abs(drift) > _SLACK_S:
        words = f"The disk of {folder} is {abs(drift):.0f} s {'ahead of' if drift > 0 else 'behind'} this computer's clock."
        return Check("clock", "warning", words, "Set both by the same time server: changed notes are told by their times.")
    return Check("clock", "ok", f"It is {today:%Y-%m-%d %H:%M:%S} UTC, and the disk agrees.")


def disk(folder: Path) -> Check:
    """Whether there is room for the index."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Check("disk", "warning", f"The disk of {folder} does not say how full it is: {error.strerror or error}.", None)
    text = f"{megabytes(free)} are free on the disk of {folder}."
    if free < _TOO_LITTLE:
        return Check("disk", "problem", text, "Make room: the index cannot grow.")
    return Check("disk", "warning", text, "Make room before the index needs it.") if free < _LITTLE else Check("disk", "ok", text)
