"""The vault: its settings, its folder, and whether changes in it can be heard. Writes nothing."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from holovault.config import Config, load_config, read_config
from holovault.doctor.report import Check, command
from holovault.errors import ConfigError

WATCH_LIMIT = Path("/proc/sys/fs/inotify/max_user_watches")
_CROWDED = 0.5


def settings(root: Path) -> tuple[list[Check], Config | None]:
    """A line for each mistake of knowledge.toml, and what it says where there is none."""
    path = root / "knowledge.toml"
    try:
        text, source = read_config(root)
        config = load_config(text, source)
    except ConfigError as error:
        step = f"Correct it in {path}; a running daemon keeps the last good settings until then."
        return [Check("settings", "problem", f"knowledge.toml: {problem}", step) for problem in error.problems], None
    words = "There is no knowledge.toml: every setting has its default." if text is None else f"{path} has no mistakes."
    return [Check("settings", "ok", words)], config


def folder(root: Path, allowed: Callable[[Path, int], bool] = os.access) -> Check:
    """Whether notes can be read and written. Asks the system and tries nothing: a vault is not a place for experiments."""
    if not allowed(root, os.R_OK | os.X_OK):
        return Check(
            "vault", "problem", f"{root} cannot be read by this user.", "Give yourself access to the folder, or choose another vault."
        )
    if not allowed(root, os.W_OK):
        words = f"{root} can be read, not written: search works, saving notes does not."
        return Check("vault", "warning", words, "Give yourself write access if agents or the plugin should write notes.")
    return Check("vault", "ok", f"{root} can be read and written.")


def watch_limit(root: Path, limit_file: Path = WATCH_LIMIT) -> Check:
    """Whether the system lets one user watch as many folders as the vault has."""
    if not sys.platform.startswith("linux"):
        return Check("watch limit", "ok", "This system has no limit for watched folders.")
    try:
        limit = int(limit_file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return Check("watch limit", "warning", f"{limit_file} does not say how many folders may be watched.", None)
    folders = sum(1 for _ in os.walk(root))
    text = f"The vault has {folders} folders; the system watches {limit} for one user, all programs together."
    setting = f"fs.inotify.max_user_watches={max(4 * folders, 2 * limit)}"
    step = f"Raise it: echo {setting} | sudo tee /etc/sysctl.d/60-watches.conf, then sudo sysctl --system"
    if folders > limit:
        return Check("watch limit", "problem", f"{text} Changes are found by looking again and again instead.", step)
    return Check("watch limit", "warning", text, step) if folders > _CROWDED * limit else Check("watch limit", "ok", text)


def watching(state: str, root: Path) -> Check:
    """How the daemon hears of changes."""
    if state == "native":
        return Check("watching", "ok", "The daemon is told of every change by the system.")
    if state == "polling":
        words = "The daemon is not told of changes: it looks every few seconds, and before an answer."
        return Check("watching", "warning", words, f"See the watch limit above, then: {command('stop', root)} and {command('up', root)}")
    return Check("watching", "problem", "The daemon does not watch the vault.", f"{command('stop', root)}, then {command('up', root)}")
