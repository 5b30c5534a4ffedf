"""What npm makes and the program brings along: htmx for the web page, and the Obsidian plugin.

Owns that step of the build and nothing at run time. Without npm both are left out, and a warning says so: links and forms of the page
work without htmx, slower; `holovault plugin install` says what to do.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("sidecar/holovault/web/page")
PLUGIN = Path("obsidian-plugin")
PLUGIN_FILES = ("main.js", "styles.css", "manifest.json")
PLUGIN_GOAL = "holovault/setup/obsidian"


class NpmParts(BuildHookInterface[Any]):
    """Makes them before files are gathered."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling, for wheels and editable installations alike."""
        try:
            self._make(version, build_data["force_include"])
        except (OSError, subprocess.CalledProcessError) as error:
            # No registry, no room: the program is whole without what npm makes.
            self.app.display_warning(f"npm did not do its part, so it is left out: {error}")

    def _make(self, version: str, included: dict[str, str]) -> None:
        self._page()
        # A source archive brings the plugin's source, a checkout finds the plugin in its own folder.
        if self.target_name == "wheel" and version != "editable":
            self._plugin(included)

    def _page(self) -> None:
        folder = Path(self.root) / PAGE
        goal = folder / "static" / "htmx.min.js"
        npm = shutil.which("npm")
        if goal.exists():
            return
        if npm is None:
            self.app.display_warning("npm is not here: the web page is built without htmx and reloads instead")
            return
        _install(npm, folder)
        shutil.copyfile(folder / "node_modules" / "htmx.org" / "dist" / "htmx.min.js", goal)
        shutil.rmtree(folder / "node_modules")

    def _plugin(self, included: dict[str, str]) -> None:
        folder = Path(self.root) / PLUGIN
        npm = shutil.which("npm")
        if npm is not None:
            if not (folder / "node_modules").is_dir():
                _install(npm, folder)
            subprocess.run([npm, "run", "--silent", "build"], cwd=folder, check=True)
        if not (folder / PLUGIN_FILES[0]).exists():
            self.app.display_warning("npm is not here: Holovault is built without its Obsidian plugin")
            return
        included.update({str(folder / name): f"{PLUGIN_GOAL}/{name}" for name in PLUGIN_FILES})


def _install(npm: str, folder: Path) -> None:
    subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True)
