"""Owning a vault's index within one process: run files, their secrecy, stale ones, and what the second one is told."""

import os
import stat
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from holovault.config import Home, vault_key
from holovault.errors import BusyError, NotFoundError
from holovault.ownership import RunFile, acquire, find, is_held, live, prove, proven


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "Мои заметки"
    folder.mkdir()
    return folder


def test_an_owner_is_found_by_its_vault_until_it_lets_go(home: Home, vault: Path) -> None:
    with acquire(home, vault, "holovault index") as lease:
        found = find(home, vault)
        assert found == lease.run
        assert (found.port, found.pid, found.owner, found.vault) == (None, os.getpid(), "holovault index", str(vault.resolve()))
        assert list(live(home)) == [lease.run]
    assert find(home, vault) is None
    assert not home.run_file(vault_key(vault)).exists()
    assert not is_held(home, vault_key(vault))


def test_a_published_port_is_found(home: Home, vault: Path) -> None:
    with acquire(home, vault, "daemon") as lease:
        lease.publish(4711)
        found = find(home, vault)
        assert found is not None
        assert found.port == 4711
        assert found.token == lease.run.token


def test_every_start_has_a_token_and_boot_id_of_its_own(home: Home, vault: Path) -> None:
    with acquire(home, vault, "daemon") as lease:
        first = lease.run
    with acquire(home, vault, "daemon") as lease:
        assert lease.run.token != first.token
        assert lease.run.boot_id != first.boot_id


def test_the_second_owner_is_told_who_since_when_and_what_to_do(home: Home, vault: Path) -> None:
    with acquire(home, vault, "daemon", now=lambda: datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)) as lease:
        lease.publish(1)
        with pytest.raises(BusyError) as caught:
            acquire(home, vault, "holovault search")
    for part in ("daemon", str(os.getpid()), "2026-05-04T03:02:01+00:00", "holovault stop --vault", str(vault)):
        assert part in str(caught.value)


def test_a_vault_is_the_same_by_any_of_its_names(home: Home, vault: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    try:
        link.symlink_to(vault, target_is_directory=True)
    except OSError:
        assert sys.platform == "win32"
        return
    with acquire(home, link, "daemon") as lease:
        assert find(home, vault) == lease.run
        assert find(home, vault / ".." / vault.name) == lease.run


def test_a_vault_that_moved_under_its_owner_is_still_found(home: Home, vault: Path, tmp_path: Path) -> None:
    with acquire(home, vault, "daemon") as lease:
        vault.rename(tmp_path / "moved")
        assert find(home, tmp_path / "moved") == lease.run


def test_another_vault_is_not_found(home: Home, vault: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with acquire(home, vault, "daemon"):
        assert find(home, other) is None


def test_a_stale_run_file_is_ignored_and_removed_by_the_next_owner(home: Home, vault: Path) -> None:
    path = home.run_file(vault_key(vault))
    with acquire(home, vault, "daemon") as lease:
        stale = lease.publish(4711)
    path.write_bytes(msgspec.json.encode(stale))
    draft = path.with_name(f".{path.name}.abc.tmp")
    draft.write_bytes(b"half")
    assert find(home, vault) is None
    with acquire(home, vault, "holovault index") as lease:
        assert find(home, vault) == lease.run
        assert lease.run.port is None
        assert not draft.exists()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"key": 1}', b"\xff\xfe", b"x" * 100_000])
def test_a_run_file_that_is_none_is_ignored(home: Home, vault: Path, data: bytes) -> None:
    home.run_file("f" * 16).write_bytes(data)
    assert find(home, vault) is None
    with acquire(home, vault, "daemon") as lease:
        assert find(home, vault) == lease.run


def test_a_vault_that_is_not_there_cannot_be_owned(home: Home, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no vault"):
        acquire(home, tmp_path / "nowhere", "daemon")


def test_letting_go_twice_does_not_take_the_next_owners_file(home: Home, vault: Path) -> None:
    first = acquire(home, vault, "first")
    first.release()
    with acquire(home, vault, "second") as second:
        first.release()
        assert find(home, vault) == second.run


@pytest.mark.skipif(os.name != "posix", reason="Windows inherits the profile folder's access list")
def test_run_files_are_for_this_user_only(home: Home, vault: Path) -> None:
    with acquire(home, vault, "daemon") as lease:
        lease.publish(1)
        path = home.run_file(vault_key(vault))
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(home.lock_file(vault_key(vault)).stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_token_is_never_printed_with_its_run_file() -> None:
    run = RunFile("k", 1, 2, "0", 1, "boot", "/v", 1, 2, "daemon", "now", "s3cret")
    assert "s3cret" not in repr(run)


def test_only_the_token_answers_a_nonce() -> None:
    # HMAC-SHA256 of RFC 4231, test case 2.
    assert prove("Jefe", "what do ya want for nothing?") == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert proven("token", "nonce", prove("token", "nonce"))
    assert not proven("token", "nonce", prove("other", "nonce"))
    assert not proven("token", "nonce", "\udce9")
