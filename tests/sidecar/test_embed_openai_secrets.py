"""The key goes into one header of one request and appears nowhere else, whatever goes wrong."""

import logging
from pathlib import Path

import pytest
from aiohttp import web

from holovault.config import Home
from holovault.embed import EmbeddingService
from holovault.embed.openai import route
from holovault.errors import HolovaultError
from tests.support.openai_server import (
    Behaviour,
    Visit,
    babbles,
    chunked_and_cut,
    cut_in_half,
    hangs_up,
    openai_server,
    says,
    stalls,
    status,
    with_numbers,
)
from tests.support.remote_shop import config_for, remote_shop

KEY = "sk-proj-4f3c2b1a0987-KEY"
NOTE = "the safe opens with 4711"


async def quotes_everything(visit: Visit) -> web.StreamResponse:
    """A service that repeats key and text in everything it says."""
    said = f'{{"error": {{"message": "{visit.asked.authorization} {visit.asked.texts}", "code": "{KEY}", "type": "{KEY}"}}}}'
    return await status(400, {"Retry-After": KEY, "WWW-Authenticate": KEY, "Location": f"https://x.test/{KEY}"}, said.encode())(visit)


async def redirects_at_home_with_the_key(visit: Visit) -> web.StreamResponse:
    """A service that repeats the key in a place of its own, and fails there."""
    there = f"/{KEY}/embeddings"
    failing = visit.asked.path == there
    return await status(500 if failing else 307, {} if failing else {"Location": f"{there}?key={KEY}"})(visit)


def redirects_with_the_key(code: int) -> Behaviour:
    return status(code, {"Location": f"https://{KEY}:{KEY}@elsewhere.test/{KEY}?key={KEY}"}, KEY.encode())


TROUBLES: list[Behaviour] = [
    quotes_everything,
    redirects_with_the_key(302),
    redirects_with_the_key(307),
    redirects_at_home_with_the_key,
    status(401, body=f'{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}'.encode()),
    status(429, {"Retry-After": KEY}, KEY.encode()),
    status(500, body=KEY.encode(), kind="text/plain"),
    says(KEY.encode()),
    says(f"<html>{KEY}".encode(), "text/html"),
    cut_in_half,
    chunked_and_cut,
    stalls,
    hangs_up,
    babbles,
    with_numbers([float("nan")] * 8),
]


def said_by(service: EmbeddingService) -> str:
    """Everything that a person could come to see."""
    said = []
    for ask in (lambda: service.embed_passages([NOTE, "other"]).reasons, lambda: service.embed_query(NOTE, None), service.probes):
        try:
            said.append(str(ask()))
        except HolovaultError as error:
            cause: BaseException | None = error
            while cause is not None:
                said.append(f"{cause!r} {cause}")
                cause = cause.__cause__ or cause.__context__
        said.append(repr(service.status()))
    return "\n".join(said)


@pytest.mark.parametrize("trouble", TROUBLES, ids=range(len(TROUBLES)))
def test_the_key_and_the_text_are_in_no_error_status_or_log(
    trouble: Behaviour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("A_KEY", KEY)
    with openai_server() as server, remote_shop(config_for(server.base_url, key_name="A_KEY", timeout_s=1.0), tmp_path) as shop:
        shop.embedding.embed_query("warm up", None)
        server.always = trouble
        said = said_by(shop.embedding)
        told = repr(route(config_for(server.base_url, key_name="A_KEY", timeout_s=1.0), Home(tmp_path / "home")))
        files = [path.read_bytes().decode("utf-8", "replace") for path in tmp_path.rglob("*") if path.is_file()]
        assert {asked.authorization for asked in server.asked} == {f"Bearer {KEY}"}
    everything = "\n".join((said, told, caplog.text, *files))
    assert "/v1/embeddings" in said
    assert KEY not in everything
    assert NOTE not in everything


def test_what_is_sent_to_the_worker_holds_the_keys_name_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from holovault.embed.openai.parent import terms

    monkeypatch.setenv("A_KEY", KEY)
    settings = terms(config_for("http://localhost:1/v1", key_name="A_KEY"), Home(tmp_path / "home")).settings
    assert b"A_KEY" in settings
    assert KEY.encode() not in settings
