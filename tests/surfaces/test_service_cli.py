"""`holovault service` as people run it: what it prints, how it ends, and what the tools of the system are asked."""

import os
import sys
from pathlib import Path

import msgspec
import pytest

from holovault.setup.spec import marked_vault
from tests.support.shell import Ended, Shell
from tests.support.vaults import make_vault

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="systemd is Linux's")


class Desk:
    """A person's vault, folders and, where a test wants one, a systemctl that notes what it is asked."""

    def __init__(self, tmp_path: Path) -> None:
        self.vault = make_vault(tmp_path / "Мой vault", {}).root
        self.shell = Shell(tmp_path / "home", self.vault)
        self.units = tmp_path / "config" / "systemd" / "user"
        self.tools = tmp_path / "tools"
        self.tools.mkdir()
        self.asked = tmp_path / "asked"

    def run(self, *arguments: str) -> Ended:
        return self.shell.run("service", *arguments, XDG_CONFIG_HOME=str(self.units.parents[1]), PATH=str(self.tools))

    def give(self, answer: str = "exit 0") -> None:
        """Puts a systemctl into the way of the command line."""
        tool = self.tools / "systemctl"
        tool.write_text(f'#!/bin/sh\necho "$*" >> "{self.asked}"\n{answer}\n', encoding="utf-8")
        tool.chmod(0o755)

    def files(self) -> list[Path]:
        return sorted(self.units.glob("*")) if self.units.exists() else []


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("command", ["install", "uninstall", "status", "logs"])
def test_every_command_has_help_and_json(desk: Desk, command: str) -> None:
    ended = desk.shell.run("service", command, "--help", COLUMNS="200")
    assert (ended.code, "--json" in ended.out) == (0, True)
    assert ("--dry-run" in ended.out) is (command in {"install", "uninstall"})


@LINUX
def test_a_dry_run_prints_the_unit_alone_and_changes_nothing(desk: Desk) -> None:
    ended = desk.run("install", "--dry-run")
    assert ended.code == 0
    assert marked_vault(ended.out.encode("utf-8")) == str(desk.vault)
    assert ended.out.splitlines()[-1] == "WantedBy=default.target"
    assert "Nothing was changed" in ended.err
    assert "systemctl --user enable --now holovault-" in ended.err
    assert desk.files() == []
    assert not desk.shell.home.exists()


@LINUX
def test_install_status_and_uninstall_speak_to_systemd(desk: Desk) -> None:
    desk.give()
    ended = desk.run("install")
    assert (ended.code, ended.err) == (0, "")
    (file,) = desk.files()
    assert f"{file} written" in ended.out
    asked = desk.asked.read_text(encoding="utf-8").splitlines()
    assert asked[0] == "--user daemon-reload"
    assert asked[-1] == f"--user enable --now {file.name}"

    desk.give('echo ActiveState=active; echo MainPID=4711; echo UnitFileState=enabled; echo "StatusText=Answers"')
    ended = desk.run("status")
    assert ended.code == 0
    for part in (str(file), "active (pid 4711", "started", "Answers", "daemon-", f"journalctl --user -u {file.name}"):
        assert part in ended.out
    found = msgspec.json.decode(desk.run("status", "--json").out)
    assert (found["installed"], found["current"], found["active"], found["pid"]) == (True, True, "active", 4711)

    assert desk.run("uninstall").code == 0
    assert desk.files() == []
    ended = desk.run("uninstall", "--json")
    assert (ended.code, msgspec.json.decode(ended.out)["removed"]) == (0, False)


@LINUX
def test_without_systemctl_the_file_is_there_and_the_command_is_told(desk: Desk) -> None:
    ended = desk.run("install")
    assert ended.code == 1
    assert len(desk.files()) == 1
    assert "cannot be reached (systemctl cannot be run" in ended.out
    assert f"systemctl --user enable --now {desk.files()[0].name}" in ended.out
    report = msgspec.json.decode(desk.run("install", "--json").out)
    assert (report["change"], [step["done"] for step in report["steps"]]) == ("same", [True, False])


@LINUX
def test_a_tool_that_fails_is_quoted(desk: Desk) -> None:
    desk.give('case "$*" in *enable*) echo "Job failed for a reason." >&2; exit 1;; esac')
    ended = desk.run("install")
    assert ended.code == 1
    assert "Job failed for a reason" in ended.out


@LINUX
def test_status_without_a_service_is_status_1_and_says_what_to_do(desk: Desk) -> None:
    ended = desk.run("status")
    assert ended.code == 1
    assert "not installed" in ended.out
    assert "holovault service install --vault" in ended.out


@LINUX
def test_a_service_whose_vault_is_gone_can_be_looked_at_and_removed(desk: Desk, tmp_path: Path) -> None:
    desk.give()
    assert desk.run("install").code == 0
    desk.vault.rename(tmp_path / "moved")
    away = Desk.__new__(Desk)
    away.shell, away.units, away.tools = Shell(desk.shell.home, tmp_path), desk.units, desk.tools
    assert away.run("install", "--vault", str(desk.vault)).code == 3
    assert str(desk.files()[0]) in away.run("status", "--vault", str(desk.vault)).out
    assert away.run("uninstall", "--vault", str(desk.vault)).code == 0
    assert desk.files() == []


@LINUX
def test_settings_with_a_mistake_are_told_before_anything_is_written_and_do_not_hinder_removal(desk: Desk) -> None:
    desk.give()
    assert desk.run("install").code == 0
    (desk.vault / "knowledge.toml").write_text("[daemon]\nmemory_mb = 1\n", encoding="utf-8")
    before = desk.files()[0].read_bytes()
    ended = desk.run("install")
    assert (ended.code, "memory_mb" in ended.err) == (2, True)
    assert desk.files()[0].read_bytes() == before
    assert "not installed" not in desk.run("status").out
    assert desk.run("uninstall").code == 0


@LINUX
def test_a_file_of_somebody_else_is_a_sentence_and_status_2(desk: Desk) -> None:
    desk.give()
    desk.run("install")
    desk.files()[0].write_text("[Service]\n", encoding="utf-8")
    ended = desk.run("uninstall")
    assert ended.code == 2
    assert ended.err.startswith("USAGE: ")
    assert "not written by Holovault" in ended.err


@pytest.mark.skipif(sys.platform != "win32", reason="what Windows is told")
def test_windows_is_told_what_to_do_instead(desk: Desk) -> None:
    ended = desk.shell.run("service", "install")
    assert ended.code == 1
    assert "schtasks /Create" in ended.out


def test_a_home_inside_the_vault_is_refused(desk: Desk) -> None:
    ended = Shell(desk.vault / "home", desk.vault).run("service", "install", "--dry-run")
    assert ended.code == 2
    assert "sync services" in ended.err


def test_the_help_of_services_loads_nothing_heavy() -> None:
    import subprocess

    script = "import sys, holovault.cli.service as s; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True, env=dict(os.environ))
    assert not set(ended.stdout.split()) & {"numpy", "aiohttp", "holovault.setup", "holovault.engine", "plistlib"}
