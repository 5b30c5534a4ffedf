"""Reading and replacing a settings file of somebody else: whole or not at all, and never over a change that came in between.

Owns the bytes. Must not understand them.
"""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from holovault.errors import DiskError, StaleError, UsageError

LARGEST = 64_000_000


def read_text(path: Path) -> str | None:
    """The file's text, null where there is none. Raises UsageError for what is no UTF-8, DiskError where it cannot be read."""
    data = _read(path)
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8, so it was left alone: {error.reason} at byte {error.start}.") from error


def replace_text(path: Path, before: str | None, after: str) -> None:
    """Puts `after` where `before` was read. Mode and links are kept. Raises StaleError where the file changed since, and DiskError."""
    real = Path(os.path.realpath(path))
    temp = real.with_name(f".{real.name}.{token_hex(6)}.tmp")
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        mode = real.stat().st_mode & 0o777 if before is not None else None
        with temp.open("xb") as file:
            file.write(after.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temp.chmod(mode)
        if _read(real) != (None if before is None else before.encode("utf-8")):
            raise StaleError(
                f"{path} changed while it was being edited, so it was left alone. Close the program that uses it, then try again.", None
            )
        os.replace(temp, real)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror or error}. What it held before is untouched.") from error
    finally:
        with suppress(OSError):
            temp.unlink()


def remove(path: Path) -> None:
    """Deletes a file, and the folder that held nothing else. Raises DiskError."""
    try:
        path.unlink()
    except OSError as error:
        raise DiskError(f"{path} cannot be deleted: {error.strerror or error}.") from error
    with suppress(OSError):
        path.parent.rmdir()


def _read(path: Path) -> bytes | None:
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(f"{path} is larger than any settings file: it was left alone.")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DiskError(f"{path} cannot be read: {error.strerror or error}. It was left alone.") from error
