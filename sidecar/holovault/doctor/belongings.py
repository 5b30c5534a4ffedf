"""Holovault's own folder: who can open it, and what lies there that nobody uses any more.

Owns the repairs that need no index: modes and run files of the dead. Must not open an index or say a secret.
"""

import contextlib
import os
import stat
from pathlib import Path

from holovault.config import Home, private_folder, read_tokens, vault_key
from holovault.doctor.report import Check, megabytes
from holovault.engine.leftovers import leftovers
from holovault.errors import DiskError
from holovault.ownership import is_held

_FOLDERS = ("index", "run", "logs", "models")
_OTHERS = 0o077


def modes(home: Home, *, fix: bool) -> list[Check]:
    """Who else can open the home, its folders and the files with secrets. To be asked first: using a folder of the home closes it."""
    if os.name != "posix":
        return [Check("access", "ok", f"{home.root} has the access list of your profile.")]
    if not home.root.is_dir():
        return [Check("access", "ok", f"{home.root} does not exist yet; it will be yours alone.")]
    found = [*_root(home, fix=fix), *_folders(home), *_files(home, fix=fix)]
    return found or [Check("access", "ok", f"Only you can open {home.root} and what is in it.")]


def _root(home: Home, *, fix: bool) -> list[Check]:
    mode = _mode(home.root)
    if mode is None or not mode & _OTHERS:
        return []
    text = f"{home.root} can be opened by other users (mode {mode:04o})"
    return [
        _closed(home.root, 0o700, text)
        if fix
        else Check("access", "warning", f"{text}; the folders in it cannot.", _fix_it(home.root, 0o700))
    ]


def _folders(home: Home) -> list[Check]:
    found = []
    for folder in (home.root / name for name in _FOLDERS):
        mode = _mode(folder)
        if mode is None or not mode & _OTHERS:
            continue
        try:
            private_folder(folder)
        except DiskError as error:
            found.append(Check("access", "problem", str(error), _fix_it(folder, 0o700)))
        else:
            words = f"{folder} could be opened by other users (mode {mode:04o}); it is closed now."
            found.append(
                Check("access", "warning", words, "Where others use this computer, stop and start the daemon: its token is a new one then.")
            )
    return found


def _files(home: Home, *, fix: bool) -> list[Check]:
    found = []
    for path in (home.root / "credentials", home.root / "trusted.json", *sorted((home.root / "run").glob("*.json"))):
        mode = _mode(path)
        if mode is None or not mode & _OTHERS:
            continue
        text = f"{path} can be opened by other users (mode {mode:04o})"
        found.append(_closed(path, 0o600, text) if fix else Check("access", "problem", f"{text}.", _fix_it(path, 0o600)))
    return found


def tokens(home: Home, root: Path, port: int) -> list[Check]:
    """What is said only where somebody made tokens: which of them open this vault, and what keeps them from it. `port` 0: not fixed."""
    try:
        found = read_tokens(home.credentials)
    except DiskError as error:
        return [Check("tokens", "problem", f"No device elsewhere gets an answer: {error}.")]
    there = home.credentials
    lines = [Check("tokens", "warning", f"{there}: {problem}", "See which ones count: holovault token list") for problem in found.problems]
    names = ", ".join(token.name for token in found.tokens if token.opens(os.path.realpath(root)))
    if names and not port:
        words = f"These tokens open this vault from elsewhere: {names}. Its daemon has another port after each start."
        lines.append(Check("tokens", "warning", words, f"Set [daemon] port in {root / 'knowledge.toml'}."))
    elif names:
        lines.append(Check("tokens", "ok", f"These tokens open this vault from elsewhere: {names}."))
    return lines


def run_files(home: Home, *, fix: bool) -> list[Check]:
    """What owners that died left behind."""
    found = []
    for path in sorted((home.root / "run").glob("*.json")):
        with contextlib.suppress(ValueError):
            if is_held(home, path.stem):
                continue
        if fix:
            path.unlink(missing_ok=True)
            found.append(Check("run files", "ok", f"{path.name}, left by a process that is gone, was removed."))
        else:
            words = f"{path.name} was left by a process that is gone; it is ignored."
            found.append(Check("run files", "warning", words, "The next start removes it, or: holovault doctor --fix"))
    return found or [Check("run files", "ok", "No run file was left by a process that is gone.")]


def indexes(home: Home, root: Path) -> list[Check]:
    """Indexes whose vault is gone, and copies of this vault's index that were put aside as damaged."""
    found = []
    for old in leftovers(home):
        words = f"{old.folder} ({megabytes(old.bytes)}) is the index of {old.vault}, which is gone."
        step = "Connect the drive if the vault is on one, else: holovault prune --yes" if old.away else "To remove it: holovault prune"
        found.append(Check("old index", "warning", words, step))
    aside = sorted((home.root / "index" / vault_key(root)).glob("index.db.corrupt-*"))
    if aside:
        words = f"{len(aside)} files of {megabytes(sum(map(_file_size, aside)))} were put aside as damaged in {aside[0].parent}."
        found.append(Check("damaged files", "warning", words, "They are removed after seven days; delete them now if you need the room."))
    return found or [Check("old index", "ok", "Every index belongs to a vault that is there, and none was put aside.")]


def _closed(path: Path, mode: int, text: str) -> Check:
    try:
        path.chmod(mode)
    except OSError as error:
        return Check("access", "problem", f"{text} and cannot be closed: {error.strerror or error}.", _fix_it(path, mode))
    return Check("access", "ok", f"{text}: closed now.", "Where others use this computer, take a new key or start the daemon anew.")


def _fix_it(path: Path, mode: int) -> str:
    return f"chmod {mode:o} {path}, or: holovault doctor --fix"


def _mode(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None


def _file_size(path: Path) -> int:
    try:
        found = path.lstat()
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0
