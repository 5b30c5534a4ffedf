"""Small vaults on disk, changed the way people, editors and sync tools change them.

Owns file operations of tests only; asserts nothing. Every path is vault-relative and `/`-separated.
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

NO_MODEL = '[embedding]\nprovider = "none"\n'
BUNDLED = '[embedding]\nprovider = "bundled"\n'
LONG_AGO_NS = 1_700_000_000_000_000_000


@dataclass(frozen=True, slots=True)
class VaultFolder:
    """A vault that a test owns. Text is written as UTF-8 with the line ends it has."""

    root: Path

    def at(self, path: str) -> Path:
        """Where a path lies on disk."""
        return self.root / path

    def config(self, text: str) -> None:
        """Replace knowledge.toml."""
        self.write("knowledge.toml", text)

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file in place, making its folders."""
        place = self.at(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return place

    def write_all(self, notes: Mapping[str, str | bytes]) -> None:
        for path, content in notes.items():
            self.write(path, content)

    def age(self, path: str = "") -> None:
        """Give a file, or all files, a modification time long past, so that only a change makes them look new."""
        for place in self.root.rglob("*") if not path else (self.at(path),):
            if place.is_file() and not place.is_symlink():
                os.utime(place, ns=(LONG_AGO_NS, LONG_AGO_NS))

    def save_like_an_editor(self, path: str, content: str) -> None:
        """Write a temporary file beside the note and rename it over the note."""
        place = self.at(path)
        temp = place.with_name(f"{place.name}.tmp~")
        with temp.open("wb") as file:
            file.write(content.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temp, place)

    def touch_like_a_sync_tool(self, path: str, mtime_ns: int) -> None:
        """Change the modification time and nothing else."""
        os.utime(self.at(path), ns=(mtime_ns, mtime_ns))

    def rename(self, old: str, new: str) -> None:
        """Rename a note or a folder, making the folder it goes to."""
        target = self.at(new)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(self.at(old), target)

    def delete(self, path: str) -> None:
        """Delete a note, or a folder with all in it."""
        place = self.at(path)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()

    def notes(self) -> dict[str, bytes]:
        """Every `.md` file outside dot-folders with its bytes."""
        return {
            place.relative_to(self.root).as_posix(): place.read_bytes()
            for place in sorted(self.root.rglob("*.md"))
            if place.is_file() and not any(part.startswith(".") for part in place.relative_to(self.root).parts)
        }


def make_vault(root: Path, notes: Mapping[str, str | bytes], config: str = NO_MODEL) -> VaultFolder:
    """A vault with a knowledge.toml and these notes, all of them old enough to be settled."""
    root.mkdir(parents=True, exist_ok=True)
    vault = VaultFolder(root)
    vault.config(config)
    vault.write_all(notes)
    vault.age()
    return vault
