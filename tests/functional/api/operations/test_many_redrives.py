"""Many failed runs again: by what they have in common, as one operation."""

from typing import Any

import pytest

from tests.functional.api.operations.test_dead_letters import BROKEN
from tests.functional.api.runs.test_failed_runs import fail, listed
from tests.support.api import Answer, Api
from tests.support.factories import OTHER_TENANT

PATH = "/v1/runs/redrive"
ALL = {"filter": {"all": True}}


def again(api: Api, body: dict[str, Any], **headers: str) -> Answer:
    """Ask for failed runs again, and let the operation work."""
    answer = api.send("POST", PATH, body, **headers)
    api.world.settle()
    return answer


def done(api: Api, answer: Answer) -> Any:  # noqa: ANN401 - the API's JSON
    """The operation as it is now."""
    return api.send("GET", answer.headers["location"]).body


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "filter", "missing"),
        ({"filter": {}}, "filter", "empty_filter"),
        ({"filter": {"all": True, "name": "a"}}, "filter.all", "contradicts_filter"),
        ({"filter": {"state": ["succeeded"]}}, "filter.state.0", "invalid_choice"),
        ({"filter": {"job_id": "nightly"}}, "filter.job_id", "invalid_format"),
        (
            {"filter": {"from": "2026-11-21T08:00:00Z", "to": "2026-11-21T07:00:00Z"}},
            "to",
            "range_reversed",
        ),
        ({"filter": {"all": True}, "payload": 1}, "payload", "unknown_field"),
    ],
    ids=str,
)
def test_failed_runs_are_named_by_what_they_share(
    api: Api, body: dict[str, Any], field: str, code: str
) -> None:
    """An empty filter is a mistake more often than a wish."""
    answer = api.send("POST", PATH, body)

    assert (answer.status, answer.fields) == (400, [(field, code)])


def test_every_failure_that_matches_is_tried_again(api: Api) -> None:
    """Permanent ones and dead letters; others stay as they are."""
    gone = fail(api, name="nightly report", tags={"team": "a"})
    dead = fail(api, BROKEN, name="nightly load", tags={"team": "a"})
    other = fail(api, name="weekly")
    answer = again(api, {"filter": {"name": "nightly*", "tags": {"team": "a"}}, "note": "back"})
    operation = done(api, answer)

    assert answer.status == 202
    assert (operation["kind"], operation["status"]) == ("redrive", "succeeded")
    assert operation["counts"] == {
        "matched": 2,
        "done": 2,
        "unchanged": 0,
        "failed": 0,
        "in_progress": 0,
    }
    assert operation["parameters"]["filter"]["name"] == "nightly*"
    assert listed(api) == [other]
    states = [
        api.send("GET", f"/v1/jobs/{job}/runs").body["items"][0]["state"] for job in (gone, dead)
    ]
    assert states == ["succeeded", "succeeded"]


@pytest.mark.parametrize(
    ("criteria", "count"),
    [
        ({"state": ["failed"]}, 1),
        ({"state": ["failed", "dead_lettered"]}, 2),
        ({"reason": "retries_exhausted"}, 1),
        ({"error_code": "http_404"}, 1),
        ({"from": "2026-11-21T07:00:00Z"}, 2),
        ({"from": "2026-11-21T08:00:00Z"}, 0),
        ({"to": "2026-11-21T06:59:59Z"}, 0),
        ({"tags": {"team": "c"}}, 0),
        ({"all": True}, 2),
    ],
    ids=str,
)
def test_criteria_are_those_of_the_list(api: Api, criteria: dict[str, Any], count: int) -> None:
    """By state, reason, code, end and tag."""
    fail(api)
    fail(api, BROKEN)
    answer = again(api, {"filter": criteria})

    assert done(api, answer)["counts"]["done"] == count


def test_a_job_is_named_by_its_key(api: Api) -> None:
    """The operation keeps the id."""
    job_id = fail(api, key="nightly")
    fail(api)
    operation = done(api, again(api, {"filter": {"job_id": "key:nightly"}}))

    assert operation["parameters"]["filter"]["job_id"] == job_id
    assert operation["counts"]["done"] == 1
    assert api.send("POST", PATH, {"filter": {"job_id": "key:weekly"}}).status == 404


def test_a_run_that_never_began_is_left_out(api: Api) -> None:
    """It gave its place back: there is nothing to try again."""
    job_id = api.create(schedule={"kind": "manual"})["job_id"]
    api.send("POST", f"/v1/jobs/{job_id}/trigger", {"expires_after_seconds": 1})
    api.world.clock.advance(5)
    api.world.settle()

    assert listed(api) == [job_id]
    assert done(api, again(api, ALL))["counts"]["matched"] == 0


def test_one_that_cannot_run_fails_the_operation_and_stops_no_other(api: Api) -> None:
    """The job of it was cancelled."""
    first, second = fail(api), fail(api)
    api.send("DELETE", f"/v1/jobs/{first}")
    operation = done(api, again(api, ALL))

    assert operation["status"] == "failed"
    assert (operation["counts"]["done"], operation["counts"]["failed"]) == (1, 1)
    assert operation["errors"][0]["code"] == "job_cancelled"
    assert listed(api) == [first]
    assert second not in listed(api)


def test_more_than_a_step_takes_are_tried_once_each(api: Api) -> None:
    """A second failure is a later one, and is not tried again."""
    jobs = [fail(api) for _ in range(53)]
    for _ in jobs:
        api.world.target.then(BROKEN)
    operation = done(api, again(api, ALL))

    assert operation["counts"]["done"] == len(jobs)
    assert sorted(listed(api, "limit=100")) == sorted(jobs)
    assert len(api.world.target.calls) == 2 * len(jobs)


def test_a_repetition_starts_no_other(api: Api) -> None:
    """The key of a redrive of dead letters is another request."""
    fail(api)
    first = again(api, ALL, Idempotency_Key="k")
    api.world.clock.advance(1)
    second = again(api, ALL, Idempotency_Key="k")
    other = api.send("POST", "/v1/dead-letters/redrive", ALL, Idempotency_Key="k")

    assert (first.status, second.status, other.status) == (202, 200, 409)
    assert second.body["operation_id"] == first.body["operation_id"]
    assert len(api.world.target.calls) == 2


def test_another_tenant_s_failures_are_none(api: Api) -> None:
    """Nor by the id of the job."""
    job_id = fail(api)
    for body in (ALL, {"filter": {"job_id": job_id}}):
        answer = api.send("POST", PATH, body, tenant=OTHER_TENANT)
        api.world.settle()
        found = api.send("GET", answer.headers["location"], tenant=OTHER_TENANT).body

        assert found["counts"]["matched"] == 0
    assert listed(api) == [job_id]
