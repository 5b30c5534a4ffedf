"""Names that are decided once for a vault: folders of projects, paths of new notes, names in links.

Owns these decisions and keeps them in the state. Asks the vault what is free; writes nothing.
"""

from holovault.config import Config
from holovault_importers.names import name_of, short_id
from holovault_importers.present import Present
from holovault_importers.state import State
from holovault_importers.vaultnotes import VaultNotes


class Places:
    """Implements `Where` for the renderer."""

    def __init__(self, notes: VaultNotes, state: State, config: Config) -> None:
        self._notes = notes
        self._state = state
        self._merged = {alias.project.casefold() for alias in config.project_aliases}
        self._reserved: dict[str, tuple[str, Present | None]] = {}

    def project(self, identity: str, name: str) -> str:
        """The folder of a project. Two projects share one only where an alias says that they are the same."""
        if identity in self._state.projects:
            return self._state.projects[identity]
        own = self._notes.project_of(name)
        folder = f"Projects/{name_of(own, longest=60)}"
        used = {other.casefold() for other in self._state.projects.values()}
        if folder.casefold() in used and own.casefold() not in self._merged:
            folder = f"{folder} ({short_id(identity)})"
        self._state.projects[identity] = folder
        return folder

    def link(self, key: str, path: str) -> str:
        """The path by which links name a note, the same for ever."""
        row = self._state.rows.get(key)
        return row.link if row is not None else self.free(key, path)[0]

    def free(self, key: str, path: str) -> tuple[str, Present | None]:
        """The path of a new note, and the note with this key that lies there already where its row was lost."""
        if key not in self._reserved:
            self._reserved[key] = self._notes.free(path, key)
            self._notes.taken(self._reserved[key][0])
        return self._reserved[key]

    def again(self, key: str) -> None:
        """Decide anew: somebody else was quicker."""
        self._reserved.pop(key, None)
