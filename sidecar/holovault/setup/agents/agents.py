"""Teaching the agents of a project, or of a user, that there is a vault: a block, a skill, an entry for the MCP server.

Owns which files that concerns. Idempotent, removable, and every file that is not understood is left alone and named. Must
not start anything.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from holovault.config import AgentPlaces, Home, vault_key
from holovault.errors import DiskError, StaleError, UserError
from holovault.setup.agents import block, files, jsontext, texts, tomltext
from holovault.setup.agents.clients import Client, ClientName, Launch, clients, entry, vault_of
from holovault.setup.agents.reports import AgentsReport, Place

_FORMATS: dict[str, ModuleType] = {"json": jsontext, "toml": tomltext}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asked for. `only` names agents; empty: those that are used on this machine. `write` merges entries into their files."""

    project: Path | None
    write: bool = False
    only: tuple[ClientName, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Agents:
    """The agents of this user and one vault. `python` runs the server, `home` is told to it where it is not the default one."""

    root: Path
    profile: str
    home: Home
    default_home: Path
    places: AgentPlaces
    python: str

    def install(self, wanted: Wanted) -> AgentsReport:
        """Writes the block and the skill, and prints or merges the entries."""
        made = [self._block(wanted, path) for path in self._instructions(wanted)]
        made += [self._skill(wanted, path) for path in self._skills(wanted)]
        made += [self._entry(wanted, client) for client in self._clients(wanted)]
        return AgentsReport(str(self.root), _text(wanted.project), wanted.dry_run, tuple(made))

    def uninstall(self, wanted: Wanted) -> AgentsReport:
        """Takes out the block, the untouched skill, and every entry that starts a server for this vault."""
        gone = [self._without_block(wanted, path) for path in self._instructions(wanted)]
        gone += [self._without_skill(wanted, path) for path in self._skills(wanted)]
        everybody = clients(self.places, wanted.project)
        gone += [self._without_entry(wanted, client) for client in everybody if client.file is not None]
        return AgentsReport(str(self.root), _text(wanted.project), wanted.dry_run, tuple(gone))

    @property
    def launch(self) -> Launch:
        """How any agent starts the server. `-P`: what lies in the folder it is started from must not be imported."""
        told = {} if self.home.root == self.default_home else {"HOLOVAULT_HOME": str(self.home.root)}
        return Launch(self.python, ("-P", "-m", "holovault.cli", "mcp", "--vault", str(self.root)), told)

    def _instructions(self, wanted: Wanted) -> tuple[Path, ...]:
        if wanted.project is not None:
            return (wanted.project / "AGENTS.md",)
        places = self.places
        known = ((places.codex, "AGENTS.md"), (places.opencode, "AGENTS.md"), (places.person / ".claude", "CLAUDE.md"))
        return tuple(folder / name for folder, name in known if folder.is_dir())

    def _skills(self, wanted: Wanted) -> tuple[Path, ...]:
        above = self.places.person if wanted.project is None else wanted.project
        return tuple(above / folder / "skills" / texts.SKILL / "SKILL.md" for folder in (".agents", ".claude"))

    def _clients(self, wanted: Wanted) -> Iterable[Client]:
        every = [client for client in clients(self.places, wanted.project) if client.file is not None]
        if wanted.only:
            return [client for client in every if client.name in wanted.only]
        used = [client for client in every if client.trace.is_dir()]
        return used or ([] if wanted.write else every)

    def _block(self, wanted: Wanted, path: Path) -> Place:
        body = texts.block(self.root.name, self.profile)
        return _changed("instructions", path, wanted, lambda text: block.with_block(text or "", vault_key(self.root), body, str(path)))

    def _without_block(self, wanted: Wanted, path: Path) -> Place:
        return _reduced("instructions", path, wanted, lambda text: block.without_block(text, vault_key(self.root), str(path)))

    def _skill(self, wanted: Wanted, path: Path) -> Place:
        def made(text: str | None) -> str:
            if text is not None and not texts.is_ours(text):
                raise UserError(f"{path} was edited by hand, so it was left alone. Delete it to get the current one.")
            return texts.skill(self.profile)

        return _changed("skill", path, wanted, made)

    def _without_skill(self, wanted: Wanted, path: Path) -> Place:
        def left(text: str) -> str:
            if not texts.is_ours(text):
                raise UserError(f"{path} was edited by hand, so it was left alone. Delete it yourself if you do not want it.")
            return ""

        return _reduced("skill", path, wanted, left)

    def _entry(self, wanted: Wanted, client: Client) -> Place:
        path = _file(client)
        value = entry(client, self.launch)
        if not wanted.write:
            return Place(client.title, str(path), "printed", text=_alone(client, "holovault", value))
        words = _FORMATS[client.format]

        def merged(text: str | None) -> str:
            before = text or ""
            name = self._name(words.entries(before, client.table))
            if words.entries(before, client.table).get(name) == value:
                return before
            return str(words.with_entry(before, client.table, name, value))

        return _changed(client.title, path, wanted, merged, by_hand=_alone(client, "holovault", value))

    def _without_entry(self, wanted: Wanted, client: Client) -> Place:
        words = _FORMATS[client.format]

        def reduced(text: str) -> str:
            for name, value in words.entries(text, client.table).items():
                if vault_of(value) == str(self.root):
                    text = words.without_entry(text, client.table, name)
            return text

        return _reduced(client.title, _file(client), wanted, reduced)

    def _name(self, entries: dict[str, Any]) -> str:
        """`holovault`, unless that is another vault's: then with the key of this one."""
        for name, value in entries.items():
            if vault_of(value) == str(self.root):
                return name
        return "holovault" if "holovault" not in entries else f"holovault-{vault_key(self.root)[:6]}"


def _changed(what: str, path: Path, wanted: Wanted, change: Callable[[str | None], str], by_hand: str | None = None) -> Place:
    try:
        before = files.read_text(path)
        after = change(before)
        if after == before:
            return Place(what, str(path), "same")
        if not wanted.dry_run:
            files.replace_text(path, before, after)
    except (UserError, ValueError) as error:
        return _refused(what, path, error, by_hand)
    return Place(what, str(path), "written" if before is None else "replaced")


def _reduced(what: str, path: Path, wanted: Wanted, change: Callable[[str], str]) -> Place:
    """`change` is asked only about a file that is there; one that becomes empty goes."""
    try:
        before = files.read_text(path)
        after = "" if before is None else change(before)
        if before is None or after == before:
            return Place(what, str(path), "none")
        if not wanted.dry_run and after.strip():
            files.replace_text(path, before, after)
        elif not wanted.dry_run:
            files.remove(path)
    except (UserError, ValueError) as error:
        return _refused(what, path, error, None)
    return Place(what, str(path), "removed")


def _refused(what: str, path: Path, error: Exception, by_hand: str | None) -> Place:
    ours = isinstance(error, (UserError, DiskError, StaleError))
    problem = (
        str(error) if ours else f"{path} cannot be understood, so it was left alone: {error}. Put it right, or add the entry yourself."
    )
    return Place(what, str(path), "refused", problem, by_hand)


def _alone(client: Client, name: str, value: dict[str, Any]) -> str:
    """The entry as the content of a file that holds nothing else."""
    if client.format == "json":
        return json.dumps({client.table: {name: value}}, ensure_ascii=False, indent=2)
    return tomltext.with_entry("", client.table, name, value).strip()


def _file(client: Client) -> Path:
    if client.file is None:
        raise ValueError(f"{client.title} has no file for one project")
    return client.file


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
