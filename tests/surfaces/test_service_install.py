"""Installing and removing a service: the file, the commands, and every way in which they can fail."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from holovault.config import Config, DaemonConfig, Home
from holovault.errors import DiskError, UsageError
from holovault.ownership import acquire
from holovault.setup import Ran, Service
from holovault.setup.elsewhere import Elsewhere
from holovault.setup.systemd import Systemd
from tests.support.recorder import Recorder
from tests.support.services import spec_of
from tests.support.vaults import make_vault

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a unit is for systems with such paths")
NO_BUS = Ran(1, err="Failed to connect to bus: No medium found\n")
NO_TOOL = Ran(None, err="systemctl cannot be run: No such file or directory")


class Place:
    """A vault, a folder of units and a runner that remembers."""

    def __init__(self, tmp_path: Path) -> None:
        self.vault = make_vault(tmp_path / "My notes", {}).root
        self.home = Home(tmp_path / "home")
        self.folder = tmp_path / "config" / "systemd" / "user"
        self.run = Recorder()

    def service(self, config: Config | None = None) -> Service:
        spec = spec_of(self.vault, self.home.root, config)
        return Service(spec, self.home, Systemd(spec, self.folder, self.run, 1000))

    @property
    def name(self) -> str:
        return f"{spec_of(self.vault, self.home.root).name}.service"

    @property
    def file(self) -> Path:
        return self.folder / self.name

    def files(self) -> list[str]:
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if not path.is_dir() or path.is_symlink())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_fresh_install_writes_the_unit_and_starts_it(place: Place) -> None:
    done = place.service().install()
    assert (done.change, done.done, done.file) == ("written", True, str(place.file))
    assert place.files() == [place.name]
    assert place.run.asked == [
        "systemctl --user daemon-reload",
        f"systemctl --user reset-failed {place.name}",
        f"systemctl --user enable --now {place.name}",
        "loginctl show-user 1000 --property=Linger --value",
    ]


def test_installing_again_writes_nothing(place: Place) -> None:
    place.service().install()
    os.utime(place.file, ns=(1, 1))
    done = place.service().install()
    assert (done.change, done.done) == ("same", True)
    assert place.file.stat().st_mtime_ns == 1


def test_changed_settings_are_written_and_the_running_service_is_restarted(place: Place) -> None:
    place.service().install()
    place.run.asked.clear()
    done = place.service(Config(daemon=DaemonConfig(memory_mb=512))).install()
    assert done.change == "replaced"
    assert "MemoryMax=512M" in place.file.read_text(encoding="utf-8")
    assert place.run.asked[2:4] == [f"systemctl --user enable {place.name}", f"systemctl --user restart {place.name}"]


def test_a_dry_run_shows_the_file_and_changes_nothing(place: Place) -> None:
    done = place.service().install(dry_run=True)
    assert not place.folder.exists()
    assert not place.home.root.exists()
    assert place.run.asked == []
    assert (done.dry_run, done.change) == (True, "written")
    assert [step.command for step in done.steps] == ["systemctl --user daemon-reload", f"systemctl --user enable --now {place.name}"]
    place.service().install()
    assert done.text == place.file.read_text(encoding="utf-8")
    assert place.service().install(dry_run=True).change == "same"


@pytest.mark.parametrize("refusal", [NO_BUS, NO_TOOL])
def test_without_a_user_manager_the_file_is_written_and_the_command_told(place: Place, refusal: Ran) -> None:
    place.run.answers["systemctl"] = refusal
    done = place.service().install()
    assert place.file.exists()
    assert [step.done for step in done.steps] == [True, False]
    assert refusal.words in done.steps[1].text
    assert done.steps[1].command == f"systemctl --user daemon-reload && systemctl --user enable --now {place.name}"
    assert place.run.asked == ["systemctl --user daemon-reload"]


def test_a_service_that_does_not_start_is_told_with_where_to_look(place: Place) -> None:
    place.run.answers["systemctl --user enable"] = Ran(
        1, err="Job for x failed because the control process exited with error code.\nSee y."
    )
    done = place.service().install()
    assert not done.done
    assert "Job for x failed because the control process exited with error code" in done.steps[-1].text
    assert done.steps[-1].command == f"journalctl --user -u {place.name} -n 50"


def test_a_first_look_that_takes_long_is_no_failure(place: Place) -> None:
    place.run.answers["systemctl --user enable"] = Ran(None, late=True)
    done = place.service().install()
    assert done.done
    assert any("first time" in step.text for step in done.steps)


def test_a_service_that_ends_with_the_session_is_told_how_to_stay(place: Place) -> None:
    place.run.answers["loginctl"] = Ran(0, "no\n")
    done = place.service().install()
    assert (done.done, done.steps[-1].command) == (True, "loginctl enable-linger")
    place.run.answers["loginctl"] = Ran(0, "yes\n")
    assert place.service().install().steps[-1].command is None


@pytest.mark.parametrize("content", ["[Service]\nExecStart=/bin/true\n", ""])
def test_a_file_of_somebody_else_is_left_as_it_is(place: Place, content: str) -> None:
    place.folder.mkdir(parents=True)
    place.file.write_text(content, encoding="utf-8")
    for act in (place.service().install, place.service().uninstall):
        for dry_run in (True, False):
            with pytest.raises(UsageError, match="not written by Holovault"):
                act(dry_run=dry_run)
    assert place.file.read_text(encoding="utf-8") == content
    assert place.run.asked == []


def test_a_file_of_another_vault_is_left_as_it_is(place: Place) -> None:
    place.service().install()
    place.file.write_text(place.file.read_text(encoding="utf-8").replace("My notes", "Your notes"), encoding="utf-8")
    with pytest.raises(UsageError, match="Your notes"):
        place.service().uninstall()
    assert place.file.exists()


def test_a_link_that_leads_nowhere_is_not_ours(place: Place) -> None:
    place.folder.mkdir(parents=True)
    place.file.symlink_to(place.folder / "gone")
    with pytest.raises(UsageError):
        place.service().install()
    assert place.file.is_symlink()


def test_uninstall_removes_what_was_written_and_nothing_else(place: Place) -> None:
    other = place.folder / "other.service"
    place.service().install()
    other.write_text("[Service]\n", encoding="utf-8")
    override = place.folder / f"{place.name}.d" / "override.conf"
    override.parent.mkdir()
    override.write_text("[Service]\nNice=1\n", encoding="utf-8")
    place.run.asked.clear()
    done = place.service().uninstall()
    assert (done.removed, done.done) == (True, True)
    assert place.files() == sorted(["other.service", f"{place.name}.d/override.conf"])
    assert place.run.asked[0] == f"systemctl --user disable --now {place.name}"
    assert "systemctl --user daemon-reload" in place.run.asked


def test_uninstalling_again_does_nothing(place: Place) -> None:
    place.service().install()
    place.service().uninstall()
    place.run.asked.clear()
    done = place.service().uninstall()
    assert (done.removed, done.done, place.run.asked) == (False, True, [])


def test_uninstall_without_a_user_manager_leaves_no_link_behind(place: Place) -> None:
    place.service().install()
    wants = place.folder / "default.target.wants"
    wants.mkdir()
    (wants / place.name).symlink_to(place.file)
    (wants / "other.service").symlink_to("/nowhere/other.service")
    place.run.answers["systemctl"] = NO_BUS
    done = place.service().uninstall()
    assert (done.removed, done.done) == (True, False)
    assert place.files() == ["default.target.wants/other.service"]
    assert done.steps[0].command == f"systemctl --user stop {place.name}"


def test_a_dry_uninstall_changes_nothing(place: Place) -> None:
    assert place.service().uninstall(dry_run=True).removed is False
    place.service().install()
    place.run.asked.clear()
    done = place.service().uninstall(dry_run=True)
    assert (done.removed, place.file.exists(), place.run.asked) == (True, True, [])
    assert done.steps[0].command == f"systemctl --user disable --now {place.name}"


def test_a_folder_that_cannot_be_made_is_told(place: Place, tmp_path: Path) -> None:
    (tmp_path / "config").write_text("in the way", encoding="utf-8")
    with pytest.raises(DiskError, match="cannot be made"):
        place.service().install()


SHOWN = """MainPID={pid}
NRestarts=2
Result=success
StatusText=Answers; notes in the index: 3.
LoadState=loaded
ActiveState={active}
SubState=running
UnitFileState=enabled
"""


def test_status_says_what_runs_since_when_and_where_it_logs(place: Place) -> None:
    service = place.service()
    before = service.status()
    assert (before.installed, before.active, before.enabled, before.pid, before.other_pid) == (False, "inactive", False, None, None)
    service.install()
    place.run.answers["systemctl --user show"] = Ran(0, SHOWN.format(pid=os.getpid(), active="active"))
    with acquire(place.home, place.vault, "daemon") as lease:
        found = service.status(current=service.is_current)
        assert (found.installed, found.current, found.enabled, found.active, found.pid) == (True, True, True, "active", os.getpid())
        assert (found.since, found.other_pid, found.restarts) == (lease.run.since, None, 2)
        assert found.words == "Answers; notes in the index: 3."
        assert found.log == str(place.home.log_file(spec_of(place.vault, place.home.root).key))
        place.run.answers["systemctl --user show"] = Ran(0, SHOWN.format(pid=0, active="inactive"))
        stranger = service.status()
        assert (stranger.pid, stranger.since, stranger.other_pid) == (None, None, os.getpid())
    place.run.answers["systemctl --user show"] = Ran(0, SHOWN.format(pid=0, active="failed"))
    assert "gave up" in (service.status().problem or "")


def test_status_says_when_the_file_is_behind_the_settings(place: Place) -> None:
    place.service().install()
    assert place.service().is_current
    assert not place.service(Config(daemon=DaemonConfig(memory_mb=512))).is_current


def test_status_without_a_user_manager_says_so(place: Place) -> None:
    place.service().install()
    place.run.answers["systemctl"] = NO_BUS
    found = place.service().status()
    assert (found.installed, found.active) == (True, "unknown")
    assert "No medium found" in (found.problem or "")


def test_where_no_service_can_be_installed_nothing_is_touched(place: Place) -> None:
    spec = replace(spec_of(place.vault, place.home.root), home_given=False)
    service = Service(spec, place.home, Elsewhere(spec, "win32"))
    for dry_run in (True, False):
        done = service.install(dry_run=dry_run)
        assert (done.done, done.change, done.file) == (False, "none", None)
        assert service.uninstall(dry_run=dry_run).removed is False
    assert not place.home.root.exists()
    found = service.status()
    assert (found.installed, found.manager, found.active) == (False, "none", "unknown")
