"""The Obsidian plugin in a vault: put there, brought up to date, taken out again.

Owns three files below `.obsidian/plugins/holovault`. Must not switch the plugin on (a person does that in Obsidian), touch its settings,
or fetch anything.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from holovault.errors import NotFoundError, PathForbiddenError, UsageError
from holovault.setup.agents.files import read_text, remove, replace_text

NAME = "holovault"
FILES = ("main.js", "styles.css", "manifest.json")
CONFIGURATION = ".obsidian"

Change = Literal["written", "replaced", "same", "removed", "none"]


@dataclass(frozen=True, slots=True)
class PluginReport:
    """What happened to the plugin in `folder`. `enabled`: Obsidian has it switched on; `kept` are files there that are not ours."""

    vault: str
    folder: str
    version: str | None
    change: Change
    enabled: bool
    kept: tuple[str, ...] = ()


def shipped() -> Path:
    """The folder of the built plugin: inside the package, or beside it in a checkout. Raises NotFoundError with what to do."""
    inside = Path(__file__).parent / "obsidian"
    checkout = Path(__file__).parents[3] / "obsidian-plugin"
    for folder in (inside, checkout):
        if all((folder / name).is_file() for name in FILES):
            return folder
    if (checkout / "package.json").is_file():
        npm = "" if shutil.which("npm") else "install Node.js with npm, then "
        raise NotFoundError(f"The plugin is not built yet: {npm}run `make plugin` in {checkout.parent}, and repeat this command.")
    raise NotFoundError(
        "This copy of Holovault was built without npm, so it brings no plugin. "
        "Install Node.js with npm, then reinstall Holovault, and repeat this command."
    )


class Plugin:
    """One vault's copy of the plugin."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder = root / CONFIGURATION / "plugins" / NAME

    def install(self, source: Path) -> PluginReport:
        """Copies the plugin from `source`; what is the same already is not written. Raises UserError where another plugin has its place."""
        self._check()
        before = {name: read_text(self._folder / name) for name in FILES}
        after = {name: read_text(source / name) for name in FILES}
        # The manifest comes last: Obsidian takes a folder for a plugin only with one, so never half of it.
        for name in FILES:
            text = after[name]
            if text is not None and text != before[name]:
                replace_text(self._folder / name, before[name], text)
        change: Change = "same" if before == after else "written" if before["manifest.json"] is None else "replaced"
        return self._report(change)

    def uninstall(self) -> PluginReport:
        """Removes those files, and the folder when nothing else is in it; settings stay."""
        self._check()
        there = [name for name in reversed(FILES) if (self._folder / name).exists()]
        version = self._version()
        for name in there:
            remove(self._folder / name)
        return self._report("removed" if there else "none", version)

    def _check(self) -> None:
        if not self._folder.resolve().is_relative_to(self._root.resolve()):
            raise PathForbiddenError(
                f"{self._folder} leads out of the vault, so it was left alone. Remove that link, then repeat this command."
            )
        found = self._manifest().get("id", NAME)
        if found != NAME:
            raise UsageError(f"{self._folder} holds another plugin ({found}), so it was left alone. Remove it in Obsidian first.")

    def _report(self, change: Change, version: str | None = None) -> PluginReport:
        kept = tuple(sorted(path.name for path in self._folder.iterdir() if path.name not in FILES)) if self._folder.is_dir() else ()
        return PluginReport(str(self._root), str(self._folder), version or self._version(), change, self._enabled(), kept)

    def _version(self) -> str | None:
        version = self._manifest().get("version")
        return version if isinstance(version, str) else None

    def _manifest(self) -> dict[str, object]:
        found = _parsed(read_text(self._folder / "manifest.json"))
        return found if isinstance(found, dict) else {}

    def _enabled(self) -> bool:
        found = _parsed(read_text(self._root / CONFIGURATION / "community-plugins.json"))
        return isinstance(found, list) and NAME in found


def _parsed(text: str | None) -> object:
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return None
