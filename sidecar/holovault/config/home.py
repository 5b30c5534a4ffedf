"""Where Holovault keeps what is not the vault's: index, run files, models, logs. Also how a vault is named and found.

Owns `~/.holovault` (HOLOVAULT_HOME overrides it) and its permissions: folders 0700, files 0600 on POSIX;
on Windows the access lists of the profile folder are inherited. The only place that reads the environment.
Must not lie inside a vault: sync services would copy it.
"""

import hashlib
import os
import sys
import time
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Self

from holovault.errors import DiskError, UsageError

VARIABLE = "HOLOVAULT_HOME"
_TRIES = 20
_PAUSE = 0.01


@dataclass(frozen=True, slots=True)
class Home:
    """One home folder. Every path it hands out lies in a folder that exists and that only this user can open."""

    root: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Self:
        """HOLOVAULT_HOME, else `.holovault` in the user's folder. Raises UsageError where neither is known."""
        given = (os.environ if environ is None else environ).get(VARIABLE, "").strip()
        try:
            root = Path(given).expanduser() if given else Path.home() / ".holovault"
        except RuntimeError:
            raise UsageError(f"this system names no home folder for you: set {VARIABLE} to a folder for the index") from None
        return cls(Path(os.path.abspath(root)))

    @property
    def index_root(self) -> Path:
        """The folder of all indexes."""
        return self._folder("index")

    @property
    def models(self) -> Path:
        return self._folder("models")

    @property
    def logs(self) -> Path:
        return self._folder("logs")

    @property
    def credentials(self) -> Path:
        """The file for API keys and long-lived tokens; it need not exist."""
        return self._folder() / "credentials"

    @property
    def trusted(self) -> Path:
        """The file of confirmed addresses; it need not exist."""
        return self._folder() / "trusted.json"

    @property
    def device(self) -> Path:
        """The file with this device's name; it need not exist."""
        return self._folder() / "device"

    def index(self, key: str) -> Path:
        """The folder of one vault's index."""
        return self._folder("index", _safe(key))

    def run_file(self, key: str) -> Path:
        """Where a daemon says how it is reached; it need not exist."""
        return self._folder("run") / f"{_safe(key)}.json"

    def log_file(self, key: str) -> Path:
        """Where the daemon of one vault writes its log; older parts have .1, .2 … behind the name; it need not exist."""
        return self.logs / f"daemon-{_safe(key)}.jsonl"

    def lock_file(self, key: str) -> Path:
        """Whose lock means owning the index; it need not exist."""
        return self._folder("run") / f"{_safe(key)}.lock"

    def check_outside(self, vault: Path) -> None:
        """Raises UsageError where this home lies inside a vault."""
        home, inside = os.path.realpath(self.root), os.path.realpath(vault)
        if os.path.normcase(home + os.sep).startswith(os.path.normcase(inside.rstrip(os.sep) + os.sep)):
            raise UsageError(
                f"{self.root} lies inside the vault {vault}, where sync services would copy the index: set {VARIABLE} to a folder outside"
            )

    def _folder(self, *names: str) -> Path:
        folder = self.root
        private_folder(folder, tighten=False)  # the person's own choice may hold other things
        for name in names:
            folder = folder / name
            private_folder(folder)
        return folder


def private_folder(folder: Path, *, tighten: bool = True) -> None:
    """Make a folder that only this user can open; `tighten` also closes one that others could.

    Raises DiskError where the system refuses.
    """
    try:
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
        if tighten and os.name == "posix" and folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DiskError(f"{folder} cannot be made: {reason}. Set {VARIABLE} to a folder that you can write to.") from error


def write_private(path: Path, data: bytes) -> None:
    """Replace a file in one step, readable by this user only (0600 on POSIX). Raises DiskError."""
    temp = path.with_name(f".{path.name}.{token_hex(6)}.tmp")
    try:
        descriptor = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _replace(temp, path)
    except OSError as error:
        with suppress(OSError):
            temp.unlink()
        raise DiskError(f"{path} cannot be written: {error.strerror or error}. What it held before is untouched.") from error


def _replace(temp: Path, path: Path) -> None:
    for tries_left in reversed(range(_TRIES)):
        try:
            os.replace(temp, path)
        except PermissionError:
            # Windows refuses to replace a file that somebody is reading at this very moment.
            if tries_left == 0:
                raise
            time.sleep(_PAUSE)
        else:
            return


def vault_key(root: Path) -> str:
    """The first 16 hex digits of SHA-256 of the vault's real path: the name of its folder in the home, nothing more."""
    real = os.path.normcase(os.path.realpath(root))
    if sys.platform == "darwin":  # one folder there answers to both forms
        real = unicodedata.normalize("NFC", real)
    return hashlib.sha256(os.fsencode(real)).hexdigest()[:16]


def find_vault(start: Path) -> Path | None:
    """The nearest folder from `start` upwards that has `.obsidian` or `knowledge.toml`; None if there is none."""
    here = Path(os.path.abspath(start))
    return next((folder for folder in (here, *here.parents) if _is_vault(folder)), None)


def _is_vault(folder: Path) -> bool:
    return os.path.isdir(folder / ".obsidian") or os.path.isfile(folder / "knowledge.toml")


def _safe(key: str) -> str:
    if not key.isascii() or not key.isalnum():
        raise ValueError(f"no vault key: {key!r}")
    return key
