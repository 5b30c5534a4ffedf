"""A real daemon under a real supervisor: ready after the first look, alive while it says so, back after kill -9."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from holovault.client import AsyncClient, Client, stop_daemon
from holovault.config import Home, vault_key
from holovault.model import SearchRequest
from holovault.ownership import RunFile, find, is_held, live
from holovault.setup import AGAIN, Ran, Service, ServiceSpec, run_command
from holovault.setup.systemd import Systemd, unit_text
from tests.support.processes import ended, wait_until
from tests.support.services import spec_of
from tests.support.supervisor import Supervision
from tests.support.units import read_unit
from tests.support.vaults import make_vault

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="sd_notify needs Unix sockets"),
    pytest.mark.timeout(300),
]
WATCHDOG_S = 4.0


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    notes = {f"notes/{number}.md": f"# Note {number}\n\nA zebra numbered n{number}n crossed.\n" for number in range(60)}
    return make_vault(tmp_path / 'Мой "vault" 100% $HOME', notes).root


@pytest.fixture
def spec(vault: Path, home: Home) -> ServiceSpec:
    return spec_of(vault, home.root)


@pytest.fixture
def service(spec: ServiceSpec, home: Home, vault: Path, tmp_path: Path) -> Iterator[Supervision]:
    with Supervision(read_unit(unit_text(spec)), tmp_path, watchdog_s=WATCHDOG_S) as supervision:
        yield supervision
    with contextlib.suppress(Exception):
        stop_daemon(home, vault)


def answers(home: Home, vault: Path, query: str = "n59n") -> list[str]:
    client = Client.connect_or_none(home, vault)
    assert client is not None
    with client:
        response = client.search(SearchRequest(query, mode="lexical"))
    assert [entry.code for entry in response.degraded if entry.lane == "index"] == []
    return [hit.path for hit in response.results]


def test_a_killed_service_comes_back_as_the_one_owner_and_answers(service: Supervision, home: Home, vault: Path) -> None:
    service.start()
    service.wait_said("READY=1")
    first = service.pid
    assert answers(home, vault) == ["notes/59.md"]
    service.wait_said("WATCHDOG=1")

    os.kill(first, signal.SIGKILL)
    service.wait_said("READY=1", life=2)
    assert service.pid != first
    assert [(run.pid, run.owner) for run in live(home)] == [(service.pid, "daemon")]
    assert answers(home, vault) == ["notes/59.md"]

    assert service.stop() == 0
    assert service.has_said("STOPPING=1")
    assert service.ends == [-signal.SIGKILL, 0]
    assert not is_held(home, vault_key(vault))
    assert not home.run_file(vault_key(vault)).exists()


def test_a_service_is_ready_only_after_its_first_look_at_the_vault(service: Supervision, home: Home, vault: Path) -> None:
    service.start()
    service.wait_said("READY=1")
    # Whoever waits for READY finds every note, and is not told that the index is still being built.
    assert answers(home, vault, "zebra")
    before = [state for said in service.said for state in said.states]
    before = before[: before.index("READY=1")]
    assert any(state.startswith("EXTEND_TIMEOUT_USEC=") for state in before)
    assert "WATCHDOG=1" not in before
    service.wait_for(lambda: any("STATUS=Answers" in state for said in service.said for state in said.states), "its status")


def test_a_service_that_falls_silent_is_replaced(service: Supervision, home: Home, vault: Path) -> None:
    service.start()
    service.wait_said("WATCHDOG=1")
    os.kill(service.pid, signal.SIGSTOP)
    service.wait_said("READY=1", life=2)
    assert service.ends == [-signal.SIGKILL]
    assert answers(home, vault) == ["notes/59.md"]


def test_a_service_takes_the_place_of_a_daemon_started_on_demand(service: Supervision, home: Home, vault: Path) -> None:
    with Client.start_daemon(home, vault) as client:
        on_demand = client.health().pid
    service.start()
    service.wait_said("READY=1")
    assert wait_until(lambda: ended(on_demand))
    owner = find(home, vault)
    assert owner is not None
    assert owner.pid == service.pid
    assert answers(home, vault) == ["notes/59.md"]


def test_a_service_that_is_stopped_by_hand_stays_stopped(service: Supervision, home: Home, vault: Path) -> None:
    service.start()
    service.wait_said("READY=1")
    assert stop_daemon(home, vault) is not None
    # Restart=on-failure: it ended well, so nobody starts it again.
    service.wait_for(lambda: service.ends == [0], "its end")
    assert service.starts == 1
    assert find(home, vault) is None


def test_a_service_that_an_update_made_leave_is_started_anew(service: Supervision, home: Home, vault: Path) -> None:
    service.start()
    service.wait_said("READY=1")
    owner = find(home, vault)
    assert owner is not None
    asyncio.run(_stop_for_an_update(owner))
    service.wait_said("READY=1", life=2)
    assert service.ends == [AGAIN]
    assert answers(home, vault) == ["notes/59.md"]


async def _stop_for_an_update(owner: RunFile) -> None:
    """What a client does that finds a daemon older than itself."""
    async with AsyncClient(owner) as client:
        await client.stop(again=True)


def test_settings_with_a_mistake_end_the_service_with_the_status_that_is_not_restarted(
    spec: ServiceSpec, vault: Path, tmp_path: Path
) -> None:
    (vault / "knowledge.toml").write_text("[serach]\n", encoding="utf-8")
    unit = read_unit(unit_text(spec))
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **unit.environment}
    done = subprocess.run(unit.command, env=environment, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert str(done.returncode) == unit.get("RestartPreventExitStatus")
    assert "serach" in done.stderr


def reached() -> bool:
    """Whether a systemd of this user runs here."""
    return shutil.which("systemctl") is not None and run_command("systemctl", "--user", "show-environment").ok


@pytest.fixture
def installed(spec: ServiceSpec, home: Home) -> Iterator[Service]:
    """The service under this user's own systemd, in the folder of units that lasts as long as the session."""
    if not reached():
        pytest.skip("no systemd of this user runs here; the supervisor of the tests stands in for it")

    def run(*command: str, wait: float = 30.0) -> Ran:
        passing = ("--runtime",) if command[2:3] in (("enable",), ("disable",)) else ()
        return run_command(*command[:3], *passing, *command[3:], wait=wait)

    folder = Path(os.environ["XDG_RUNTIME_DIR"]) / "systemd" / "user"
    service = Service(spec, home, Systemd(spec, folder, run, os.getuid()))
    yield service
    service.uninstall()


def test_this_users_systemd_starts_it_restarts_it_and_forgets_it(installed: Service, home: Home, vault: Path) -> None:
    done = installed.install()
    assert done.done, done.steps
    first = installed.status()
    assert (first.active, first.other_pid) == ("active", None)
    assert first.pid is not None
    assert first.since is not None
    assert answers(home, vault) == ["notes/59.md"]

    os.kill(first.pid, signal.SIGKILL)
    assert wait_until(lambda: (now := installed.status()).active == "active" and now.pid != first.pid, 60)
    assert answers(home, vault) == ["notes/59.md"]
    assert installed.install().change == "same"

    pid = installed.status().pid
    assert pid is not None
    assert installed.uninstall().done
    assert wait_until(lambda: not psutil.pid_exists(pid))
    assert installed.status().installed is False
    assert find(home, vault) is None
