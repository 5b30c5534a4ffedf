"""Where exports lie: zips, folders, loose files. Gives their files as members, opens nothing else.

Owns limits against hostile archives. A member's name is never used as a path to write to, so no archive can place a file.
Must not know what the files mean.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, BinaryIO, cast

from holovault.errors import NotFoundError
from holovault_importers.brokenzip import intact_members

MAX_MEMBERS = 200_000
MAX_RATIO = 400
BIG = 50_000_000

Progress = Callable[[int], None]


class Unreadable(Exception):
    """A member or archive cannot be read on; the text is a sentence's end."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of an export; `open` gives a stream that counts what is read of it."""

    name: str
    size: int
    opener: Callable[[], BinaryIO]

    def open(self) -> BinaryIO:
        """A new stream from the beginning."""
        return self.opener()


@dataclass(frozen=True, slots=True)
class Inputs:
    """All members, and sentences about archives that could not be read whole."""

    members: tuple[InputFile, ...]
    problems: tuple[str, ...]


def inputs_of(exports: Iterable[str], wanted: Callable[[str], bool]) -> Inputs:
    """The members of all exports whose names are `wanted`, sorted within each. Raises NotFoundError for a path that is not there."""
    members: list[InputFile] = []
    problems: list[str] = []
    for export in exports:
        path = Path(export).expanduser()
        if path.is_dir():
            members += _folder(path, wanted, problems)
        elif path.is_file():
            try:
                members += _file(path, wanted, problems)
            except OSError as error:
                problems.append(f"{path.name} cannot be read: {error.strerror}.")
        else:
            raise NotFoundError(f"There is no export {export}. Name a zip, a folder or a JSON file.")
    return Inputs(tuple(members), tuple(problems))


def _folder(root: Path, wanted: Callable[[str], bool], problems: list[str]) -> Iterator[InputFile]:
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not path.is_symlink() and not any(part.startswith(".") for part in name.split("/")[:-1]):
            if "/" not in name and name.lower().endswith(".zip") and _begins_like_a_zip(path):
                yield from _file(path, wanted, problems)
            elif wanted(name):
                yield InputFile(name, path.stat().st_size, _opener(path))


def _file(path: Path, wanted: Callable[[str], bool], problems: list[str]) -> list[InputFile]:
    if not _begins_like_a_zip(path):
        return [InputFile(path.name, path.stat().st_size, _opener(path))]
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError):
        return _salvaged(path, wanted, problems)
    if len(infos) > MAX_MEMBERS:
        problems.append(f"{path.name} has {len(infos):,} files, which no export has: it was not read.")
        return []
    found: list[InputFile] = []
    for info in sorted(infos, key=lambda info: info.filename):
        name = info.filename.replace("\\", "/")
        if not wanted(name):
            continue
        if info.flag_bits & 1:
            problems.append(f"{name} in {path.name} is encrypted: unpack the archive and import the folder.")
        elif info.file_size > BIG and info.file_size > MAX_RATIO * max(1, info.compress_size):
            problems.append(f"{name} in {path.name} would unpack to {info.file_size:,} bytes of almost nothing: it was not read.")
        else:
            found.append(InputFile(name, info.file_size, _zip_opener(path, info)))
    return found


def _salvaged(path: Path, wanted: Callable[[str], bool], problems: list[str]) -> list[InputFile]:
    """An archive without its directory, which stands at the end: cut off while it was being downloaded."""
    size = path.stat().st_size
    problems.append(
        f"{path.name} is not whole: it ends at byte {size:,} without a table of contents. Download it again; what could be read was."
    )
    found = [entry for entry in intact_members(path) if wanted(entry.name)]
    return [InputFile(entry.name, entry.size, entry.open) for entry in found]


def _begins_like_a_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def _opener(path: Path) -> Callable[[], BinaryIO]:
    return lambda: cast(BinaryIO, path.open("rb"))


def _zip_opener(path: Path, info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
    return lambda: cast(BinaryIO, _ZipStream(path, info))


class _ZipStream:
    """A member's bytes. A damaged one ends early, with Unreadable instead of the library's own errors."""

    def __init__(self, path: Path, info: zipfile.ZipInfo) -> None:
        self._archive = zipfile.ZipFile(path)
        self._name = info.filename
        try:
            self._stream: IO[bytes] | BufferedReader = self._archive.open(info)
        except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError) as error:
            self._archive.close()
            raise Unreadable(f"is damaged ({error})") from error
        self._read = 0

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._stream.read(size)
        except Exception as error:
            if not isinstance(error, (zipfile.BadZipFile, OSError, EOFError, ValueError)) and type(error).__module__ != "zlib":
                raise
            raise Unreadable(f"is damaged after {self._read:,} bytes") from error
        self._read += len(data)
        return data

    def close(self) -> None:
        self._stream.close()
        self._archive.close()

    def __enter__(self) -> "_ZipStream":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
