"""The launchd agent, and what is said where there is neither systemd nor launchd."""

import os
import plistlib
import shlex
import sys
import xml.etree.ElementTree
from pathlib import Path

import jsonschema
import pytest

from holovault.errors import UsageError
from holovault.setup import Ran, output_of, system_of, trim
from holovault.setup.elsewhere import Elsewhere
from holovault.setup.launchd import Launchd, agent
from holovault.setup.spec import marked_vault
from tests.support.recorder import Recorder
from tests.support.services import NAMES, spec_of
from tests.support.vaults import make_vault

POSIX = pytest.mark.skipif(os.name != "posix", reason="an agent is for systems with such paths")
CONTROLS = ("bell\x07", "return\r", os.fsdecode(b"caf\xe9"))
PATH = {"type": "string", "pattern": "^/"}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "Label",
        "ProgramArguments",
        "RunAtLoad",
        "KeepAlive",
        "ThrottleInterval",
        "ProcessType",
        "StandardOutPath",
        "StandardErrorPath",
    ],
    "properties": {
        "Label": {"type": "string", "pattern": "^holovault-[0-9a-f]{16}$"},
        "ProgramArguments": {"type": "array", "items": {"type": "string"}, "minItems": 9, "prefixItems": [PATH]},
        "WorkingDirectory": PATH,
        "RunAtLoad": {"const": True},
        "KeepAlive": {
            "type": "object",
            "additionalProperties": False,
            "required": ["SuccessfulExit"],
            "properties": {"SuccessfulExit": {"const": False}},
        },
        "ThrottleInterval": {"type": "integer", "minimum": 10},
        "ExitTimeOut": {"type": "integer", "minimum": 60},
        "ProcessType": {"const": "Background"},
        "LowPriorityIO": {"const": True},
        "HardResourceLimits": {"type": "object", "additionalProperties": False, "properties": {"Core": {"const": 0}}},
        "StandardOutPath": PATH,
        "StandardErrorPath": PATH,
        "EnvironmentVariables": {"type": "object", "additionalProperties": False, "properties": {"HOLOVAULT_HOME": PATH}},
    },
}
"""The keys of launchd.plist(5) that are used, with what launchd takes for them."""


@POSIX
@pytest.mark.parametrize("name", NAMES)
def test_the_agent_is_a_property_list_that_any_path_survives(tmp_path: Path, name: str) -> None:
    spec = spec_of(tmp_path / name, tmp_path / f"home {name}")
    data = agent(spec)
    found = plistlib.loads(data, fmt=plistlib.FMT_XML)
    jsonschema.validate(found, SCHEMA)
    assert found["ProgramArguments"] == list(spec.arguments)
    assert found["EnvironmentVariables"] == {"HOLOVAULT_HOME": str(spec.home)}
    assert Path(found["StandardOutPath"]).parent == spec.home / "logs"
    assert marked_vault(data) == str(spec.vault)
    xml.etree.ElementTree.fromstring(data)


@POSIX
def test_the_usual_home_folder_is_not_named(tmp_path: Path) -> None:
    assert "EnvironmentVariables" not in plistlib.loads(agent(spec_of(tmp_path / "v", tmp_path, home_given=False)))


@POSIX
@pytest.mark.parametrize("name", CONTROLS)
def test_a_path_that_no_property_list_can_hold_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="Rename the folder"):
        agent(spec_of(tmp_path / name, tmp_path))


def launchd(tmp_path: Path, run: Recorder) -> Launchd:
    return Launchd(spec_of(tmp_path / "Notes", tmp_path / "home"), tmp_path / "Library Agents", run, 501, lambda seconds: None)


NOT_LOADED = Ran(113, err="Could not find service")


@POSIX
def test_a_new_agent_is_enabled_and_loaded(tmp_path: Path) -> None:
    run = Recorder({"launchctl print gui/501/": NOT_LOADED})
    found = launchd(tmp_path, run)
    (step,) = found.start("written")
    assert step.done
    assert run.asked[1:] == [f"launchctl enable gui/501/{found.name}", f"launchctl bootstrap gui/501 {found.file}"]


@POSIX
def test_a_changed_agent_is_unloaded_first_and_loaded_when_its_name_is_free(tmp_path: Path) -> None:
    class SlowToLeave(Recorder):
        def __call__(self, *command: str, wait: float = 30.0) -> Ran:
            ran = super().__call__(*command, wait=wait)
            return (
                Ran(5, err="Bootstrap failed: 5: Input/output error")
                if self.asked.count(" ".join(command)) < 3 and "bootstrap" in command
                else ran
            )

    run = SlowToLeave()
    found = launchd(tmp_path, run)
    (step,) = found.start("replaced")
    assert step.done
    assert run.asked[1] == f"launchctl bootout gui/501/{found.name}"
    assert run.asked[-3:] == [f"launchctl bootstrap gui/501 {found.file}"] * 3


@POSIX
def test_an_agent_that_is_loaded_and_the_same_is_only_started_if_it_stopped(tmp_path: Path) -> None:
    run = Recorder()
    found = launchd(tmp_path, run)
    assert all(step.done for step in found.start("same"))
    assert run.asked == [f"launchctl print gui/501/{found.name}", f"launchctl kickstart gui/501/{found.name}"]


