"""Values against schemas: each place that does not fit is named, within a budget."""

import json
from typing import Any

import pytest

from timegate.domain.schemas.fitting import MAX_FAULTS, MAX_STEPS, faults_of
from timegate.domain.schemas.schema_reader import read_schema

OBJECT: dict[str, Any] = {"type": "object"}


def faults(schema: object, value: object) -> list[tuple[str, str]]:
    """Places and codes of what does not fit."""
    found = faults_of(read_schema(json.dumps(schema)), value, "payload")
    return [(each.field, each.code) for each in found]


@pytest.mark.parametrize(
    ("schema", "fits", "fault", "code"),
    [
        ({"type": "integer"}, 1.0, 1.5, "wrong_type"),
        ({"type": "integer"}, 1, True, "wrong_type"),
        ({"type": "number"}, 1, "1", "wrong_type"),
        ({"type": ["string", "null"]}, None, [], "wrong_type"),
        ({"type": "boolean"}, False, 0, "wrong_type"),
        ({"enum": [1, "a"]}, 1.0, True, "invalid_choice"),
        ({"const": None}, None, False, "invalid_choice"),
        ({"enum": ["a"]}, "a", ["a"], "invalid_choice"),
        ({"type": "number", "minimum": 1}, 1, 0.999, "too_small"),
        ({"type": "number", "maximum": 1}, 1, 1.001, "too_large"),
        ({"type": "string", "minLength": 2}, "äö", "ä", "too_short"),
        ({"type": "string", "maxLength": 1}, "\U0001f600", "ab", "too_long"),
        ({"type": "array", "minItems": 1}, [0], [], "too_short"),
        ({"type": "array", "maxItems": 1}, [0], [0, 0], "too_long"),
        ({"type": "string", "pattern": "^a+$"}, "aa", "ab", "invalid_format"),
        ({"type": "string", "format": "date"}, "2024-02-29", "2026-02-29", "invalid_format"),
        ({"type": "string", "format": "date"}, "2026-11-30", "2026-11-30T", "invalid_format"),
        ({"type": "string", "format": "date"}, "2026-11-30", "20261130", "invalid_format"),
        (
            {"type": "string", "format": "date-time"},
            "2026-11-30T07:00:00.5+01:00",
            "2026-11-30T07:00:00",
            "invalid_format",
        ),
        (
            {"type": "string", "format": "date-time"},
            "2026-11-30t07:00:00z",
            "2026-11-30T24:00:00Z",
            "invalid_format",
        ),
    ],
)
def test_each_keyword_holds_on_both_sides(
    schema: object, fits: object, fault: object, code: str
) -> None:
    """A value that fits has no fault, and its neighbour has one."""
    assert faults(schema, fits) == []
    assert faults(schema, fault) == [("payload", code)]


def test_every_place_is_named_by_a_pointer() -> None:
    """Members, items and others; slashes and tildes in names are escaped."""
    schema = OBJECT | {
        "properties": {
            "lines": {"type": "array", "items": OBJECT | {"required": ["sku"]}},
            "a/b~c": {"type": "string"},
            "day": {},
        },
        "required": ["day"],
        "additionalProperties": False,
    }
    value = {"lines": [{"sku": 1}, {}], "a/b~c": 1, "extra": 1}

    assert faults(schema, value) == [
        ("payload/day", "missing"),
        ("payload/lines/1/sku", "missing"),
        ("payload/a~1b~0c", "wrong_type"),
        ("payload/extra", "unknown_field"),
    ]


def test_other_members_have_a_schema_of_their_own() -> None:
    """Members that are named are not held to it."""
    schema = OBJECT | {"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}

    assert faults(schema, {"a": "x", "b": 1, "c": "x"}) == [("payload/c", "wrong_type")]


def test_so_many_faults_are_named_and_no_more() -> None:
    """The rest is not looked at."""
    schema = {"type": "array", "items": {"type": "integer"}}

    assert len(faults(schema, ["x"] * MAX_FAULTS)) == MAX_FAULTS
    assert len(faults(schema, ["x"] * (MAX_FAULTS + 1))) == MAX_FAULTS


def test_a_check_ends_at_its_budget() -> None:
    """Each item is a step, and the list one more."""
    schema = {"type": "array", "items": {"type": "integer"}}

    assert faults(schema, [1] * (MAX_STEPS - 1)) == []
    assert faults(schema, [1] * MAX_STEPS) == [("payload", "too_complex")]


def test_a_text_costs_as_much_as_its_pattern_has_parts() -> None:
    """Sixty-four parts are nine steps for each character; the text is one more."""
    schema = {"type": "string", "pattern": "^(?:a?){64}b"}
    longest = (MAX_STEPS - 1) // 9

    assert faults(schema, "a" * longest) == [("payload", "invalid_format")]
    assert faults(schema, "a" * (longest + 1)) == [("payload", "too_complex")]


def test_long_names_are_cut_and_credentials_in_them_hidden() -> None:
    """A payload's own names may be as long as it."""
    schema = OBJECT | {"additionalProperties": False}
    ((place, _),) = faults(schema, {"x" * 5_000: 1})
    ((hidden, _),) = faults(schema, {"AKIAIOSFODNN7EXAMPLE": 1})

    assert place == "payload/" + "x" * 100
    assert "AKIA" not in hidden


def test_sentences_say_what_is_asked_for() -> None:
    """They quote the schema, and no value of the payload."""
    found = [
        faults_of(read_schema(json.dumps(schema)), "secret", "payload")[0].detail
        for schema in (
            {"type": ["integer", "null"]},
            {"enum": ["a", 1]},
            {"enum": [f"choice {n}" for n in range(50)]},
            {"type": "string", "pattern": "^[0-9]$"},
        )
    ]

    assert found == [
        "The schema asks for an integer or null, and it is a text.",
        'The schema allows "a", 1.',
        "It is none of the 50 values that the schema lists.",
        "The schema asks for a text like ^[0-9]$.",
    ]
