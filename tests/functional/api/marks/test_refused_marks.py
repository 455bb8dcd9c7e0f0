"""Payloads with marks that no run could fill, or that would grow too large, are refused."""

from typing import Any

import pytest

from tests.support.api import Answer, Api, new_job
from tests.support.pools.worker_requests import ACTION, claim
from timegate.domain.jobs.rules.mark_grammar import MARKS
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES

MARKED: dict[str, Any] = {"payload_marks": {}}
DAG = {"name": "all", "tasks": [{"key": "a", "job": {"action": ACTION}}], "edges": []}


def refusals(api: Api, payload: object) -> list[Answer]:
    """Answers to each request that gives a payload to a job with marks."""
    job_id = api.create(**MARKED, payload={"day": "{{date}}"})["job_id"]
    plain = api.create(payload=payload)["job_id"]
    path = f"/v1/jobs/{job_id}"
    return [
        api.send("POST", "/v1/jobs", new_job(**MARKED, payload=payload)),
        api.send("PATCH", path, {"payload": payload}),
        api.send("PATCH", f"/v1/jobs/{plain}", MARKED),
        api.send("POST", f"{path}/preview", {"payload": payload}),
        api.trigger(job_id, {"payload": payload}),
        api.trigger(job_id, {"payload_patch": {"more": payload}}),
    ]


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("{{dat}}", "unknown_mark", "'dat'"),
        ("{{Date}}", "unknown_mark", "'Date'"),
        ("{{}}", "unknown_mark", "''"),
        ("{{date.previous.previous}}", "unknown_mark", "'date.previous.previous'"),
        ("{{" + "x" * 100 + "}}", "unknown_mark", f"'{'x' * 60}'"),
        ("{{date", "invalid_mark", "not closed"),
        ("{{date}", "invalid_mark", "not closed"),
        ("{{da{te}}", "invalid_mark", "not closed"),
        ("{{{{{{", "invalid_mark", "not closed"),
        ("{{", "invalid_mark", "not closed"),
    ],
)
def test_marks_that_cannot_be_filled_are_refused(api: Api, text: str, code: str, told: str) -> None:
    """Each request that gives one is; the refusal names it, and those that are known."""
    for answer in refusals(api, {"deep": [{"text": f"on {text}"}]}):
        (error,) = answer.body["errors"]
        assert (answer.status, error["field"], error["code"]) == (400, "payload", code)
        assert told in error["detail"]
        assert all(mark in error["detail"] for mark in MARKS)


def test_a_batch_and_a_validation_refuse_them_as_well(api: Api) -> None:
    """Each names the place."""
    job_id = api.create(**MARKED)["job_id"]
    bad = new_job(**MARKED, payload="{{dat}}")
    bulk = api.send("POST", "/v1/jobs/bulk", {"jobs": [bad]}).body["items"]
    valid = api.send("POST", "/v1/jobs/validate", bad).body
    path = f"/v1/jobs/{job_id}/trigger/batch"
    batch = api.send("POST", path, {"triggers": [{"payload": "{{dat}}"}, {"payload": "{{date}}"}]})
    items = [bulk[0], batch.body["items"][0]]
    codes = [error["code"] for item in items for error in item["error"]["errors"]]

    assert codes == [each["code"] for each in valid["errors"]] * 2 == ["unknown_mark"] * 2
    assert batch.body["items"][1]["error"] is None


def test_an_unknown_zone_is_refused(api: Api) -> None:
    """The refusal names the field."""
    answer = api.send("POST", "/v1/jobs", new_job(payload_marks={"timezone": "Mars/Base"}))

    assert answer.fields == [("payload_marks.timezone", "unknown_timezone")]


@pytest.mark.parametrize(("grown", "status"), [(0, 201), (1, 400)])
def test_a_payload_fits_however_its_marks_are_filled(api: Api, grown: int, status: int) -> None:
    """The longest value of each mark counts."""
    growth = MARKS["run.id"] - len("{{run.id}}")
    text = "{{run.id}}" * 10
    filler = MAX_PAYLOAD_BYTES - len(text) - 10 * growth - len('""') + grown
    answer = api.send("POST", "/v1/jobs", new_job(**MARKED, payload=text + "x" * filler))

    assert answer.status == status
    assert status == 201 or answer.fields == [("payload", "payload_too_large")]


def test_a_wish_that_the_job_takes_back_leaves_its_payload_as_it_is(api: Api) -> None:
    """Runs that were triggered with data before keep their marks."""
    action: dict[str, Any] = {"schedule": {"kind": "manual"}, "action": ACTION}
    job_id = api.create(**action, **MARKED, payload="{{date}}")["job_id"]
    api.trigger(job_id, {"payload": "own {{date}}"})
    api.send("PATCH", f"/v1/jobs/{job_id}", {"payload_marks": None})
    api.trigger(job_id)
    unread = api.trigger(job_id, {"payload": "{{unknown}}"})
    api.send("PATCH", f"/v1/jobs/{job_id}", MARKED)
    got = sorted(run["payload"] for run in claim(api, max=9))

    assert unread.status == 202
    assert got == ["2026-11-21", "own 2026-11-21", "{{unknown}}"]


@pytest.mark.parametrize(("size", "status"), [(1024, 201), (1025, 400)])
def test_parameters_of_a_dag_that_are_filled_are_small(api: Api, size: int, status: int) -> None:
    """Executors write no payloads: they ride in the record of the DAG run."""
    dag_id = api.send("POST", "/v1/dags", DAG).body["dag_id"]
    action = {"type": "dag", "dag_id": dag_id}
    payload = {"a": "x" * (size - len('{"a":""}'))}
    answer = api.send("POST", "/v1/jobs", new_job(**MARKED, action=action, payload=payload))

    assert answer.status == status
    assert status == 201 or answer.fields == [("payload", "payload_too_large")]
