"""This device's name among the feedback notes of a vault: a few random characters, made once, kept outside the vault.

It says nothing about the machine or its owner. Must not be derived from either.
"""

import re
from secrets import token_hex

from holovault.config.home import Home, write_private
from holovault.errors import DiskError

_NAME = re.compile(r"[0-9a-f]{6}")


def device_name(home: Home) -> str:
    """Six hex digits, the same ones for as long as `home` keeps its file `device`. Raises DiskError where it cannot be kept."""
    path = home.device
    try:
        known = path.read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        known = ""
    except OSError as error:
        raise DiskError(f"{path} cannot be read: {error.strerror or error}. This device's feedback needs its name.") from error
    if not _NAME.fullmatch(known):
        known = token_hex(3)
        write_private(path, known.encode("ascii") + b"\n")
    return known
