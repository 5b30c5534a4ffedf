"""Which paths of a vault are not searched, and by which rule.

Owns three rules in this order: hidden names (a dot in front), Obsidian's own "Excluded files"
(`userIgnoreFilters` in `.obsidian/app.json`), and `[vault] exclude`. Reads that one file and nothing else.
Must not decide what a note is.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from holovault.vault.names import nfc

APP_FILE = ".obsidian/app.json"
MAX_APP_BYTES = 4_000_000

Stamp = tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class ObsidianFilters:
    """Obsidian's list as loaded: path prefixes and regular expressions (with their words), and what could not be used."""

    prefixes: tuple[str, ...] = ()
    expressions: tuple[tuple[str, re.Pattern[str]], ...] = ()
    problems: tuple[str, ...] = ()
    stamp: Stamp = None


class Excludes:
    """All rules of one moment, compiled. Paths are vault-relative, NFC; safe to ask from any thread."""

    def __init__(self, patterns: Sequence[str], obsidian: ObsidianFilters) -> None:
        self.obsidian = obsidian
        self._patterns = tuple(patterns)
        self._spec = GitIgnoreSpec.from_lines(self._patterns)
        self._never_back = not any(pattern.startswith("!") for pattern in self._patterns)
        self._rules = bool(self._patterns or obsidian.prefixes or obsidian.expressions)

    def rule_for(self, path: str) -> str | None:
        """The rule that hides a file, in words; None where none does."""
        for part in path.split("/"):
            if part.startswith("."):
                return f"hidden: {part} begins with a dot"
        return self.set_rule_for(path)

    def set_rule_for(self, path: str) -> str | None:
        """Like `rule_for`, for a path that has no hidden part."""
        if not self._rules:
            return None
        for prefix in self.obsidian.prefixes:
            if path.startswith(prefix):
                return f"Obsidian's excluded files: {prefix}"
        for words, expression in self.obsidian.expressions:
            if expression.search(path):
                return f"Obsidian's excluded files: {words}"
        found = self._spec.check_file(path)
        return f"knowledge.toml [vault] exclude: {self._patterns[found.index]}" if found.include and found.index is not None else None

    def prunes(self, folder: str) -> bool:
        """True where every file below `folder` is hidden, so that nobody needs to look inside."""
        if not self._rules:
            return False
        inside = folder + "/"
        if any(inside.startswith(prefix) for prefix in self.obsidian.prefixes):
            return True
        return self._never_back and self._spec.match_file(inside)


def load_obsidian(root: Path, last: ObsidianFilters) -> ObsidianFilters:
    """Obsidian's filters as they are now; `last` where the file has not changed or cannot be read just now.

    A file that is half written must not make excluded notes searchable.
    """
    try:
        stamp = stamp_of(root)
        if stamp is None:
            return last if last.stamp is None else ObsidianFilters()
        if stamp == last.stamp:
            return last
        if stamp[1] > MAX_APP_BYTES:
            raise ValueError("it is too large")
        found = json.loads((root / APP_FILE).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        problem = f"cannot be read, so Obsidian's excluded files are as they were before: {error}"
        return ObsidianFilters(last.prefixes, last.expressions, (problem,), last.stamp)
    listed = found.get("userIgnoreFilters") if isinstance(found, dict) else None
    return _compiled(listed if isinstance(listed, list) else [], stamp)


def stamp_of(root: Path) -> Stamp:
    """What tells one edition of `app.json` from the next; None where there is none. Raises OSError where that is not certain."""
    try:
        found = (root / APP_FILE).stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _compiled(listed: list[object], stamp: Stamp) -> ObsidianFilters:
    prefixes: list[str] = []
    expressions: list[tuple[str, re.Pattern[str]]] = []
    problems: list[str] = []
    for item in listed:
        if not isinstance(item, str) or not item.strip():
            continue
        if len(item) > 2 and item.startswith("/") and item.endswith("/"):
            try:
                # JavaScript writes named groups without the P.
                expressions.append((item, re.compile(re.sub(r"\(\?<(?![=!])", "(?P<", nfc(item[1:-1])))))
            except (re.error, OverflowError, RecursionError) as error:
                problems.append(f"the excluded files expression {item} is not understood here ({error}): what it hides is searched")
        else:
            prefixes.append(nfc(item.removeprefix("/")))
    return ObsidianFilters(tuple(prefixes), tuple(expressions), tuple(problems), stamp)
