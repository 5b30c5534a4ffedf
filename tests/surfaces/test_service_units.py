"""The systemd unit: what it says, that any path survives its quoting, and that systemd itself accepts it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holovault.config import Config, DaemonConfig, EmbeddingConfig
from holovault.errors import UsageError
from holovault.setup.sandbox import sandbox
from holovault.setup.spec import AGAIN, marked_vault
from holovault.setup.systemd import unit_text
from tests.support.services import NAMES, spec_of
from tests.support.units import read_unit

POSIX = pytest.mark.skipif(os.name != "posix", reason="a unit is for systems with such paths")
ANALYZE = shutil.which("systemd-analyze")
VERIFIED = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed (on Debian: the package systemd)")


@POSIX
@pytest.mark.parametrize("name", NAMES)
def test_any_path_comes_out_of_the_unit_as_it_went_in(tmp_path: Path, name: str) -> None:
    vault, home = tmp_path / name, tmp_path / f"home of {name}"
    unit = read_unit(unit_text(spec_of(vault, home)))
    assert unit.command == [sys.executable, "-P", "-m", "holovault.cli", "serve", "--vault", str(vault), "--keep", "--replace"]
    assert unit.environment == {"HOLOVAULT_HOME": str(home)}


@POSIX
@pytest.mark.parametrize("name", NAMES)
def test_an_interpreter_anywhere_comes_out_as_it_went_in(tmp_path: Path, name: str) -> None:
    python, vault = tmp_path / name / "python", tmp_path / "$1 %h"
    unit = read_unit(unit_text(spec_of(vault, tmp_path, python=python)))
    assert (unit.command[0], unit.command[6]) == (str(python), str(vault))


@POSIX
def test_a_name_that_is_not_unicode_comes_out_byte_for_byte(tmp_path: Path) -> None:
    vault = tmp_path / os.fsdecode(b"caf\xe9 \xff")
    text = unit_text(spec_of(vault, tmp_path)).encode("utf-8").decode("utf-8")
    assert os.fsencode(read_unit(text).command[6]) == os.fsencode(vault)
    assert marked_vault(text.encode("utf-8")) == str(vault)


@POSIX
@pytest.mark.parametrize("name", NAMES)
def test_the_file_says_whose_it_is(tmp_path: Path, name: str) -> None:
    assert marked_vault(unit_text(spec_of(tmp_path / name, tmp_path)).encode("utf-8")) == str(tmp_path / name)


def test_a_foreign_file_is_nobodys() -> None:
    assert marked_vault(b"[Service]\nExecStart=/bin/true\n") is None
    assert marked_vault(b'# Written by `holovault service install` for the vault "broken \\x"\n') is None


def test_every_vault_has_a_service_of_its_own(tmp_path: Path) -> None:
    one, two = spec_of(tmp_path / "one", tmp_path), spec_of(tmp_path / "two", tmp_path)
    assert one.name != two.name
    assert one.name.startswith("holovault-")


@POSIX
def test_the_unit_says_when_it_is_ready_when_it_hangs_and_when_to_give_up(tmp_path: Path) -> None:
    unit = read_unit(unit_text(spec_of(tmp_path / "Notes", tmp_path)))
    said = {
        key: unit.get(key)
        for key in (
            "Type",
            "NotifyAccess",
            "Restart",
            "RestartPreventExitStatus",
            "RestartForceExitStatus",
            "SuccessExitStatus",
            "KillMode",
            "WantedBy",
        )
    }
    assert said == {
        "Type": "notify",
        "NotifyAccess": "main",
        "Restart": "on-failure",
        "RestartPreventExitStatus": "2",
        "RestartForceExitStatus": str(AGAIN),
        "SuccessExitStatus": str(AGAIN),
        "KillMode": "mixed",
        "WantedBy": "default.target",
    }
    assert int(unit.get("WatchdogSec")) > 0
    assert int(unit.get("StartLimitBurst")) * int(unit.get("RestartSec")) < int(unit.get("StartLimitIntervalSec"))
    assert unit.get("Description") == f"Holovault: {tmp_path / 'Notes'}"
    assert [section for section, key, _ in unit.lines if key.startswith("StartLimit")] == ["Unit", "Unit"]


@POSIX
def test_the_home_folder_is_named_only_when_it_is_not_the_usual_one(tmp_path: Path) -> None:
    assert read_unit(unit_text(spec_of(tmp_path / "v", tmp_path, home_given=False))).environment == {}


@POSIX
@pytest.mark.parametrize(
    ("config", "cap"),
    [
        (Config(), "1600M"),
        (Config(embedding=EmbeddingConfig(memory_mb=300)), "1100M"),
        (Config(embedding=EmbeddingConfig(memory_mb=300, refine="e5")), "1400M"),
        (Config(daemon=DaemonConfig(memory_mb=512)), "512M"),
    ],
)
def test_the_memory_cap_comes_from_the_settings(tmp_path: Path, config: Config, cap: str) -> None:
    assert read_unit(unit_text(spec_of(tmp_path / "v", tmp_path, config))).get("MemoryMax") == cap


@POSIX
def test_the_walls_leave_a_vault_reachable_wherever_it_lies() -> None:
    home, program = Path("/home/ann/.holovault"), (Path("/home/ann/venv/bin/python"), Path("/usr/lib/python3"))
    usual = sandbox((Path("/home/ann/Notes"), home), program)
    assert {"NoNewPrivileges=yes", "ProtectSystem=full", "PrivateTmp=yes"} <= set(usual)
    assert not any(line.startswith(("ProtectHome", "UMask", "ProtectSystem=strict", "ReadOnlyPaths")) for line in usual)
    assert "PrivateTmp=yes" not in sandbox((Path("/tmp/Notes"), home), program)
    assert "PrivateTmp=yes" not in sandbox((Path("/home/ann/Notes"), home), (Path("/var/tmp/venv/bin/python"),))
    assert "ProtectSystem=full" not in sandbox((Path("/etc/Notes"), home), program)
    assert "ProtectSystem=full" in sandbox((Path("/etcetera/Notes"), home), program)


@pytest.mark.skipif(not os.path.islink("/proc/self/root"), reason="needs a link to the root folder outside of /tmp")
def test_a_link_into_a_temporary_folder_counts_as_there() -> None:
    assert "PrivateTmp=yes" not in sandbox((Path("/proc/self/root/tmp/Notes"),), ())
    assert "PrivateTmp=yes" in sandbox((Path("/proc/self/root/home/Notes"),), ())


def verify(folder: Path, name: str, text: str) -> str:
    """What systemd-analyze has to say about a unit; fails where it does not accept it."""
    assert ANALYZE is not None
    unit = folder / f"{name}.service"
    unit.write_text(text, encoding="utf-8")
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "SYSTEMD_LOG_COLOR": "0"}
    command = [ANALYZE, "verify", "--user", str(unit)]
    ended = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=30, check=False)
    said = "\n".join(line for line in (ended.stdout + ended.stderr).splitlines() if name in line)
    assert ended.returncode == 0, ended.stderr
    return said


@VERIFIED
@pytest.mark.parametrize("name", NAMES)
def test_systemd_accepts_the_unit_whatever_the_vault_and_the_interpreter_are_called(tmp_path: Path, name: str) -> None:
    python = tmp_path / name / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    spec = spec_of(tmp_path / f"vault {name}", tmp_path / f"home {name}", python=python)
    assert verify(tmp_path, spec.name, unit_text(spec)) == ""


@VERIFIED
def test_systemd_accepts_a_vault_whose_name_is_not_unicode(tmp_path: Path) -> None:
    spec = spec_of(tmp_path / os.fsdecode(b"caf\xe9 \xff"), tmp_path)
    assert verify(tmp_path, spec.name, unit_text(spec)) == ""


def test_a_program_that_systemd_cannot_run_is_told_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="plainer name"):
        unit_text(spec_of(tmp_path / "vault", tmp_path, python=tmp_path / 'a="b"' / "python"))


@VERIFIED
def test_systemd_would_say_if_it_did_not_understand_a_line(tmp_path: Path) -> None:
    spec = spec_of(tmp_path / "vault", tmp_path)
    assert "WatchdogSeconds" in verify(tmp_path, spec.name, unit_text(spec).replace("WatchdogSec=", "WatchdogSeconds="))
