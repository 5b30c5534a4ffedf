"""The description at /v1/openapi.json: every route is in it, and what the server answers fits it."""

import asyncio
from typing import Any

import msgspec
from jsonschema import Draft202012Validator

from holovault.model import IndexRequest, RelatedRequest, SearchRequest
from holovault.web.openapi import document
from holovault.web.routes import ROUTES
from tests.support.fake_engine import FakeEngine
from tests.support.servers import served


def schema_of(name: str) -> dict[str, Any]:
    """The schema of one component, with the others at hand."""
    return {"$ref": f"#/components/schemas/{name}", "components": document("0")["components"]}


def test_every_route_is_described_with_its_problems() -> None:
    described = document("0")
    operations = [(path, method) for path, methods in described["paths"].items() for method in methods]
    assert {(route.path, route.method.lower()) for route in ROUTES} | {("/v1/openapi.json", "get")} == set(operations)
    for path, method in operations:
        responses = described["paths"][path][method]["responses"]
        assert "403" in responses
        assert ("401" in responses) is (path != "/v1/health")


def test_operations_have_names_of_their_own() -> None:
    names = [operation["operationId"] for methods in document("0")["paths"].values() for operation in methods.values()]
    assert len(names) == len(set(names))


def test_every_reference_leads_somewhere_and_every_schema_is_valid() -> None:
    described = document("0")
    schemas = described["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    text = msgspec.json.encode(described).decode()
    used = {part.split('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert used == set(schemas)


def test_answers_fit_their_schema() -> None:
    async def ask() -> list[tuple[str, bytes]]:
        async with served(FakeEngine({"a.md": b"# A\nword\n", "b.md": b"word"})) as server:
            return [
                ("Health", (await server.ask("GET", "/v1/health?nonce=n")).body),
                ("Status", (await server.ask("GET", "/v1/status")).body),
                ("SearchResponse", (await server.ask("GET", "/v1/search?q=word")).body),
                ("SearchResponse", (await server.ask("GET", "/v1/related?path=a.md")).body),
                ("ReadResult", (await server.ask("GET", "/v1/notes/a.md")).body),
                ("WriteResult", (await server.ask("PUT", "/v1/notes/c.md", body=b"x", headers={"If-None-Match": "*"})).body),
                ("IndexReport", (await server.ask("POST", "/v1/index")).body),
                ("IndexProgress", (await server.ask("GET", "/v1/index")).body),
                ("Events", (await server.ask("GET", "/v1/events?since=0&wait=0")).body),
                ("PathExplanation", (await server.ask("GET", "/v1/explain/a.md")).body),
                ("Problem", (await server.ask("GET", "/v1/notes/none.md")).body),
                ("Stopping", (await server.ask("POST", "/v1/stop")).body),
            ]

    for name, body in asyncio.run(ask()):
        Draft202012Validator(schema_of(name)).validate(msgspec.json.decode(body))


def test_requests_fit_their_schema() -> None:
    for name, value in (
        ("SearchRequest", SearchRequest("q")),
        ("RelatedRequest", RelatedRequest("a.md")),
        ("IndexRequest", IndexRequest()),
    ):
        Draft202012Validator(schema_of(name)).validate(msgspec.to_builtins(value))


def test_the_description_is_served() -> None:
    async def ask() -> bytes:
        async with served(FakeEngine()) as server:
            return (await server.ask("GET", "/v1/openapi.json")).body

    assert msgspec.json.decode(asyncio.run(ask()))["openapi"] == "3.1.0"
