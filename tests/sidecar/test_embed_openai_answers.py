"""What the embedder makes of every answer that a real server can give: vectors, or a Trouble of the right kind, never a hang."""

import base64
from collections.abc import Callable

import numpy as np
import pytest

from holovault.embed.openai.answers import vectors_of
from holovault.embed.openai.exchange import Limits
from holovault.embed.openai.verdicts import wait_asked
from holovault.embed.spec import ModelSpec, Vectors
from holovault.embed.trouble import TroubleError
from tests.support.fake_model import vector
from tests.support.openai_server import (
    DIMENSION,
    Asked,
    Behaviour,
    babbles,
    chunked_and_cut,
    cut_in_half,
    floods,
    hangs_up,
    honest,
    openai_server,
    says,
    silent,
    spoilt,
    stalls,
    status,
    with_numbers,
)
from tests.support.remote import NOON, SHORT, remote, settings, trouble_with


def expected(*texts: str) -> Vectors:
    return np.stack([vector(text, DIMENSION) for text in texts])


def test_texts_become_vectors_in_their_order() -> None:
    with openai_server() as server, remote(server.base_url) as model:
        assert np.allclose(model.embed(["one", "два", "三"], "passage"), expected("one", "два", "三"), atol=1e-6)
        assert server.asked[0].path == "/v1/embeddings"
        assert server.asked[0].body["encoding_format"] == "base64"
        assert server.asked[0].body["model"] == "test-model"
        assert server.asked[0].authorization is None


def test_nothing_to_embed_is_no_request() -> None:
    with openai_server() as server, remote(server.base_url) as model:
        assert model.embed([], "passage").shape == (0, DIMENSION)
        assert server.asked == []


def test_an_address_that_names_the_endpoint_is_not_made_longer() -> None:
    with openai_server() as server, remote(f"{server.base_url}/embeddings") as model:
        model.embed(["one"], "passage")
        assert server.asked[0].path == "/v1/embeddings"


def test_questions_and_passages_get_their_prefixes() -> None:
    spec = ModelSpec("openai", "test-model", DIMENSION, 128, "ask: ", "tell: ")
    with openai_server() as server, remote(server.base_url, spec=spec) as model:
        model.embed(["one"], "query")
        model.embed(["one"], "passage")
        assert server.texts() == [("ask: one",), ("tell: one",)]


def test_the_index_of_each_vector_decides_whose_it_is() -> None:
    with openai_server(spoilt(lambda rows: rows[::-1])) as server, remote(server.base_url) as model:
        assert np.allclose(model.embed(["one", "two", "three"], "passage"), expected("one", "two", "three"), atol=1e-6)


def test_without_indexes_the_order_counts() -> None:
    def forget(rows: list[dict[str, object]]) -> object:
        return [{"embedding": row["embedding"]} for row in rows]

    with openai_server(spoilt(forget)) as server, remote(server.base_url) as model:
        assert np.allclose(model.embed(["one", "two"], "passage"), expected("one", "two"), atol=1e-6)


def test_plain_numbers_are_as_good_as_base64() -> None:
    def plain(rows: list[dict[str, object]]) -> object:
        decoded = [np.frombuffer(base64.b64decode(str(row["embedding"])), "<f4") for row in rows]
        return [{**row, "embedding": [float(number) for number in numbers]} for row, numbers in zip(rows, decoded, strict=True)]

    with openai_server(spoilt(plain)) as server, remote(server.base_url) as model:
        assert np.allclose(model.embed(["one", "two"], "passage"), expected("one", "two"), atol=1e-6)


def test_vectors_of_any_length_become_unit_vectors() -> None:
    with openai_server(with_numbers([3, 4, 0, 0, 0, 0, 0, 0])) as server, remote(server.base_url) as model:
        assert np.allclose(model.embed(["one"], "passage"), [[0.6, 0.8, 0, 0, 0, 0, 0, 0]])


@pytest.mark.parametrize("refusal", [400, 422])
def test_a_service_that_knows_no_base64_is_asked_for_plain_numbers_from_then_on(refusal: int) -> None:
    def judge(asked: Asked) -> Behaviour | None:
        return status(refusal) if "encoding_format" in asked.body else None

    with openai_server(judge=judge) as server, remote(server.base_url) as model:
        model.embed(["one"], "passage")
        model.embed(["two"], "passage")
        assert [asked.texts[0] for asked in server.asked] == ["one", "one", "two"]


