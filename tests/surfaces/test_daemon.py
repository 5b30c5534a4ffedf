"""The daemon as a process: started on demand, by ten clients at once, killed, stopped, and the same answers without it."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil
import pytest

from holovault.client import AsyncClient, Client, Patience, start_daemon, stop_daemon
from holovault.config import Home, vault_key
from holovault.errors import BusyError, ConfigError, UserError
from holovault.model import IndexRequest, SearchRequest
from holovault.ownership import acquire, find, is_held
from tests.support.shell import Shell

TIME = re.compile(r'"took_ms": [0-9.]+')


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "Мой vault"
    folder.mkdir()
    (folder / "knowledge.toml").write_text('[embedding]\nprovider = "none"\n', encoding="utf-8")
    (folder / "база.md").write_text("# Суббота\n\nВ субботу поедем на дачу.\n", encoding="utf-8")
    (folder / "pve.md").write_text("# Server\n\nThe host pve-01 runs the backup.\n\n## Disk\n\nIt has two disks.\n", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def nothing_stays(home: Home, vault: Path) -> Iterator[None]:
    """Ends a daemon that a test left, by the pid of its own run file."""
    yield
    run = find(home, vault)
    if run is not None and run.pid != os.getpid():
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(run.pid)
            process.kill()
            process.wait(10)


@pytest.mark.timeout(300)
def test_ten_clients_at_once_end_with_one_daemon(home: Home, vault: Path) -> None:
    async def all_at_once() -> set[int]:
        clients: list[AsyncClient] = await asyncio.gather(*(start_daemon(home, vault) for _ in range(10)))
        try:
            healths = await asyncio.gather(*(client.health() for client in clients))
            return {health.pid for health in healths}
        finally:
            for client in clients:
                await client.close()

    pids = asyncio.run(all_at_once())
    assert len(pids) == 1
    run = find(home, vault)
    assert run is not None
    assert {run.pid} == pids


@pytest.mark.timeout(300)
def test_commands_that_start_one_at_once_end_with_one_daemon(home: Home, vault: Path) -> None:
    command = [sys.executable, "-m", "holovault.cli", "up", str(vault), "--json"]
    environment = dict(Shell(home.root, vault).environment())
    with contextlib.ExitStack() as stack:
        running = [
            stack.enter_context(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
            for _ in range(3)
        ]
        ended = [process.communicate(timeout=100) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], ended
    reports = [msgspec.json.decode(out) for out, _ in ended]
    assert len({report["pid"] for report in reports}) == 1


def test_a_daemon_outlives_the_client_that_started_it_and_stops_when_asked(home: Home, vault: Path) -> None:
    shell = Shell(home.root, vault)
    started = shell.run("up", "--json")
    assert started.code == 0, started.err
    report = msgspec.json.decode(started.out)
    assert (report["started"], report["status"]["files"]) == (True, 2)
    assert psutil.pid_exists(report["pid"])
    assert shell.run("search", "субботы").out.startswith("база.md:")
    assert shell.run("stop").code == 0
    assert find(home, vault) is None
    assert not home.run_file(vault_key(vault)).exists()


@pytest.mark.timeout(300)
def test_answers_are_the_same_with_and_without_a_daemon(home: Home, vault: Path) -> None:
    shell = Shell(home.root, vault)
    (vault / "маяк.md").write_text("---\nlead: '[[Анна Кузнецова]]'\n---\nМаяк: [[Анна Кузнецова]] и [[Порт]].\n", encoding="utf-8")
    (vault / "dock.md").write_text("---\nlead: '[[Boris Orlov]]'\n---\nDock: [[Boris Orlov]], [[Порт]].\n", encoding="utf-8")
    asked = [
        ("search", "субботы", "--json", "--explain"),
        ("search", "pve-01"),
        ("search", "qwzxv"),
        ("related", "pve.md", "--json"),
        ("read", "pve.md:3-5", "--json"),
        ("read", "../outside.md"),
        ("probe", "Анну Кузнецову", "--json"),
        ("reason", "Boris Orlov", "Анна Кузнецова"),
        ("analogy", "маяк", "Анна Кузнецова", "dock", "--json"),
        ("explain", "pve.md", "--json"),
        ("index", "--json", "--no-wait"),
    ]
    assert shell.run("index").code == 0
    alone = [shell.run(*arguments) for arguments in asked]
    assert shell.run("up").code == 0
    served = [shell.run(*arguments) for arguments in asked]
    for arguments, without, with_daemon in zip(asked, alone, served, strict=True):
        assert _timeless(without.out) == _timeless(with_daemon.out), arguments
        assert (without.code, without.err) == (with_daemon.code, with_daemon.err), arguments
    assert alone[0].code == 0
    assert alone[2].code == 1
    assert "Boris Orlov" in next(ended.out for words, ended in zip(asked, alone, strict=True) if words[0] == "analogy")


def test_a_killed_daemon_is_replaced_and_no_note_is_lost(home: Home, vault: Path) -> None:
    with Client.start_daemon(home, vault) as client:
        client.index(IndexRequest())
        written = client.write("new.md", b"# New\n\nA zebra crossed.\n", None, True)
        first = client.health().pid
    process = psutil.Process(first)
    process.kill()
    process.wait(10)
    assert home.run_file(vault_key(vault)).exists()
    assert Client.connect_or_none(home, vault) is None
    with Client.start_daemon(home, vault) as client:
        assert client.health().pid != first
        client.index(IndexRequest())
        assert client.read("new.md").hash == written.hash
        assert [hit.path for hit in client.search(SearchRequest("zebra", mode="lexical")).results] == ["new.md"]


def test_a_daemon_that_cannot_start_says_why_to_who_asked(home: Home, vault: Path) -> None:
    (vault / "knowledge.toml").write_text("[serach]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="serach"):
        Client.start_daemon(home, vault)
    assert find(home, vault) is None


def test_a_daemon_is_not_started_beside_another_owner(home: Home, vault: Path) -> None:
    with acquire(home, vault, "holovault index"), pytest.raises(BusyError, match="holovault index"):
        Client.start_daemon(home, vault, patience=Patience(busy=0.2))


def test_a_port_that_is_taken_is_told(home: Home, vault: Path) -> None:
    with contextlib.closing(_listener()) as taken:
        ended = Shell(home.root, vault).run("serve", "--port", str(taken.getsockname()[1]))
    assert ended.code == 3
    assert ended.err.startswith("BUSY: Port")
    assert not is_held(home, vault_key(vault))


def test_a_daemon_without_requests_leaves_by_itself(home: Home, vault: Path) -> None:
    ended = Shell(home.root, vault).run("serve", "--idle-exit", "0.2")
    assert ended.code == 0
    assert ended.out.startswith("Serving ")
    assert find(home, vault) is None


@pytest.mark.skipif(os.name != "posix", reason="SIGTERM ends a Windows process without asking it")
def test_a_terminated_daemon_leaves_in_order(home: Home, vault: Path) -> None:
    command = [sys.executable, "-m", "holovault.cli", "serve", "--vault", str(vault), "--home", str(home.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert "Serving" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert not home.run_file(vault_key(vault)).exists()


def test_a_daemon_holds_neither_the_callers_folder_nor_its_vault_as_its_own(home: Home, vault: Path) -> None:
    with Client.start_daemon(home, vault) as client:
        assert Path(psutil.Process(client.daemon.pid).cwd()).resolve() == home.root.resolve()
    with contextlib.suppress(UserError):
        stop_daemon(home, vault)


def _timeless(out: str) -> str:
    return re.sub(r'"seconds": [0-9.e-]+', "", TIME.sub("", out))


def _listener() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))