@POSIX
def test_without_a_session_the_command_to_run_there_is_told(tmp_path: Path) -> None:
    run = Recorder(
        {"launchctl print": NOT_LOADED, "launchctl bootstrap": Ran(125, err="Domain does not support specified action\nmore advice")}
    )
    found = launchd(tmp_path, run)
    (step,) = found.start("written")
    assert not step.done
    assert "Domain does not support specified action)" in step.text
    assert step.command is not None
    assert shlex.split(step.command) == ["launchctl", "bootstrap", "gui/501", str(found.file)]


@POSIX
def test_an_agents_state_is_read_from_what_launchctl_prints(tmp_path: Path) -> None:
    printed = "gui/501/x = {\n\tactive count = 1\n\tstate = running\n\n\tpid = 4711\n\tlast exit code = (never exited)\n}\n"
    run = Recorder({"launchctl print gui/501/": Ran(0, printed)})
    found = launchd(tmp_path, run)
    assert found.file is not None
    found.file.parent.mkdir(parents=True)
    found.file.touch()
    state = found.state()
    assert (state.active, state.pid, state.enabled, state.problem) == ("active", 4711, True, None)
    run.answers["launchctl print-disabled"] = Ran(0, f'\t"{found.name}" => disabled\n')
    run.answers["launchctl print gui/501/"] = Ran(
        0, printed.replace("state = running", "state = spawn scheduled").replace("(never exited)", "3")
    )
    state = found.state()
    assert (state.active, state.enabled) == ("spawn scheduled", False)
    assert "status 3" in (state.problem or "")
    run.answers["launchctl print gui/501/"] = NOT_LOADED
    assert found.state().active == "inactive"


@POSIX
def test_stopping_unloads_only_what_is_loaded(tmp_path: Path) -> None:
    run = Recorder()
    assert launchd(tmp_path, run).stop()[0].done
    assert run.asked[-1].startswith("launchctl bootout gui/501/holovault-")
    run = Recorder({"launchctl print": NOT_LOADED})
    assert launchd(tmp_path, run).stop()[0].done
    assert len(run.asked) == 1


def test_the_file_of_an_agents_output_cannot_grow_for_ever(tmp_path: Path) -> None:
    output = output_of(tmp_path, "0" * 16)
    trim(output)
    output.parent.mkdir()
    output.write_bytes(b"x" * 1000)
    trim(output)
    assert output.stat().st_size == 1000
    output.write_bytes(b"x" * 1_000_001)
    trim(output)
    assert output.stat().st_size == 0


def test_windows_is_told_the_task_that_does_the_same(tmp_path: Path) -> None:
    spec = spec_of(Path("C:/Notes of Ann"), Path("C:/home"), python=Path("C:/Program Files/Python/python.exe"), home_given=False)
    (step,) = Elsewhere(spec, "win32").start("none")
    assert not step.done
    assert step.command is not None
    assert step.command.startswith("schtasks /Create ")
    assert f'/TN "Holovault {spec.key}" /TR ' in step.command
    # Quotes inside the argument of /TR are escaped as the C runtime reads them.
    assert '\\"' in step.command
    assert Elsewhere(spec, "win32").stop()[0].command == f'schtasks /Delete /F /TN "Holovault {spec.key}"'


def test_windows_is_told_another_way_where_the_command_is_too_long(tmp_path: Path) -> None:
    (step,) = Elsewhere(spec_of(Path("C:/" + "long/" * 60), Path("C:/home")), "win32").start("none")
    assert "taskschd.msc" in step.text
    assert "--home" in (step.command or "")


def test_a_system_without_either_is_told_what_to_run(tmp_path: Path) -> None:
    (step,) = Elsewhere(spec_of(tmp_path / "v", tmp_path, home_given=False), "freebsd14").start("none")
    assert "neither systemd nor launchd" in step.text
    assert "holovault.cli serve" in (step.command or "")


@pytest.mark.parametrize(("platform", "kind"), [("linux", "systemd"), ("darwin", "launchd"), ("win32", "none"), ("freebsd14", "none")])
def test_every_system_has_its_own_manager(tmp_path: Path, platform: str, kind: str) -> None:
    from holovault.config import ServicePlaces

    places = ServicePlaces(tmp_path / "units", tmp_path / "agents", tmp_path / "home")
    assert system_of(spec_of(make_vault(tmp_path / "v", {}).root, tmp_path / "home"), places, Recorder(), platform).kind == kind


def test_units_lie_where_the_specification_says(tmp_path: Path) -> None:
    from holovault.config import ServicePlaces

    assert ServicePlaces.from_environment({"XDG_CONFIG_HOME": str(tmp_path)}).systemd == tmp_path / "systemd" / "user"
    for ignored in ({}, {"XDG_CONFIG_HOME": ""}, {"XDG_CONFIG_HOME": "relative"}):
        assert ServicePlaces.from_environment(ignored).systemd == Path.home() / ".config" / "systemd" / "user"


def test_the_interpreter_is_kept_as_the_link_it_is(tmp_path: Path) -> None:
    assert str(spec_of(tmp_path, tmp_path).python) == os.path.abspath(sys.executable)