def test_shorter_vectors_are_asked_for_where_the_configuration_wants_them() -> None:
    with openai_server(dimension=32) as server, remote(settings(server.base_url, dimensions=DIMENSION)) as model:
        assert model.embed(["one"], "passage").shape == (1, DIMENSION)
        assert server.asked[0].body["dimensions"] == DIMENSION


def test_a_service_that_cannot_shorten_but_has_the_right_length_is_used() -> None:
    def judge(asked: Asked) -> Behaviour | None:
        return status(400) if "dimensions" in asked.body else None

    with openai_server(judge=judge) as server, remote(settings(server.base_url, dimensions=DIMENSION)) as model:
        assert model.embed(["one"], "passage").shape == (1, DIMENSION)
        assert len(server.asked) == 3


def test_a_refusal_after_the_first_answer_is_about_the_texts() -> None:
    with openai_server(honest, status(400)) as server, remote(settings(server.base_url, dimensions=DIMENSION)) as model:
        model.embed(["one"], "passage")
        assert trouble_with(model).kind == "text"
        assert len(server.asked) == 2


SICK: list[tuple[Behaviour, str]] = [
    (cut_in_half, r"cut its answer off, \d+ of \d+ bytes came"),
    (chunked_and_cut, r"cut its answer off, \d+ bytes came"),
    (stalls, r"stopped in the middle of its answer, \d+ of \d+ bytes came"),
    (floods, "sends an answer of more than 1 MB"),
    (hangs_up, "closed the connection without an answer"),
    (babbles, "answered with something that is no HTTP"),
    (says(b'{"data": [{"embedding": "AAAA'), "no JSON, or with the first part of it only"),
    (says(b""), "no JSON"),
    (says(b"\xff\xfe{}"), "no JSON"),
    (says(b'{"x": ' + b"[" * 200_000), "no JSON"),
    (says(b'{"error": {"message": "overloaded"}}'), "JSON that holds no list of vectors"),
    (says(b'{"data": [{"embedding": {"a": 1}}, {"embedding": []}]}'), "JSON that holds no list of vectors"),
    (spoilt(lambda rows: rows[:1]), "gave 1 vectors for 2 texts"),
    (spoilt(lambda rows: rows * 2), "gave 4 vectors for 2 texts"),
    (spoilt(lambda rows: []), "gave 0 vectors for 2 texts"),
    (spoilt(lambda rows: [{**row, "index": 0} for row in rows]), "do not say which text is whose"),
    (spoilt(lambda rows: [{**row, "index": row["index"] + 1} for row in rows]), "do not say which text is whose"),
    (spoilt(lambda rows: [rows[0], {"embedding": rows[1]["embedding"]}]), "do not say which text is whose"),
    (spoilt(lambda rows: [{**row, "embedding": "AAA"} for row in rows]), "base64 cannot be read"),
    (spoilt(lambda rows: [{**row, "embedding": "AAAA"} for row in rows]), "base64 cannot be read"),
    (spoilt(lambda rows: [{**row, "embedding": "&&&&"} for row in rows]), "base64 cannot be read"),
    (with_numbers([float("nan")] * 8), "not finite, or of length 0"),
    (with_numbers([float("inf")] * 8), "not finite, or of length 0"),
    (with_numbers([1e300] * 8), "not finite, or of length 0"),
    (with_numbers([0.0] * 8), "not finite, or of length 0"),
    (
        spoilt(lambda rows: [{**row, "embedding": base64.b64encode(np.full(8, np.nan, "<f4").tobytes()).decode()} for row in rows]),
        "not finite",
    ),
    (status(204, body=b""), r"answered without vectors \(HTTP 204\)"),
    (status(500), r"failed \(HTTP 500\)"),
]


@pytest.mark.parametrize(("behaviour", "words"), SICK, ids=[words[:40] + f" {number}" for number, (_, words) in enumerate(SICK)])
def test_an_answer_of_no_use_may_be_the_services_fault_or_a_texts(behaviour: Behaviour, words: str) -> None:
    with openai_server(always=behaviour) as server, remote(server.base_url) as model:
        trouble = trouble_with(model)
        assert trouble.kind == "sick"
        with pytest.raises(TroubleError, match=words):
            raise TroubleError(trouble)
        assert trouble.reason.startswith(f"{server.base_url}/embeddings ")


def test_a_stall_in_the_middle_is_noticed_long_before_the_time_is_up() -> None:
    limits = Limits(total=1000.0, connect=2.0, stall=0.3)
    with openai_server(stalls) as server, remote(server.base_url, limits=limits) as model:
        assert "stopped in the middle of its answer" in trouble_with(model).reason


