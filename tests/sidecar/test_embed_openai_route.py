"""What stands between this process and the service: confirmation, proxy, key, and the report about all of it."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from holovault.config import Home, proxies_for, trust, write_private
from holovault.embed import ModelUnavailable
from holovault.embed.openai import route
from tests.support.http_proxy import http_proxy
from tests.support.openai_server import DIMENSION, cut_in_half, openai_server, says, silent, status, with_numbers
from tests.support.remote import remote, trouble_with
from tests.support.remote_shop import config_for, remote_shop

AWAY = "http://embedding.test/v1"
KEY = "sk-9876543210zyxwvu"
VARIABLES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "REQUEST_METHOD")


@pytest.fixture(autouse=True)
def _no_proxy_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def test_an_address_that_nobody_confirmed_gets_nothing_until_somebody_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with openai_server() as server, http_proxy(server.port) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        with remote_shop(config_for(AWAY), tmp_path) as shop:
            for ask in (lambda: shop.embedding.embed_query("x", None), lambda: shop.embedding.embed_passages(["x"]), shop.embedding.probes):
                with pytest.raises(
                    ModelUnavailable, match=r"note text to http://embedding\.test/v1, which you never confirmed .*model use"
                ):
                    ask()
            shop.embedding.warm()
            state = shop.embedding.status()
            assert state.state == "failed"
            assert state.reason is not None
            assert "never confirmed" in state.reason
            assert shop.child.pid is None
            assert proxy.passed == []
            trust(shop.home, AWAY)
            assert shop.embedding.embed_passages(["x"]).failed == ()
            assert {passed.target for passed in proxy.passed} == {f"{AWAY}/embeddings"}


def test_a_confirmed_address_gets_no_key_that_nobody_confirmed_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANOTHER_SECRET", KEY)
    with openai_server() as server, http_proxy(server.port) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        with remote_shop(config_for(AWAY, key_name="ANOTHER_SECRET"), tmp_path) as shop:
            trust(shop.home, AWAY, "A_KEY")
            with pytest.raises(ModelUnavailable, match=r"the key in ANOTHER_SECRET to http://embedding\.test/v1, which you never"):
                shop.embedding.embed_query("x", None)
        assert proxy.passed == []


def test_a_damaged_list_of_addresses_stops_the_model_and_not_the_program(tmp_path: Path) -> None:
    with remote_shop(config_for(AWAY), tmp_path) as shop:
        shop.home.trusted.write_text("[", encoding="utf-8")
        with pytest.raises(ModelUnavailable, match=r"trusted\.json .*delete it"):
            shop.embedding.embed_query("x", None)


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY"])
def test_the_proxy_of_the_environment_is_used_and_told(name: str, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    trust(home, AWAY)
    with openai_server() as server, http_proxy(server.port) as proxy:
        monkeypatch.setenv(name, f"http://someone:{KEY}@127.0.0.1:{proxy.port}")
        seen = route(config_for(AWAY), home)
        assert seen.trouble is None
        (told,) = seen.proxies
        assert (told.scheme, told.address, told.used) == ("http", f"http://127.0.0.1:{proxy.port}", True)
        assert told.source in {"http_proxy", "HTTP_PROXY"}  # Windows knows no case in names
        assert KEY not in repr(seen)
        assert [(passed.method, passed.target) for passed in proxy.passed] == [("POST", f"{AWAY}/embeddings")]
        assert (proxy.passed[0].authorization or "").startswith("Basic ")


def test_this_machine_is_never_asked_through_a_proxy(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with openai_server() as server, http_proxy(server.port) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        seen = route(config_for(server.base_url), home)
        assert seen.trouble is None
        assert [(told.used, told.reason) for told in seen.proxies] == [(False, "this machine is asked directly")]
        assert proxy.passed == []


def test_a_host_that_needs_no_proxy_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.test:1")
    monkeypatch.setenv("https_proxy", "http://proxy.test:2")
    monkeypatch.setenv("no_proxy", "embedding.test")
    assert [(told.scheme, told.reason) for told in proxies_for(AWAY)] == [
        ("http", "no_proxy excepts this host"),
        ("https", "it is for https addresses"),
    ]
    monkeypatch.delenv("no_proxy")
    assert [told.used for told in proxies_for(AWAY)] == [True, False]
    monkeypatch.setenv("http_proxy", "https://proxy.test:1")
    assert proxies_for(AWAY)[0].reason == "only proxies that are reached by http:// can be used"


@pytest.mark.parametrize(
    ("proxy", "words"),
    [
        ("http://127.0.0.1:1", "the proxy http://127.0.0.1:1 (from http_proxy) cannot be reached"),
        (
            "127.0.0.1:1",
            "the proxy http://127.0.0.1:1 (from http_proxy) is named in a way that cannot be used: write it as http://host:port",
        ),
    ],
)
def test_a_proxy_that_is_no_help_is_named_with_its_variable(proxy: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    with remote(AWAY) as model:
        trouble = trouble_with(model)
        assert trouble.kind == "away"
        assert words in trouble.reason


@pytest.mark.parametrize(("refusal", "kind"), [("407 Proxy Authentication Required", "denied"), ("403 Forbidden", "away")])
def test_a_proxy_that_lets_nothing_through_is_named(refusal: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with http_proxy(1, refusal) as proxy:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        with remote("https://embedding.test/v1") as model:
            trouble = trouble_with(model)
            assert trouble.kind == kind
            assert f"let no connection through to https://embedding.test/v1/embeddings (HTTP {refusal[:3]})" in trouble.reason
            assert [(passed.method, passed.target) for passed in proxy.passed] == [("CONNECT", "embedding.test:443")]


def test_a_name_that_does_not_resolve_is_said_to_be_that() -> None:
    with remote("http://no-such-name.invalid/v1") as model:
        trouble = trouble_with(model)
        assert trouble.kind == "away"
        assert "the name in http://no-such-name.invalid/v1/embeddings cannot be resolved" in trouble.reason


def test_another_programs_password_for_the_host_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine embedding.test login someone password elsewhere\n", encoding="utf-8")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("A_KEY", KEY)
    with openai_server() as server, http_proxy(server.port) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        home = Home(tmp_path / "home")
        trust(home, AWAY, "A_KEY")
        assert route(config_for(AWAY), home).trouble is None
        assert route(config_for(AWAY, key_name="A_KEY"), home).trouble is None
        assert [asked.authorization for asked in server.asked] == [None, f"Bearer {KEY}"]


def test_the_report_of_a_good_route_has_all_its_figures(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    with openai_server(with_numbers([3, 4, 0, 0, 0, 0, 0, 0])) as server:
        ticks = iter([10.0, 12.5])
        seen = route(config_for(server.base_url, key_name="A_KEY"), home, clock=lambda: next(ticks))
        assert (seen.status, seen.dimension, seen.norm, seen.seconds, seen.trouble) == (200, DIMENSION, 5.0, 2.5, None)
        assert seen.expected == seen.received > 0
        assert (seen.key_name, seen.key_in_environment, seen.key_source) == ("A_KEY", True, "environment")
        assert seen.client.startswith("aiohttp 3.")
        assert seen.address == f"{server.base_url}/embeddings"
        assert seen.confirmed
        assert server.asked[0].authorization == f"Bearer {KEY}"
        assert KEY not in repr(seen)


def test_the_report_says_that_a_key_is_in_the_file_and_not_in_the_environment(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    write_private(home.credentials, f"A_KEY={KEY}\n".encode())
    with openai_server() as server:
        seen = route(config_for(server.base_url, key_name="A_KEY"), home)
        assert (seen.key_in_environment, seen.key_source, seen.trouble) == (False, "credentials", None)
        assert KEY not in repr(seen)


def test_the_report_of_a_missing_key_sends_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    with openai_server() as server:
        seen = route(config_for(server.base_url, key_name="A_KEY"), home)
        assert (seen.key_in_environment, seen.key_source, seen.status) == (False, None, None)
        assert seen.trouble is not None
        assert "A_KEY is not set in this process" in seen.trouble
        assert server.asked == []


def test_the_report_of_an_answer_that_was_cut_off_says_how_much_came(home: Home) -> None:
    with openai_server(cut_in_half) as server:
        seen = route(config_for(server.base_url), home)
        assert seen.expected is not None
        assert seen.received == seen.expected // 2
        assert seen.trouble is not None
        assert f"{seen.received} of {seen.expected} bytes came" in seen.trouble
        assert seen.dimension is None


def test_the_report_names_what_the_service_says(home: Home) -> None:
    for behaviour, words in ((status(401), "refused the key"), (says(b"<html>"), "web page"), (silent, "gave no answer within 1 s")):
        with openai_server(always=behaviour) as server:
            seen = route(config_for(server.base_url, timeout_s=1.0), home)
            assert seen.trouble is not None
            assert words in seen.trouble


def test_the_report_measures_a_length_that_is_not_the_configured_one(home: Home) -> None:
    with openai_server(dimension=16) as server:
        unknown = replace(config_for(server.base_url), dimensions=None)
        assert (route(unknown, home).dimension, route(unknown, home).trouble) == (16, None)
    with openai_server(with_numbers([1.0] * 16)) as server:
        seen = route(config_for(server.base_url), home)
        assert seen.dimension == 16
        assert seen.trouble is not None
        assert "instead of 8" in seen.trouble


def test_the_report_about_an_unconfirmed_address_sends_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with openai_server() as server, http_proxy(server.port) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        seen = route(config_for(AWAY), home)
        assert (seen.confirmed, seen.status) == (False, None)
        assert seen.trouble is not None
        assert "never confirmed" in seen.trouble
        assert proxy.passed == []
        assert {field.name for field in fields(seen)} >= {"pid", "client", "proxies", "address", "status", "expected", "received", "norm"}
