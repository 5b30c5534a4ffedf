"""One vault's service from the file to the running daemon: install, uninstall, status.

Owns the file: it is written only when it differs, and touched only if it is ours. Must not know one system's commands.
"""

from pathlib import Path

from holovault.config import Home, write_private
from holovault.errors import DiskError, UsageError
from holovault.ownership import find
from holovault.setup.reports import Change, Installation, Removal, ServiceStatus, State, Step
from holovault.setup.spec import ServiceSpec, marked_vault
from holovault.setup.systems import System


class Service:
    """The service of the vault that `spec` names, under the manager `system`."""

    def __init__(self, spec: ServiceSpec, home: Home, system: System) -> None:
        self._spec = spec
        self._home = home
        self._system = system

    def install(self, *, dry_run: bool = False) -> Installation:
        """Writes the file if it differs, and starts the service. Raises UsageError for a file there that is not ours, DiskError."""
        file = self._system.file
        if file is None:
            return Installation(*self._names, "none", dry_run, self._system.start("none"))
        content = self._system.content()
        change = self._change(file, content)
        if dry_run:
            planned = tuple(Step(True, "would run", command) for command in self._system.starting(change))
            return Installation(*self._names, change, True, planned, content.decode("utf-8"))
        if change != "same":
            _make_folder(file.parent)
            write_private(file, content)
        # launchd opens the log of an agent itself and makes no folder for it.
        self._home.logs.mkdir(exist_ok=True)
        said = "is up to date" if change == "same" else change
        return Installation(*self._names, change, False, (Step(True, f"{file} {said}"), *self._system.start(change)))

    def uninstall(self, *, dry_run: bool = False) -> Removal:
        """Stops the service and removes its file. Raises UsageError for a file there that is not ours, DiskError."""
        file = self._system.file
        if file is None:
            return Removal(*self._names, False, dry_run, self._system.stop())
        if not _there(file):
            return Removal(*self._names, False, dry_run, (Step(True, f"nothing is installed: there is no {file}"),))
        self._check_ours(file)
        if dry_run:
            planned = tuple(Step(True, "would run", command) for command in self._system.stopping())
            return Removal(*self._names, True, True, (*planned, Step(True, f"would remove {file}")))
        stopped = self._system.stop()
        try:
            file.unlink()
        except OSError as error:
            raise DiskError(f"{file} cannot be removed: {error.strerror or error}. Remove it yourself.") from error
        return Removal(*self._names, True, False, (*stopped, Step(True, f"{file} removed"), *self._system.forget()))

    def status(self, *, current: bool | None = None) -> ServiceStatus:
        """What is installed and what runs; `current` is handed through for a caller that cannot know what `install` would write."""
        file = self._system.file
        installed = file is not None and _there(file)
        state = self._system.state() if installed or file is None else State("inactive", enabled=False)
        run = find(self._home, self._spec.vault)
        ours = run is not None and state.pid == run.pid
        return ServiceStatus(
            *self._names,
            installed=installed,
            current=current,
            enabled=state.enabled,
            active=state.active,
            pid=state.pid,
            since=run.since if run is not None and ours else None,
            words=state.words,
            restarts=state.restarts,
            other_pid=run.pid if run is not None and not ours else None,
            log=str(self._spec.log),
            printed=self._system.printed,
            problem=state.problem,
        )

    @property
    def is_current(self) -> bool:
        """Whether the file is what `install` would write now."""
        return self._system.file is not None and _read(self._system.file) == self._system.content()

    @property
    def _names(self) -> tuple[str, str, str, str | None]:
        file = self._system.file
        return str(self._spec.vault), self._system.name, self._system.kind, None if file is None else str(file)

    def _change(self, file: Path, content: bytes) -> Change:
        if not _there(file):
            return "written"
        self._check_ours(file)
        return "same" if _read(file) == content else "replaced"

    def _check_ours(self, file: Path) -> None:
        marked = marked_vault(_read(file))
        if marked is None:
            raise UsageError(f"{file} was not written by Holovault and stays as it is. Move it away if it should make room.")
        if marked != str(self._spec.vault):
            raise UsageError(f"{file} belongs to the vault {marked!r}, not to {self._spec.vault}, and stays as it is.")


def _there(file: Path) -> bool:
    return file.is_symlink() or file.exists()


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise DiskError(f"{file} cannot be read: {error.strerror or error}. Look at what lies there and at its permissions.") from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DiskError(f"{folder} cannot be made: {error.strerror or error}. The service's file belongs there.") from error