def test_a_service_that_never_answers_is_given_up_in_time() -> None:
    limits = Limits(total=0.3, connect=2.0, stall=5.0)
    with openai_server(always=silent) as server, remote(server.base_url, limits=limits) as model:
        trouble = trouble_with(model)
        assert trouble.kind == "sick"
        assert "gave no answer within 0.3 s: a larger timeout_s or a smaller batch_size may help" in trouble.reason


REFUSED: list[tuple[int, str, str]] = [
    (401, "denied", r"refused the key \(HTTP 401\): it wants a key; name the environment variable"),
    (403, "denied", r"refused the key \(HTTP 403\)"),
    (402, "denied", "credit is used up"),
    (404, "denied", r"no model test-model \(HTTP 404\): check base_url"),
    (405, "denied", "no such address"),
    (407, "denied", "the proxy in front of .* wants a user and a password"),
    (400, "text", r"will not read what was sent \(HTTP 400\)"),
    (422, "text", r"will not read what was sent \(HTTP 422\)"),
    (429, "busy", r"wants fewer requests \(HTTP 429\)$"),
    (408, "away", "not available just now"),
    (502, "away", "not available just now"),
    (503, "away", "not available just now"),
    (504, "away", "not available just now"),
    (522, "away", "not available just now"),
    (511, "away", "wants a sign-in"),
]


@pytest.mark.parametrize(("code", "kind", "words"), REFUSED)
def test_every_status_has_its_meaning(code: int, kind: str, words: str) -> None:
    with openai_server(always=status(code, body=b"<html>whatever", kind="text/html")) as server, remote(server.base_url) as model:
        trouble = trouble_with(model, "one")
        assert trouble.kind == kind
        with pytest.raises(TroubleError, match=words):
            raise TroubleError(trouble)


@pytest.mark.parametrize("body", [b'{"error": {"code": "insufficient_quota"}}', b'{"error": {"code": null, "type": "insufficient_quota"}}'])
def test_an_account_without_credit_is_not_asked_again_soon(body: bytes) -> None:
    with openai_server(status(429, {"Retry-After": "1"}, body)) as server, remote(server.base_url) as model:
        trouble = trouble_with(model)
        assert (trouble.kind, trouble.wait_s) == ("denied", None)
        assert "credit is used up" in trouble.reason


def test_a_refusal_with_a_body_too_deep_to_read_is_told_by_its_status() -> None:
    with openai_server(status(429, body=b'{"error": {"x": ' + b"[" * 200_000)) as server, remote(server.base_url) as model:
        assert trouble_with(model).kind == "busy"


@pytest.mark.parametrize("code", [429, 503])
@pytest.mark.parametrize(
    ("header", "wait"), [("7", 7.0), ("0.5", 0.5), ("Tue, 14 Nov 2023 22:13:50 GMT", 30.0), ("Tue, 14 Nov 2023 22:13:10 GMT", 0.0)]
)
def test_a_service_says_how_long_it_wants_to_be_left_alone(code: int, header: str, wait: float) -> None:
    with openai_server(status(code, {"Retry-After": header})) as server, remote(server.base_url) as model:
        trouble = trouble_with(model)
        assert (trouble.kind, trouble.wait_s) == ("busy", wait)
        assert trouble.reason.endswith(f", the next one in {wait:.0f} s")


@pytest.mark.parametrize("header", ["", "soon", "-5", "1e9", "Tue, 99 Nov 2023 22:13:50 GMT", "٣", "1.2.3"])
def test_a_retry_after_that_is_nonsense_is_none(header: str) -> None:
    assert wait_asked(header, NOON) is None


def test_a_request_that_is_too_large_is_sent_in_halves_and_nothing_is_lost() -> None:
    def judge(asked: Asked) -> Behaviour | None:
        return status(413) if len(asked.texts) > 3 else None

    texts = [f"text number {number}" for number in range(13)]
    with openai_server(judge=judge) as server, remote(server.base_url) as model:
        assert np.allclose(model.embed(texts, "passage"), expected(*texts), atol=1e-6)
        assert [len(asked) for asked in server.texts()][:3] == [13, 7, 4]
        assert [text for asked in server.texts() if len(asked) <= 3 for text in asked] == texts


def test_what_was_too_large_once_is_not_sent_again() -> None:
    def judge(asked: Asked) -> Behaviour | None:
        return status(413) if len(asked.texts) > 4 else None

    texts = [f"text number {number}" for number in range(8)]
    with openai_server(judge=judge) as server, remote(server.base_url) as model:
        for _ in range(6):
            model.embed(texts, "passage")
        assert [len(asked) for asked in server.texts()].count(8) == 1
        assert len(server.texts()) < 6 * 8


