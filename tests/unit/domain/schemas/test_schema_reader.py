"""Schemas of payloads: a closed part of JSON Schema, and refusals with a pointer."""

import json
from typing import Any

import pytest

from timegate.domain.schemas.keywords import DIALECT
from timegate.domain.schemas.schema_reader import (
    MAX_DEPTH,
    MAX_POSITIONS,
    MAX_SCHEMA_BYTES,
    read_schema,
)
from timegate.domain.values.errors import InvalidInput

ALL: dict[str, Any] = {
    "$schema": DIALECT,
    "title": "An export",
    "type": "object",
    "properties": {
        "day": {"type": "string", "format": "date", "description": "Its day."},
        "at": {"type": "string", "format": "date-time"},
        "rows": {"type": "integer", "minimum": 1, "maximum": 10, "default": 5},
        "kind": {"enum": ["full", "delta", None]},
        "version": {"const": 2},
        "names": {
            "type": "array",
            "items": {"type": "string", "pattern": "^[a-z]+$", "minLength": 1, "maxLength": 9},
            "minItems": 1,
            "maxItems": 3,
        },
        "more": {"type": ["object", "null"], "additionalProperties": {"type": "boolean"}},
    },
    "required": ["day"],
    "additionalProperties": False,
}


def refusal(schema: object) -> tuple[str, str]:
    """Return the place at which a schema is refused, and the code."""
    with pytest.raises(InvalidInput) as refused:
        read_schema(json.dumps(schema))
    return refused.value.field, refused.value.code


def nested(levels: int) -> dict[str, Any]:
    """A schema in which so many are nested, itself counted."""
    schema: dict[str, Any] = {}
    for _ in range(levels - 1):
        schema = {"type": "array", "items": schema}
    return schema


def of_size(size: int) -> str:
    """A schema of so many bytes."""
    return json.dumps({"title": "x" * (size - len('{"title": ""}'))})


def test_every_keyword_is_read() -> None:
    """Each has its effect in the schema that is checked against."""
    read = read_schema(json.dumps(ALL))

    assert (read.types, read.required, read.others) == (("object",), ("day",), False)
    assert read.members["kind"].choices == ("full", "delta", None)
    assert read.members["version"].choices == (2,)
    assert (read.members["names"].fewest_items, read.members["names"].most_items) == (1, 3)


@pytest.mark.parametrize(
    ("schema", "place", "code"),
    [
        ([], "", "wrong_type"),
        (True, "", "wrong_type"),
        ({"$ref": "#"}, "/$ref", "unknown_keyword"),
        ({"$ref": "https://evil.example/schema"}, "/$ref", "unknown_keyword"),
        ({"$defs": {}}, "/$defs", "unknown_keyword"),
        ({"anyOf": [{}, {}]}, "/anyOf", "unknown_keyword"),
        ({"type": "object", "properties": {"a/b": {"oneOf": []}}},
         "/properties/a~1b/oneOf", "unknown_keyword"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "/$schema", "invalid_choice"),
        ({"items": {}, "type": "array", "properties": {}}, "/properties", "without_effect"),
        ({"properties": {}}, "/properties", "required"),
        ({"type": "text"}, "/type", "invalid_choice"),
        ({"type": []}, "/type", "invalid_choice"),
        ({"type": [1]}, "/type", "wrong_type"),
        ({"type": ["null", "null"]}, "/type", "repeated"),
        ({"type": "object", "properties": []}, "/properties", "wrong_type"),
        ({"type": "object", "properties": {"a": 1}}, "/properties/a", "wrong_type"),
        ({"type": "object", "required": "a"}, "/required", "wrong_type"),
        ({"type": "object", "required": ["a", "a"]}, "/required", "repeated"),
        ({"type": "object", "required": ["a"], "additionalProperties": False},
         "/required", "contradictory"),
        ({"type": "object", "additionalProperties": "no"}, "/additionalProperties", "wrong_type"),
        ({"type": "array", "items": [{}]}, "/items", "wrong_type"),
        ({"type": "array", "minItems": 2, "maxItems": 1}, "/minItems", "contradictory"),
        ({"type": "integer", "minimum": 2, "maximum": 1}, "/minimum", "contradictory"),
        ({"type": "integer", "minimum": "1"}, "/minimum", "wrong_type"),
        ({"type": "integer", "minimum": True}, "/minimum", "wrong_type"),
        ({"type": "string", "minLength": -1}, "/minLength", "wrong_type"),
        ({"type": "string", "minLength": 1.5}, "/minLength", "wrong_type"),
        ({"type": "string", "format": "email"}, "/format", "invalid_choice"),
        ({"type": "string", "format": ["date"]}, "/format", "invalid_choice"),
        ({"type": "string", "pattern": 1}, "/pattern", "wrong_type"),
        ({"type": "string", "pattern": "(?=a)"}, "/pattern", "unsupported_pattern"),
        ({"enum": []}, "/enum", "wrong_type"),
        ({"enum": [{}]}, "/enum", "wrong_type"),
        ({"enum": [1, 1.0]}, "/enum", "repeated"),
        ({"enum": [1], "const": 1}, "/const", "contradictory"),
        ({"enum": ["a"], "type": "integer"}, "/enum", "contradictory"),
        ({"title": 1}, "/title", "wrong_type"),
        ({"type": "integer", "default": "5"}, "/default", "contradictory"),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_not_in_the_part_or_never_holds_is_refused(
    schema: object, place: str, code: str
) -> None:
    """The refusal has a pointer to the keyword."""
    assert refusal(schema) == (f"payload_schema{place}", code)


def test_values_that_differ_in_type_alone_are_two() -> None:
    """True is not 1, and a text is no number."""
    assert read_schema('{"enum": [1, true, "1", null]}').choices == (1, True, "1", None)


def test_schemas_are_nested_so_deep_and_no_deeper() -> None:
    """The refusal names the first that is too deep."""
    read_schema(json.dumps(nested(MAX_DEPTH)))

    assert refusal(nested(MAX_DEPTH + 1))[1] == "too_complex"


def test_a_schema_has_a_size() -> None:
    """Every write of its job bills it."""
    read_schema(of_size(MAX_SCHEMA_BYTES))

    with pytest.raises(InvalidInput, match=f"the limit is {MAX_SCHEMA_BYTES}"):
        read_schema(of_size(MAX_SCHEMA_BYTES + 1))


def test_patterns_have_parts_together() -> None:
    """Sixteen of them with 64 parts are as many as there may be."""
    parts = {f"p{n}": {"type": "string", "pattern": "a{64}"} for n in range(MAX_POSITIONS // 64)}
    read_schema(json.dumps({"type": "object", "properties": parts}))
    more = parts | {"last": {"type": "string", "pattern": "a"}}

    assert refusal({"type": "object", "properties": more}) == (
        "payload_schema/properties/last/pattern",
        "too_complex",
    )
