"""The wire: JSON of holovault.model, held by a committed schema from which other languages take their types."""

import dataclasses
import json
from typing import Any

import jsonschema
import msgspec
import pytest

from holovault import model
from tests.support.recordings import ROOT, matches

SCHEMA = "tests/contract/wire.schema.json"
WIRE: tuple[type, ...] = (
    model.SearchRequest,
    model.SearchResponse,
    model.RelatedRequest,
    model.ReadResult,
    model.WriteResult,
    model.NoteChange,
    model.IndexRequest,
    model.IndexReport,
    model.IndexProgress,
    model.Status,
    model.Health,
    model.Events,
    model.PathExplanation,
    model.PruneReport,
    model.EntityQuery,
    model.EntityList,
    model.ProbeRequest,
    model.NeighbourRequest,
    model.ReasonRequest,
    model.LikeRequest,
    model.EntityAnswer,
    model.AnalogyRequest,
    model.AnalogyAnswer,
    model.EntityRoles,
    model.FactQuery,
    model.FactList,
    model.FactHistory,
    model.RememberRequest,
    model.Remembered,
    model.Correction,
    model.Corrected,
    model.Forgotten,
    model.Rating,
    model.FeedbackResult,
    model.Contradictions,
    model.FactActivity,
    model.FoldReport,
    model.CheckupRequest,
    model.Checkup,
)
HIT = model.Hit(
    path="Projects/Атлас/plan.md",
    title="Plan",
    heading=("Plan", "Storage"),
    start_line=42,
    end_line=77,
    excerpt="why PostgreSQL",
    matches=((4, 14),),
    tags=("db",),
    score=0.5,
    signals=model.Signals(lexical=0.5, coverage=1.0),
    tier=1,
    project="Атлас",
    modified="2026-05-24T00:00:00Z",
    chunk="00" * 32,
    explanation=model.Explanation("coverage", 0.5, (model.Part("lexical", 0.5, 1.0, 0.5),), 1.0, 1.0, 1.0, 0.5),
)
RESPONSE = model.SearchResponse("postgres", 1.5, (model.Degraded("semantic", "warming", "the model is loading"),), (HIT,))


def _schema() -> dict[str, Any]:
    _, components = msgspec.json.schema_components(WIRE, ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Holovault wire values",
        "$defs": {name: components[name] for name in sorted(components)},
    }


def test_the_committed_schema_is_the_model() -> None:
    matches(SCHEMA, json.dumps(_schema(), ensure_ascii=False, indent=2) + "\n")


def test_a_response_on_the_wire_fulfils_the_committed_schema() -> None:
    schema = json.loads((ROOT / SCHEMA).read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator({**schema, "$ref": "#/$defs/SearchResponse"})
    wire = json.loads(msgspec.json.encode(RESPONSE))
    validator.validate(wire)
    del wire["results"][0]["start_line"]
    assert not validator.is_valid(wire)


def test_a_hit_has_the_promised_fields_in_the_promised_order() -> None:
    promised = "path title heading start_line end_line excerpt matches tags score signals tier project modified chunk fact explanation"
    later = "source presence verified via links"
    assert [field.name for field in dataclasses.fields(model.Hit)] == [*promised.split(), *later.split()]
    signals = "lexical semantic jaccard hrr coverage tier trust decay"
    assert [field.name for field in dataclasses.fields(model.Signals)] == signals.split()


def test_a_client_ignores_fields_that_a_newer_daemon_adds() -> None:
    wire = json.loads(msgspec.json.encode(RESPONSE))
    wire["results"][0]["mood"] = "new in some later version"
    assert msgspec.json.decode(json.dumps(wire), type=model.SearchResponse) == RESPONSE


@pytest.mark.parametrize("kind", WIRE, ids=lambda kind: kind.__name__)
def test_values_that_cross_layers_are_frozen(kind: type) -> None:
    parameters = getattr(kind, "__dataclass_params__")  # noqa: B009 - mypy knows no such attribute of type
    assert parameters.frozen
