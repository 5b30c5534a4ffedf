"""API keys: from the environment, else from the file `credentials` in the home.

Owns how a key is found and when it is refused. A key never appears in a message, and a Key shows itself as its variable's name only.
`credentials` is lines of `NAME = key`; `#` begins a comment line, quotes around the key are dropped.
"""

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from holovault.errors import DiskError, NotFoundError, UsageError

_LARGEST = 1 << 20
_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*")
_VISIBLE = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Key:
    """A secret, where it is from and the name it is known by."""

    name: str
    source: Literal["environment", "credentials"]
    secret: str = field(repr=False)


def read_key(name: str, credentials: Path | None, environ: Mapping[str, str] | None = None) -> Key:
    """The key called `name`; an empty variable is as good as none, and the environment (default: this process's) goes before the file.

    NotFoundError where neither has it, DiskError where the file cannot be read or others could read it too, UsageError for a key that
    no request could carry.
    """
    secret = _variable(name, environ)
    if secret:
        return _checked(Key(name, "environment", secret), f"the environment variable {name}")
    if credentials is None:
        raise NotFoundError(f"the environment variable {name} is not set in this process: set it where Holovault is started")
    secret = _lines(credentials).get(name, "")
    if secret:
        return _checked(Key(name, "credentials", secret), f"{name} in {credentials}")
    raise NotFoundError(
        f"there is no key: the environment variable {name} is not set in this process, and {credentials} has no line {name} = …; "
        "a service has another environment than your shell, the file serves both"
    )


def is_set(name: str, environ: Mapping[str, str] | None = None) -> bool:
    """Whether the environment (default: this process's) has something in this variable."""
    return bool(_variable(name, environ))


def _variable(name: str, environ: Mapping[str, str] | None) -> str:
    return (os.environ if environ is None else environ).get(name, "").strip()


def _checked(key: Key, where: str) -> Key:
    if not _VISIBLE.fullmatch(key.secret):
        raise UsageError(f"{where} holds characters that no key has, such as a space or a line break: paste the key again")
    return key


def _lines(path: Path) -> dict[str, str]:
    try:
        # Not to hang on a named pipe; asked of the open file, not of its name, so that nothing changes in between.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise DiskError(f"{path} cannot be read: {error.strerror or error}") from error
    try:
        _refuse_if_not_private(path, os.fstat(descriptor))
        text = os.read(descriptor, _LARGEST).decode("utf-8-sig", "replace")
    finally:
        os.close(descriptor)
    found = (_LINE.fullmatch(line) for line in text.splitlines() if not line.lstrip().startswith("#"))
    return {match[1]: _unquoted(match[2]) for match in found if match}


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'" else value


def _refuse_if_not_private(path: Path, state: os.stat_result) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise DiskError(f"{path} is no ordinary file, so no key is read from it")
    if os.name != "posix":
        return
    mode = stat.S_IMODE(state.st_mode)
    if mode & 0o077:
        raise DiskError(f"{path} can be read or written by other users (mode {mode:04o}), so no key is read from it: run chmod 600 {path}")
    if state.st_uid not in {os.geteuid(), 0}:
        raise DiskError(f"{path} belongs to another user, so no key is read from it")
