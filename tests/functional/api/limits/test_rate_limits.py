"""Rate limits over HTTP: asked for, refused, and what one did to a run."""

from typing import Any

import pytest

from tests.support.api import Api, new_job

POOLED = {"type": "worker", "pool": "p", "handler": "h"}
FOUR = {
    "per_second": None,
    "per_minute": 4,
    "per_hour": None,
    "burst": 2,
    "key": "crm",
    "key_from": None,
}


def test_a_job_says_how_often_its_target_is_called(api: Api) -> None:
    """Given, changed, and taken back; what is left out stays."""
    job = api.create(rate_limit={"per_minute": 4, "burst": 2, "key": "crm"})
    path = f"/v1/jobs/{job['job_id']}"
    renamed = api.send("PATCH", path, {"name": "other"}).body
    other = api.send("PATCH", path, {"rate_limit": {"per_hour": 9}}).body
    free = api.send("PATCH", path, {"rate_limit": None}).body

    assert (job["rate_limit"], renamed["rate_limit"]) == (FOUR, FOUR)
    assert (other["rate_limit"]["per_hour"], other["rate_limit"]["burst"]) == (9, 1)
    assert free["rate_limit"] is None


@pytest.mark.parametrize(
    ("asked", "field", "code"),
    [
        pytest.param({}, "", "not_one_period", id="no-period"),
        pytest.param({"per_second": 1, "per_hour": 9}, "", "not_one_period", id="two-periods"),
        pytest.param({"per_second": 0}, ".per_second", "too_small", id="never"),
        pytest.param({"per_hour": 1001}, ".per_hour", "too_large", id="too-often"),
        pytest.param({"per_second": 1, "burst": 0}, ".burst", "too_small", id="none-at-once"),
        pytest.param({"per_second": 1, "burst": 1001}, ".burst", "too_large", id="all-at-once"),
        pytest.param({"per_second": 1, "key": "a b"}, ".key", "invalid_format", id="no-name"),
        pytest.param({"per_second": 1, "key": "sqs:q"}, ".key", "invalid_format", id="a-target"),
    ],
)
def test_what_is_no_rate_is_refused(api: Api, asked: dict[str, Any], field: str, code: str) -> None:
    """At creation and at a change, naming the place."""
    job = api.create()
    answers = [
        api.send("POST", "/v1/jobs", new_job(rate_limit=asked)),
        api.send("PATCH", f"/v1/jobs/{job['job_id']}", {"rate_limit": asked}),
    ]

    for answer in answers:
        assert (answer.status, answer.fields) == (400, [(f"rate_limit{field}", code)])


def test_workers_have_none(api: Api) -> None:
    """Nor may a job with one become theirs."""
    refused = api.send("POST", "/v1/jobs", new_job(action=POOLED, rate_limit={"per_second": 1}))
    job = api.create(rate_limit={"per_second": 1})
    changed = api.send("PATCH", f"/v1/jobs/{job['job_id']}", {"action": POOLED})

    for answer in (refused, changed):
        assert [each["code"] for each in answer.body["errors"]] == ["not_for_this_action"]


def test_a_run_says_how_long_it_was_held_up(api: Api) -> None:
    """It and the account of its instant; a run that nothing held up says so."""
    now = {"kind": "immediate"}
    first, second = (api.create(schedule=now, rate_limit={"per_minute": 4}) for _ in range(2))
    world = api.world
    world.execute(world.receive())
    runs = [api.send("GET", f"/v1/jobs/{job['job_id']}/runs") for job in (first, second)]
    rows = [run.body["items"][0] for run in runs]
    held = next(row for row in rows if row["rate_limited"] is not None)
    free = next(row for row in rows if row["rate_limited"] is None)
    shown = api.send("GET", f"/v1/runs/{held['run_id']}").body

    assert held["rate_limited"] == {
        "key": "webhook:hooks.example.com",
        "since": "2026-11-21T07:00:00.000Z",
        "until": "2026-11-21T07:00:15.000Z",
    }
    assert (held["state"], held["due_at"]) == ("queued", "2026-11-21T07:00:15.000Z")
    assert "waits for its turn" in shown["explanation"]
    assert free["state"] == "succeeded"
