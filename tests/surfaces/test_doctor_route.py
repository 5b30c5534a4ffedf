"""The way to a service behind a network, looked at inside a real daemon whose environment is not the shell's."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from holovault.config import trust
from holovault.ownership.runfile import load
from tests.support.http_proxy import http_proxy
from tests.support.openai_server import DIMENSION, Server, cut_in_half, openai_server
from tests.support.practice import NOTES, PROXIES, Practice, Visit
from tests.support.shell import Shell
from tests.support.vaults import make_vault

AWAY = "https://embedding.test/v1"
NAME = "HOLOVAULT_TEST_KEY"
KEY = "sk-5f1d0c0ffee5f1d0"


@pytest.fixture
def practice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Practice]:
    for name in (*PROXIES, NAME):
        monkeypatch.delenv(name, raising=False)
    vault = make_vault(tmp_path / "vault", NOTES)
    place = Practice(vault, Shell(tmp_path / "home", vault.root))
    yield place
    place.shell.here("stop", "--vault", str(place.vault.root))


@pytest.fixture
def server() -> Iterator[Server]:
    with openai_server() as running:
        yield running


def _use(practice: Practice, base_url: str, *, key: bool = False) -> None:
    named = f'api_key_env = "{NAME}"\n' if key else ""
    practice.vault.config(
        f'[embedding]\nprovider = "openai"\nbase_url = "{base_url}"\nmodel = "test-model"\ndimensions = {DIMENSION}\ntimeout_s = 5\n{named}'
    )
    trust(practice.home, base_url, NAME if key else None)


def _pid(practice: Practice) -> int:
    run = load(practice.run_file)
    assert run is not None
    return run.pid


def _without_secrets(visit: Visit) -> Visit:
    assert KEY not in visit.ended.out + visit.ended.err
    return visit


def test_the_daemon_tells_its_whole_route(practice: Practice, server: Server) -> None:
    _use(practice, server.base_url)
    practice.up()
    check = practice.visit().one("model")
    assert check.state == "ok"
    for words in (
        f"asked by the daemon, pid {_pid(practice)}, model in pid",
        f"with {DIMENSION} numbers of norm 1.000",
        "aiohttp 3.",
        f"to {server.base_url}/embeddings; through no proxy; key: none; HTTP 200",
    ):
        assert words in check.text
    size = check.text.rpartition("HTTP 200, ")[2].split()
    assert size[0] == size[2]
    assert int(size[0]) > 100


def test_without_a_daemon_the_route_is_this_process_own_and_says_so(practice: Practice, server: Server) -> None:
    _use(practice, server.base_url, key=True)
    visit = _without_secrets(practice.visit(**{NAME: KEY}))
    assert "asked in this process, with this shell's environment" in visit.one("model").text
    assert f"key: {NAME} from environment" in visit.one("model").text
    assert server.asked[0].authorization == f"Bearer {KEY}"


def test_a_proxy_of_the_daemon_alone_is_named(practice: Practice, server: Server) -> None:
    _use(practice, AWAY)
    with http_proxy(server.port) as proxy:
        practice.up(HTTPS_PROXY=f"http://someone:{KEY}@127.0.0.1:{proxy.port}")
        visit = _without_secrets(practice.visit())
        assert f"through the proxy http://127.0.0.1:{proxy.port} (from HTTPS_PROXY)" in visit.one("model").text
        assert "let no connection through" in visit.one("model").text
        check = visit.one("environment")
        assert check.state == "warning"
        assert f"only in the environment of the daemon (pid {_pid(practice)}) (by HTTPS_PROXY)" in check.text
        assert "set HTTPS_PROXY here too" in (check.next or "")
        assert {passed.method for passed in proxy.passed} == {"CONNECT"}
        same = practice.visit(HTTPS_PROXY=f"http://127.0.0.1:{proxy.port}").one("environment")
        assert same.state == "ok"


def test_a_proxy_of_the_shell_alone_is_named_and_the_daemon_goes_without(practice: Practice, server: Server) -> None:
    _use(practice, AWAY)
    with http_proxy(server.port) as proxy:
        practice.up()
        visit = _without_secrets(practice.visit(HTTPS_PROXY=f"http://someone:{KEY}@127.0.0.1:{proxy.port}"))
        assert (visit.one("model").state, visit.one("environment").state) == ("problem", "warning")
        assert "through no proxy" in visit.one("model").text
        assert f"http://127.0.0.1:{proxy.port} is named only in this shell (by HTTPS_PROXY)" in visit.one("environment").text
        assert "holovault up" in (visit.one("environment").next or "")
        assert proxy.passed == []


def test_a_key_of_the_daemon_alone_is_named(practice: Practice, server: Server) -> None:
    _use(practice, server.base_url, key=True)
    practice.up(**{NAME: KEY})
    visit = _without_secrets(practice.visit())
    assert (visit.one("model").state, visit.one("environment").state) == ("ok", "warning")
    assert f"{NAME} is set only in the environment of the daemon" in visit.one("environment").text
    assert "credentials" in (visit.one("environment").next or "")
    assert _without_secrets(practice.visit(**{NAME: KEY})).one("environment").state == "ok"


def test_a_key_of_the_shell_alone_does_not_reach_the_daemon(practice: Practice, server: Server) -> None:
    _use(practice, server.base_url, key=True)
    practice.up()
    visit = _without_secrets(practice.visit(**{NAME: KEY}))
    assert (visit.one("model").state, visit.one("environment").state) == ("problem", "warning")
    assert f"key: {NAME}, not found" in visit.one("model").text
    assert f"{NAME} is set only in this shell" in visit.one("environment").text
    assert server.asked == []


def test_a_body_that_is_cut_in_half_is_told_in_bytes(practice: Practice, server: Server) -> None:
    server.always = cut_in_half
    _use(practice, server.base_url)
    practice.up()
    check = practice.visit().one("model")
    assert check.state == "problem"
    received, _, expected, *_ = check.text.rpartition("HTTP 200, ")[2].split()
    assert 0 < int(received) < int(expected)


def test_an_address_that_nobody_confirmed_is_not_asked(practice: Practice) -> None:
    _use(practice, AWAY)
    practice.home.trusted.unlink()
    practice.up()
    check = practice.visit().one("model")
    assert (check.state, "never confirmed" in check.text) == ("problem", True)
