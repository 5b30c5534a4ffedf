"""API keys: from the environment, else from the file `credentials` in the home.

Owns how a key is found and when it is refused. A key never appears in a message, and a Key shows itself as its variable's name only.
`credentials` is lines of `NAME = key`; `#` begins a comment line, quotes around the key are dropped. The lines of
`tokenlines` are none of these.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from holovault.config.private import read_private
from holovault.errors import NotFoundError, UsageError

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
    text = read_private(path, "key").decode("utf-8-sig", "replace")
    found = (_LINE.fullmatch(line) for line in text.splitlines() if not line.lstrip().startswith("#"))
    return {match[1]: _unquoted(match[2]) for match in found if match}


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'" else value
