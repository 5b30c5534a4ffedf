"""What follows when all items are through: notes whose original is gone are marked, lists are made anew.

Owns these two. Nothing is deleted, ever. A list is written only where it says something else than before.
"""

from collections.abc import Iterator
from dataclasses import replace

from holovault.config import Config
from holovault.errors import UserError
from holovault.markdown import parse_front_matter
from holovault_importers.lists import Match, TopicRule, appended, between, index_list, matches, topic_list
from holovault_importers.names import name_of, note_path
from holovault_importers.plan import archived
from holovault_importers.present import Present
from holovault_importers.report import Ledger
from holovault_importers.state import State
from holovault_importers.vaultnotes import VaultNotes

TALKS = frozenset({"chat", "design-chat", "code-session"})
LISTED = TALKS | {"project", "project-doc"}
INDEX = "INDEX.md"


class Ending:
    """The last part of one import."""

    def __init__(self, notes: VaultNotes, state: State, config: Config, ledger: Ledger) -> None:
        self._notes = notes
        self._state = state
        self._config = config
        self._ledger = ledger

    def archive(self, origin: str, seen: set[str]) -> None:
        """Mark chats that a whole and newer export does not have any more.

        Whole: nothing was filtered or unreadable, and at least half of the chats known so far are in it; else it may be a part of many.
        """
        request = self._ledger.request
        known = {
            key for key, row in self._state.rows.items() if key.startswith(f"{origin}|chat|") and not row.gone and not key.endswith("~new")
        }
        if request.since or request.project or self._ledger.problems or len(known & seen) * 2 < len(known) or not known & seen:
            return
        for key in sorted(known - seen):
            try:
                self._archive(key)
            except UserError as error:
                self._ledger.problems.append(str(error))

    def _archive(self, key: str) -> None:
        row = self._state.rows[key]
        note = None if row.archived else self._notes.find(key, row.path)
        if note is None:
            return
        step = archived(row, note, is_gone=True)
        self._ledger.archived += 1
        if self._ledger.request.dry_run or step.row is None:
            return
        written = self._notes.write(step.path, step.text, step.expected) if step.text is not None else None
        self._state.rows[key] = replace(step.row, file_sha=written.hash if written and step.ours else step.row.file_sha)

    def lists(self) -> None:
        """INDEX.md, and the lists of all topics."""
        if not self._state.rows:
            return
        self._topics()
        titles = {
            path: title
            for path in self._notes.paths()
            if path.split("/")[0] in ("Memory", "Projects", "Topics") and (title := self._title(path))
        }
        made = index_list((path for path in self._notes.paths() if path != INDEX), titles)
        self._write(INDEX, "index", made, "# Index")

    def _topics(self) -> None:
        rules = {note_path("Topics", name_of(topic.name)): TopicRule(topic.name, topic.patterns) for topic in self._config.topics}
        own = [row.path for key, row in self._state.rows.items() if "|memory|" in key and row.path.startswith("Topics/") and not row.gone]
        for path in own:
            name = path.rpartition("/")[2].removesuffix(".md")
            rules.setdefault(path, TopicRule(name, (name,)))
        if not rules:
            return
        expressions = {path: rule.expression() for path, rule in rules.items()}
        found: dict[str, list[Match]] = {path: [] for path in rules}
        for note in self._listed():
            first = note.front.count("\n") + 1
            title = parse_front_matter(note.text).front.title or note.path
            for path, expression in expressions.items():
                if (match := matches(note.path, title, note.body, expression, first)) is not None:
                    found[path].append(match)
        for path, rule in rules.items():
            self._write(path, "topic", topic_list(found[path]), f"# {rule.name}", own=path in own)

    def _listed(self) -> Iterator[Present]:
        for key, row in sorted(self._state.rows.items()):
            if key.split("|")[1] in LISTED and not row.gone:
                try:
                    note = self._notes.read(row.path)
                except UserError:
                    continue
                if note is not None:
                    yield note

    def _title(self, path: str) -> str | None:
        try:
            note = self._notes.read(path)
        except UserError:
            return None
        return parse_front_matter(note.text).front.title if note else None

    def _write(self, path: str, name: str, made: str, head: str, *, own: bool = False) -> None:
        try:
            note = self._notes.read(path)
            text = appended(note.text, name, made) if own and note else between(note.text if note else None, name, made, head)
            if text is None:
                self._ledger.remarks.append(
                    f"{path} is yours: the marks of its list are gone, or you wrote between them. It was left as it is."
                )
            elif note is None or text != note.text:
                self._notes.write(path, text, note.hash if note else None)
                self._ledger.lists += 1
        except UserError as error:
            self._ledger.problems.append(str(error))
