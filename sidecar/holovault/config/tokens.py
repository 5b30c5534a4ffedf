"""The long-lived tokens of one home: read, made and removed in its file `credentials`.

Owns the file's lock and how a change reaches the disk: a whole file or none, 0600. The lines are `tokenlines`'.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from holovault.config.home import Home, write_private
from holovault.config.private import read_private
from holovault.config.tokenlines import MOST, Token, TokenLines, is_name, is_place, names, normal, parse, with_token, without_token
from holovault.errors import BusyError, NotFoundError, UsageError

_PREFIX = "hv_"
_LOCK_WAIT = 10.0


def read_tokens(credentials: Path) -> TokenLines:
    """The tokens of the file; none where there is no file. DiskError where it cannot be read or others could read it too."""
    return parse(read_private(credentials, "token"))


def add_token(home: Home, name: str, vault: str, now: datetime) -> Token:
    """Makes a token for the vault with this real path and writes its line.

    UsageError for a name or a folder that no line can hold, a name that is taken, or one more than `MOST`; DiskError as for `read_tokens`.
    """
    name = normal(name)
    if not is_name(name):
        raise UsageError("A token's name is up to 40 letters, digits, dots, dashes and underscores, such as phone. Choose another one.")
    if not is_place(vault):
        raise UsageError("The path of this vault begins or ends with a blank, or has a line break in it. Rename the folder first.")
    token = Token(name, vault, now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), _PREFIX + secrets.token_urlsafe(32))
    with _locked(home):
        data = read_private(home.credentials, "token")
        if name in names(data):
            raise UsageError(f"There is a token {name} already. Choose another name, or remove it first: holovault token remove {name}")
        if len(parse(data).tokens) >= MOST:
            raise UsageError(
                f"There are {MOST} tokens, and no more can count. Remove one that nobody uses; their names: holovault token list"
            )
        _write(home.credentials, with_token(data, token))
    return token


def remove_token(home: Home, name: str) -> None:
    """Takes a token's lines out, those that do not count as well. NotFoundError where there is none; DiskError as for `read_tokens`."""
    name = normal(name)
    with _locked(home):
        data = read_private(home.credentials, "token")
        if not is_name(name) or name not in names(data):
            raise NotFoundError("There is no token of this name. See their names with: holovault token list")
        _write(home.credentials, without_token(data, name))


@contextlib.contextmanager
def _locked(home: Home) -> Iterator[None]:
    """Two commands at once: the second one reads what the first one wrote."""
    import filelock  # slow to import, and every process imports this module

    try:
        with filelock.FileLock(home.lock_file("credentials"), mode=0o600, timeout=_LOCK_WAIT):
            yield
    except filelock.Timeout:
        raise BusyError(f"Another command has been changing {home.credentials} for {_LOCK_WAIT:g} s. Try again.") from None


def _write(path: Path, data: bytes) -> None:
    # A link to a file elsewhere stays a link.
    write_private(Path(os.path.realpath(path)), data)
