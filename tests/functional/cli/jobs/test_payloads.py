"""Payloads on the command line."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, job

Timegate = Callable[..., Outcome]


@pytest.mark.parametrize(
    "command",
    [
        f"jobs trigger {JOB_ID} --payload null",
        f"jobs trigger {JOB_ID} --merge null",
        "jobs create --name a --now --webhook https://example.com/hook --payload null",
        "dead-letters redrive --all --payload null",
    ],
)
def test_null_is_no_payload(api: FakeApi, timegate: Timegate, command: str) -> None:
    """It cannot count as left out: a run would get what the job says."""
    refused = timegate(*command.split())

    assert (refused.code, api.calls) == (2, [])
    assert "--no-payload" in refused.err


@pytest.mark.parametrize(
    ("options", "sent", "shown"),
    [
        (("--payload-marks",), {}, "filled, with days of its schedule"),
        (
            ("--payload-marks-zone", "Europe/Rome"),
            {"timezone": "Europe/Rome"},
            "filled, with days of Europe/Rome",
        ),
        ((), None, None),
    ],
)
def test_a_job_asks_for_marks(
    api: FakeApi,
    timegate: Timegate,
    options: tuple[str, ...],
    sent: dict[str, Any] | None,
    shown: str | None,
) -> None:
    """A zone is a wish for them; without either they are text."""
    marks = None if sent is None else {"timezone": None, **sent}
    api.will(ok(job(payload_marks=marks), 201))
    new = ("--name", "a", "--now", "--webhook", "https://example.com/hook")
    outcome = timegate("jobs", "create", *new, "--payload", '"{{date}}"', *options)

    assert api.body.get("payload_marks") == sent
    assert ("marks      " in outcome.out) is (shown is not None)
    assert (shown or "") in outcome.out


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        (
            {"type": "object", "properties": {"day": {}, "rows": {}}, "required": ["day"]},
            "day*, rows",
        ),
        ({"type": ["string", "null"]}, "string or null"),
        ({}, "any"),
    ],
)
def test_a_job_is_given_a_schema_and_shows_its_members(
    api: FakeApi, timegate: Timegate, tmp_path: Path, schema: dict[str, Any], shown: str
) -> None:
    """From a file; a star marks members that it requires."""
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(schema))
    api.will(ok(job(payload_schema=schema), 201))
    new = ("--name", "a", "--manual", "--webhook", "https://example.com/hook")
    outcome = timegate("jobs", "create", *new, "--payload-schema", f"@{file}")

    assert api.body["payload_schema"] == schema
    assert re.search(rf"^schema +{re.escape(shown)} *$", outcome.out, re.MULTILINE)


def test_a_schema_is_cleared(api: FakeApi, timegate: Timegate) -> None:
    """Any payload is accepted from then on."""
    api.will(ok(job()), ok(job()))
    timegate("jobs", "update", JOB_ID, "--clear", "payload_schema")

    assert api.body == {"payload_schema": None}


def test_a_refused_payload_is_told_place_by_place(api: FakeApi, timegate: Timegate) -> None:
    """Each with its pointer and its sentence."""
    errors = [
        {"field": "payload/day", "code": "missing", "detail": "The schema requires it."},
        {"field": "payload/rows", "code": "too_small", "detail": "The schema asks for 1 or more."},
    ]
    problem = {"status": 422, "code": "payload_mismatch", "detail": "At payload/day: no."}
    api.will(httpx.Response(422, json={**problem, "errors": errors, "request_id": "r"}))
    outcome = timegate("jobs", "trigger", JOB_ID, "--payload", "{}")

    assert outcome.code != 0
    assert all(each["field"] in outcome.err and each["detail"] in outcome.err for each in errors)