def test_one_text_that_is_too_large_is_to_blame_itself() -> None:
    with openai_server(always=status(413)) as server, remote(server.base_url) as model:
        trouble = trouble_with(model, "a", "b")
        assert trouble.kind == "text"
        assert "not even with one text" in trouble.reason
        assert [len(asked) for asked in server.texts()] == [2, 1]


def test_after_a_time_out_the_next_try_is_in_smaller_pieces() -> None:
    limits = Limits(total=0.3, connect=2.0, stall=5.0)
    with openai_server(silent) as server, remote(server.base_url, limits=limits) as model:
        trouble_with(model, "one", "two", "three", "four")
        model.embed(["one", "two", "three", "four"], "passage")
        assert [len(asked) for asked in server.texts()] == [4, 2, 2]


def test_a_web_page_is_no_answer() -> None:
    for kind in ("text/html", "application/json"):
        with openai_server(says(b"\n<!DOCTYPE html><html>Welcome to the airport", kind)) as server, remote(server.base_url) as model:
            trouble = trouble_with(model)
            assert trouble.kind == "away"
            assert "answered with a web page: this network may want a sign-in first" in trouble.reason


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_to_the_same_origin_is_followed_once(code: int) -> None:
    there = status(code, {"Location": "/v2/embeddings"})
    with openai_server(there) as server, remote(server.base_url) as model:
        assert np.allclose(model.embed(["one"], "passage"), expected("one"), atol=1e-6)
        assert [asked.path for asked in server.asked] == ["/v1/embeddings", "/v2/embeddings"]
    with openai_server(always=there) as server, remote(server.base_url) as model:
        trouble = trouble_with(model, "one")
        assert trouble.kind == "denied"
        assert "in a circle" in trouble.reason
        assert len(server.asked) == 2


def test_a_redirect_to_another_origin_gets_neither_key_nor_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "sk-secret")
    with openai_server() as elsewhere:
        for code in (301, 307):
            there = status(code, {"Location": f"{elsewhere.base_url}/embeddings?token=sk-secret"})
            with openai_server(there) as server, remote(settings(server.base_url, key_name="A_KEY")) as model:
                trouble = trouble_with(model, "one")
                assert trouble.kind == "denied"
                assert f"to http://127.0.0.1:{elsewhere.port}, where neither key nor text is sent" in trouble.reason
                assert "secret" not in trouble.reason
        assert elsewhere.asked == []


@pytest.mark.parametrize(
    "headers", [{}, {"Location": "http://[broken"}, {"Location": "mailto:somebody@example.org"}, {"Location": "https://"}]
)
def test_a_redirect_to_nowhere_is_named(headers: dict[str, str]) -> None:
    with openai_server(status(308, headers)) as server, remote(server.base_url) as model:
        trouble = trouble_with(model, "one")
        assert trouble.kind == "denied"
        assert "redirects (HTTP 308)" in trouble.reason


def test_vectors_of_another_length_stop_everything_with_what_to_set() -> None:
    with openai_server(dimension=16) as server, remote(server.base_url) as model:
        trouble = trouble_with(model)
        assert trouble.kind == "denied"
        assert "gives vectors of 16 numbers instead of 8: set dimensions to what the model gives" in trouble.reason


def test_a_port_where_nobody_listens_is_named() -> None:
    with openai_server() as server:
        base_url = server.base_url
    with remote(base_url) as model:
        trouble = trouble_with(model)
        assert trouble.kind == "away"
        assert trouble.reason.startswith(f"no connection to {base_url}/embeddings: ")


def test_a_plain_server_behind_https_is_named() -> None:
    with openai_server() as server, remote(server.base_url.replace("http:", "https:")) as model:
        trouble = trouble_with(model)
        assert trouble.kind == "away"
        assert "no secure connection" in trouble.reason


@pytest.mark.parametrize("read", [lambda body: vectors_of(body, 1, None, "it")])
def test_any_length_will_do_where_none_is_known(read: Callable[[bytes], Vectors]) -> None:
    assert read(b'{"data": [{"embedding": [3, 4]}]}').tolist() == [[3.0, 4.0]]


def test_a_kept_connection_that_was_closed_meanwhile_costs_nothing() -> None:
    with openai_server(honest, hangs_up) as server, remote(server.base_url, limits=SHORT) as model:
        model.embed(["one"], "passage")
        assert np.allclose(model.embed(["two"], "passage"), expected("two"), atol=1e-6)
        assert server.texts() == [("one",), ("two",), ("two",)]
