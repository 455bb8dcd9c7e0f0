"""Data of the tenant's own in files and requests: what looks like a reference in it is none."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_apply import Timegate, apply, file, verbs
from tests.functional.cli.served import served, timegate
from timegate.declaring.known_names import TENANT_DATA

__all__ = ["file", "served", "timegate"]

DESCRIPTION = json.loads(
    (Path(__file__).resolve().parents[4] / "docs" / "reference" / "openapi.json").read_text()
)
SCHEMAS = DESCRIPTION["components"]["schemas"]
#: Members that hold definitions described elsewhere, and an event, whose data are ``data``.
CONTAINERS = {"calendars", "event", "event_triggers", "jobs", "rules", "triggers"}
_DESCRIBED = {"type", "oneOf", "anyOf", "allOf", "enum", "const", "properties", "items"}

JOB = """
- kind: Job
  name: export
  spec:
    schedule: {kind: manual}
    action:
      type: webhook
      url: https://example.com/x
      headers: {job_id: Job/other, dag_id: etl/daily}
    payload_schema: {type: object, properties: {day: {type: [string, "null"]%s}}}
- kind: Job
  name: other
  spec: {schedule: {kind: manual}, action: {type: worker, pool: p, handler: h}}
"""
WAIT = """
kind: Dag
name: waits
spec:
  tasks:
    - key: paid
      wait:
        kind: event
        seconds: 60
        on_expiry: succeed
        default: {job_id: a/b%s}
        event: {type: paid, match: {data: {job_id: [Job/other]}}, correlation: a}
"""


def _free(schema: Mapping[str, Any], name: str | None, seen: set[object]) -> Iterator[str]:
    """Yield names of members that are any JSON, or an object of the caller's own names."""
    if "$ref" in schema:
        model = schema["$ref"].split("/")[-1]
        if (model, name) not in seen:
            seen.add((model, name))
            yield from _free(SCHEMAS[model], name, seen)
        return
    others = schema.get("additionalProperties")
    is_open = schema.get("type") == "object" and not schema.get("properties")
    is_map = isinstance(others, Mapping) and ("$ref" in others or others.get("type") == "integer")
    if name is not None and (not schema.keys() & _DESCRIBED or (is_open and not is_map)):
        yield name
    for member, inner in schema.get("properties", {}).items():
        yield from _free(inner, member, seen)
    for word in ("items", "oneOf", "anyOf", "allOf"):
        inner = schema.get(word, [])
        for each in inner if isinstance(inner, list) else [inner]:
            yield from _free(each, name, seen)
    if isinstance(others, Mapping):
        yield from _free(others, None, seen)


def _bodies() -> Iterator[Mapping[str, Any]]:
    for operations in DESCRIPTION["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and "requestBody" in operation:
                for content in operation["requestBody"]["content"].values():
                    yield content["schema"]


def test_each_free_member_of_a_request_is_the_tenants() -> None:
    """A member that a later release adds is found here."""
    found = {name for body in _bodies() for name in _free(body, None, set())}

    assert found - CONTAINERS <= TENANT_DATA
    assert found >= CONTAINERS


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [(JOB, ", default: null", ""), (WAIT, ", n: null", "")],
    ids=["schema", "wait"],
)
def test_files_leave_it_as_it_is_and_see_each_change(
    timegate: Timegate, file: Path, text: str, before: str, after: str
) -> None:
    """Nothing in it names a document; a null in it is no absent member."""
    file.write_text(text % before)
    assert apply(timegate, file).code == 0
    file.write_text(text % after)
    changed = apply(timegate, file)

    assert (changed.code, "change" in verbs(changed).values()) == (0, True)
    assert set(verbs(apply(timegate, file)).values()) == {"keep"}


def test_a_header_is_sent_as_it_was_written(timegate: Timegate, file: Path) -> None:
    file.write_text(JOB % "")
    apply(timegate, file)
    (made,) = timegate("jobs", "list", "--name", "export", "--json").json["items"]

    assert made["action"]["headers"] == {"job_id": "Job/other", "dag_id": "etl/daily"}


def test_short_ids_in_it_stay_short(timegate: Callable[..., Any]) -> None:
    """A short id in a place of the request that wants an id is made whole."""
    job = ("jobs", "create", "--manual", "--webhook", "https://example.com/x", "--json")
    made = timegate(*job, "--name", "export").json["job_id"]
    short = made[:8]
    trigger = {
        "pattern": {"data": {"job_id": [short]}},
        "starts": {"type": "job", "job_id": short, "payload_patch": {"job_id": short}},
    }
    put = timegate("event-triggers", "put", "paid", "-f", "-", "--json", stdin=json.dumps(trigger))

    assert put.json["starts"]["job_id"] == made
    assert put.json["starts"]["payload_patch"] == {"job_id": short}
    assert put.json["pattern"] == trigger["pattern"]
