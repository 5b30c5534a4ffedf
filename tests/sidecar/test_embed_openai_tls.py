"""A service that is reached by https, straight or through a proxy: whose certificate counts, and what is said where it does not."""

import ssl
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme

from holovault.config import trust
from holovault.embed import ModelUnavailable
from tests.support.http_proxy import http_proxy
from tests.support.openai_server import openai_server
from tests.support.remote_shop import config_for, remote_shop

AWAY = "https://embedding.test/v1"
KEY = "sk-0123456789abcdefghij"
VARIABLES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY")


@dataclass(frozen=True, slots=True)
class Authority:
    """Vouches for `embedding.test`; `file` is what a machine that trusts it has."""

    server: ssl.SSLContext
    file: Path


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    made = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.issue_cert("embedding.test").configure_cert(context)
    file = tmp_path_factory.mktemp("authority") / "authority.pem"
    made.cert_pem.write_to_path(str(file))
    return Authority(context, file)


@pytest.fixture(autouse=True)
def _no_proxy_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)


def test_vectors_come_by_https_through_the_proxy_of_the_environment(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with openai_server(tls=authority.server) as server, http_proxy(server.port, refusal=None) as proxy:
        monkeypatch.setenv("https_proxy", f"http://someone:secret@127.0.0.1:{proxy.port}")
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        monkeypatch.setenv("A_KEY", KEY)
        with remote_shop(config_for(AWAY, key_name="A_KEY"), tmp_path) as shop:
            trust(shop.home, AWAY, "A_KEY")
            assert shop.embedding.embed_passages(["one", "two"]).failed == ()
            assert len(shop.embedding.embed_query("three", None)) == server.dimension
        assert server.texts() == [("one", "two"), ("three",)]
        assert {asked.authorization for asked in server.asked} == {f"Bearer {KEY}"}
        assert {(passed.method, passed.target) for passed in proxy.passed} == {("CONNECT", "embedding.test:443")}
        assert all((passed.authorization or "").startswith("Basic ") for passed in proxy.passed)


def test_a_certificate_that_nobody_here_trusts_is_named_and_gets_neither_text_nor_key(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with openai_server(tls=authority.server) as server, http_proxy(server.port, refusal=None) as proxy:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("A_KEY", KEY)
        with remote_shop(config_for(AWAY, key_name="A_KEY"), tmp_path) as shop:
            trust(shop.home, AWAY, "A_KEY")
            with pytest.raises(ModelUnavailable, match=_not_trusted(AWAY)):
                shop.embedding.embed_query("x", None)
            assert KEY not in shop.log()
        assert server.asked == []
        assert len(proxy.passed) >= 1


def test_a_certificate_for_another_name_is_not_trusted_either(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with openai_server(tls=authority.server) as server, remote_shop(config_for(server.base_url), tmp_path) as shop:
        trust(shop.home, server.base_url)
        with pytest.raises(ModelUnavailable, match=_not_trusted(server.base_url)):
            shop.embedding.embed_query("x", None)
        assert server.asked == []


def _not_trusted(base_url: str) -> str:
    return rf"the certificate of {base_url}/embeddings is not one that this machine trusts: .*SSL_CERT_FILE"
