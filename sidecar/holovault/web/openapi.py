"""The OpenAPI 3.1 description, generated from the table of routes and the model. Pure; must not know a request."""

from collections.abc import Iterable
from typing import Any

import msgspec

from holovault.client.problems import Problem
from holovault.web.problems import CONTENT_TYPE
from holovault.web.routes import ROUTES, model_types
from holovault.web.table import Parameter, Route

Json = dict[str, Any]
_ALWAYS = (403, 500)
_REF = "#/components/schemas/{name}"


def document(version: str) -> Json:
    """The whole description as JSON-ready values; `version` is the daemon's."""
    types = [*dict.fromkeys((*model_types(), Problem))]
    _, components = msgspec.json.schema_components(types, ref_template=_REF)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Holovault", "version": version, "description": "Search of one Markdown vault by words and by meaning."},
        "paths": _paths(ROUTES),
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "The token of the vault's run file."}},
        },
        "security": [{"token": []}],
    }


def _paths(routes: Iterable[Route]) -> Json:
    paths: Json = {"/v1/openapi.json": {"get": _self()}}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return paths


def _operation(route: Route) -> Json:
    refused = sorted({*route.problems, *_ALWAYS, *(() if route.public else (401,))})
    operation: Json = {
        "operationId": route.name,
        "summary": route.text,
        "parameters": [_parameter(parameter) for parameter in route.parameters],
        "responses": {
            **{str(status): _success(route, status) for status in route.successes},
            **{str(status): _problem(status) for status in refused},
        },
    }
    if route.body is not None:
        operation["requestBody"] = _body(route)
    if route.public:
        operation["security"] = []
    return operation


def _parameter(parameter: Parameter) -> Json:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.required,
        "description": parameter.text,
        "schema": {"type": parameter.kind},
    }


def _body(route: Route) -> Json:
    if route.body is bytes:
        return {"required": True, "content": {"text/markdown": {"schema": {"type": "string", "format": "binary"}}}}
    assert route.body is not None
    return {"required": route.name != "index", "content": {"application/json": {"schema": _reference(route.body)}}}


def _success(route: Route, status: int) -> Json:
    if status == 304 or route.answer is None:
        return {"description": "The version that the client has is the current one."}
    content: Json = {"application/json": {"schema": _reference(route.answer)}}
    if route.name == "readNote":
        content["text/markdown"] = {"schema": {"type": "string"}}
    return {"description": route.answer.__name__, "content": content}


def _problem(status: int) -> Json:
    return {"description": f"A problem with status {status}.", "content": {CONTENT_TYPE: {"schema": _reference(Problem)}}}


def _reference(kind: type) -> Json:
    return {"$ref": _REF.format(name=kind.__name__)}


def _self() -> Json:
    return {
        "operationId": "openapi",
        "summary": "This description.",
        "responses": {
            "200": {"description": "OpenAPI 3.1", "content": {"application/json": {"schema": {"type": "object"}}}},
            **{str(status): _problem(status) for status in (401, 403, 500)},
        },
    }
