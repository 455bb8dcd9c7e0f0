"""Schemas that could hurt, or say nothing, are refused with a pointer before a job has them."""

from typing import Any

import pytest

from tests.support.api import Api, new_job


def deep(levels: int) -> dict[str, Any]:
    """A schema of so many within one another."""
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    ("schema", "field", "code"),
    [
        ({"$ref": "#"}, "payload_schema/$ref", "unknown_keyword"),
        ({"$ref": "http://169.254.169.254/"}, "payload_schema/$ref", "unknown_keyword"),
        ({"anyOf": [{"anyOf": [{}, {}]}] * 9}, "payload_schema/anyOf", "unknown_keyword"),
        (
            {"type": "string", "pattern": "(?:a{128}){128}"},
            "payload_schema/pattern",
            "unsupported_pattern",
        ),
        ({"enum": [f"value {n}" for n in range(1000)]}, "payload_schema", "too_long"),
        (deep(10), "payload_schema" + "/properties/a" * 10, "too_complex"),
        ({"type": "object", "properties": {"a": {"type": "int"}}},
         "payload_schema/properties/a/type", "invalid_choice"),
        ([], "payload_schema", "wrong_type"),
        ("{}", "payload_schema", "wrong_type"),
    ],
    ids=["loop", "remote", "alternatives", "pattern", "enum", "deep", "type", "list", "text"],
)  # fmt: skip
def test_a_schema_beyond_its_bounds_is_refused(
    api: Api, schema: object, field: str, code: str
) -> None:
    """At creation, by a patch, and in a validation."""
    body = new_job(payload={"a": 1}, payload_schema=schema)
    created = api.send("POST", "/v1/jobs", body)
    job_id = api.create()["job_id"]
    patched = api.send("PATCH", f"/v1/jobs/{job_id}", {"payload_schema": schema})

    assert (created.status, created.fields) == (400, [(field, code)])
    assert (patched.status, patched.fields) == (400, [(field, code)])


def test_a_body_that_is_nested_beyond_reading_is_no_fault_of_the_stage(api: Api) -> None:
    """It is refused before a schema is read."""
    text = '{"items":' * 5_000 + "{}" + "}" * 5_000
    answer = api.send("POST", "/v1/jobs", f'{{"payload_schema": {text}}}')

    assert answer.status == 400


def test_a_schema_counts_to_the_size_of_its_job(api: Api) -> None:
    """All texts of a definition have 16 KB together."""
    metadata = {f"name-{n}": "x" * 256 for n in range(20)}
    body = new_job(metadata=metadata, tags=metadata, description="x" * 2000)
    schema = {"title": "x" * 4000}
    fits = api.send("POST", "/v1/jobs", body)
    answer = api.send("POST", "/v1/jobs", body | {"payload_schema": schema})

    assert fits.status == 201
    assert answer.fields == [("job", "definition_too_large")]


def test_a_job_is_shown_with_its_schema_in_its_order(api: Api) -> None:
    """Forms show members as their author ordered them."""
    schema = {"type": "object", "properties": {"z": {}, "a": {}}, "title": "T"}
    job = api.create(payload={}, payload_schema=schema)

    assert list(job["payload_schema"]["properties"]) == ["z", "a"]
    assert list(job["payload_schema"]) == ["type", "properties", "title"]
